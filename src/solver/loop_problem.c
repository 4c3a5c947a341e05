// The reduced problem of an island with closed loops, in the independent accelerations of its mechanisms
// (seed 002, (8.42), (8.45)).
#include <assert.h>
#include <limits.h>
#include <string.h>
#include "constraint/product.h"
#include "loop/reduced.h"
#include "math/sorted.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "smooth/inertia/factor.h"
#include "solver/problem.h"

// An island's unknowns: their dofs, and for each dof of the island its place among them; -1: it depends on
// others.
typedef struct Unknowns {
    int *dof, *index, count;
} Unknowns;

static int mechanismOf(const snModel* m, const snData* d, int dof)
{
    return d->tree_mechanism[m->dof_treeid[dof]];
}

static void addUnknown(const snModel* m, const snData* d, int i, Unknowns* u)
{
    const bool free = mechanismOf(m, d, i) < 0 || d->dof_y[i] >= 0;
    u->index[i] = free ? u->count : -1;
    if (free) u->dof[u->count++] = i;
}

// In ascending order, from the dofs that rows touch and the others, which ascend each.
static bool findUnknowns(const snModel* m, snData* d, const snIslands* islands, int island, Unknowns* u)
{
    const int *dof = islands->dof + islands->dof_adr[island], touched = islands->ntouched[island],
              count = islands->dof_adr[island + 1] - islands->dof_adr[island];
    u->dof = sn_scratchInt(d, count);
    u->index = sn_scratchInt(d, m->nv);
    if (!u->dof || !u->index) return false;
    u->count = 0;
    for (int a = 0, b = touched; a < touched || b < count;) {
        const bool first = b == count || (a < touched && dof[a] < dof[b]);
        addUnknown(m, d, dof[first ? a++ : b++], u);
    }
    assert(sn_isAscending(u->dof, u->count, m->nv));
    return true;
}

// ---- M: whole where the island is small, along chains where it is large

// What M has in the row of an unknown, from its diagonal on: the unknowns before it that it is coupled to. In
// a tree without loops these are its dof's ancestors, in a mechanism all y before its own.
typedef struct InertiaRow {
    const double* M; // M[k * step]: of the tree's qM, or backwards in the row of mechanism_H
    const double* L; // the unit factor's row likewise, its diagonal not to be read
    double inverse;  // 1/D of the factor
    int step, mechanism, place;
    bool simple; // the factor's row is its diagonal alone
} InertiaRow;

static InertiaRow rowOf(const snModel* m, const snData* d, int dof)
{
    const int k = mechanismOf(m, d, dof);
    if (k < 0)
        return (InertiaRow){
            d->qM + m->dof_Madr[dof],  d->qLD + sn_diagonalLD(m, dof), d->qLDiagInv[dof], 1, k, 0,
            m->dof_simplenum[dof] != 0};
    const int n = sn_padded(d->mechanism_ynum[k]), y = d->dof_y[dof];
    const size_t at = (size_t)d->mechanism_Hadr[k] + (size_t)y * (size_t)n + (size_t)y;
    return (InertiaRow){d->mechanism_H + at,
                        d->mechanism_L + at,
                        d->mechanism_Dinv[d->mechanism_padadr[k] + y],
                        -1,
                        k,
                        y,
                        false};
}

// The next unknown's dof behind `dof` in a row; -1: there is none.
static int nextDof(const snModel* m, const snData* d, const InertiaRow* row, int dof, int step)
{
    if (row->mechanism < 0) return m->dof_parentid[dof];
    return row->place - step < 0 ? -1 : d->mechanism_y[d->mechanism_yadr[row->mechanism] + row->place - step];
}

static bool wholeInertia(const snModel* m, snData* d, const Unknowns* u, snProblem* p)
{
    const size_t n = (size_t)p->n;
    p->M = sn_scratchAlloc(d, n * n * sizeof(double));
    if (!p->M || !sn_fullPattern(d, p->n, &p->pattern)) return false;
    p->treePattern = p->pattern;
    memset(p->M, 0, n * n * sizeof(double));
    for (int c = 0; c < p->ndof; c++) {
        const InertiaRow row = rowOf(m, d, p->dof[c]);
        for (int k = 0, i = p->dof[c]; i >= 0; i = nextDof(m, d, &row, i, ++k))
            p->M[(size_t)c * n + (size_t)u->index[i]] = row.M[k * row.step];
    }
    for (size_t c = (size_t)p->ndof; c < n; c++) p->M[c * n + c] = 1;
    for (size_t i = 0; i < n; i++) // the diagonal blocks are stored whole
        for (size_t j = i + 1; j < (i & ~(size_t)3) + 4; j++) p->M[i * n + j] = p->M[j * n + i];
    return true;
}

