#include "solver/problem.h"
#include <assert.h>
#include <math.h>
#include <string.h>
#include "model/arena.h"
#include "model/kinds.h"
#include "smooth/inertia/factor.h"
#include "solver/forces.h"
#include "math/simd.h"
#include "math/sorted.h"

bool sn_isSimpleRow(const snModel* m, const snData* d, int row)
{
    const int type = d->efc_type[row];
    return type == SN_CNSTR_FRICTION_DOF ||
           (type == SN_CNSTR_LIMIT_JOINT && m->jnt_type[d->efc_id[row]] != SN_JNT_BALL);
}

static bool buildChains(const snModel* m, snData* d, const int* index, const snProblem* p, snChains* out)
{
    const int n = p->ndof;
    int* parent = sn_scratchInt(d, 2 * n + 1);
    if (!parent) return false;
    out->adr = parent + n;
    out->adr[0] = 0;
    for (int c = 0; c < n; c++) {
        const int i = m->dof_parentid[p->dof[c]];
        parent[c] = i < 0 ? -1 : index[i];
        out->adr[c + 1] = out->adr[c] + 1 + (i < 0 ? 0 : out->adr[parent[c] + 1] - out->adr[parent[c]]);
    }
    out->list = sn_scratchInt(d, out->adr[n]);
    if (!out->list) return false;
    for (int c = 0; c < n; c++) {
        int* to = out->list + out->adr[c];
        *to++ = c;
        if (parent[c] < 0) continue;
        const int *from = out->list + out->adr[parent[c]], *end = out->list + out->adr[parent[c] + 1];
        while (from < end) *to++ = *from++;
    }
    return true;
}

// The diagonal blocks are stored whole.
static void mirrorDiagonal(double* M, int n)
{
    for (int b = 0; b < n; b += 4) {
        double* a = M + b * (n + 1);
        a[1] = a[n];
        a[2] = a[2 * n];
        a[3] = a[3 * n];
        a[n + 2] = a[2 * n + 1];
        a[n + 3] = a[3 * n + 1];
        a[2 * n + 3] = a[3 * n + 2];
    }
}

// M~ -= L_uc' D_u L_uc for up to four dofs u that hang on the same compact dof.
static void eliminate(const snModel* m, const snData* d, const snChains* chains, const int* u, int count,
                      int anchor, int anchor_dof, double* value, int* col, double* M, int n)
{
    const int *chain = chains->list + chains->adr[anchor],
              length = chains->adr[anchor + 1] - chains->adr[anchor];
    int blocks = 0;
    for (int k = length - 1; k >= 0; k--)
        if (!blocks || chain[k] >> 2 != col[blocks - 1]) col[blocks++] = chain[k] >> 2;
    memset(value, 0, 16 * (size_t)blocks * sizeof(double));
    double weight[4] = {0};
    for (int r = 0; r < count; r++) {
        if (m->dof_simplenum[u[r]]) continue; // coupled to nothing
        const double* row = d->qLD + m->dof_LDadr[u[r]] + m->D_diag[anchor_dof];
        weight[r] = -1 / d->qLDiagInv[u[r]];
        for (int k = 0, b = blocks - 1; k < length; k++) {
            if (chain[k] >> 2 != col[b]) b--;
            value[16 * b + 4 * r + (chain[k] & 3)] = row[-k];
        }
    }
    const snQuad quad = {blocks, col, value};
    sn_quadGram(&quad, 1, weight, M, n, n);
}

// Takes the `count` dofs u that drop out off M~.
static bool eliminateDofs(const snModel* m, snData* d, const int* index, const snChains* chains,
                          const int* dofs, int count, snProblem* p)
{
    double* value = sn_scratchReal(d, 4 * p->n);
    int *col = sn_scratchInt(d, p->n / 4), last = -1, taken = 0;
    if (!value || !col) return false;
    for (int k = 0; k < count; k++) {
        int a = m->dof_parentid[dofs[k]];
        while (a >= 0 && index[a] < 0) a = m->dof_parentid[a];
        assert(a >= 0); // the root dof of a touched tree is touched
        if (taken == 4 || (taken && a != last)) {
            eliminate(m, d, chains, dofs + k - taken, taken, index[last], last, value, col, p->M, p->n);
            taken = 0;
        }
        last = a;
        taken++;
    }
    if (taken)
        eliminate(m, d, chains, dofs + count - taken, taken, index[last], last, value, col, p->M, p->n);
    return true;
}

