// In lanes, too: src/batch/lane/prelude.h.
// For each target: src/target/prelude.h.
// Products with the constraint Jacobian.
#include "constraint/product.h"
#include <assert.h>
#include <string.h>
#include <sinew/constraint.h>
#include "math/real.h"
#include "model/made.h"

snJacobianRows sn_jacobianRows(const snData* d, int first, int end)
{
    assert(first >= 0 && first < end && end <= d->nefc);
    const int coladr = d->efc_J_coladr[first], ndof = d->efc_J_rownnz[first], rowadr = d->efc_J_rowadr[first];
    int count = 1;
    // side by side: rows of a data that was unpickled may stand anywhere
    while (first + count < end && d->efc_J_coladr[first + count] == coladr &&
           d->efc_J_rownnz[first + count] == ndof && d->efc_J_rowadr[first + count] == rowadr + count * ndof)
        count++;
    return (snJacobianRows){count, ndof, d->efc_J_colind + coladr, d->efc_J + rowadr};
}

// Four rows at a time.
void sn_mulRows(const snJacobianRows* rows, const real* x, real* y)
{
    const int n = rows->ndof;
    int r = 0;
    for (; r + 4 <= rows->count; r += 4) {
        const real *J0 = rows->J + (size_t)r * (size_t)n, *J1 = J0 + n, *J2 = J1 + n, *J3 = J2 + n;
        real s0 = sn_real(0), s1 = s0, s2 = s0, s3 = s0;
        for (int k = 0; k < n; k++) {
            const real xk = x[rows->dof[k]];
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
        const real* J = rows->J + (size_t)r * (size_t)n;
        real sum = sn_real(0);
        for (int k = 0; k < n; k++) sum += J[k] * x[rows->dof[k]];
        y[r] = sum;
    }
}

// Whether the row behind touches other dofs, as that of a limit or of dry friction does.
static bool standsAlone(const snData* d, int r)
{
    return r + 1 == d->nefc || d->efc_J_coladr[r + 1] != d->efc_J_coladr[r];
}

static real mulRow(const snData* d, int r, const real* x)
{
    const real* J = d->efc_J + d->efc_J_rowadr[r];
    const int* dof = d->efc_J_colind + d->efc_J_coladr[r];
    real sum = sn_real(0);
    for (int k = 0; k < d->efc_J_rownnz[r]; k++) sum += J[k] * x[dof[k]];
    return sum;
}

void sn_mulJacVec(const snModel* m, const snData* d, real* result, const real* vec)
{
    sn_assertMade(m, d, efc_J, efc_J_rowadr, efc_J_rownnz);
    (void)m;
    for (int r = 0; r < d->nefc;) {
        if (standsAlone(d, r)) {
            result[r] = mulRow(d, r, vec);
            r++;
            continue;
        }
        const snJacobianRows rows = sn_jacobianRows(d, r, d->nefc);
        sn_mulRows(&rows, vec, result + r);
        r += rows.count;
    }
}

static void mulAnyRowsT(const snJacobianRows* rows, const real* x, real* y)
{
    const int n = rows->ndof;
    for (int r = 0; r < rows->count; r++) {
        const real *J = rows->J + (size_t)r * (size_t)n, xr = x[r];
        if (sn_all(xr == 0)) continue;
        for (int k = 0; k < n; k++) y[rows->dof[k]] += J[k] * xr;
    }
}

// The same for dofs that follow each other; y [ndof].
static void mulCloseRowsT(const snJacobianRows* rows, const real* x, real* y)
{
    const int n = rows->ndof;
    for (int r = 0; r < rows->count; r++) {
        const real *J = rows->J + (size_t)r * (size_t)n, xr = x[r];
        if (sn_all(xr == 0)) continue;
        for (int k = 0; k < n; k++) y[k] += J[k] * xr;
    }
}

void sn_mulRowsT(const snJacobianRows* rows, const real* x, real* y)
{
    if (rows->ndof && rows->dof[rows->ndof - 1] - rows->dof[0] == rows->ndof - 1)
        mulCloseRowsT(rows, x, y + rows->dof[0]);
    else
        mulAnyRowsT(rows, x, y);
}

void sn_mulJacTVec(const snModel* m, const snData* d, real* result, const real* vec)
{
    sn_assertMade(m, d, efc_J, efc_J_rowadr, efc_J_rownnz);
    memset(result, 0, (size_t)m->nv * sizeof(real));
    for (int r = 0; r < d->nefc;) {
        const snJacobianRows rows = sn_jacobianRows(d, r, d->nefc);
        sn_mulRowsT(&rows, vec + r, result);
        r += rows.count;
    }
}

void sn_efcJ(const snModel* m, const snData* d, real* J)
{
    const size_t nv = (size_t)m->nv;
    memset(J, 0, (size_t)d->nefc * nv * sizeof(real));
    for (int r = 0; r < d->nefc; r++)
        for (int k = 0; k < d->efc_J_rownnz[r]; k++)
            J[(size_t)r * nv + (size_t)d->efc_J_colind[d->efc_J_coladr[r] + k]] =
                d->efc_J[d->efc_J_rowadr[r] + k];
}
