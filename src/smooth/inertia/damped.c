// In lanes, too: src/batch/lane/prelude.h.
#include "math/zero.h"
#include "model/made.h"
#include "model/sleep.h"
#include "smooth/inertia/damped.h"
#include "smooth/inertia/factor.h"
#include "smooth/kinematics/resistance.h"

// Beside its dof_damping.
static inline snMask isDampedOtherwise(const snModel* m, int dof)
{
    const real* others = m->dof_dampingpoly + SN_NPOLY * dof;
    return (others[0] != 0) | (others[1] != 0) | sn_mask(m->jnt_actuatorid[m->dof_jntid[dof]] != -1);
}

// Whether any dof may be damped, in some lane; nearly always, where none is, this is all that is asked.
static bool mayBeDamped(const snModel* m)
{
    bool any = sn_anyNotZero(m->dof_damping, m->nv) || sn_anyNotZero(m->dof_dampingpoly, SN_NPOLY * m->nv);
    for (int j = 0; j < m->njnt && !any; j++) any = m->jnt_actuatorid[j] != -1;
    return any;
}

static inline bool isOff(const snModel* m)
{
    return (m->opt.disableflags & (SN_DSBL_EULERDAMP | SN_DSBL_DAMPER)) != 0;
}

snMask sn_eulerDamped(const snModel* m)
{
    snMask damped = sn_mask(false);
    if (isOff(m) || !mayBeDamped(m)) return damped;
    for (int i = 0; i < m->nv && !sn_all(damped); i++) damped |= m->dof_damping[i] > 0;
    for (int i = 0; i < m->nv && !sn_all(damped); i++) damped |= isDampedOtherwise(m, i);
    return damped;
}

#ifndef SN_LANES
bool sn_eulerDampsAny(const snModel* m, const snData* d)
{
    const bool look = d->nstill && !isOff(m);
    for (int k = 0; k < d->nv_run && look; k++)
        for (int i = d->dof_run[2 * k]; i < d->dof_run[2 * k + 1]; i++)
            if (m->dof_damping[i] > 0 || isDampedOtherwise(m, i)) return true;
    return sn_eulerDamped(m);
}
#endif

void sn_factorDamped(const snModel* m, snData* d)
{
    sn_assertMade(m, d, qM);
    sn_packAwake(m, d, d->qM, d->qH);
    const real* damping = m->dof_damping;
    if (!sn_dampersArePlain(m, d)) {
        real* sum = d->qHDiagInv; // until the factor is there
        SN_EACH_DOF (m, d, i) sum[i] = sn_dampingOfDof(m, i, d->qvel[i]);
        damping = sum;
    }
    SN_EACH_DOF (m, d, i) d->qH[sn_diagonalLD(m, i)] += m->opt.timestep * damping[i];
    sn_reportPivots(d, sn_factorAwake(m, d, true, d->qH, d->qHDiagInv));
}

// Row i of M, diagonal first, from row i of D, diagonal last among the dofs above.
static inline int rowAbove(const snModel* m, int i)
{
    return m->D_rowadr[i] + m->D_diag[i];
}

void sn_implicitRows(const snModel* m, const snData* d, int begin, int end, real* A)
{
    sn_assertMade(m, d, qM, qDeriv);
    const real h = m->opt.timestep;
    const int last = end < m->nv ? m->D_rowadr[end] : m->nD;
    for (int k = begin < m->nv ? m->D_rowadr[begin] : last; k < last; k++) A[k] = -h * d->qDeriv[k];
    for (int i = begin; i < end; i++) {
        const real* M = d->qM + m->dof_Madr[i];
        for (int j = i; j >= 0; j = m->dof_parentid[j], M++) {
            A[m->D_rowadr[i] + m->D_diag[j]] += *M;
            if (j != i) A[rowAbove(m, j) + i - j] += *M;
        }
    }
}

void sn_implicitMatrix(const snModel* m, const snData* d, real* A)
{
    sn_implicitRows(m, d, 0, m->nv, A);
}

void sn_uncoupleSimple(const snModel* m, bool but_lone, real* A)
{
    for (int i = 0; i < m->nv; i++) {
        if (!m->dof_simplenum[i] || (but_lone && sn_isLone(m, m->dof_bodyid[i]))) continue;
        real* row = A + m->D_rowadr[i];
        for (int c = 0; c < m->D_rownnz[i]; c++) row[c] = c == m->D_diag[i] ? row[c] : sn_real(0);
    }
}

void sn_implicitMatrixSymmetric(const snModel* m, const snData* d, bool but_lone, real* A)
{
    sn_assertMade(m, d, qM, qDeriv);
    sn_packAwake(m, d, d->qM, A);
    SN_EACH_DOF (m, d, i) {
        const real* D = d->qDeriv + m->D_rowadr[i];
        real* row = A + m->dof_LDadr[i];
        if (but_lone && sn_isLone(m, m->dof_bodyid[i])) continue;
        if (m->dof_simplenum[i])
            *row -= m->opt.timestep * D[m->D_diag[i]];
        else
            for (int c = 0; c <= m->D_diag[i]; c++) row[c] -= m->opt.timestep * D[c];
    }
}
