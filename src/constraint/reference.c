// Products with the constraint Jacobian and the reference acceleration.
#include <sinew/constraint.h>
#include <string.h>

void sn_mulJacVec(const snModel* m, const snData* d, double* result, const double* vec)
{
    (void)m;
    for (int r = 0; r < d->nefc; r++) {
        const double* J = d->efc_J + d->efc_J_rowadr[r];
        const int* dof = d->efc_J_colind + d->efc_J_coladr[r];
        double sum = 0;
        for (int k = 0; k < d->efc_J_rownnz[r]; k++) sum += J[k] * vec[dof[k]];
        result[r] = sum;
    }
}

void sn_mulJacTVec(const snModel* m, const snData* d, double* result, const double* vec)
{
    memset(result, 0, (size_t)m->nv * sizeof(double));
    for (int r = 0; r < d->nefc; r++) {
        const double *J = d->efc_J + d->efc_J_rowadr[r], x = vec[r];
        const int* dof = d->efc_J_colind + d->efc_J_coladr[r];
        if (x == 0) continue;
        for (int k = 0; k < d->efc_J_rownnz[r]; k++) result[dof[k]] += J[k] * x;
    }
}

void sn_efcJ(const snModel* m, const snData* d, double* J)
{
    const size_t nv = (size_t)m->nv;
    memset(J, 0, (size_t)d->nefc * nv * sizeof(double));
    for (int r = 0; r < d->nefc; r++)
        for (int k = 0; k < d->efc_J_rownnz[r]; k++)
            J[(size_t)r * nv + (size_t)d->efc_J_colind[d->efc_J_coladr[r] + k]] =
                d->efc_J[d->efc_J_rowadr[r] + k];
}

// aref = -B v - K d r with v = J qvel, r = pos - margin (seed 001, "Reference").
void sn_referenceConstraint(const snModel* m, snData* d)
{
    sn_mulJacVec(m, d, d->efc_vel, d->qvel);
    for (int r = 0; r < d->nefc; r++) {
        const double* k = d->efc_KBIP + 4 * r;
        d->efc_aref[r] = -k[1] * d->efc_vel[r] - k[0] * k[2] * (d->efc_pos[r] - d->efc_margin[r]);
    }
}
