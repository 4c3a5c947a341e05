// The first and the second solution of seed 002, section 8.5. They work on whole mechanisms and are there for
// comparison, and for poses where G is ill-conditioned.
#include <math.h>
#include <string.h>
#include "loop/acceleration.h"
#include "loop/algebra/orthogonal.h"
#include "math/eliminate.h"
#include "loop/position.h"
#include "model/arena.h"
#include "smooth/inertia/factor.h"

// The rows of a mechanism: its clusters' one behind the other.
static int countRows(const snData* d, int mechanism, bool independent)
{
    int count = 0;
    for (int c = 0; c < d->ncluster; c++)
        if (d->cluster_mechanism[c] == mechanism)
            count += independent ? d->cluster_rank[c] : d->cluster_rownum[c];
    return count;
}

typedef bool (*Solution)(const snModel* m, snData* d, int mechanism, const double* force, double* qacc,
                         double* lambda);

static bool solveAll(const snModel* m, snData* d, Solution solve, const double* force, double* qacc,
                     double* lambda)
{
    bool room = true;
    for (int k = 0; k < d->nmechanism && room; k++) {
        const size_t mark = sn_scratchMark(d);
        room = solve(m, d, k, force, qacc, lambda);
        sn_scratchRelease(d, mark);
    }
    return room;
}

// ---- (8.36) at once

// H of a mechanism's dofs into the upper left of A [stride x stride].
static void fillH(const snModel* m, const snData* d, int mechanism, const int* place, int stride, double* A)
{
    const int *dof = d->mechanism_dof + d->mechanism_dofadr[mechanism],
              count = d->mechanism_dofnum[mechanism];
    for (int k = 0; k < count; k++) {
        const double* h = d->qM + m->dof_Madr[dof[k]];
        A[k * stride + k] = *h++;
        for (int j = m->dof_simplenum[dof[k]] ? -1 : m->dof_parentid[dof[k]]; j >= 0; j = m->dof_parentid[j])
            A[k * stride + place[j]] = A[place[j] * stride + k] = *h++;
    }
}

// Row r of D^-1 U, K = L U with D the pivots: 1 in the column of its pivot.
static double unitRow(const snNullSpace* s, int r, int j)
{
    const double* U = s->K + (size_t)s->row[r] * (size_t)s->n;
    return U[s->column[j]] / U[s->column[r]];
}

// D^-1 U below H, its transpose beside it, and D^-1 L^-1 k into x, in the place of K and k: the same asked of
// qacc. Rows of K that are nearly the same have become their differences here; as they stand, the condition
// of K would count squared.
static bool fillIndependent(snData* d, int mechanism, const int* place, int stride, double* A, double* x)
{
    int row = d->mechanism_dofnum[mechanism];
    for (int c = 0; c < d->ncluster; c++) {
        if (d->cluster_mechanism[c] != mechanism) continue;
        const snNullSpace s = sn_clusterFactor(d, c);
        const int* dof = d->loop_dof + d->cluster_dofadr[c];
        const size_t mark = sn_scratchMark(d);
        double *k = sn_scratchReal(d, s.m), *g = sn_scratchReal(d, s.n);
        if (!k || !g) return false;
        memcpy(k, d->loop_k + d->cluster_rowadr[c], (size_t)s.m * sizeof(double));
        sn_nullSpaceParticular(&s, k, g); // for what it leaves in k, L^-1 k
        for (int r = 0; r < s.rank; r++, row++) {
            for (int j = r; j < s.n; j++) {
                const int column = place[dof[s.column[j]]];
                A[row * stride + column] = A[column * stride + row] = unitRow(&s, r, j);
            }
            x[row] = k[s.row[r]] / s.K[(size_t)s.row[r] * (size_t)s.n + (size_t)s.column[r]];
        }
        sn_scratchRelease(d, mark);
    }
    return true;
}

// lambda of least norm for the forces -U'D^-1 y of the unknowns y beside qacc.
static bool forcesOf(snData* d, int mechanism, const double* y, double* lambda)
{
    for (int c = 0; c < d->ncluster; c++) {
        if (d->cluster_mechanism[c] != mechanism) continue;
        const snNullSpace s = sn_clusterFactor(d, c);
        const size_t mark = sn_scratchMark(d);
        double *tau = sn_scratchReal(d, s.n), *work = sn_scratchReal(d, s.m * (s.m + 1));
        if (!tau || !work) return false;
        memset(tau, 0, (size_t)s.n * sizeof(double));
        for (int r = 0; r < s.rank; r++, y++)
            for (int j = r; j < s.n; j++) tau[s.column[j]] -= unitRow(&s, r, j) * *y;
        memset(lambda + d->cluster_rowadr[c], 0, (size_t)s.m * sizeof(double));
        sn_nullSpaceForce(&s, tau, lambda + d->cluster_rowadr[c], work);
        sn_scratchRelease(d, mark);
    }
    return true;
}

