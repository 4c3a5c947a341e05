// Loops, and equalities that the engine holds softly, as rows K x = k and unknown forces lambda. A row that
// depends on others has none: what rounding leaves of it must not count.
#include <math.h>
#include <string.h>
#include "constraint/equality.h"
#include "control/controller.h"
#include "model/arena.h"
#include "model/kinds.h"

int sn_loopRowsMost(const snModel* m)
{
    int rows = 6 * m->nloop;
    for (int e = 0; e < m->neq; e++)
        rows += m->eq_type[e] == SN_EQ_FLEX ? m->flex_edgenum[m->eq_obj1id[e]] : sn_equalitySize(m, e);
    return rows;
}

// Row `row` of K in its place, with -K' in the columns of forces, and its bounds.
typedef struct Target {
    const snController* c;
    const snRowGroup* group;
} Target;

static void put(const Target* t, int row, int dof, double value)
{
    const snController* c = t->c;
    sn_groupRow(c, t->group, row)[dof] = value;
    if (c->work->nlambda)
        c->work->dynamics[dof][c->model->nv + c->work->nforce + row] = -value * c->work->force;
}

static void bound(const Target* t, int row, double k)
{
    t->c->work->lower[t->group->first + row] = t->c->work->upper[t->group->first + row] = k;
}

static bool isVelocity(const snController* c)
{
    return c->set.mode == SN_CONTROL_VELOCITY;
}

static void clusterRows(const Target* t, const snData* d, int cluster)
{
    const int n = d->cluster_dofnum[cluster], first = d->cluster_rowadr[cluster];
    const int* dof = d->loop_dof + d->cluster_dofadr[cluster];
    const double tstab = t->c->model->opt.loop_tstab;
    for (int r = 0; r < d->cluster_rank[cluster]; r++) {
        const int row = d->loop_pivot[first + r];
        const double* K = d->loop_K + d->cluster_Kadr[cluster] + (size_t)row * (size_t)n;
        for (int j = 0; j < n; j++) put(t, first + row, dof[j], K[j]);
        bound(t, first + row,
              isVelocity(t->c) ? -d->loop_delta[first + row] / tstab : d->loop_k[first + row]);
    }
}

static void scatter(const snData* d, int row, double* to)
{
    const int* dof = d->efc_J_colind + d->efc_J_coladr[row];
    const double* J = d->efc_J + d->efc_J_rowadr[row];
    for (int j = 0; j < d->efc_J_rownnz[row]; j++) to[dof[j]] = J[j];
}

// Takes from u [n] what lies along basis [count x n], twice: once loses digits.
static double newPart(const double* basis, int count, int n, double* u)
{
    double sum = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int b = 0; b < count; b++) {
            double dot = 0;
            for (int j = 0; j < n; j++) dot += basis[b * n + j] * u[j];
            for (int j = 0; j < n; j++) u[j] -= dot * basis[b * n + j];
        }
    for (int j = 0; j < n; j++) sum += u[j] * u[j];
    return sqrt(sum);
}

// Rows of equalities in order; one of which less than a part loop_ranktol is new is left out.
static bool equalityRowsOf(const Target* t, snData* d)
{
    const snModel* m = t->c->model;
    const int n = m->nv;
    const size_t mark = sn_scratchMark(d);
    double* basis = sn_scratchReal(d, (d->ne + 1) * n);
    int count = 0;
    for (int r = 0; basis && r < d->ne; r++) {
        double *u = basis + count * n, norm = 0;
        memset(u, 0, (size_t)n * sizeof(double));
        scatter(d, r, u);
        for (int j = 0; j < n; j++) norm += u[j] * u[j];
        const double left = newPart(basis, count, n, u);
        if (left <= m->opt.loop_ranktol * sqrt(norm)) continue;
        for (int j = 0; j < n; j++) u[j] /= left;
        count++;
        const int* dof = d->efc_J_colind + d->efc_J_coladr[r];
        const double* J = d->efc_J + d->efc_J_rowadr[r];
        for (int j = 0; j < d->efc_J_rownnz[r]; j++) put(t, d->nlooprow + r, dof[j], J[j]);
        bound(t, d->nlooprow + r, isVelocity(t->c) ? -d->efc_pos[r] / m->opt.loop_tstab : d->efc_aref[r]);
    }
    sn_scratchRelease(d, mark);
    return basis;
}

bool sn_loopRows(const snController* c, snData* d, const snRowGroup* g)
{
    const Target target = {c, g};
    for (int k = 0; k < d->ncluster; k++) clusterRows(&target, d, k);
    const bool room = d->ne == 0 || equalityRowsOf(&target, d);
    // rows that are left out: no row, so that none is counted as an equality
    for (int r = 0; r < g->rows; r++)
        if (!isfinite(c->work->lower[g->first + r])) c->work->weight[g->first + r] = 0;
    return room;
}
