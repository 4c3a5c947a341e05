// The reduced problem of an island with closed loops, in the independent accelerations of its mechanisms
// (seed 002, (8.42), (8.45)).
#include <math.h>
#include <string.h>
#include "constraint/product.h"
#include "loop/reduced.h"
#include "model/arena.h"
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
    return true;
}

// M of a tree without loops: its rows of qM.
static void fillRowOfTree(const snModel* m, const snData* d, const Unknowns* u, int dof, snProblem* p)
{
    const double* row = d->qM + m->dof_Madr[dof];
    double* M = p->M + (size_t)u->index[dof] * (size_t)p->n;
    M[u->index[dof]] = *row++;
    for (int j = m->dof_simplenum[dof] ? -1 : m->dof_parentid[dof]; j >= 0; j = m->dof_parentid[j])
        M[u->index[j]] = *row++;
}

// Row of G'HG of an independent dof of a mechanism.
static void fillRowOfMechanism(const snData* d, const Unknowns* u, int k, int dof, snProblem* p)
{
    const int n = (d->mechanism_ynum[k] + 3) & ~3, y = d->dof_y[dof];
    const double* row = d->mechanism_H + d->mechanism_Hadr[k] + (size_t)y * (size_t)n;
    const int* others = d->mechanism_y + d->mechanism_yadr[k];
    double* M = p->M + (size_t)u->index[dof] * (size_t)p->n;
    for (int j = 0; j <= y; j++) M[u->index[others[j]]] = row[j];
}

static bool fillM(const snModel* m, snData* d, const Unknowns* u, snProblem* p)
{
    const size_t n = (size_t)p->n;
    p->M = sn_scratchAlloc(d, n * n * sizeof(double));
    if (!p->M || !sn_fullPattern(d, p->n, &p->pattern)) return false;
    p->treePattern = p->pattern;
    memset(p->M, 0, n * n * sizeof(double));
    for (int c = 0; c < p->ndof; c++) {
        const int dof = p->dof[c], k = mechanismOf(m, d, dof);
        if (k < 0)
            fillRowOfTree(m, d, u, dof, p);
        else
            fillRowOfMechanism(d, u, k, dof, p);
    }
    for (size_t c = (size_t)p->ndof; c < n; c++) p->M[c * n + c] = 1;
    for (size_t i = 0; i < n; i++) // the diagonal blocks are stored whole
        for (size_t j = i + 1; j < (i & ~(size_t)3) + 4; j++) p->M[i * n + j] = p->M[j * n + i];
    return true;
}

// A row that is +-1 in one unknown.
static bool isSimple(const snModel* m, const snData* d, const Unknowns* u, int row)
{
    return sn_isSimpleRow(m, d, row) && u->index[d->efc_J_colind[d->efc_J_coladr[row]]] >= 0;
}

// to [n] = J G of a row.
static void reduceRow(const snModel* m, const snData* d, const Unknowns* u, int row, int n, double* to)
{
    const double* J = d->efc_J + d->efc_J_rowadr[row];
    const int* dofs = d->efc_J_colind + d->efc_J_coladr[row];
    memset(to, 0, (size_t)n * sizeof(double));
    for (int k = 0; k < d->efc_J_rownnz[row]; k++) {
        const int mechanism = mechanismOf(m, d, dofs[k]);
        if (mechanism < 0 || d->dof_cluster[dofs[k]] < 0) {
            to[u->index[dofs[k]]] += J[k];
            continue;
        }
        const snLoopTerms t = sn_loopTerms(d, dofs[k]);
        const int* y = d->mechanism_y + d->mechanism_yadr[mechanism];
        for (int a = 0; a < t.count; a++) to[u->index[y[t.y[a]]]] += J[k] * t.coefficient[a];
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
    p->nsimple = (p->nsimple + 3) & ~3;
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

// A quad of up to four rows, over the blocks of four unknowns that they touch. row [4 n]: scratch.
static void fillQuad(const snModel* m, const snData* d, const Unknowns* u, int first, int rows, double* row,
                     snProblem* p, int** colnext, double** valuenext)
{
    const int n = p->n, at = p->nsimple + 4 * p->nquad;
    for (int r = 0; r < 4; r++) {
        if (r >= rows) {
            sn_problemPad(p, at + r);
            memset(row + r * n, 0, (size_t)n * sizeof(double));
            continue;
        }
        reduceRow(m, d, u, first + r, n, row + r * n);
        sn_problemRow(d, p, at + r, first + r);
        p->b[at + r] += smoothOf(d, first + r);
    }
    snQuad quad = {.count = 0, .col = *colnext, .value = *valuenext};
    for (int b = 0; b < n / 4; b++) {
        bool any = false;
        for (int r = 0; r < 4; r++)
            for (int c = 0; c < 4; c++) any |= row[r * n + 4 * b + c] != 0;
        if (!any) continue;
        (*colnext)[quad.count] = b;
        for (int r = 0; r < 4; r++)
            memcpy(quad.value + 16 * quad.count + 4 * r, row + r * n + 4 * b, 4 * sizeof(double));
        quad.count++;
    }
    *colnext += quad.count;
    *valuenext += 16 * quad.count;
    p->quad[p->nquad++] = quad;
}

static bool fillRows(const snModel* m, snData* d, const snIslands* islands, int island, const Unknowns* u,
                     snProblem* p)
{
    countRows(m, d, islands, island, u, p);
    int* col;
    double *value, *row = sn_scratchReal(d, 4 * p->n);
    if (!row || !sn_problemRows(d, p, p->nquad * (p->n / 4), 4 * p->nquad * p->n, &col, &value)) return false;
    fillSimple(m, d, islands, island, u, p);
    p->nquad = p->rows.ncone = 0;
    for (int g = islands->first_group[island]; g >= 0; g = islands->group[g].next) {
        const snRowGroup* group = islands->group + g;
        if (isSimple(m, d, u, group->row)) continue;
        if (d->efc_type[group->row] == SN_CNSTR_CONTACT_ELLIPTIC)
            p->rows.cone[p->rows.ncone++] = sn_coneOfContact(
                d->contact + d->efc_id[group->row], d->efc_D + group->row, p->nsimple + 4 * p->nquad);
        for (int first = 0; first < group->count; first += 4)
            fillQuad(m, d, u, group->row + first, group->count - first < 4 ? group->count - first : 4, row, p,
                     &col, &value);
    }
    return true;
}

bool sn_buildLoopProblem(const snModel* m, snData* d, const snIslands* islands, int island, snProblem* p)
{
    Unknowns u;
    if (!findUnknowns(m, d, islands, island, &u)) return false;
    *p = (snProblem){.ndof = u.count, .n = (u.count + 3) & ~3, .dof = u.dof, .loops = true};
    return fillM(m, d, &u, p) && fillRows(m, d, islands, island, &u, p);
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
