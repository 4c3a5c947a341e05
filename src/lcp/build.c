#include "lcp/build.h"
#include <math.h>
#include <string.h>
#include "constraint/row.h"
#include "lcp/rows.h"
#include "lcp/solve/section.h"
#include "model/arena.h"

static int kindOf(const snModel* m, const snData* d, int row)
{
    if (d->efc_type[row] == SN_CNSTR_EQUALITY) return SN_BLOCK_JOINT;
    if (d->efc_type[row] != SN_CNSTR_CONTACT_ELLIPTIC) return SN_BLOCK_ROWS;
    return m->opt.cone == SN_CONE_ELLIPTIC ? SN_BLOCK_CONE : SN_BLOCK_BOX;
}

static bool allocate(snData* d, const snIslands* islands, int island, snLcpSystem* s)
{
    int square = 0;
    s->nquad = s->nblock = 0;
    for (int g = islands->first_group[island]; g >= 0; g = islands->group[g].next, s->nblock++) {
        const int size = sn_padded(islands->group[g].count);
        s->nquad += size / 4;
        square += size * size;
    }
    const int rows = 4 * s->nquad;
    double* all = sn_scratchReal(d, sn_systemNumbers(s, rows, square));
    snQuad* quad = sn_scratchAlloc(d, (size_t)s->nquad * sizeof(snQuad));
    s->block = sn_scratchAlloc(d, (size_t)s->nblock * sizeof(snLcpBlock));
    if (!all || !quad || !s->block) return false;
    sn_systemArrays(s, rows, square, all);
    s->J = s->T = quad;
    return true;
}

// b, bounds and lambda of a block's rows, which are those of efc from `row` on.
static void fillRows(const snModel* m, const snData* d, const snLcpBlock* block, int row, const double* b,
                     const double* impulse, snLcpSystem* s)
{
    const int first = 4 * block->quad;
    const double* mu = sn_isContact(d->efc_type[row]) ? d->contact[d->efc_id[row]].friction : NULL;
    for (int r = 0; r < block->rows; r++) {
        s->b[first + r] = b[row + r];
        s->x[first + r] = impulse[row + r];
        if (mu && r > 0)
            s->mu[first + r] = mu[r - 1];
        else
            sn_lcpBounds(m, d, row + r, s->lo + first + r, s->hi + first + r);
    }
}

static void capMending(const snModel* m, const snData* d, const snIslands* islands, int island,
                       const double* diagInv, snLcpSystem* s)
{
    const snLcpBlock* block = s->block;
    for (int g = islands->first_group[island]; g >= 0; g = islands->group[g].next, block++) {
        const int size = sn_padded(block->rows), rows = block->kind == SN_BLOCK_JOINT ? block->rows : 1;
        for (int r = 0; r < rows; r++) { // friction mends nothing
            const int row = islands->group[g].row + r;
            const double mending = sn_lcpMending(m, d, row);
            if (mending == 0) continue;
            const double A = s->D[block->D + r * (size + 1)], most = sn_lcpMostMending(m, d, row, diagInv, A);
            if (fabs(mending) > most) s->b[4 * block->quad + r] += copysign(most, mending) - mending;
        }
    }
}

bool sn_lcpBuild(const snModel* m, snData* d, const snIslands* islands, int island, snLcpCoordinates* c,
                 const double* b, const double* impulse, snLcpSystem* s)
{
    *s = (snLcpSystem){.ncoord = c->size[island]};
    if (!allocate(d, islands, island, s)) return false;
    int quad = 0, square = 0;
    snLcpBlock* block = s->block;
    for (int g = islands->first_group[island]; g >= 0; g = islands->group[g].next, block++) {
        const snRowGroup* group = islands->group + g;
        const int size = sn_padded(group->count);
        *block =
            (snLcpBlock){.kind = kindOf(m, d, group->row), .rows = group->count, .quad = quad, .D = square};
        if (!sn_lcpQuads(m, d, c, group->row, group->count, (snQuad*)s->J + quad)) return false;
        fillRows(m, d, block, group->row, b, impulse, s);
        quad += size / 4;
        square += size * size;
    }
    sn_lcpDiagonal(s);
    capMending(m, d, islands, island, c->inertia->diagInv, s);
    return true;
}

static int stateOf(const snData* d, const snLcpBlock* block, const snLcpSystem* s, int row, int r)
{
    const int at = 4 * block->quad + r;
    const double x = s->x[at];
    if (sn_isFriction(d->efc_type[row]))
        return x <= s->lo[at]   ? SN_CNSTRSTATE_LINEARNEG
               : x >= s->hi[at] ? SN_CNSTRSTATE_LINEARPOS
                                : SN_CNSTRSTATE_QUADRATIC;
    return d->efc_type[row] == SN_CNSTR_EQUALITY || x > 0 ? SN_CNSTRSTATE_QUADRATIC : SN_CNSTRSTATE_SATISFIED;
}

// Apart, sticking, or at the edge of its cone or box.
static int contactState(const snLcpBlock* block, const snLcpSystem* s)
{
    const double *x = s->x + 4 * block->quad, *mu = s->mu + 4 * block->quad;
    double most = 0;
    if (!(x[0] > 0)) return SN_CNSTRSTATE_SATISFIED;
    for (int r = 1; r < block->rows; r++) most = sn_max(fabs(x[r]) / mu[r], most);
    if (block->kind == SN_BLOCK_CONE) most = sn_sectionNorm(x + 1, mu + 1, block->rows - 1);
    return most < x[0] * (1 - 1e-10) ? SN_CNSTRSTATE_QUADRATIC : SN_CNSTRSTATE_CONE;
}

void sn_lcpForces(const snModel* m, snData* d, const snIslands* islands, int island, const snLcpSystem* s)
{
    const snLcpBlock* block = s->block;
    for (int g = islands->first_group[island]; g >= 0; g = islands->group[g].next, block++) {
        const bool contact = block->kind == SN_BLOCK_CONE || block->kind == SN_BLOCK_BOX;
        const int whole = contact ? contactState(block, s) : 0;
        for (int r = 0; r < block->rows; r++) {
            const int row = islands->group[g].row + r;
            d->efc_force[row] = s->x[4 * block->quad + r] / m->opt.timestep;
            d->efc_state[row] = contact ? whole : stateOf(d, block, s, row, r);
        }
    }
}