// The chains, in which an unknown's parent is the one before it that it is coupled to.
static bool findChains(const snModel* m, snData* d, const Unknowns* u, snProblem* p)
{
    p->chains.adr = sn_scratchInt(d, p->ndof + 1);
    if (!p->chains.adr) return false;
    size_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        count = 0;
        for (int c = 0; c < p->ndof; c++) {
            const InertiaRow row = rowOf(m, d, p->dof[c]);
            p->chains.adr[c] = (int)count;
            for (int k = 0, i = p->dof[c]; i >= 0; i = nextDof(m, d, &row, i, ++k), count++)
                if (pass) p->chains.list[count] = u->index[i];
            if (count > INT_MAX) return false;
        }
        p->chains.adr[p->ndof] = (int)count;
        if (!pass && !(p->chains.list = sn_scratchInt(d, (int)count))) return false;
    }
    return true;
}

static bool chainInertia(const snModel* m, snData* d, const Unknowns* u, snProblem* p)
{
    if (!findChains(m, d, u, p)) return false;
    const int count = p->chains.adr[p->ndof];
    const bool factored = sn_solverKind(m->opt.solver).factored;
    p->chainM = sn_scratchReal(d, count);
    p->chainL = factored ? sn_scratchReal(d, count) : NULL;
    p->inv = factored ? sn_scratchReal(d, p->ndof) : NULL;
    if (!p->chainM || (factored && (!p->chainL || !p->inv))) return false;
    for (int c = 0; c < p->ndof; c++) {
        const InertiaRow row = rowOf(m, d, p->dof[c]);
        const int at = p->chains.adr[c], length = p->chains.adr[c + 1] - at;
        for (int k = 0; k < length; k++) p->chainM[at + k] = row.M[k * row.step];
        for (int k = 0; k < length && factored; k++) p->chainL[at + k] = !k ? 1 : row.simple ? 0 : row.L[-k];
        if (factored) p->inv[c] = row.inverse;
    }
    return true;
}

// ---- rows

// A row that is +-1 in one unknown.
static bool isSimple(const snModel* m, const snData* d, const Unknowns* u, int row)
{
    return sn_isSimpleRow(m, d, row) && u->index[d->efc_J_colind[d->efc_J_coladr[row]]] >= 0;
}

// What the rows of a group touch, as all of them do together.
typedef struct Support {
    int coladr;   // of its dofs in efc_J_colind
    int* unknown; // [count] ascending
    int count;
    int* col; // [nblock] the blocks of four that they are in
    int nblock;
    int* block; // [n / 4] place of a block in col
    int* seen;  // [n] the last group that touched an unknown
} Support;

static void addTouched(Support* s, int c)
{
    if (s->seen[c] == s->coladr) return;
    s->seen[c] = s->coladr;
    int at = s->count++;
    for (; at > 0 && s->unknown[at - 1] > c; at--) s->unknown[at] = s->unknown[at - 1];
    s->unknown[at] = c;
}

// Finds it at the next places of unknowns and blocks, which go behind it; a group that touches the dofs of
// the one before it shares these.
static void findSupport(const snModel* m, const snData* d, const Unknowns* u, int row, Support* s,
                        int** unknownnext, int** colnext)
{
    if (d->efc_J_coladr[row] == s->coladr) return;
    const int* dofs = d->efc_J_colind + d->efc_J_coladr[row];
    *s = (Support){.coladr = d->efc_J_coladr[row],
                   .unknown = *unknownnext,
                   .col = *colnext,
                   .block = s->block,
                   .seen = s->seen};
    for (int k = 0; k < d->efc_J_rownnz[row]; k++) {
        const int mechanism = mechanismOf(m, d, dofs[k]);
        if (mechanism < 0 || d->dof_cluster[dofs[k]] < 0) {
            addTouched(s, u->index[dofs[k]]);
            continue;
        }
        const snLoopTerms t = sn_loopTerms(d, dofs[k]);
        const int* y = d->mechanism_y + d->mechanism_yadr[mechanism];
        for (int a = 0; a < t.count; a++) addTouched(s, u->index[y[t.y[a]]]);
    }
    for (int k = 0; k < s->count; k++) {
        const int b = s->unknown[k] >> 2;
        if (s->nblock && s->col[s->nblock - 1] == b) continue;
        s->block[b] = s->nblock;
        s->col[s->nblock++] = b;
    }
    *unknownnext += s->count;
    *colnext += s->nblock;
}