static bool solveKKT(const snModel* m, snData* d, int mechanism, const double* force, double* qacc,
                     double* lambda)
{
    const int *dof = d->mechanism_dof + d->mechanism_dofadr[mechanism],
              count = d->mechanism_dofnum[mechanism], size = count + countRows(d, mechanism, true);
    double *A = sn_scratchAlloc(d, (size_t)size * (size_t)size * sizeof(double)),
           *x = sn_scratchReal(d, size);
    int* place = sn_scratchInt(d, m->nv);
    if (!A || !x || !place) return false;
    for (int k = 0; k < count; k++) place[dof[k]] = k;
    memset(A, 0, (size_t)size * (size_t)size * sizeof(double));
    fillH(m, d, mechanism, place, size, A);
    if (!fillIndependent(d, mechanism, place, size, A, x)) return false;
    for (int k = 0; k < count; k++) x[k] = force[dof[k]];
    sn_eliminate(A, size, x);
    for (int k = 0; k < count; k++) qacc[dof[k]] = x[k];
    return forcesOf(d, mechanism, x + count, lambda);
}

bool sn_loopSolutionKKT(const snModel* m, snData* d, const double* force, double* qacc, double* lambda)
{
    return solveAll(m, d, solveKKT, force, qacc, lambda);
}

// ---- lambda first, (8.37)

// Y = inv(sqrt(D)) inv(L') K', a row [n] for each row of K: H = L'DL, A = Y'Y in the seed's shape.
static bool halfSolve(const snModel* m, snData* d, int mechanism, double* Y)
{
    const int *dof = d->mechanism_dof + d->mechanism_dofadr[mechanism],
              count = d->mechanism_dofnum[mechanism];
    double* x = sn_scratchReal(d, m->nv);
    if (!x) return false;
    const snTrees trees = sn_treesOf(m, dof, count);
    memset(x, 0, (size_t)m->nv * sizeof(double));
    for (int c = 0; c < d->ncluster; c++) {
        if (d->cluster_mechanism[c] != mechanism) continue;
        const int *own = d->loop_dof + d->cluster_dofadr[c], n = d->cluster_dofnum[c];
        for (int r = 0; r < d->cluster_rownum[c]; r++, Y += count) {
            for (int k = trees.begin; k < trees.end; k++) x[k] = 0;
            for (int j = 0; j < n; j++) x[own[j]] = d->loop_K[d->cluster_Kadr[c] + r * n + j];
            sn_solveTrees(m, d->qLD, d->qLDiagInv, trees, false, x);
            for (int k = 0; k < count; k++) Y[k] = x[dof[k]];
        }
    }
    return true;
}

// b = k + k_stab - K free, (8.39), where free = inv(H) force.
static void rightSide(const snData* d, int mechanism, const double* free, double* b)
{
    for (int c = 0; c < d->ncluster; c++) {
        if (d->cluster_mechanism[c] != mechanism) continue;
        const int *dof = d->loop_dof + d->cluster_dofadr[c], n = d->cluster_dofnum[c];
        for (int r = 0; r < d->cluster_rownum[c]; r++, b++) {
            *b = d->loop_k[d->cluster_rowadr[c] + r];
            for (int j = 0; j < n; j++) *b -= d->loop_K[d->cluster_Kadr[c] + r * n + j] * free[dof[j]];
        }
    }
}

static bool solveLambda(const snModel* m, snData* d, int mechanism, const double* force, double* qacc,
                        double* lambda)
{
    const int *dof = d->mechanism_dof + d->mechanism_dofadr[mechanism],
              count = d->mechanism_dofnum[mechanism], rows = countRows(d, mechanism, false);
    double *Y = sn_scratchAlloc(d, (size_t)rows * (size_t)count * sizeof(double)),
           *free = sn_scratchReal(d, m->nv), *b = sn_scratchReal(d, rows), *x = sn_scratchReal(d, rows),
           *work = sn_scratchAlloc(d, sn_orthogonalWork(rows, count) * sizeof(double));
    int* order = sn_scratchInt(d, rows);
    if (!Y || !free || !b || !x || !work || !order || !halfSolve(m, d, mechanism, Y)) return false;
    const snTrees trees = sn_treesOf(m, dof, count);
    memset(free, 0, (size_t)m->nv * sizeof(double));
    for (int k = 0; k < count; k++) free[dof[k]] = force[dof[k]];
    sn_solveTrees(m, d->qLD, d->qLDiagInv, trees, true, free);
    rightSide(d, mechanism, free, b);
    sn_solveGram(Y, rows, count, m->opt.loop_ranktol, b, x, order, work);
    for (int k = 0; k < count; k++) free[dof[k]] = force[dof[k]];
    int row = 0;
    for (int c = 0; c < d->ncluster; c++) {
        if (d->cluster_mechanism[c] != mechanism) continue;
        const int *own = d->loop_dof + d->cluster_dofadr[c], n = d->cluster_dofnum[c];
        for (int r = 0; r < d->cluster_rownum[c]; r++, row++) {
            lambda[d->cluster_rowadr[c] + r] = x[row];
            for (int j = 0; j < n; j++) free[own[j]] += d->loop_K[d->cluster_Kadr[c] + r * n + j] * x[row];
        }
    }
    sn_solveTrees(m, d->qLD, d->qLDiagInv, trees, true, free);
    for (int k = 0; k < count; k++) qacc[dof[k]] = free[dof[k]];
    return true;
}

bool sn_loopSolutionLambda(const snModel* m, snData* d, const double* force, double* qacc, double* lambda)
{
    return solveAll(m, d, solveLambda, force, qacc, lambda);
}