// M~ += elasticity.
static void addElastic(const snIslands* islands, snProblem* p, unsigned char* map)
{
    const snElastic* e = islands->elastic;
    for (int c = 0; c < p->ndof && e; c++)
        for (int k = e->adr[p->dof[c]]; k < e->adr[p->dof[c] + 1]; k++) {
            const int j = islands->index[e->col[k]];
            p->M[(size_t)c * (size_t)p->n + (size_t)j] += e->value[k];
            map[(c >> 2) * (p->n / 4) + (j >> 2)] = 1;
        }
}

// M~ from qM and, for the dofs that drop out, from the rows of the factor.
static bool fillInertia(const snModel* m, snData* d, const snIslands* islands, const snChains* chains,
                        snProblem* p, unsigned char* map)
{
    const int n = p->n, nb = n / 4;
    sn_blockZero(p->M, nb);
    for (int c = 0; c < p->ndof; c++) {
        const double* row = d->qM + m->dof_Madr[p->dof[c]];
        const int *chain = chains->list + chains->adr[c], length = chains->adr[c + 1] - chains->adr[c];
        double* M = p->M + (size_t)c * (size_t)n;
        unsigned char* blocks = map + (c >> 2) * nb;
#pragma GCC unroll 4
        for (int k = 0; k < length; k++) M[chain[k]] = row[k];
        // the next one's has them all, if it is below this one and in the same block
        const bool again = (c & 3) != 3 && c + 1 < p->ndof && m->dof_parentid[p->dof[c + 1]] == p->dof[c];
        for (int k = again ? length : 0; k < length; k++) blocks[chain[k] >> 2] = 1;
    }
    for (int c = p->ndof; c < n; c++) p->M[c * n + c] = 1;
    if (p->nfollow && !eliminateDofs(m, d, islands->index, chains, p->dof + p->ndof, p->nfollow, p))
        return false;
    addElastic(islands, p, map);
    mirrorDiagonal(p->M, n);
    return true;
}

// D and the bounds of a row, and of those behind it of the same constraint.
static void limitRow(const snData* d, int row, bool* cone, double* lo, double* hi)
{
    const int type = d->efc_type[row];
    assert(!sn_isFriction(type) || !(d->efc_frictionloss[row] < 0));
    *cone = type == SN_CNSTR_CONTACT_ELLIPTIC; // which has the rest
    *lo = -HUGE_VAL;
    *hi = *cone || type == SN_CNSTR_EQUALITY ? HUGE_VAL : 0;
    if (!sn_isFriction(type)) return;
    *hi = d->efc_R[row] * d->efc_frictionloss[row];
    *lo = -*hi;
}

void sn_problemRow(const snData* d, snProblem* p, int at, int row)
{
    assert(at >= 0 && at < p->rows.count && row >= 0 && row < d->nefc);
    bool cone;
    limitRow(d, row, &cone, p->rows.lo + at, p->rows.hi + at);
    p->efc[at] = row;
    p->rows.D[at] = cone ? 0 : d->efc_D[row];
    p->b[at] = -d->efc_aref[row];
}

void sn_problemPad(snProblem* p, int at)
{
    assert(at >= 0 && at < p->rows.count);
    p->rows.D[at] = p->rows.lo[at] = p->rows.hi[at] = p->b[at] = 0;
    p->efc[at] = -1;
}

// `count` rows, mostly a constant.
SN_INLINE void copyRows(const snData* d, const snProblem* p, int at, int row, int count)
{
    double lo, hi;
    bool cone;
    limitRow(d, row, &cone, &lo, &hi);
    const double *D = d->efc_D + row, *aref = d->efc_aref + row;
    double *to = p->rows.D + at, *b = p->b + at, *low = p->rows.lo + at, *high = p->rows.hi + at;
    int* efc = p->efc + at;
    for (int r = 0; r < count; r++) {
        efc[r] = row + r;
        to[r] = cone ? 0 : D[r];
        low[r] = lo;
        high[r] = hi;
        b[r] = -aref[r];
    }
}

