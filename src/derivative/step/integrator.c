#include "derivative/step/integrator.h"
#include <string.h>
#include <sinew/smooth.h>
#include <sinew/support.h>
#include "derivative/constraint/loop.h"
#include "derivative/constraint/loop_spring.h"
#include "derivative/constraint/loop_system.h"
#include "derivative/force/damping.h"
#include "derivative/force/force.h"
#include "derivative/smooth/bias.h"
#include "derivative/step/acceleration.h"
#include "derivative/step/columns.h"
#include "math/dense.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "pipeline/integrate.h"
#include "smooth/inertia/damped.h"
#include "smooth/inertia/factor_lu.h"
#include "smooth/velocity_derivative.h"
#include "smooth/kinematics/resistance.h"

static const double* nextAcceleration(const snModel* m, snData* d)
{
    return sn_integratorKind(m->opt.integrator).implicit ? sn_implicitAcceleration(m, d)
                                                         : sn_eulerAcceleration(m, d, false);
}

// Blocks q, v, act, u, each dense, to the columns of `change`.
static void place(double* change, int stride, int nv, const double* part, int count, int at, double scale)
{
    for (int i = 0; i < nv; i++)
        for (int c = 0; c < count; c++)
            change[(ptrdiff_t)i * stride + at + c] += scale * part[(ptrdiff_t)i * count + c];
}

// change += dM/dq (a - a'): inverse dynamics is linear in the acceleration.
static snStatus addInertia(const snModel* m, snData* d, int stride, snIntegratorDerivative* out,
                           snError* error)
{
    const double* const acceleration[2] = {d->qacc, out->next};
    for (int k = 0; k < 2; k++) {
        const size_t mark = sn_scratchMark(d);
        double* q = sn_scratchMatrix(d, m->nv, m->nv);
        const snStatus status =
            q ? sn_biasDerivative(m, d, acceleration[k], NULL, q, NULL, error) : sn_noRoom(d, error);
        if (!status) place(out->change, stride, m->nv, q, m->nv, 0, k ? -1 : 1);
        sn_scratchRelease(d, mark);
        if (status) return status;
    }
    return SN_STATUS_OK;
}

// change += h dD a'
static snStatus addDamping(const snModel* m, snData* d, int stride, snIntegratorDerivative* out,
                           snError* error)
{
    const int nv = m->nv, na = m->na, nu = m->nu;
    const double h = m->opt.timestep;
    const size_t mark = sn_scratchMark(d);
    double *q = sn_scratchMatrix(d, nv, nv), *v = sn_scratchMatrix(d, nv, nv);
    double *act = sn_scratchMatrix(d, nv, na), *u = sn_scratchMatrix(d, nv, nu);
    const snStatus status = q && v && act && u
                                ? sn_dampingDerivative(m, d, out->next, sn_biasOfStep(m), q, v, act, u, error)
                                : sn_noRoom(d, error);
    if (!status) {
        place(out->change, stride, nv, q, nv, 0, h);
        place(out->change, stride, nv, v, nv, nv, h);
        place(out->change, stride, nv, act, na, 2 * nv, h);
        place(out->change, stride, nv, u, nu, 2 * nv + na, h);
    }
    sn_scratchRelease(d, mark);
    return status;
}

// ---- loops

// What loops add: the matrix of the step, the multipliers of K' in it, and derivatives.
typedef struct Loops {
    double *A, *v;               // [nv x nv] M - hD; scratch
    double *tau, *lambda;        // [nv], [nlooprow]
    double *q, *rowq, *rowv;     // [nv x nv], [nlooprow x nv]
    double *qacc, *force, *qvel; // what they stand in for
} Loops;

