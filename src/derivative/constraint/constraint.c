// For each target: src/target/prelude.h.
#include "derivative/constraint/constraint.h"
#include <string.h>
#include "base/error.h"
#include "derivative/constraint/change.h"
#include "derivative/constraint/rate.h"
#include "model/arena.h"

static snStatus noRoom(snError* error)
{
    return sn_fail(error, SN_STATUS_NO_MEMORY, "derivatives of constraints do not fit in the arena");
}

snStatus sn_constraintIsSmooth(const snModel* m, const snData* d, snError* error)
{
    if (m->opt.contact == SN_CONTACT_LCP)
        return sn_fail(error, SN_STATUS_UNSUPPORTED,
                       "rigid contact (contact=lcp) has no derivative; use sn_transitionFD");
    if (m->opt.noslip_iterations > 0 && d->nefc)
        return sn_fail(error, SN_STATUS_UNSUPPORTED,
                       "the noslip solver (noslip_iterations > 0) has no derivative; use sn_transitionFD");
    if (m->opt.enableflags & SN_ENBL_DIAGEXACT && d->nefc)
        return sn_fail(error, SN_STATUS_UNSUPPORTED,
                       "rows with the flag diagexact have no derivative; use sn_transitionFD");
    return SN_STATUS_OK;
}

// A += sign J' W J for the rows of one constraint, W [dim x dim]; WJ [dim x n] is scratch.
static void addSquare(const snModel* m, const snComponentRows* rows, int dim, double W[6][6], double sign,
                      double* WJ, double* row, double* A)
{
    const int n = rows->ndof;
    for (int i = 0; i < dim; i++) {
        double* to = WJ + i * n;
        memset(to, 0, (size_t)n * sizeof(double));
        for (int j = 0; j < dim; j++)
            if (W[i][j] != 0)
                for (int k = 0; k < n; k++) to[k] += sign * W[i][j] * rows->J[j * n + k];
    }
    for (int a = 0; a < n; a++) {
        double* to = A + (size_t)rows->dof[a] * (size_t)m->nv;
        memset(row, 0, (size_t)n * sizeof(double));
        for (int i = 0; i < dim; i++)
            for (int k = 0; k < n; k++) row[k] += rows->J[i * n + a] * WJ[i * n + k];
        for (int k = 0; k < n; k++) to[rows->dof[k]] += row[k];
    }
}

// Scratch of addSquare.
typedef struct Square {
    double *J, *WJ, *row;
} Square;

static bool takeSquare(const snModel* m, snData* d, Square* s)
{
    s->J = sn_scratchReal(d, SN_COMPONENTS * m->nv);
    s->WJ = sn_scratchReal(d, SN_COMPONENTS * m->nv);
    s->row = sn_scratchReal(d, m->nv);
    return s->J && s->WJ && s->row;
}

static snStatus hessian(const snModel* m, snData* d, double* H, snError* error)
{
    snRowPoint point;
    Square s;
    if (!sn_rowPoint(m, d, d->qacc, &point) || !takeSquare(m, d, &s)) return noRoom(error);
    for (int r = 0, count; r < d->nefc; r += count) {
        count = sn_rowsOf(m, d, r);
        if (!sn_rowsAct(&point, r, count)) continue;
        snRowLaw law = sn_rowLaw(m, d, &point, r);
        if (!law.stiff) continue;
        const snComponentRows rows = sn_componentRows(d, &law, s.J);
        addSquare(m, &rows, law.dim, law.C, 1, s.WJ, s.row, H);
    }
    return SN_STATUS_OK;
}

snStatus sn_constraintHessian(const snModel* m, snData* d, double* H, snError* error)
{
    snStatus status = sn_constraintIsSmooth(m, d, error);
    if (status || d->nefc == 0) return status;
    const size_t mark = sn_scratchMark(d);
    status = hessian(m, d, H, error);
    sn_scratchRelease(d, mark);
    return status;
}