void sn_problemQuad(const snData* d, snProblem* p, int row, int count)
{
    const int at = p->nsimple + 4 * p->nquad;
    assert(at + 4 <= p->rows.count && row >= 0 && count > 0 && count <= 4 && row + count <= d->nefc);
    if (count == 4)
        copyRows(d, p, at, row, 4);
    else
        copyRows(d, p, at, row, count);
    for (int r = count; r < 4; r++) sn_problemPad(p, at + r);
}

static void fillSimple(const snModel* m, const snData* d, const snIslands* islands, int first,
                       const int* index, snProblem* p)
{
    int at = 0;
    for (int g = first; g >= 0; g = islands->group[g].next) {
        const int row = islands->group[g].row;
        if (!sn_isSimpleRow(m, d, row)) continue;
        const int id = d->efc_id[row];
        const int dof = d->efc_type[row] == SN_CNSTR_FRICTION_DOF ? id : m->jnt_dofadr[id];
        assert(index[dof] >= 0 && index[dof] < p->ndof && at < p->nsimple);
        p->simple_dof[at] = index[dof];
        p->simple_sign[at] = d->efc_J[d->efc_J_rowadr[row]];
        sn_problemRow(d, p, at++, row);
    }
    for (; at < p->nsimple; at++) {
        p->simple_dof[at] = 0;
        p->simple_sign[at] = 0;
        sn_problemPad(p, at);
    }
}

// The places where block b meets the others of a support so far.
static void mapBlock(unsigned char* map, int nb, int block, const int* col, int count)
{
    for (int c = 0; map && c < count; c++) map[block * nb + col[c]] = 1;
}

// Where a group of rows is not zero; the last group's support stays when it touches the same dofs. map: NULL
// in a large island.
static void findSupport(const snData* d, const snRowGroup* group, const int* index, snQuadSupport* s,
                        int** colnext, unsigned char* map, int nb)
{
    if (d->efc_J_coladr[group->row] == s->coladr) return;
    s->coladr = d->efc_J_coladr[group->row];
    s->ndof = d->efc_J_rownnz[group->row];
    s->npiece = 0;
    const int* dofs = d->efc_J_colind + s->coladr;
    int *col = *colnext, count = 0, last = -2;
    for (int k = 0; k < s->ndof; k++) {
        const int c = index[dofs[k]], block = c >> 2;
        assert(c > last);
        const bool starts = !count || col[count - 1] != block;
        if (starts) {
            mapBlock(map, nb, block, col, count);
            col[count++] = block;
        }
        if (starts || c != last + 1)
            s->piece[s->npiece++] = (snQuadPiece){k, 16 * (count - 1) + (c & 3), 1};
        else
            s->piece[s->npiece - 1].count++;
        last = c;
    }
    s->col = col;
    s->nblock = count;
    *colnext += count;
}

// Copies `rows` rows of a piece of `count`, which mostly are constants.
SN_INLINE void copyPiece(const double* from, int stride, int rows, int count, double* to)
{
    for (int r = 0; r < rows; r++) memcpy(to + 4 * r, from + r * stride, (size_t)count * sizeof *to);
}

// Copies up to four rows J [rows x s->ndof] into the blocks of a quad.
static void fillBlocks(const snQuadSupport* s, const double* J, int rows, double* value)
{
    const int ndof = s->ndof;
    memset(value, 0, 16 * (size_t)s->nblock * sizeof(double));
    for (const snQuadPiece *p = s->piece, *end = p + s->npiece; p < end; p++) {
        if (rows == 4 && p->count == 4)
            copyPiece(J + p->from, ndof, 4, 4, value + p->to);
        else if (rows == 4 && p->count == 2)
            copyPiece(J + p->from, ndof, 4, 2, value + p->to);
        else
            copyPiece(J + p->from, ndof, rows, p->count, value + p->to);
    }
}

