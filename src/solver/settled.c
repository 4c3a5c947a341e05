// Islands that qacc_warmstart solves as it is: bodies at rest keep their acceleration from step to step.
//
// Of small islands only, and not of chains (chain_problem.c). It is setting up the problem that costs; where
// that is little, or an iteration is much, Newton's method finds out by itself that it need not begin.
#include <math.h>
#include <string.h>
#include "constraint/product.h"
#include "model/arena.h"
#include "smooth/inertia/mul_row.h"
#include "solver/forces.h"
#include "solver/primal.h"

// The most dofs of a small island: a free body and a hinge or two.
#define SMALL 8

// m/s or rad/s: what moves faster meets other forces at each step, and is not worth the look.
#define SLOW 1e-3

// What has elasticity is not looked at here.
static bool isSlow(const snData* d, const snIslands* islands, const int* dofs, int count)
{
    for (int k = 0; k < count; k++)
        if (!(fabs(d->qvel[dofs[k]]) < SLOW) || sn_hasElastic(islands->elastic, dofs[k])) return false;
    return true;
}

// Norm of the gradient of the primal problem in all dofs of an island, M qacc - qfrc_smooth - J' f(J qacc -
// aref), at qacc_warmstart; leaves f in efc_force and J' f in qfrc_constraint. jar [nefc], inertial [nv]:
// scratch.
static double warmGradient(const snModel* m, snData* d, const snIslands* islands, int island, double* jar,
                           double* inertial)
{
    const int* dofs = islands->dof + islands->dof_adr[island];
    const int count = islands->dof_adr[island + 1] - islands->dof_adr[island];
    for (int k = 0; k < count; k++) d->qfrc_constraint[dofs[k]] = 0;
    for (int g = islands->first_group[island]; g >= 0; g = islands->group[g].next) {
        const int first = islands->group[g].row, end = first + islands->group[g].count;
        snJacobianRows rows;
        for (int r = first; r < end; r += rows.count) {
            rows = sn_jacobianRows(d, r, end);
            sn_mulRows(&rows, d->qacc_warmstart, jar + r);
        }
        for (int r = first; r < end; r++) jar[r] -= d->efc_aref[r];
        sn_rowForces(d, first, end, jar);
        for (int r = first; r < end; r += rows.count) {
            rows = sn_jacobianRows(d, r, end);
            sn_mulRowsT(&rows, d->efc_force + r, d->qfrc_constraint);
        }
    }
    for (int k = 0; k < count; k++) sn_mulMRow(m, d, dofs[k], d->qacc_warmstart, inertial);
    double sum = 0;
    for (int k = 0; k < count; k++) {
        const double g = inertial[dofs[k]] - d->qfrc_smooth[dofs[k]] - d->qfrc_constraint[dofs[k]];
        sum += g * g;
    }
    return sqrt(sum);
}

bool sn_settleIsland(const snModel* m, snData* d, const snIslands* islands, int island,
                     const snPrimalOption* all, double* jar, double* inertial, double* residual)
{
    const int first = islands->dof_adr[island], end = islands->dof_adr[island + 1];
    if ((m->opt.disableflags & SN_DSBL_WARMSTART) || all->iterations == 0 || end - first > SMALL ||
        sn_islandHasLoops(m, d, islands, island) || !isSlow(d, islands, islands->dof + first, end - first))
        return false;
    snPrimalOption opt = *all;
    opt.scale = sn_islandScale(m, d, islands, island, all->scale);
    const double gradient = warmGradient(m, d, islands, island, jar, inertial);
    if (!sn_primalSettled(&opt, gradient)) return false;
    *residual = opt.scale * gradient;
    for (int c = first; c < end; c++) d->qacc[islands->dof[c]] = d->qacc_warmstart[islands->dof[c]];
    return true;
}
