// Products with the constraint Jacobian and the reference acceleration.
#include <sinew/constraint.h>
#include <string.h>
#include "math/clones.h"

// Rows side by side that touch the same dofs.
typedef struct Rows {
    int count, ndof;
    const int* dof;  // [ndof] ascending
    const double* J; // [count x ndof]
} Rows;

static Rows rowsFrom(const snData* d, int first)
{
    const int coladr = d->efc_J_coladr[first];
    int end = first + 1;
    while (end < d->nefc && d->efc_J_coladr[end] == coladr) end++;
    return (Rows){end - first, d->efc_J_rownnz[first], d->efc_J_colind + coladr,
                  d->efc_J + d->efc_J_rowadr[first]};
}

// y [count] = J x, four rows at a time
static void mulRows(const Rows* rows, const double* x, double* y)
{
    const int n = rows->ndof;
    int r = 0;
    for (; r + 4 <= rows->count; r += 4) {
        const double *J0 = rows->J + (size_t)r * (size_t)n, *J1 = J0 + n, *J2 = J1 + n, *J3 = J2 + n;
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (int k = 0; k < n; k++) {
            const double xk = x[rows->dof[k]];
            s0 += J0[k] * xk;
            s1 += J1[k] * xk;
            s2 += J2[k] * xk;
            s3 += J3[k] * xk;
        }
        y[r] = s0;
        y[r + 1] = s1;
        y[r + 2] = s2;
        y[r + 3] = s3;
    }
    for (; r < rows->count; r++) {
        const double* J = rows->J + (size_t)r * (size_t)n;
        double sum = 0;
        for (int k = 0; k < n; k++) sum += J[k] * x[rows->dof[k]];
        y[r] = sum;
    }
}

void sn_mulJacVec(const snModel* m, const snData* d, double* result, const double* vec)
{
    (void)m;
    for (int r = 0; r < d->nefc;) {
        const Rows rows = rowsFrom(d, r);
        mulRows(&rows, vec, result + r);
        r += rows.count;
    }
}

// y += J' x
static void mulRowsT(const Rows* rows, const double* x, double* y)
{
    const int n = rows->ndof;
    for (int r = 0; r < rows->count; r++) {
        const double *J = rows->J + (size_t)r * (size_t)n, xr = x[r];
        if (xr == 0) continue;
        for (int k = 0; k < n; k++) y[rows->dof[k]] += J[k] * xr;
    }
}

// The same for dofs that follow each other.
SN_CLONES
static void mulRowsTAt(const Rows* rows, const double* x, double* y)
{
    const int n = rows->ndof;
    for (int r = 0; r < rows->count; r++) {
        const double *J = rows->J + (size_t)r * (size_t)n, xr = x[r];
        if (xr == 0) continue;
        for (int k = 0; k < n; k++) y[k] += J[k] * xr;
    }
}

void sn_mulJacTVec(const snModel* m, const snData* d, double* result, const double* vec)
{
    memset(result, 0, (size_t)m->nv * sizeof(double));
    for (int r = 0; r < d->nefc;) {
        const Rows rows = rowsFrom(d, r);
        if (rows.ndof && rows.dof[rows.ndof - 1] - rows.dof[0] == rows.ndof - 1)
            mulRowsTAt(&rows, vec + r, result + rows.dof[0]);
        else
            mulRowsT(&rows, vec + r, result);
        r += rows.count;
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
