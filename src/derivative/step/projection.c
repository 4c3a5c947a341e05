#include "derivative/step/projection.h"
#include <math.h>
#include <string.h>
#include <sinew/pipeline.h>
#include <sinew/smooth.h>
#include <sinew/support.h>
#include "base/error.h"
#include "derivative/constraint/loop.h"
#include "derivative/constraint/loop_system.h"
#include "derivative/smooth/bias.h"
#include "derivative/step/acceleration.h"
#include "derivative/step/columns.h"
#include "derivative/step/position.h"
#include "loop/closing/project.h"
#include "loop/position.h"
#include "model/arena.h"

enum { MOST = 8 };

// Errors of position at which one correction more is the last, and that may stay.
static const double CLOSED = 1e-12, OPEN = 1e-9;

typedef struct Projection {
    const snModel* m;
    snData* d;
    snProjectionDerivative* out;
    snModel unit; // m with a timestep and a time of stabilisation of 1
    snStatus status;
    snError* error;
    snLoopStanding begin;
    double h, last;                // the error of position one correction ago
    double *M, *P, *E, *D, *C, *N; // [nv x nv]: M; P in it; d(K' lambda)/dq; dM x/dq; two changes
    double *T, *Tm;             // [nv x nv] the sum of corrections by the position before, and by that of M
    double *Wm, *Wq;            // [nv x nv] w by both
    double *rowq, *rest, *rowv; // [nlooprow x nv]
    double *home, *q;           // [nq] where M is; where positions are
    double *c, *total, *u, *v, *x; // [nv]
    double *lambda, *delta;        // [nlooprow]
} Projection;

static bool take(Projection* p)
{
    const snModel* m = p->m;
    const int nv = m->nv, rows = p->d->nlooprow;
    double** const square[] = {&p->M,       &p->P,       &p->E,       &p->D,       &p->C,
                               &p->N,       &p->T,       &p->Tm,      &p->Wm,      &p->Wq,
                               &p->out->qq, &p->out->qm, &p->out->vq, &p->out->vv, &p->out->vm};
    double** const row[] = {&p->rowq, &p->rest, &p->rowv};
    double** const vector[] = {&p->c, &p->total, &p->u, &p->v, &p->x};
    bool room = true;
    for (size_t k = 0; k < sizeof square / sizeof *square; k++)
        room = (*square[k] = sn_scratchMatrix(p->d, nv, nv)) && room;
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        room = (*row[k] = sn_scratchMatrix(p->d, rows, nv)) && room;
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
        room = (*vector[k] = sn_scratchMatrix(p->d, 1, nv)) && room;
    p->lambda = sn_scratchMatrix(p->d, 1, rows);
    p->delta = sn_scratchMatrix(p->d, 1, rows);
    p->home = sn_scratchMatrix(p->d, 1, m->nq);
    p->q = sn_scratchMatrix(p->d, 1, m->nq);
    return room && p->lambda && p->delta && p->home && p->q;
}

// ---- small sums

// Y += s A X, all [nv x nv]
static void addProduct(int nv, double s, const double* A, const double* X, double* Y)
{
    for (ptrdiff_t i = 0; i < nv; i++)
        for (ptrdiff_t k = 0; k < nv; k++)
            for (ptrdiff_t c = 0; c < nv; c++) Y[i * nv + c] += s * A[i * nv + k] * X[k * nv + c];
}

static void setProduct(int nv, const double* A, const double* X, double* Y)
{
    memset(Y, 0, (size_t)nv * (size_t)nv * sizeof *Y);
    addProduct(nv, 1, A, X, Y);
}

static void add(int nv, double s, const double* X, double* Y)
{
    for (ptrdiff_t i = 0; i < (ptrdiff_t)nv * nv; i++) Y[i] += s * X[i];
}

static void apply(int nv, const double* A, const double* x, double* y)
{
    for (ptrdiff_t i = 0; i < nv; i++) {
        y[i] = 0;
        for (ptrdiff_t k = 0; k < nv; k++) y[i] += A[i * nv + k] * x[k];
    }
}

static void identity(int nv, double* A)
{
    memset(A, 0, (size_t)nv * (size_t)nv * sizeof *A);
    for (ptrdiff_t i = 0; i < nv; i++) A[i * (nv + 1)] = 1;
}