void sn_problemGroup(const snData* d, const snRowGroup* group, const snQuadSupport* s, snProblem* p,
                     double** valuenext)
{
    if (d->efc_type[group->row] == SN_CNSTR_CONTACT_ELLIPTIC)
        p->rows.cone[p->rows.ncone++] = sn_coneOfContact(d->contact + d->efc_id[group->row],
                                                         d->efc_D + group->row, p->nsimple + 4 * p->nquad);
    assert(s->ndof > 0 && group->row + group->count <= d->nefc);
    for (int first = 0; first < group->count; first += 4) {
        const int rows = group->count - first < 4 ? group->count - first : 4;
        double* value = *valuenext;
        fillBlocks(s, d->efc_J + d->efc_J_rowadr[group->row + first], rows, value);
        sn_problemQuad(d, p, group->row + first, rows);
        p->quad[p->nquad++] = (snQuad){s->nblock, s->col, value};
        *valuenext += 16 * s->nblock;
    }
}

// Counts rows of the island and the most storage they take.
static void countRows(const snModel* m, const snData* d, const snIslands* islands, int first, snProblem* p,
                      int* ncol, int* nvalue)
{
    p->nsimple = p->nquad = p->rows.ncone = *ncol = *nvalue = 0;
    for (int g = first; g >= 0; g = islands->group[g].next) {
        const snRowGroup* group = islands->group + g;
        if (sn_isSimpleRow(m, d, group->row)) {
            p->nsimple++;
            continue;
        }
        int blocks = d->efc_J_rownnz[group->row];
        if (blocks > p->n / 4) blocks = p->n / 4;
        p->rows.ncone += d->efc_type[group->row] == SN_CNSTR_CONTACT_ELLIPTIC;
        const int quads = (group->count + 3) / 4;
        p->nquad += quads;
        *ncol += blocks;
        *nvalue += 16 * blocks * quads;
    }
    p->nsimple = sn_padded(p->nsimple);
}

static bool allocateCones(snData* d, snRowset* rows)
{
    const int n = rows->ncone;
    if (!n) return true;
    rows->cone = sn_scratchAlloc(d, (size_t)n * sizeof(snFrictionCone));
    rows->zone = sn_scratchAlloc(d, (size_t)n * sizeof(snConeZone));
    rows->line = sn_scratchReal(d, sn_padded(n) * SN_LINE_COUNT);
    if (!rows->cone || !rows->zone || !rows->line) return false;
    for (int c = 0; c < n; c++) rows->zone[c] = SN_ZONE_TOP;
    return true;
}

bool sn_problemRows(snData* d, snProblem* p, int ncol, int nvalue, int** col, double** value)
{
    const int count = p->nsimple + 4 * p->nquad;
    p->rows.count = count;
    double* left = sn_scratchReal(d, p->nsimple + 4 * count + nvalue);
    int* ids = sn_scratchInt(d, p->nsimple + count + ncol);
    p->quad = sn_scratchAlloc(d, (size_t)p->nquad * sizeof(snQuad));
    if (!left || !ids || !p->quad) return false;
    p->rows.D = sn_cutReal(&left, count);
    p->rows.lo = sn_cutReal(&left, count);
    p->rows.hi = sn_cutReal(&left, count);
    p->b = sn_cutReal(&left, count);
    p->simple_sign = sn_cutReal(&left, p->nsimple);
    *value = left;
    p->simple_dof = sn_cutInt(&ids, p->nsimple);
    p->efc = sn_cutInt(&ids, count);
    *col = ids;
    return allocateCones(d, &p->rows);
}

static bool allocatePattern(snData* d, snBlockPattern* pattern, const unsigned char* map, int nb)
{
    pattern->nb = nb;
    pattern->pads = 0;
    pattern->adr = sn_scratchInt(d, nb + 1 + nb * (nb - 1) / 2); // as many columns as there may be
    if (!pattern->adr) return false;
    pattern->col = pattern->adr + nb + 1;
    sn_blockCompress(map, pattern);
    return true;
}

