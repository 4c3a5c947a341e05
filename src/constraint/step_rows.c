#include "constraint/step_rows.h"
#include <math.h>
#include "constraint/island.h"
#include "constraint/row.h"

// s of a row
static double divisor(const snModel* m, double K, double B, double impedance)
{
    const double h = m->opt.timestep;
    return 1 + h * B + h * h * impedance * K;
}

double sn_stepR(const snModel* m, const snKbip* k, double ratio, double diag)
{
    const double s = divisor(m, k->stiffness, k->damping, k->impedance);
    return sn_max(ratio / s, (1 - SN_MAXIMP) / SN_MAXIMP) * diag;
}

void sn_referenceStepRows(const snModel* m, snData* d)
{
    const double h = m->opt.timestep;
    for (int r = 0; r < d->nefc; r++) {
        const double *k = d->efc_KBIP + 4 * r, K = k[0], B = k[1], impedance = k[2];
        d->efc_aref[r] = (d->efc_aref[r] - h * impedance * K * d->efc_vel[r]) / divisor(m, K, B, impedance);
    }
}

// Diagonal of J inv(M^) J' by that of J inv(M) J', both from diagonals alone.
static double scaleOf(const snModel* m, const snData* d, int row, const double* diagonal)
{
    const double* J = d->efc_J + d->efc_J_rowadr[row];
    const int* dofs = d->efc_J_colind + d->efc_J_coladr[row];
    double step = 0, still = 0;
    for (int k = 0; k < d->efc_J_rownnz[row]; k++) {
        step += J[k] * J[k] / sn_max(diagonal[dofs[k]], SN_MINVAL);
        still += J[k] * J[k] / sn_max(d->qM[m->dof_Madr[dofs[k]]], SN_MINVAL);
    }
    return still > 0 ? step / still : 1;
}

void sn_weighStepRows(const snModel* m, snData* d, const double* diagonal)
{
    for (int r = 0, count; r < d->nefc; r += count) {
        const int group = sn_rowGroupSize(m, d, r);
        count = d->efc_type[r] == SN_CNSTR_EQUALITY ? 1 : group;
        const double scale = scaleOf(m, d, r, diagonal);
        for (int i = r; i < r + count; i++) {
            const double impedance = d->efc_KBIP[4 * i + 2];
            d->efc_R[i] = sn_max(scale * d->efc_R0[i], sn_leastR(d, r));
            d->efc_D[i] = 1 / d->efc_R[i];
            d->efc_diagApprox[i] = d->efc_R[i] * impedance / (1 - impedance);
        }
    }
}