// v -= J' C B J
static void byVelocity(const snModel* m, snData* d, const snRowLaw* law, const Square* s, double* v)
{
    double W[6][6];
    if (!law->stiff) return;
    const snComponentRows rows = sn_componentRows(d, law, s->J);
    for (int i = 0; i < law->dim; i++)
        for (int j = 0; j < law->dim; j++) W[i][j] = law->C[i][j] * law->damping[j];
    addSquare(m, &rows, law->dim, W, -1, s->WJ, s->row, v);
}

// v -= J' C R, R [dim x nv] what the velocity gives the rows beside B J
static void byRate(const snModel* m, snData* d, const snRowLaw* law, const Square* s, const double* R,
                   double* v)
{
    const int nv = m->nv;
    const snComponentRows rows = sn_componentRows(d, law, s->J);
    for (int a = 0; a < rows.ndof; a++)
        for (int j = 0; j < law->dim; j++) {
            double JC = 0;
            for (int i = 0; i < law->dim; i++) JC += rows.J[i * rows.ndof + a] * law->C[i][j];
            for (int k = 0; k < nv; k++) v[rows.dof[a] * nv + k] -= JC * R[j * nv + k];
        }
}

static snStatus derivative(const snModel* m, snData* d, const double* qacc, double* q, double* v,
                           snError* error)
{
    snRowPoint point;
    snVelocities velocity;
    snRowChange change;
    snEqualityRate rate;
    Square s;
    if (!sn_rowPoint(m, d, qacc, &point) || !takeSquare(m, d, &s)) return noRoom(error);
    if (!sn_rateAllocate(m, d, &rate)) return noRoom(error);
    if (q && !sn_velocitiesOf(m, d, qacc, &velocity)) return noRoom(error);
    const snStatus status = q ? sn_changePrepare(m, d, &point, &change, error) : SN_STATUS_OK;
    if (status) return status;
    for (int r = 0, count; r < d->nefc; r += count) {
        count = sn_rowsOf(m, d, r);
        if (!sn_rowsMatter(d, &point, r, count)) continue;
        const snRowLaw law = sn_rowLaw(m, d, &point, r);
        const bool rates = sn_rateOf(m, d, r, &rate);
        if (v) byVelocity(m, d, &law, &s, v);
        if (v && rates) byRate(m, d, &law, &s, rate.v, v);
        change.rate = rates ? rate.q : NULL;
        if (q) sn_rowChange(m, d, &law, &velocity, &change, q);
    }
    return SN_STATUS_OK;
}

snStatus sn_constraintDerivative(const snModel* m, snData* d, const double* qacc, double* q, double* v,
                                 snError* error)
{
    snStatus status = sn_constraintIsSmooth(m, d, error);
    if (status || d->nefc == 0) return status;
    const size_t mark = sn_scratchMark(d);
    status = derivative(m, d, qacc, q, v, error);
    sn_scratchRelease(d, mark);
    return status;
}

// ---- forces along directions

typedef struct Directions {
    int n;
    const double *q, *v, *a;
} Directions;

// Changes of one constraint's residuals, jar [dim x n], and of the residual of its impedance, r [n].
// The same of what the velocity gives the rows beside B J, R [dim x nv].
static void rates(const snRowLaw* law, const double* R, int nv, const Directions* along, double* jar)
{
    const int n = along->n;
    for (int i = 0; along->v && i < law->dim; i++)
        for (int k = 0; k < nv; k++)
            for (int c = 0; c < n; c++)
                jar[i * n + c] += R[i * nv + k] * along->v[(size_t)k * (size_t)n + (size_t)c];
}