// Adds J G of a row to a quad's numbers, as its r-th row.
static void reduceRow(const snModel* m, const snData* d, const Unknowns* u, const Support* s, int row, int r,
                      double* value)
{
    const double* J = d->efc_J + d->efc_J_rowadr[row];
    const int* dofs = d->efc_J_colind + d->efc_J_coladr[row];
    for (int k = 0; k < d->efc_J_rownnz[row]; k++) {
        const int mechanism = mechanismOf(m, d, dofs[k]);
        if (mechanism < 0 || d->dof_cluster[dofs[k]] < 0) {
            const int c = u->index[dofs[k]];
            value[16 * s->block[c >> 2] + 4 * r + (c & 3)] += J[k];
            continue;
        }
        const snLoopTerms t = sn_loopTerms(d, dofs[k]);
        const int* y = d->mechanism_y + d->mechanism_yadr[mechanism];
        for (int a = 0; a < t.count; a++) {
            const int c = u->index[y[t.y[a]]];
            value[16 * s->block[c >> 2] + 4 * r + (c & 3)] += J[k] * t.coefficient[a];
        }
    }
}

static double smoothOf(const snData* d, int row)
{
    const double* J = d->efc_J + d->efc_J_rowadr[row];
    const int* dofs = d->efc_J_colind + d->efc_J_coladr[row];
    double sum = 0;
    for (int k = 0; k < d->efc_J_rownnz[row]; k++) sum += J[k] * d->qacc_smooth[dofs[k]];
    return sum;
}

static void countRows(const snModel* m, const snData* d, const snIslands* islands, int island,
                      const Unknowns* u, snProblem* p)
{
    p->nsimple = p->nquad = p->rows.ncone = 0;
    for (int g = islands->first_group[island]; g >= 0; g = islands->group[g].next) {
        const snRowGroup* group = islands->group + g;
        if (isSimple(m, d, u, group->row)) {
            p->nsimple++;
            continue;
        }
        p->rows.ncone += d->efc_type[group->row] == SN_CNSTR_CONTACT_ELLIPTIC;
        p->nquad += (group->count + 3) / 4;
    }
    p->nsimple = sn_padded(p->nsimple);
}

static void fillSimple(const snModel* m, const snData* d, const snIslands* islands, int island,
                       const Unknowns* u, snProblem* p)
{
    int at = 0;
    for (int g = islands->first_group[island]; g >= 0; g = islands->group[g].next) {
        const int row = islands->group[g].row;
        if (!isSimple(m, d, u, row)) continue;
        p->simple_dof[at] = u->index[d->efc_J_colind[d->efc_J_coladr[row]]];
        p->simple_sign[at] = d->efc_J[d->efc_J_rowadr[row]];
        sn_problemRow(d, p, at, row);
        p->b[at++] += smoothOf(d, row);
    }
    for (; at < p->nsimple; at++) {
        p->simple_dof[at] = 0;
        p->simple_sign[at] = 0;
        sn_problemPad(p, at);
    }
}

// A quad of up to four rows of a group.
static void fillQuad(const snModel* m, const snData* d, const Unknowns* u, const Support* s, int first,
                     int rows, snProblem* p, double** valuenext)
{
    const int at = p->nsimple + 4 * p->nquad;
    sn_problemQuad(d, p, first, rows);
    const snQuad quad = {.count = s->nblock, .col = s->col, .value = *valuenext};
    memset(quad.value, 0, 16 * (size_t)quad.count * sizeof(double));
    for (int r = 0; r < rows; r++) {
        reduceRow(m, d, u, s, first + r, r, quad.value);
        p->b[at + r] += smoothOf(d, first + r);
    }
    p->touched[p->nquad] = s->unknown;
    p->ntouched[p->nquad] = s->count;
    p->quad[p->nquad++] = quad;
    *valuenext += 16 * quad.count;
}

// The most unknowns that the rows may touch, group by group, and the most blocks of their quads.
static void countTouched(const snModel* m, const snData* d, const snIslands* islands, int island,
                         const Unknowns* u, const snProblem* p, size_t* unknowns, size_t* blocks)
{
    *blocks = *unknowns = 0;
    for (int g = islands->first_group[island]; g >= 0; g = islands->group[g].next) {
        const snRowGroup* group = islands->group + g;
        if (isSimple(m, d, u, group->row)) continue;
        const int* dofs = d->efc_J_colind + d->efc_J_coladr[group->row];
        size_t count = 0;
        for (int k = 0; k < d->efc_J_rownnz[group->row]; k++) {
            const bool free = mechanismOf(m, d, dofs[k]) < 0 || d->dof_cluster[dofs[k]] < 0;
            count += free ? 1 : (size_t)sn_loopTerms(d, dofs[k]).count;
        }
        if (count > (size_t)p->ndof) count = (size_t)p->ndof;
        *unknowns += count;
        if (count > (size_t)p->n / 4) count = (size_t)p->n / 4;
        *blocks += (size_t)((group->count + 3) / 4) * count;
    }
}