// ---- parts

static void fail(Projection* p, bool room)
{
    if (!room && !p->status) p->status = sn_noRoom(p->d, p->error);
}

// To a position, at rest.
static void go(Projection* p, const double* q)
{
    snData* d = p->d;
    memcpy(d->qpos, q, (size_t)p->m->nq * sizeof(double));
    memset(d->qvel, 0, (size_t)p->m->nv * sizeof(double));
    sn_fwdPosition(p->m, d);
    sn_comVel(p->m, d);
    if (!p->status && !d->nclosure) p->status = sn_noRoom(d, p->error);
}

static void response(Projection* p)
{
    if (!p->status) p->status = sn_loopResponseMatrix(p->m, p->d, p->M, p->P, p->m->nv, p->error);
}

// D = d(M x)/dq where M is: inverse dynamics is linear in the acceleration. Goes there.
static void inertia(Projection* p, const double* x)
{
    const int nv = p->m->nv;
    const size_t mark = sn_scratchMark(p->d);
    double *zero = sn_scratchMatrix(p->d, 1, nv), *rest = sn_scratchMatrix(p->d, nv, nv);
    fail(p, zero && rest);
    if (!p->status) go(p, p->home);
    memset(p->D, 0, (size_t)nv * (size_t)nv * sizeof(double));
    if (!p->status) p->status = sn_biasDerivative(p->m, p->d, x, NULL, p->D, NULL, p->error);
    if (!p->status) p->status = sn_biasDerivative(p->m, p->d, zero, NULL, rest, NULL, p->error);
    if (!p->status) add(nv, -1, rest, p->D);
    sn_scratchRelease(p->d, mark);
}

// E = d(K' lambda)/dq and rowq = d(K x + delta)/dq at the present position, K' lambda = M y.
static void deriveAt(Projection* p, const double* x, const double* y)
{
    const snModel* m = p->m;
    snData* d = p->d;
    apply(m->nv, p->M, y, p->x);
    if (!p->status) fail(p, sn_loopMultipliers(m, d, p->x, p->lambda));
    if (p->status) return;
    memcpy(d->loop_force, p->lambda, (size_t)d->nlooprow * sizeof(double));
    memcpy(d->qacc, x, (size_t)m->nv * sizeof(double));
    memset(p->E, 0, (size_t)m->nv * (size_t)m->nv * sizeof(double));
    p->status = sn_loopDerivative(&p->unit, d, p->E, p->rowq, p->rowv, p->error);
}

// rowq -= d delta/dq
static void withoutErrors(Projection* p)
{
    snData* d = p->d;
    if (p->status) return;
    memset(d->loop_force, 0, (size_t)d->nlooprow * sizeof(double));
    memset(d->qacc, 0, (size_t)p->m->nv * sizeof(double));
    p->status = sn_loopDerivative(&p->unit, d, p->E, p->rest, p->rowv, p->error);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)d->nlooprow * p->m->nv; i++) p->rowq[i] -= p->rest[i];
}

// C = P E + what rowq prescribes
static void respond(Projection* p)
{
    const int nv = p->m->nv;
    setProduct(nv, p->P, p->E, p->C);
    if (!p->status) fail(p, sn_loopPrescribed(p->m, p->d, p->M, p->P, nv, nv, p->rowq, p->C, nv));
}

// ---- positions

// q, and its changes, by c and its changes C by q and N by the position of M.
static void move(Projection* p, double* C0, double* N)
{
    const int nv = p->m->nv;
    const size_t bytes = (size_t)nv * (size_t)nv * sizeof(double);
    double* by[2] = {p->out->qq, p->out->qm};
    double* sum[2] = {p->T, p->Tm};
    for (int k = 0; k < 2; k++) {
        setProduct(nv, p->C, by[k], C0);
        if (k) add(nv, 1, N, C0);
        add(nv, 1, C0, sum[k]);
        sn_positionAlong(&p->unit, p->c, by[k], C0, p->E, nv);
        memcpy(by[k], p->E, bytes);
    }
    sn_integratePos(p->m, p->q, p->c, 1);
    for (int i = 0; i < nv; i++) p->total[i] += p->c[i];
}