// Dofs and chains of the problem, in scratch. false: the arena is full.
static bool problemDofs(const snModel* m, snData* d, const snIslands* islands, int island, snProblem* p)
{
    p->dof = islands->dof + islands->dof_adr[island];
    p->ndof = islands->ntouched[island];
    p->nfollow = islands->dof_adr[island + 1] - islands->dof_adr[island] - p->ndof;
    p->n = sn_padded(p->ndof);
    assert(p->ndof > 0 && p->nfollow >= 0);
    assert(sn_isAscending(p->dof, p->ndof, m->nv) && sn_isAscending(p->dof + p->ndof, p->nfollow, m->nv));
    return buildChains(m, d, islands->index, p, &p->chains);
}

// M~ of a small island, its pattern, and the map [nb x nb] of its blocks.
static bool blockInertia(const snModel* m, snData* d, const snIslands* islands, int island, snProblem* p,
                         unsigned char** map)
{
    if (!problemDofs(m, d, islands, island, p)) return false;
    const int nb = p->n / 4;
    *map = sn_scratchAlloc(d, (size_t)nb * (size_t)nb);
    p->M = sn_scratchAlloc(d, (size_t)p->n * (size_t)p->n * sizeof(double));
    if (!*map || !p->M) return false;
    memset(*map, 0, (size_t)nb * (size_t)nb);
    if (!fillInertia(m, d, islands, &p->chains, p, *map)) return false;
    if (sn_solverKind(m->opt.solver).factored) sn_blockFill(*map, nb); // M itself will be factored
    return allocatePattern(d, &p->treePattern, *map, nb);
}

// The rows of a large island's unknowns.
static bool takeElastic(snData* d, const snIslands* islands, snProblem* p)
{
    const snElastic* e = islands->elastic;
    int count = 0;
    for (int c = 0; c < p->ndof && e; c++) count += e->adr[p->dof[c] + 1] - e->adr[p->dof[c]];
    if (!count) return true;
    p->elastic =
        (snElastic){sn_scratchInt(d, p->ndof + 1), sn_scratchInt(d, count), sn_scratchReal(d, count)};
    if (!p->elastic.adr || !p->elastic.col || !p->elastic.value) return false;
    for (int c = 0, at = p->elastic.adr[0] = 0; c < p->ndof; p->elastic.adr[++c] = at)
        for (int k = e->adr[p->dof[c]]; k < e->adr[p->dof[c] + 1]; k++, at++) {
            p->elastic.col[at] = islands->index[e->col[k]];
            p->elastic.value[at] = e->value[k];
        }
    return true;
}

// M of a large island, its factor for a solver that wants that.
static bool chainInertia(const snModel* m, snData* d, const snIslands* islands, int island, snProblem* p)
{
    return problemDofs(m, d, islands, island, p) &&
           sn_problemChainInertia(m, d, islands, sn_solverKind(m->opt.solver).factored, p) &&
           takeElastic(d, islands, p);
}

// Finds the points of a large island, if they may be solved by iteration: not to the last digits, which are a
// factor's, nor beside much else, which would be factored as if all of it coupled.
static bool findPoints(const snModel* m, snData* d, snProblem* p)
{
    enum { MOST_REST = 192 };
    p->points.count = 0;
    if (!p->elastic.adr || !(m->opt.tolerance >= 1e-10)) return true;
    if (!sn_findPoints(d, p, &p->points)) return false;
    // measured: cloth and solids of 1,000 to 30,000 unknowns take 0.3 to 0.36 for each decade
    p->points.steps = 0.35 * sqrt(p->points.ratio) * -sn_log10(m->opt.tolerance);
    if (p->points.nrest > MOST_REST) p->points.count = 0;
    return true;
}

// How a large island is solved. So few steps of conjugate gradients take less time than it takes to order the
// unknowns of a factor; else both are counted, where the factor's multiplications take half the time.
static bool planLarge(const snModel* m, snData* d, const int* index, snProblem* p)
{
    enum { FEW = 60 };
    snElasticPoints* q = &p->points;
    if (!findPoints(m, d, p)) return false;
    if (q->count && q->steps <= FEW) return true;
    if (!sn_findCoupling(d, index, p, &p->coupling)) return false;
    const double step = q->count ? 4 * 9 * (q->count + (double)q->adr[q->count]) : 0;
    if (q->count && 2 * q->steps * step > p->coupling.elimination.products) q->count = 0;
    return true;
}