static bool takeLoops(const snModel* m, snData* d, Loops* l)
{
    const int nv = m->nv, rows = d->nlooprow;
    *l = (Loops){.A = sn_scratchMatrix(d, nv, nv),
                 .v = sn_scratchMatrix(d, nv, nv),
                 .tau = sn_scratchMatrix(d, 1, nv),
                 .lambda = sn_scratchMatrix(d, 1, rows),
                 .q = sn_scratchMatrix(d, nv, nv),
                 .rowq = sn_scratchMatrix(d, rows, nv),
                 .rowv = sn_scratchMatrix(d, rows, nv),
                 .qacc = sn_scratchMatrix(d, 1, nv),
                 .force = sn_scratchMatrix(d, 1, rows),
                 .qvel = sn_scratchMatrix(d, 1, nv)};
    return l->A && l->v && l->tau && l->lambda && l->q && l->rowq && l->rowv && l->qacc && l->force &&
           l->qvel;
}

// A = M - hD, dampers of loop joints included, which add their derivative v by velocity.
static void fillMatrix(const snModel* m, const snData* d, Loops* l)
{
    const int nv = m->nv;
    const double h = m->opt.timestep;
    sn_fullM(m, d->qM, l->A);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)nv * nv; i++) l->A[i] -= h * l->v[i];
    for (ptrdiff_t i = 0; i < nv; i++) {
        if (!sn_integratorKind(m->opt.integrator).implicit)
            l->A[i * nv + i] += h * sn_dampingOfDof(m, (int)i, d->qvel[i]);
        for (int e = m->D_rowadr[i], end = e + m->D_rownnz[i];
             e < end && sn_integratorKind(m->opt.integrator).implicit; e++)
            l->A[i * nv + m->D_colind[e]] -= h * d->qDeriv[e];
    }
}

// lambda of A a' = M a + K' lambda
static bool findMultipliers(const snModel* m, snData* d, const double* next, Loops* l)
{
    const int nv = m->nv;
    for (ptrdiff_t i = 0; i < nv; i++) {
        l->tau[i] = -d->qfrc_smooth[i] - d->qfrc_constraint[i];
        for (ptrdiff_t k = 0; k < nv; k++) l->tau[i] += l->A[i * nv + k] * next[k];
    }
    return sn_loopMultipliers(m, d, l->tau, l->lambda);
}

// q += h times how the dampers of loop joints at velocity a' change with position.
static snStatus addLoopDampers(const snModel* m, snData* d, const double* next, Loops* l, double* change,
                               int stride, snError* error)
{
    const size_t bytes = (size_t)m->nv * sizeof(double);
    memset(l->v, 0, (size_t)m->nv * bytes);
    memcpy(l->qvel, d->qvel, bytes);
    memcpy(d->qvel, next, bytes);
    sn_comVel(m, d);
    const snStatus status = sn_loopSpringDerivative(m, d, false, l->v, NULL, error);
    memcpy(d->qvel, l->qvel, bytes);
    sn_comVel(m, d);
    if (!status) place(change, stride, m->nv, l->v, m->nv, 0, m->opt.timestep);
    return status;
}

// Derivatives of K' lambda and of K a' - k - k_stab.
static snStatus deriveLoops(const snModel* m, snData* d, const double* next, Loops* l, snError* error)
{
    const size_t n = (size_t)m->nv * sizeof(double), rows = (size_t)d->nlooprow * sizeof(double);
    memcpy(l->qacc, d->qacc, n);
    memcpy(l->force, d->loop_force, rows);
    memcpy(d->qacc, next, n);
    memcpy(d->loop_force, l->lambda, rows);
    const snStatus status = sn_loopDerivative(m, d, l->q, l->rowq, l->rowv, error);
    memcpy(d->qacc, l->qacc, n);
    memcpy(d->loop_force, l->force, rows);
    return status;
}

