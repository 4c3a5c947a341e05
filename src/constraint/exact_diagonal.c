// The diagonal of A = J inv(M) J' itself in the place of its approximation: by M = L'DL a row has
//     A = sum over x_i^2 / D_i,   x = inv(L') J,
// where x lives on the dofs that the row touches and those above them.
#include <math.h>
#include <string.h>
#include "constraint/row.h"
#include "constraint/step_rows.h"
#include "math/real.h"
#include "model/arena.h"
#include "smooth/inertia/factor.h"

typedef struct Walk {
    const double *LD, *diagInv; // the factor, as qLD
    int count;
    int* dof;  // [nv] those to come, one a branch, beside the row's own
    double* x; // [nv] zero but where something is to come
} Walk;

// The last dof to come, `own` or another, which is taken off the list.
static int takeLast(Walk* w, int own)
{
    int last = own, kept = 0;
    for (int k = 0; k < w->count; k++)
        if (w->dof[k] > last) last = w->dof[k];
    for (int k = 0; k < w->count; k++)
        if (w->dof[k] != last) w->dof[kept++] = w->dof[k];
    w->count = kept;
    return last;
}

// x of dof i to those above it; returns what it adds to A.
static double pass(const snModel* m, const Walk* w, int i)
{
    double* x = w->x;
    const double xi = x[i], *L = w->LD + sn_diagonalLD(m, i);
    x[i] = 0;
    if (!m->dof_simplenum[i])
        for (int a = m->dof_parentid[i], above = 1; a >= 0; a = m->dof_parentid[a], above++)
            x[a] -= L[-above] * xi;
    return xi * xi * w->diagInv[i];
}

static double diagonalOf(const snModel* m, const snData* d, int row, Walk* w)
{
    const int *dofs = d->efc_J_colind + d->efc_J_coladr[row], n = d->efc_J_rownnz[row];
    const double* J = d->efc_J + d->efc_J_rowadr[row];
    double A = 0;
    for (int k = 0; k < n; k++) w->x[dofs[k]] = J[k];
    for (int k = n - 1; k >= 0 || w->count;) {
        const int i = takeLast(w, k >= 0 ? dofs[k] : -1);
        if (k >= 0 && dofs[k] == i) k--;
        A += pass(m, w, i);
        if (!m->dof_simplenum[i] && m->dof_parentid[i] >= 0) w->dof[w->count++] = m->dof_parentid[i];
    }
    return A;
}

// R, D and diagApprox of `count` rows from an A for the first of them.
static void setRows(const snModel* m, snData* d, int first, int count, double A, double least)
{
    for (int r = first; r < first + count; r++) {
        const double impedance = d->efc_KBIP[4 * r + 2], ratio = (1 - impedance) / impedance;
        const double* k = d->efc_KBIP + 4 * r;
        const snKbip kbip = {k[0], k[1], k[2], k[3]};
        d->efc_R[r] = sn_max(d->nR0 ? sn_stepR(m, &kbip, ratio, A) : ratio * A, least);
        d->efc_D[r] = 1 / d->efc_R[r];
        d->efc_diagApprox[r] = d->efc_R[r] / ratio;
    }
}

static void setContact(const snModel* m, snData* d, const snContact* con, Walk* w)
{
    const int row = con->efc_address;
    const double A = diagonalOf(m, d, row, w);
    if (con->dim > 1 && sn_rowsAreEdges(m)) { // see sn_fillContacts: A is that of the first edge
        setRows(m, d, row, sn_contactRows(m, con->dim), 2 * con->mu * con->mu * A, sn_edgeLeast(con));
        return;
    }
    setRows(m, d, row, 1, A, SN_MINVAL);
    if (con->dim > 1) sn_fillCone(m, d, con);
}

void sn_exactDiagonal(const snModel* m, snData* d, const double* LD, const double* diagInv)
{
    if (!d->nefc) return;
    const size_t mark = sn_scratchMark(d);
    Walk w = {LD, diagInv, 0, sn_scratchInt(d, m->nv), sn_scratchReal(d, m->nv)};
    if (w.dof && w.x) {
        memset(w.x, 0, (size_t)m->nv * sizeof(double));
        for (int r = 0; r < d->ne + d->nf + d->nl; r++)
            setRows(m, d, r, 1, diagonalOf(m, d, r, &w), SN_MINVAL);
        for (int c = 0; c < d->ncon; c++)
            if (d->contact[c].efc_address >= 0) setContact(m, d, d->contact + c, &w);
    } else {
        sn_warnFull(d);
    }
    sn_scratchRelease(d, mark);
}
