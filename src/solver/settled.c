// Islands that qacc_warmstart solves as it is: bodies that rest keep their acceleration from step to step.
#include <math.h>
#include <string.h>
#include <sinew/constraint.h>
#include <sinew/support.h>
#include "model/arena.h"
#include "solver/primal.h"

// How far below the tolerance: an iteration, too, would go well below it.
#define SETTLED 1e-3

static double islandGradient(const snIslands* islands, int island, const double* gradient)
{
    double sum = 0;
    for (int k = islands->dof_adr[island]; k < islands->dof_adr[island + 1]; k++)
        sum += gradient[islands->dof[k]] * gradient[islands->dof[k]];
    return sqrt(sum);
}

// The gradient of the primal problem in all dofs, M qacc - qfrc_smooth - J' f(J qacc - aref), at
// qacc_warmstart; leaves f in efc_force and J' f in qfrc_constraint.
static bool warmGradient(const snModel* m, snData* d, double* gradient)
{
    double* jar = sn_scratchReal(d, d->nefc);
    if (!jar) return false;
    sn_mulJacVec(m, d, jar, d->qacc_warmstart);
    for (int r = 0; r < d->nefc; r++) jar[r] -= d->efc_aref[r];
    sn_constraintUpdate(m, d, jar, NULL);
    sn_mulM(m, d, gradient, d->qacc_warmstart);
    for (int i = 0; i < m->nv; i++) gradient[i] -= d->qfrc_smooth[i] + d->qfrc_constraint[i];
    return true;
}

bool sn_settleIslands(const snModel* m, snData* d, const snIslands* islands, const snPrimalOption* opt,
                      bool* settled)
{
    memset(settled, 0, (size_t)islands->count);
    if ((m->opt.disableflags & SN_DSBL_WARMSTART) || opt->iterations == 0) return true;
    double* gradient = sn_scratchReal(d, m->nv);
    if (!gradient || !warmGradient(m, d, gradient)) return false;
    for (int k = 0; k < islands->count; k++) {
        const double residual = opt->scale * islandGradient(islands, k, gradient);
        settled[k] = residual < SETTLED * opt->tolerance;
        if (!settled[k]) continue;
        d->solver_residual = sn_worse(d->solver_residual, residual);
        for (int c = islands->dof_adr[k]; c < islands->dof_adr[k + 1]; c++)
            d->qacc[islands->dof[c]] = d->qacc_warmstart[islands->dof[c]];
    }
    return true;
}
