#include "lcp/maximal/system.h"
#include <math.h>
#include <string.h>
#include "lcp/maximal/row.h"
#include "lcp/maximal/start.h"
#include "model/arena.h"
#include "model/contact.h"

// ---- which bodies

static int nodeOf(const snModel* m, const snMaximalBodies* bodies, int dof)
{
    return bodies->of[m->dof_bodyid[dof]];
}

// The bodies of an island, parents first; returns how many.
static int listBodies(const snModel* m, const snMaximalBodies* bodies, const snIslands* islands, int island,
                      int* list)
{
    int count = 0;
    for (int k = islands->dof_adr[island]; k < islands->dof_adr[island + 1]; k++) {
        const int dof = islands->dof[k];
        if (m->body_dofadr[m->dof_bodyid[dof]] == dof) list[count++] = nodeOf(m, bodies, dof);
    }
    return count;
}

bool sn_maximalCan(const snModel* m, const snMaximalBodies* bodies, const snIslands* islands, int island)
{
    for (int k = islands->dof_adr[island]; k < islands->dof_adr[island + 1]; k++)
        if (!bodies->body[nodeOf(m, bodies, islands->dof[k])].sound) return false;
    return true;
}

// ---- rows

typedef struct Build {
    const snMaximalBodies* bodies;
    const snIslands* islands;
    int island, count;
    int* list; // [count] its bodies
    snMaximalRows rows;
    snLcpSystem* s;
    int block, quad, D; // so far
} Build;

static snForce pureForce(const double* f)
{
    return (snForce){sn_v3(0, 0, 0), sn_v3Load(f)};
}

static snForce pureTorque(const double* t)
{
    return (snForce){sn_v3Load(t), sn_v3(0, 0, 0)};
}

// Row r of a contact: velocity of the second geom's body less that of the first.
static void contactRow(const snModel* m, Build* p, const snContact* con, int r, int lane)
{
    const double* axis = con->frame + 3 * (r % 3);
    const snForce f = r < 3 ? pureForce(axis) : pureTorque(axis), back = {sn_v3Neg(f.ang), sn_v3Neg(f.lin)};
    const snVec3 at = sn_v3Load(con->pos);
    sn_maximalForce(&p->rows, lane, p->bodies->of[sn_sideBody(m, con, 0)], back, at);
    sn_maximalForce(&p->rows, lane, p->bodies->of[sn_sideBody(m, con, 1)], f, at);
}

static void rowOf(const snModel* m, const snData* d, Build* p, int row, int lane)
{
    if (d->efc_type[row] >= SN_CNSTR_CONTACT_FRICTIONLESS) {
        const snContact* con = d->contact + d->efc_id[row];
        contactRow(m, p, con, row - con->efc_address, lane);
        return;
    }
    const int* dof = d->efc_J_colind + d->efc_J_coladr[row];
    const double* J = d->efc_J + d->efc_J_rowadr[row];
    for (int k = 0; k < d->efc_J_rownnz[row]; k++) sn_maximalDof(m, &p->rows, lane, dof[k], J[k]);
}

// Ends the rows of a quad, which are `lanes` of a block.
static bool endQuad(snData* d, Build* p)
{
    return sn_maximalQuad(d, &p->rows, (snQuad*)p->s->J + p->quad++);
}

static bool groupRows(const snModel* m, snData* d, Build* p, const snRowGroup* group)
{
    for (int r = 0; r < group->count; r++) {
        rowOf(m, d, p, group->row + r, r % 4);
        if ((r % 4 == 3 || r + 1 == group->count) && !endQuad(d, p)) return false;
    }
    return true;
}

// A block of `rows` rows without bounds.
static void joinedBlock(Build* p, int rows)
{
    p->s->block[p->block++] = (snLcpBlock){.kind = SN_BLOCK_JOINT, .rows = rows, .quad = p->quad, .D = p->D};
    p->D += sn_padded(rows) * sn_padded(rows);
    for (int r = 0; r < rows; r++) {
        p->s->lo[4 * p->quad + r] = -HUGE_VAL;
        p->s->hi[4 * p->quad + r] = HUGE_VAL;
    }
}

static bool jointRows(snData* d, Build* p, int n)
{
    const snMaximalBody* b = p->bodies->body + n;
    const int rows = 6 - b->free;
    if (rows == 0) return true;
    joinedBlock(p, rows);
    for (int r = 0; r < rows; r++) {
        sn_maximalJoint(&p->rows, r % 4, n, b->hold[r]);
        if ((r % 4 == 3 || r + 1 == rows) && !endQuad(d, p)) return false;
    }
    return true;
}

// Whether a closed loop is in the island.
static bool isHere(const snModel* m, const snData* d, const Build* p, int loop)
{
    const int c = d->closure_cluster[loop];
    return p->bodies->body[nodeOf(m, p->bodies, d->loop_dof[d->cluster_dofadr[c]])].base >= 0;
}

