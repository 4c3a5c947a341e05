// Steps that are implicit in velocity (seed 001, "Numerical integration"): v' = v + h a with
//     (M - h D) a = sum of all forces,   D = d(smooth forces)/d qvel.
#include <string.h>
#include <sinew/smooth.h>
#include <sinew/support.h>
#include "loop/acceleration.h"
#include "model/arena.h"
#include "pipeline/integrate.h"
#include "smooth/inertia/factor.h"
#include "smooth/inertia/factor_lu.h"

// Row i of M, diagonal first, from row i of D, diagonal last among the dofs above.
static inline int rowAbove(const snModel* m, int i)
{
    return m->D_rowadr[i] + m->D_diag[i];
}

void sn_implicitMatrix(const snModel* m, const snData* d, double* A)
{
    const double h = m->opt.timestep;
    for (int k = 0; k < m->nD; k++) A[k] = -h * d->qDeriv[k];
    for (int i = 0; i < m->nv; i++) {
        const double* M = d->qM + m->dof_Madr[i];
        for (int j = i; j >= 0; j = m->dof_parentid[j], M++) {
            A[m->D_rowadr[i] + m->D_diag[j]] += *M;
            if (j != i) A[rowAbove(m, j) + i - j] += *M;
        }
    }
}

// The same of mechanisms: K a = k + k_stab in M - hD, by its reduced matrix.
static void loopsImplicit(const snModel* m, snData* d, double* acceleration)
{
    if (d->nclosure == 0) return;
    const size_t mark = sn_scratchMark(d);
    double *A = sn_scratchReal(d, m->nD), *force = sn_scratchReal(d, m->nv);
    const bool room = A && force;
    if (room) {
        sn_implicitMatrix(m, d, A);
        for (int i = 0; i < m->nv; i++) force[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
    }
    if (!room || !sn_loopAccelerationLU(m, d, A, m->opt.timestep, force, acceleration)) sn_warnFull(d);
    sn_scratchRelease(d, mark);
}

const double* sn_implicitAcceleration(const snModel* m, snData* d)
{
    double* acceleration = d->integrator_stage;
    const bool full = m->opt.integrator == SN_INT_IMPLICIT;
    for (int i = 0; i < m->nv; i++) acceleration[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
    sn_smoothVel(m, d, full);
    if (full) {
        sn_implicitMatrix(m, d, d->qLU);
        sn_reportPivots(d, sn_factorLU(m, d->qLU));
        sn_solveLU(m, d->qLU, acceleration);
    } else {
        sn_implicitMatrixSymmetric(m, d, d->qH);
        sn_reportPivots(d, sn_factorTree(m, true, d->qH, d->qHDiagInv));
        sn_solveTree(m, d->qH, d->qHDiagInv, acceleration, 1);
    }
    loopsImplicit(m, d, acceleration);
    return acceleration;
}

void sn_implicit(const snModel* m, snData* d)
{
    sn_advance(m, d, d->act_dot, sn_implicitAcceleration(m, d), NULL, NULL);
}