// Near a singular pose the engine slows mechanisms down by what positions have moved, which has no derivative
// here.
static void refuseSingular(Projection* p, const snLoopStanding* at)
{
    const snLoopStanding* begin = &p->begin;
    const bool closed = begin->error < SN_LOOP_BEGUN, turns = at->rank != begin->rank;
    if (p->status || !closed || !(turns || sn_max(at->condition, begin->condition) > SN_LOOP_WEAK)) return;
    p->status =
        sn_fail(p->error, SN_STATUS_UNSUPPORTED,
                "derivative of a step: loops come to a singular pose within it (rank %d to %d, condition "
                "%.2g): its projection has none there; sn_transitionFD takes it, by differences",
                begin->rank, at->rank, sn_max(at->condition, begin->condition));
}

// One correction; returns whether it is the last.
static bool correct(Projection* p, snLoopStanding* end)
{
    const int nv = p->m->nv;
    snData* d = p->d;
    go(p, p->q);
    if (p->status) return true;
    const double error = d->loop_error;
    *end = sn_loopStanding(d);
    refuseSingular(p, end);
    if (p->status) return true;
    memcpy(p->delta, d->loop_delta, (size_t)d->nlooprow * sizeof(double));
    response(p);
    memset(p->c, 0, (size_t)nv * sizeof(double));
    if (!p->status) fail(p, sn_loopPrescribed(p->m, d, p->M, p->P, nv, 1, p->delta, p->c, 1));
    deriveAt(p, p->c, p->c);
    respond(p);
    inertia(p, p->c);
    if (p->status) return true;
    memset(p->N, 0, (size_t)nv * (size_t)nv * sizeof(double));
    addProduct(nv, -1, p->P, p->D, p->N);
    move(p, p->Wq, p->N);
    const bool last = error <= CLOSED || !(error < p->last);
    if (last && !(error <= OPEN))
        p->status = sn_fail(p->error, SN_STATUS_UNSUPPORTED,
                            "derivative of a step: a loop stays open by %.3g after it: its projection has "
                            "none; sn_transitionFD takes it, by differences",
                            error);
    p->last = error;
    return last;
}

static void closePositions(Projection* p, snLoopStanding* end)
{
    const int nv = p->m->nv;
    identity(nv, p->out->qq);
    p->last = HUGE_VAL;
    for (int k = 0; k < MOST; k++)
        if (correct(p, end)) return;
    p->status = sn_fail(p->error, SN_STATUS_UNSUPPORTED,
                        "derivative of a step: loops do not close after it: their projection has none; "
                        "sn_transitionFD takes it, by differences");
}

// ---- velocities

// v += u / h, u the part of the total of corrections that impulses of the loops where the step began can do.
static void mend(Projection* p)
{
    const int nv = p->m->nv;
    const double s = 1 / p->h;
    go(p, p->home);
    response(p);
    apply(nv, p->M, p->total, p->x);
    apply(nv, p->P, p->x, p->u);
    for (int i = 0; i < nv; i++) p->u[i] = p->total[i] - p->u[i];
    for (int i = 0; i < nv; i++) p->c[i] = p->u[i] - p->total[i];
    deriveAt(p, p->c, p->u);
    withoutErrors(p);
    respond(p); // of u by the position of M, without the change of M
    inertia(p, p->u);
    addProduct(nv, -1, p->P, p->D, p->C);
    setProduct(nv, p->P, p->M, p->N);
    for (int k = 0; k < 2; k++) {
        double *to = k ? p->Wm : p->Wq, *T = k ? p->Tm : p->T;
        memset(to, 0, (size_t)nv * (size_t)nv * sizeof(double));
        add(nv, s, T, to);
        addProduct(nv, -s, p->N, T, to);
    }
    add(nv, s, p->C, p->Wm);
    for (int i = 0; i < nv; i++) p->v[i] += s * p->u[i];
}

// v+ = P M w at the closed position.
static void makeConsistent(Projection* p)
{
    const int nv = p->m->nv;
    snProjectionDerivative* out = p->out;
    go(p, p->q);
    response(p);
    apply(nv, p->M, p->v, p->x);
    apply(nv, p->P, p->x, p->c);
    for (int i = 0; i < nv; i++) p->u[i] = p->c[i] - p->v[i];
    deriveAt(p, p->c, p->u);
    withoutErrors(p);
    respond(p);
    inertia(p, p->u);
    setProduct(nv, p->P, p->M, out->vv);
    setProduct(nv, p->C, out->qq, out->vq);
    addProduct(nv, 1, out->vv, p->Wq, out->vq);
    setProduct(nv, p->C, out->qm, out->vm);
    addProduct(nv, 1, out->vv, p->Wm, out->vm);
    addProduct(nv, -1, p->P, p->D, out->vm);
}