bool sn_isLargeIsland(const snModel* m, const snIslands* islands, int island)
{
    enum { SMALL = 240, SMALL_TREE = 600 };
    const int n = islands->ntouched[island], *dof = islands->dof + islands->dof_adr[island];
    // the order of a tree's own dofs is a good one, unless its branches touch each other
    return n > SMALL_TREE || (n > SMALL && m->dof_treeid[dof[0]] != m->dof_treeid[dof[n - 1]]);
}

bool sn_buildProblem(const snModel* m, snData* d, const snIslands* islands, int island, bool large,
                     snProblem* p)
{
    unsigned char* map = NULL;
    p->large = large;
    p->loops = false;
    p->touched = NULL;
    p->elastic = (snElastic){0};
    p->points.count = 0;
    if (p->large ? !chainInertia(m, d, islands, island, p) : !blockInertia(m, d, islands, island, p, &map))
        return false;
    const int nb = p->n / 4, first = islands->first_group[island];
    int ncol, nvalue, *col;
    double* value;
    snQuadSupport support = {.coladr = -1,
                             .piece = sn_scratchAlloc(d, (size_t)p->ndof * sizeof(snQuadPiece))};
    if (!support.piece) return false;
    countRows(m, d, islands, first, p, &ncol, &nvalue);
    if (!sn_problemRows(d, p, ncol, nvalue, &col, &value)) return false;
    fillSimple(m, d, islands, first, islands->index, p);
    p->nquad = p->rows.ncone = 0;
    for (int g = first; g >= 0; g = islands->group[g].next) {
        const snRowGroup* group = islands->group + g;
        if (sn_isSimpleRow(m, d, group->row)) continue;
        findSupport(d, group, islands->index, &support, &col, map, nb);
        sn_problemGroup(d, group, &support, p, &value);
    }
    if (p->large) return planLarge(m, d, islands->index, p);
    sn_blockFill(map, nb);
    return allocatePattern(d, &p->pattern, map, nb);
}

// qacc of the dofs that dropped out, less its smooth part, from y: (L y)_u = 0, root to leaf.
static void follow(const snModel* m, snData* d, const snIslands* islands, const snProblem* p, const double* y)
{
    for (int k = 0; k < p->nfollow; k++) {
        const int u = p->dof[p->ndof + k];
        const double* row = d->qLD + sn_diagonalLD(m, u);
        double sum = 0;
        int i = m->dof_simplenum[u] ? -1 : m->dof_parentid[u];
        for (; i >= 0 && islands->index[i] < 0; i = m->dof_parentid[i]) sum -= *--row * d->qacc[i];
        if (i >= 0) {
            const int c = islands->index[i], length = p->chains.adr[c + 1] - p->chains.adr[c];
            const int* chain = p->chains.list + p->chains.adr[c];
            for (int j = 0; j < length; j++) sum -= *--row * y[chain[j]];
        }
        d->qacc[u] = sum;
    }
}

void sn_problemFinish(const snModel* m, snData* d, const snIslands* islands, const snProblem* p,
                      const double* y, const double* force)
{
    for (int c = 0; c < p->ndof; c++) {
        d->qacc[p->dof[c]] = y[c];
        d->qfrc_constraint[p->dof[c]] = force[c];
    }
    follow(m, d, islands, p, y);
    for (int k = 0; k < p->ndof + p->nfollow; k++) d->qacc[p->dof[k]] += d->qacc_smooth[p->dof[k]];
}

void sn_problemMulJ(const snProblem* p, const double* x, double* y)
{
    assert(p->rows.count == p->nsimple + 4 * p->nquad && p->nsimple % 4 == 0);
    for (int r = 0; r < p->nsimple; r++) y[r] = p->simple_sign[r] * x[p->simple_dof[r]];
    sn_quadMulVec(p->quad, p->nquad, x, y + p->nsimple);
}

void sn_problemMulJT(const snProblem* p, const double* x, double* y)
{
    assert(p->rows.count == p->nsimple + 4 * p->nquad && p->nsimple % 4 == 0);
    for (int r = 0; r < p->nsimple; r++) y[p->simple_dof[r]] += p->simple_sign[r] * x[r];
    sn_quadMulTVec(p->quad, p->nquad, x + p->nsimple, y);
}