static snStatus addLoops(const snModel* m, snData* d, int stride, snIntegratorDerivative* out, snError* error)
{
    const int nv = m->nv, step = sn_padded(nv);
    Loops l = {0};
    out->P = sn_scratchMatrix(d, nv, step);
    out->prescribed = sn_scratchMatrix(d, nv, stride);
    const size_t mark = sn_scratchMark(d);
    const bool room = out->P && out->prescribed && takeLoops(m, d, &l);
    snStatus status = room ? sn_loopSpringDerivative(m, d, false, NULL, l.v, error) : sn_noRoom(d, error);
    if (!status) fillMatrix(m, d, &l);
    if (!status && !findMultipliers(m, d, out->next, &l)) status = sn_noRoom(d, error);
    if (!status) status = deriveLoops(m, d, out->next, &l, error);
    if (!status) place(out->change, stride, nv, l.q, nv, 0, 1);
    if (!status) status = addLoopDampers(m, d, out->next, &l, out->change, stride, error);
    if (!status) status = sn_loopResponseMatrix(m, d, l.A, out->P, step, error);
    if (!status && !(sn_loopPrescribed(m, d, l.A, out->P, step, nv, l.rowq, out->prescribed, stride) &&
                     sn_loopPrescribed(m, d, l.A, out->P, step, nv, l.rowv, out->prescribed + nv, stride)))
        status = sn_noRoom(d, error);
    sn_scratchRelease(d, mark);
    return status;
}

// ----

snStatus sn_integratorDerivative(const snModel* m, snData* d, int stride, snIntegratorDerivative* out,
                                 snError* error)
{
    const int nv = m->nv;
    *out = (snIntegratorDerivative){.next = sn_scratchReal(d, nv), .velocity = sn_scratchReal(d, nv)};
    if (!out->next || !out->velocity) return sn_noRoom(d, error);
    const double* next = nextAcceleration(m, d);
    out->implicit = next != d->qacc;
    memcpy(out->next, next, (size_t)nv * sizeof *next);
    for (int i = 0; i < nv; i++) out->velocity[i] = d->qvel[i] + m->opt.timestep * next[i];
    snStatus status = m->na ? sn_activationDerivative(m, d, &out->act, error) : SN_STATUS_OK;
    if (status || !out->implicit) return status;
    out->change = sn_scratchMatrix(d, nv, stride);
    if (!out->change) return sn_noRoom(d, error);
    status = addInertia(m, d, stride, out, error);
    if (!status && sn_integratorKind(m->opt.integrator).implicit)
        status = addDamping(m, d, stride, out, error);
    else if (!status)
        sn_addDofDampingRate(m, d, out->next, m->opt.timestep, out->change + nv, stride);
    return status || !d->nclosure ? status : addLoops(m, d, stride, out, error);
}

// X <- P X or P' X
static bool respond(const snModel* m, snData* d, const double* P, bool transposed, double* X, int stride)
{
    const ptrdiff_t nv = m->nv, step = sn_padded(m->nv);
    const size_t mark = sn_scratchMark(d);
    double* x = sn_scratchMatrix(d, m->nv, stride);
    if (!x) return false;
    memcpy(x, X, (size_t)nv * (size_t)stride * sizeof *x);
    memset(X, 0, (size_t)nv * (size_t)stride * sizeof *x);
    if (!transposed) sn_columnsAddProduct(P, (int)step, m->nv, m->nv, x, stride, X);
    for (ptrdiff_t i = 0; i < nv && transposed; i++)
        for (ptrdiff_t k = 0; k < nv; k++)
            for (int c = 0; c < stride; c++) X[k * stride + c] += P[i * step + k] * x[i * stride + c];
    sn_scratchRelease(d, mark);
    return true;
}

// The step solves for lone bodies block by block; here are all in one factor.
static void factorBesideLone(const snModel* m, snData* d)
{
    sn_implicitMatrix(m, d, d->qLU);
    sn_uncoupleSimple(m, true, d->qLU);
    sn_factorLU(m, d->qLU);
}

bool sn_integratorSolve(const snModel* m, snData* d, const snIntegratorDerivative* by, bool transposed,
                        double* X, int stride)
{
    if (by->P) return respond(m, d, by->P, transposed, X, stride);
    const snGyroBodies bias = sn_biasOfStep(m);
    if (bias == SN_GYRO_LONE) factorBesideLone(m, d);
    if (!bias)
        sn_columnsSolveTree(m, d->qH, d->qHDiagInv, X, stride);
    else if (transposed)
        sn_columnsSolveLUTransposed(m, d->qLU, X, stride);
    else
        sn_columnsSolveLU(m, d->qLU, X, stride);
    return true;
}