static bool loopRows(const snModel* m, snData* d, Build* p, int loop)
{
    const int c = d->closure_cluster[loop], n = d->cluster_dofnum[c], rows = d->closure_rownum[loop];
    const int* dof = d->loop_dof + d->cluster_dofadr[c];
    const double* K = d->loop_K + d->cluster_Kadr[c] + (d->closure_rowadr[loop] - d->cluster_rowadr[c]) * n;
    if (rows == 0) return true;
    joinedBlock(p, rows);
    for (int r = 0; r < rows; r++, K += n) {
        for (int k = 0; k < n; k++)
            if (K[k] != 0) sn_maximalDof(m, &p->rows, r % 4, dof[k], K[k]);
        if ((r % 4 == 3 || r + 1 == rows) && !endQuad(d, p)) return false;
    }
    return true;
}

// ---- the whole

static bool allocate(snData* d, Build* p, const snLcpSystem* joints)
{
    const int more = p->count + d->nclosure;
    snLcpSystem* s = p->s;
    int square = 64 * more;
    for (int k = 0; k < joints->nblock; k++)
        square += sn_padded(joints->block[k].rows) * sn_padded(joints->block[k].rows);
    const int rows = 4 * joints->nquad + 8 * more;
    double* all = sn_scratchReal(d, sn_systemNumbers(s, rows, square));
    s->J = s->T = sn_scratchAlloc(d, (size_t)(rows / 4) * sizeof(snQuad));
    s->block = sn_scratchAlloc(d, (size_t)(joints->nblock + more) * sizeof(snLcpBlock));
    if (!all || !s->J || !s->block || !sn_maximalRows(d, p->bodies, s->ncoord, &p->rows)) return false;
    sn_systemArrays(s, rows, square, all);
    return true;
}

static bool givenRows(const snModel* m, snData* d, Build* p, const snLcpSystem* joints)
{
    const size_t bytes = 4 * (size_t)joints->nquad * sizeof(double);
    memcpy(p->s->b, joints->b, bytes);
    memcpy(p->s->lo, joints->lo, bytes);
    memcpy(p->s->hi, joints->hi, bytes);
    memcpy(p->s->mu, joints->mu, bytes);
    memcpy(p->s->x, joints->x, bytes);
    for (int g = p->islands->first_group[p->island]; g >= 0; g = p->islands->group[g].next) {
        snLcpBlock* block = p->s->block + p->block;
        *block = joints->block[p->block++];
        block->D = p->D;
        p->D += sn_padded(block->rows) * sn_padded(block->rows);
        if (!groupRows(m, d, p, p->islands->group + g)) return false;
    }
    return true;
}

static bool allRows(const snModel* m, snData* d, Build* p, const snLcpSystem* joints)
{
    if (!givenRows(m, d, p, joints)) return false;
    for (int k = 0; k < p->count; k++)
        if (!jointRows(d, p, p->list[k])) return false;
    for (int l = 0; l < d->nclosure; l++)
        if (isHere(m, d, p, l) && !loopRows(m, d, p, l)) return false;
    p->s->nblock = p->block;
    p->s->nquad = p->quad;
    return true;
}

// Numbers the coordinates of the bodies.
static bool begin(const snModel* m, snData* d, Build* p)
{
    const int* adr = p->islands->dof_adr + p->island;
    p->list = sn_scratchInt(d, adr[1] - adr[0]);
    if (!p->list) return false;
    p->count = listBodies(m, p->bodies, p->islands, p->island, p->list);
    for (int k = 0; k < p->count; k++) {
        snMaximalBody* b = p->bodies->body + p->list[k];
        b->base = p->s->ncoord;
        p->s->ncoord += sn_maximalSize(b);
    }
    return true;
}

// Impulses of joints, unless closed loops leave them open.
static bool start(const snModel* m, snData* d, const Build* p, int block, const double* velocity)
{
    const size_t mark = sn_scratchMark(d), bytes = (size_t)p->s->ncoord * sizeof(double);
    double* change = sn_scratchAlloc(d, bytes);
    if (!change || sn_islandHasLoops(m, d, p->islands, p->island)) return change != NULL;
    memset(change, 0, bytes);
    sn_maximalMotion(m, p->bodies, p->list, p->count, velocity, change);
    sn_lcpSpread(p->s);
    sn_maximalImpulses(p->bodies, p->list, p->count, block, change, p->s);
    sn_scratchRelease(d, mark);
    return true;
}

bool sn_maximalSystem(const snModel* m, snData* d, const snMaximalBodies* bodies, const snIslands* islands,
                      int island, const snLcpSystem* joints, const double* velocity, snLcpSystem* s)
{
    *s = (snLcpSystem){0};
    Build p = {.bodies = bodies, .islands = islands, .island = island, .s = s};
    const bool room = begin(m, d, &p) && allocate(d, &p, joints) && allRows(m, d, &p, joints) &&
                      start(m, d, &p, joints->nblock, velocity);
    if (room) sn_lcpDiagonal(s);
    for (int k = 0; k < p.count; k++) bodies->body[p.list[k]].base = -1;
    return room;
}