// ----

snStatus sn_projectionDerivative(const snModel* m, snData* d, const double* qpos, const double* qvel,
                                 double h, snProjectionDerivative* out, snError* error)
{
    Projection p = {.m = m, .d = d, .out = out, .unit = *m, .error = error, .h = h};
    p.unit.opt.timestep = p.unit.opt.loop_tstab = 1;
    if (!take(&p)) return sn_noRoom(d, error);
    memcpy(p.home, d->qpos, (size_t)m->nq * sizeof(double));
    memcpy(p.q, qpos, (size_t)m->nq * sizeof(double));
    memcpy(p.v, qvel, (size_t)m->nv * sizeof(double));
    sn_fullM(m, d->qM, p.M);
    snLoopStanding end = p.begin = sn_loopStanding(d);
    closePositions(&p, &end);
    memset(p.Wq, 0, (size_t)m->nv * (size_t)m->nv * sizeof(double));
    if (!p.status && h > 0 && sn_isErrorOfStep(&p.begin, &end)) mend(&p);
    if (!p.status) makeConsistent(&p);
    memcpy(d->qpos, p.home, (size_t)m->nq * sizeof(double));
    return p.status;
}

snStatus sn_projectionOfStep(const snModel* m, snData* d, const double* velocity, snProjectionDerivative* out,
                             snError* error)
{
    double *qpos = sn_scratchMatrix(d, 1, m->nq), *qvel = sn_scratchMatrix(d, 1, m->nv);
    if (!qpos || !qvel) return sn_noRoom(d, error);
    memcpy(qpos, d->qpos, (size_t)m->nq * sizeof *qpos);
    memcpy(qvel, d->qvel, (size_t)m->nv * sizeof *qvel);
    sn_integratePos(m, qpos, velocity, m->opt.timestep);
    const snStatus status = sn_projectionDerivative(m, d, qpos, velocity, m->opt.timestep, out, error);
    memcpy(d->qvel, qvel, (size_t)m->nv * sizeof *qvel);
    const snStatus again = sn_forwardPolished(m, d, true, status ? NULL : error);
    return status ? status : again;
}

bool sn_projectionAlong(const snModel* m, snData* d, const snProjectionDerivative* p, const double* at,
                        double* next, int stride)
{
    const int nv = m->nv;
    const size_t mark = sn_scratchMark(d), block = (size_t)nv * (size_t)stride;
    double *x = sn_scratchMatrix(d, 2 * nv, stride), *v = next + block;
    if (!x) return false;
    memcpy(x, next, 2 * block * sizeof *x);
    memset(next, 0, 2 * block * sizeof *x);
    sn_columnsAddProduct(p->qq, nv, nv, nv, x, stride, next);
    sn_columnsAddProduct(p->qm, nv, nv, nv, at, stride, next);
    sn_columnsAddProduct(p->vq, nv, nv, nv, x, stride, v);
    sn_columnsAddProduct(p->vv, nv, nv, nv, x + block, stride, v);
    sn_columnsAddProduct(p->vm, nv, nv, nv, at, stride, v);
    sn_scratchRelease(d, mark);
    return true;
}

// y += A' x
static void addTransposed(int nv, const double* A, const double* x, double* y)
{
    for (ptrdiff_t i = 0; i < nv; i++)
        for (ptrdiff_t k = 0; k < nv; k++) y[k] += A[i * nv + k] * x[i];
}

void sn_projectionAdjoint(const snModel* m, const snProjectionDerivative* p, const double* from, double* to,
                          double* at)
{
    const int nv = m->nv;
    memset(to, 0, 2 * (size_t)nv * sizeof *to);
    addTransposed(nv, p->qq, from, to);
    addTransposed(nv, p->vq, from + nv, to);
    addTransposed(nv, p->vv, from + nv, to + nv);
    addTransposed(nv, p->qm, from, at);
    addTransposed(nv, p->vm, from + nv, at);
}