static bool allocateRows(snData* d, snProblem* p, size_t unknowns, size_t blocks, Support* s, int** unknown,
                         int** col, double** value)
{
    if (16 * blocks > INT_MAX || unknowns > INT_MAX) return false;
    *unknown = sn_scratchInt(d, (int)unknowns);
    *s = (Support){.coladr = -1, .block = sn_scratchInt(d, p->n / 4), .seen = sn_scratchInt(d, p->n)};
    p->touched = sn_scratchAlloc(d, (size_t)p->nquad * sizeof *p->touched);
    p->ntouched = sn_scratchInt(d, p->nquad);
    if (!*unknown || !s->block || !s->seen || !p->touched || !p->ntouched) return false;
    for (int c = 0; c < p->n; c++) s->seen[c] = -1;
    return sn_problemRows(d, p, (int)blocks, (int)(16 * blocks), col, value);
}

static bool fillRows(const snModel* m, snData* d, const snIslands* islands, int island, const Unknowns* u,
                     snProblem* p)
{
    size_t blocks, unknowns;
    int *unknown, *col;
    double* value;
    Support support;
    countRows(m, d, islands, island, u, p);
    countTouched(m, d, islands, island, u, p, &unknowns, &blocks);
    if (!allocateRows(d, p, unknowns, blocks, &support, &unknown, &col, &value)) return false;
    fillSimple(m, d, islands, island, u, p);
    p->nquad = p->rows.ncone = 0;
    for (int g = islands->first_group[island]; g >= 0; g = islands->group[g].next) {
        const snRowGroup* group = islands->group + g;
        if (isSimple(m, d, u, group->row)) continue;
        if (d->efc_type[group->row] == SN_CNSTR_CONTACT_ELLIPTIC)
            p->rows.cone[p->rows.ncone++] = sn_coneOfContact(
                d->contact + d->efc_id[group->row], d->efc_D + group->row, p->nsimple + 4 * p->nquad);
        findSupport(m, d, u, group->row, &support, &unknown, &col);
        for (int first = 0; first < group->count; first += 4)
            fillQuad(m, d, u, &support, group->row + first,
                     group->count - first < 4 ? group->count - first : 4, p, &value);
    }
    return true;
}

bool sn_buildLoopProblem(const snModel* m, snData* d, const snIslands* islands, int island, bool large,
                         snProblem* p)
{
    Unknowns u;
    if (!findUnknowns(m, d, islands, island, &u)) return false;
    *p = (snProblem){.ndof = u.count, .n = sn_padded(u.count), .dof = u.dof, .loops = true, .large = large};
    return (large ? chainInertia(m, d, &u, p) : wholeInertia(m, d, &u, p)) &&
           fillRows(m, d, islands, island, &u, p) && (!large || sn_findCoupling(d, NULL, p, &p->coupling));
}

void sn_loopProblemFinish(const snModel* m, snData* d, const snIslands* islands, int island,
                          const snProblem* p, const double* y)
{
    const int first = islands->dof_adr[island], end = islands->dof_adr[island + 1];
    for (int k = first; k < end; k++) d->qfrc_constraint[islands->dof[k]] = 0;
    for (int g = islands->first_group[island]; g >= 0; g = islands->group[g].next) {
        snJacobianRows rows;
        const int last = islands->group[g].row + islands->group[g].count;
        for (int r = islands->group[g].row; r < last; r += rows.count) {
            rows = sn_jacobianRows(d, r, last);
            sn_mulRowsT(&rows, d->efc_force + r, d->qfrc_constraint);
        }
    }
    for (int c = 0; c < p->ndof; c++) d->qacc[p->dof[c]] = y[c]; // for now
    for (int k = first; k < end; k++) {
        const int dof = islands->dof[k];
        if (d->dof_cluster[dof] < 0 || d->dof_y[dof] >= 0) continue;
        const snLoopTerms t = sn_loopTerms(d, dof);
        const int* own = d->mechanism_y + d->mechanism_yadr[d->cluster_mechanism[d->dof_cluster[dof]]];
        d->qacc[dof] = 0;
        for (int a = 0; a < t.count; a++) d->qacc[dof] += t.coefficient[a] * d->qacc[own[t.y[a]]];
    }
    for (int k = first; k < end; k++) d->qacc[islands->dof[k]] += d->qacc_smooth[islands->dof[k]];
    (void)m;
}
