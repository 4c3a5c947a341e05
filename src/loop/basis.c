#include "loop/basis.h"
#include <assert.h>
#include <limits.h>
#include <string.h>
#include "loop/cluster.h"
#include "model/arena.h"

bool sn_allocateBasis(const snModel* m, snData* d, int ny, struct snLoopBasis* b)
{
    assert(ny >= 0 && ny <= m->nv);
    const size_t nv = (size_t)m->nv, y = (size_t)ny;
    *b = (struct snLoopBasis){.nv = m->nv, .ny = ny, .factor = {.m = ny, .n = m->nv}};
    if (nv * nv > INT_MAX) return false;
    b->factor.K = sn_scratchAlloc(d, nv * y * sizeof(double));
    b->factor.row = sn_scratchInt(d, ny);
    b->factor.column = sn_scratchInt(d, m->nv);
    b->G_x = sn_scratchAlloc(d, nv * nv * sizeof(double));
    b->g_x = sn_scratchReal(d, m->nv);
    b->tau = sn_scratchReal(d, m->nv);
    b->work = sn_scratchAlloc(d, (nv + y * (y + 1)) * sizeof(double));
    return b->factor.K && b->factor.row && b->factor.column && b->G_x && b->g_x && b->tau && b->work;
}

// G_x and g_x from those of y. With G = (A; B), A [ny x ny] the rows of x: x'' = A y'' + g_A, so that
// G_x = (1; B inv(A)) and g_x = (0; g_B - B inv(A) g_A). All z with G' z = 0 are (-inv(A') B'; 1) times
// anything, which is (B inv(A))' but for the sign.
static void changeCoordinates(struct snLoopBasis* b)
{
    const int nv = b->nv, ny = b->ny, *column = b->factor.column;
    double* G = b->G_x;
    sn_nullSpaceBasis(&b->factor, G);
    for (int j = 0; j < nv - ny; j++)
        for (int k = 0; k < ny; k++) G[column[ny + j] * nv + k] = -G[column[k] * nv + j];
    for (int i = 0; i < ny; i++)
        for (int k = 0; k < ny; k++) G[column[i] * nv + k] = i == k;
    for (int j = ny; j < nv; j++) {
        const double* row = G + column[j] * nv;
        double sum = b->g[column[j]];
        for (int k = 0; k < ny; k++) sum -= row[k] * b->g[column[k]];
        b->g_x[column[j]] = sum;
    }
    for (int k = 0; k < ny; k++) b->g_x[column[k]] = 0;
}

int sn_factorBasis(struct snLoopBasis* b, const double* G, const double* g, double tolerance)
{
    b->G = G;
    b->g = g;
    for (int i = 0; i < b->nv; i++)
        for (int k = 0; k < b->ny; k++) b->factor.K[k * b->nv + i] = G[i * b->ny + k];
    sn_nullSpace(&b->factor, tolerance, -1);
    if (b->factor.rank == b->ny) changeCoordinates(b);
    return b->factor.rank;
}

void sn_basisCoordinates(const struct snLoopBasis* b, const double* qacc, double* ydd)
{
    double* rest = b->work;
    for (int i = 0; i < b->nv; i++) rest[i] = qacc[i] - b->g[i];
    sn_nullSpaceForce(&b->factor, rest, ydd, rest + b->nv);
}

bool sn_placeBasis(const snModel* m, snData* d)
{
    const struct snLoopBasis* b = d->loop_basis;
    const int nv = b->nv, ny = b->ny, rank = nv - ny;
    const size_t start = d->parena;
    d->nclosure = d->ncluster = d->nmechanism = 1;
    d->nloopdof = d->nmechdof = nv;
    d->nloopG = nv * nv;
    d->loop_rank = rank;
    if (!sn_takeLoops(d)) {
        d->parena = start;
        sn_dropLoops(d);
        return false;
    }
    d->closure_id[0] = -1;
    d->closure_rowadr[0] = d->closure_rownum[0] = d->closure_cluster[0] = 0;
    d->cluster_mechanism[0] = d->cluster_dofadr[0] = d->cluster_rowadr[0] = d->cluster_rownum[0] = 0;
    d->cluster_Kadr[0] = d->cluster_Gadr[0] = d->mechanism_dofadr[0] = 0;
    d->cluster_dofnum[0] = d->mechanism_dofnum[0] = nv;
    d->cluster_rank[0] = rank;
    d->cluster_condition[0] = b->factor.condition;
    for (int t = 0; t < m->ntree; t++) d->tree_mechanism[t] = 0;
    for (int i = 0; i < nv; i++) {
        d->loop_dof[i] = d->mechanism_dof[i] = d->dof_place[i] = i;
        d->dof_cluster[i] = 0;
        d->loop_column[i] = b->factor.column[i < rank ? ny + i : i - rank];
    }
    memcpy(d->loop_G, b->G_x, (size_t)d->nloopG * sizeof(double));
    return true;
}

void sn_placeBasisBias(snData* d)
{
    memcpy(d->loop_g, d->loop_basis->g_x, (size_t)d->nloopdof * sizeof(double));
}