static void residuals(const snRowLaw* law, const snComponentRows* rows, const snRowChange* change,
                      const Directions* along, double* jar, double* r)
{
    const int n = along->n, ndof = rows->ndof;
    memset(jar, 0, (size_t)(law->dim * n) * sizeof(double));
    memset(r, 0, (size_t)n * sizeof(double));
    for (int k = 0; along->q && k < change->n; k++) {
        const double* x = along->q + (size_t)change->dof[k] * (size_t)n;
        for (int c = 0; c < n; c++) r[c] += change->r[k] * x[c];
        for (int i = 0; i < law->dim; i++)
            for (int c = 0; c < n; c++) jar[i * n + c] += change->jar[i * change->n + k] * x[c];
    }
    for (int k = 0; k < ndof; k++) {
        const size_t at = (size_t)rows->dof[k] * (size_t)n;
        for (int i = 0; i < law->dim; i++) {
            const double J = rows->J[i * ndof + k], BJ = law->damping[i] * J;
            for (int c = 0; along->a && c < n; c++) jar[i * n + c] += J * along->a[at + (size_t)c];
            for (int c = 0; along->v && c < n; c++) jar[i * n + c] += BJ * along->v[at + (size_t)c];
        }
    }
}

// df [count x n] of the rows
static void forces(const snRowLaw* law, const snRowPoint* point, int n, const double* jar, const double* r,
                   double* edge, double* df)
{
    if (law->edges) {
        sn_edgesOf(law, jar, n, edge);
        for (int i = 0; i < law->count; i++)
            for (int c = 0; c < n; c++)
                df[i * n + c] =
                    law->kappa[0] * point->force[law->row + i] * r[c] - law->edgeC[i] * edge[i * n + c];
        return;
    }
    for (int i = 0; i < law->dim; i++) {
        for (int c = 0; c < n; c++) df[i * n + c] = law->kappa[i] * law->force[i] * r[c];
        for (int j = 0; j < law->dim; j++)
            for (int c = 0; c < n; c++) df[i * n + c] -= law->C[i][j] * jar[j * n + c];
    }
}

static snStatus along(const snModel* m, snData* d, const double* qacc, const Directions* x, double* df,
                      snError* error)
{
    snRowPoint point;
    snVelocities velocity;
    snRowChange change;
    snEqualityRate rate;
    double *jar = sn_scratchReal(d, SN_COMPONENTS * x->n), *r = sn_scratchReal(d, x->n);
    double *edge = sn_scratchReal(d, SN_EDGES * x->n), *J = sn_scratchReal(d, SN_COMPONENTS * m->nv);
    if (!jar || !r || !edge || !J || !sn_rowPoint(m, d, qacc, &point)) return noRoom(error);
    if (!sn_rateAllocate(m, d, &rate)) return noRoom(error);
    if (x->q && !sn_velocitiesOf(m, d, qacc, &velocity)) return noRoom(error);
    const snStatus status = x->q ? sn_changePrepare(m, d, &point, &change, error) : SN_STATUS_OK;
    if (status) return status;
    for (int row = 0, count; row < d->nefc; row += count) {
        double* to = df + (size_t)row * (size_t)x->n;
        count = sn_rowsOf(m, d, row);
        if (!sn_rowsAct(&point, row, count)) {
            memset(to, 0, (size_t)count * (size_t)x->n * sizeof(double));
            continue;
        }
        const snRowLaw law = sn_rowLaw(m, d, &point, row);
        const bool moving = sn_rateOf(m, d, row, &rate);
        change.rate = moving ? rate.q : NULL;
        if (x->q) sn_rowChange(m, d, &law, &velocity, &change, NULL);
        const snComponentRows rows = sn_componentRows(d, &law, J);
        residuals(&law, &rows, &change, x, jar, r);
        if (moving) rates(&law, rate.v, m->nv, x, jar);
        forces(&law, &point, x->n, jar, r, edge, to);
    }
    return SN_STATUS_OK;
}

snStatus sn_constraintForces(const snModel* m, snData* d, const double* qacc, int n, const double* dx,
                             const double* dv, const double* da, double* df, snError* error)
{
    snStatus status = sn_constraintIsSmooth(m, d, error);
    if (status || d->nefc == 0 || n < 1) return status;
    const size_t mark = sn_scratchMark(d);
    status = along(m, d, qacc, &(Directions){n, dx, dv, da}, df, error);
    sn_scratchRelease(d, mark);
    return status;
}
