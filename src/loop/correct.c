#include "loop/correct.h"
#include <math.h>
#include <string.h>
#include "loop/orthogonal.h"
#include "model/arena.h"

// With Y = K W^-1/2: change = -W^-1/2 Y' x,  Y Y' x = error.
static bool correctCluster(const snModel* m, snData* d, int c, const double* weight, const bool* held,
                           const double* error, double* change)
{
    const int *dof = d->loop_dof + d->cluster_dofadr[c], n = d->cluster_dofnum[c],
              rows = d->cluster_rownum[c];
    const double* K = d->loop_K + d->cluster_Kadr[c];
    double *Y = sn_scratchReal(d, rows * n), *x = sn_scratchReal(d, rows), *inverse = sn_scratchReal(d, n),
           *work = sn_scratchAlloc(d, sn_orthogonalWork(rows, n) * sizeof(double));
    int* order = sn_scratchInt(d, rows);
    if (!Y || !x || !inverse || !work || !order) return false;
    for (int j = 0; j < n; j++) inverse[j] = held && held[dof[j]] ? 0 : 1 / sqrt(weight[dof[j]]);
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < n; j++) Y[r * n + j] = K[r * n + j] * inverse[j];
    sn_solveGram(Y, rows, n, m->opt.loop_ranktol, error + d->cluster_rowadr[c], x, order, work);
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int r = 0; r < rows; r++) sum += K[r * n + j] * x[r];
        change[dof[j]] = -sum * inverse[j] * inverse[j];
    }
    return true;
}

bool sn_loopCorrection(const snModel* m, snData* d, const double* weight, const bool* held,
                       const double* error, double* change)
{
    memset(change, 0, (size_t)m->nv * sizeof(double));
    for (int c = 0; c < d->ncluster; c++) {
        const size_t mark = sn_scratchMark(d);
        const bool room = correctCluster(m, d, c, weight, held, error, change);
        sn_scratchRelease(d, mark);
        if (!room) return false;
    }
    return true;
}
