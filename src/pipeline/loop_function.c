// Dynamics and steps in the independent variables of closure functions (seed 002, 8.11).
#include "pipeline/loop_function.h"
#include <math.h>
#include <sinew/loop.h>
#include <sinew/pipeline.h>
#include <string.h>
#include "base/error.h"
#include "lcp/impulse.h"
#include "loop/basis.h"
#include "loop/cluster.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "pipeline/integrate.h"
#include "pipeline/step.h"
#include "smooth/actuator/activation.h"
#include "smooth/actuator/dcmotor.h"

static snStatus failRoom(snError* error)
{
    return sn_fail(error, SN_STATUS_NO_MEMORY,
                   "the arena of the data is full: give the model more, <size memory=\"...\"/>");
}

snStatus sn_checkFunction(const snModel* m, const snLoopFunction* f, snError* error)
{
    if (f->ny < 1 || f->ny > m->nv)
        return sn_fail(error, SN_STATUS_ARGUMENT, "a closure function of %d y, must be 1 to nv = %d", f->ny,
                       m->nv);
    const char* missing = !f->gamma ? "gamma" : !f->G ? "G" : !f->g ? "g" : NULL;
    if (missing) return sn_fail(error, SN_STATUS_ARGUMENT, "a closure function without %s", missing);
    return SN_STATUS_OK;
}

snStatus sn_allocateFunctionValues(const snModel* m, snData* d, const snLoopFunction* f, snFunctionValues* v,
                                   snError* error)
{
    v->qpos = sn_scratchReal(d, m->nq);
    v->qvel = sn_scratchReal(d, m->nv);
    v->G = sn_scratchAlloc(d, (size_t)m->nv * (size_t)f->ny * sizeof(double));
    v->g = sn_scratchReal(d, m->nv);
    return v->qpos && v->qvel && v->G && v->g ? SN_STATUS_OK : failRoom(error);
}

static snStatus checkFinite(const double* x, size_t n, const char* name, snError* error)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabs(x[i]) <= SN_MAXVAL))
            return sn_fail(error, SN_STATUS_ARGUMENT, "%s[%zu] of a closure function is %g", name, i, x[i]);
    return SN_STATUS_OK;
}

snStatus sn_callFunction(const snModel* m, const snLoopFunction* f, const double* y, const double* yd,
                         snFunctionValues* v, snError* error)
{
    const size_t nq = (size_t)m->nq, nv = (size_t)m->nv, ny = (size_t)f->ny;
    snStatus status = checkFinite(y, ny, "y", error);
    if (!status) status = checkFinite(yd, ny, "yd", error);
    if (status) return status;
    if (f->contains && !f->contains(y, f->user))
        return sn_fail(error, SN_STATUS_ARGUMENT, "y is outside the set C of its closure function; y[0] = %g",
                       y[0]);
    memcpy(v->qpos, m->qpos0, nq * sizeof(double));
    memset(v->G, 0, nv * ny * sizeof(double));
    memset(v->g, 0, nv * sizeof(double));
    f->gamma(y, v->qpos, f->user);
    f->G(y, v->G, f->user);
    f->g(y, yd, v->g, f->user);
    for (size_t i = 0; i < nv; i++) {
        v->qvel[i] = 0;
        for (size_t k = 0; k < ny; k++) v->qvel[i] += v->G[i * ny + k] * yd[k];
    }
    status = checkFinite(v->qpos, nq, "gamma", error);
    if (!status) status = checkFinite(v->G, nv * ny, "G", error);
    if (!status) status = checkFinite(v->g, nv, "g", error);
    return status;
}

// What an evaluation needs, in scratch: values at a y, and the motions that they leave.
typedef struct Evaluation {
    snFunctionValues values;
    struct snLoopBasis basis;
} Evaluation;

static snStatus allocate(const snModel* m, snData* d, const snLoopFunction* f, Evaluation* e, snError* error)
{
    const snStatus status = sn_allocateFunctionValues(m, d, f, &e->values, error);
    if (status) return status;
    return sn_allocateBasis(m, d, f->ny, &e->basis) ? SN_STATUS_OK : failRoom(error);
}

static void setState(const snModel* m, snData* d, const snFunctionValues* v)
{
    memcpy(d->qpos, v->qpos, (size_t)m->nq * sizeof(double));
    memcpy(d->qvel, v->qvel, (size_t)m->nv * sizeof(double));
}

// qacc at y and yd; the basis stands for the loops from here on. An error in arguments comes before any
// change.
static snStatus begin(const snModel* m, snData* d, const snLoopFunction* f, const double* y, const double* yd,
                      bool sensors, bool forces, Evaluation* e, snError* error)
{
    const snStatus status = sn_callFunction(m, f, y, yd, &e->values, error);
    if (status) return status;
    const int rank = sn_factorBasis(&e->basis, e->values.G, e->values.g, m->opt.loop_ranktol);
    if (rank < f->ny)
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "G of a closure function has rank %d at this y: its %d columns are dependent", rank,
                       f->ny);
    const int full = d->warning[SN_WARN_CNSTRFULL].number;
    setState(m, d, &e->values);
    e->basis.forces = forces;
    d->loop_basis = &e->basis;
    sn_forwardSkip(m, d, SN_STAGE_NONE, !sensors);
    return d->warning[SN_WARN_CNSTRFULL].number == full ? SN_STATUS_OK : failRoom(error);
}

static void end(const snModel* m, snData* d)
{
    if (d->loop_basis && sn_isBasisPlaced(d)) sn_forgetLoops(m, d);
    d->loop_basis = NULL;
}

snStatus sn_loopFunctionForward(const snModel* m, snData* d, const snLoopFunction* f, const double* y,
                                const double* yd, double* ydd, snError* error)
{
    const size_t mark = sn_scratchMark(d);
    Evaluation e;
    snStatus status = sn_checkFunction(m, f, error);
    if (!status) status = allocate(m, d, f, &e, error);
    if (!status) status = begin(m, d, f, y, yd, true, true, &e, error);
    if (!status && ydd) sn_basisCoordinates(&e.basis, d->qacc, ydd);
    end(m, d);
    sn_scratchRelease(d, mark);
    return status;
}

// ---- steps

// What a step needs besides: the state before, and of each stage y, yd, ydd and act_dot.
typedef struct Step {
    Evaluation e;
    double *qpos, *qvel, *act, time;
    double *y, *yd, *ydd, *rate; // [SN_RK4_STAGES x ny], [SN_RK4_STAGES x na]
    double *mean_v, *mean_a, *mean_rate;
} Step;

static snStatus allocateStep(const snModel* m, snData* d, const snLoopFunction* f, Step* s, snError* error)
{
    const snStatus status = allocate(m, d, f, &s->e, error);
    if (status) return status;
    s->qpos = sn_scratchReal(d, m->nq);
    s->qvel = sn_scratchReal(d, m->nv);
    s->act = sn_scratchReal(d, m->na);
    s->y = sn_scratchReal(d, f->ny);
    s->yd = sn_scratchReal(d, SN_RK4_STAGES * f->ny);
    s->ydd = sn_scratchReal(d, SN_RK4_STAGES * f->ny);
    s->rate = sn_scratchReal(d, SN_RK4_STAGES * m->na);
    s->mean_v = sn_scratchReal(d, f->ny);
    s->mean_a = sn_scratchReal(d, f->ny);
    s->mean_rate = sn_scratchReal(d, m->na);
    return s->qpos && s->qvel && s->act && s->y && s->yd && s->ydd && s->rate && s->mean_v && s->mean_a &&
                   s->mean_rate
               ? SN_STATUS_OK
               : failRoom(error);
}

static void keepState(const snModel* m, const snData* d, Step* s)
{
    memcpy(s->qpos, d->qpos, (size_t)m->nq * sizeof(double));
    memcpy(s->qvel, d->qvel, (size_t)m->nv * sizeof(double));
    memcpy(s->act, d->act, (size_t)m->na * sizeof(double));
    s->time = d->time;
}

static void restoreState(const snModel* m, snData* d, const Step* s)
{
    memcpy(d->qpos, s->qpos, (size_t)m->nq * sizeof(double));
    memcpy(d->qvel, s->qvel, (size_t)m->nv * sizeof(double));
    memcpy(d->act, s->act, (size_t)m->na * sizeof(double));
    d->time = s->time;
}

// One stage: y'' into ydd of stage `at`, and act_dot.
static snStatus evaluate(const snModel* m, snData* d, const snLoopFunction* f, Step* s, int at,
                         const double* y, const double* yd, snError* error)
{
    const snStatus status = begin(m, d, f, y, yd, at == 0, at == 0 || at == SN_RK4_STAGES - 1, &s->e, error);
    if (status) return status;
    for (int i = 0; i < m->nv; i++) {
        if (fabs(d->qacc[i]) <= SN_MAXVAL) continue;
        sn_warn(d, SN_WARN_BADQACC, i);
        return sn_fail(error, SN_STATUS_ARGUMENT, "qacc[%d] of a closure function's step is %g", i,
                       d->qacc[i]);
    }
    sn_basisCoordinates(&s->e.basis, d->qacc, s->ydd + at * f->ny);
    memcpy(s->rate + at * m->na, d->act_dot, (size_t)m->na * sizeof(double));
    return SN_STATUS_OK;
}

// mean_v, mean_a, mean_rate of a step of Euler or of an implicit integrator, after the first stage.
static snStatus euler(const snModel* m, snData* d, const snLoopFunction* f, Step* s, const double* yd,
                      snError* error)
{
    const int full = d->warning[SN_WARN_CNSTRFULL].number;
    const bool rigid = m->opt.contact == SN_CONTACT_LCP; // qacc is that of the step already
    const bool implicit = sn_integratorKind(sn_integratorOf(m)).implicit;
    // another matrix than M: the basis is needed again
    const bool other = !rigid && (implicit || sn_eulerDamped(m) || sn_eulerDampsLoops(m, d));
    if (other) {
        sn_loopPosition(m, d);
        sn_loopVelocity(m, d);
    }
    const double* acceleration = implicit ? sn_implicitAcceleration(m, d) : sn_eulerAcceleration(m, d, false);
    if (other) sn_showLoops(m, d);
    sn_basisCoordinates(&s->e.basis, acceleration, s->mean_a);
    for (int k = 0; k < f->ny; k++) s->mean_v[k] = yd[k] + m->opt.timestep * s->mean_a[k];
    memcpy(s->mean_rate, s->rate, (size_t)m->na * sizeof(double));
    return d->warning[SN_WARN_CNSTRFULL].number == full ? SN_STATUS_OK : failRoom(error);
}

// The same by the other stages of Runge-Kutta.
static snStatus stages(const snModel* m, snData* d, const snLoopFunction* f, Step* s, const double* y,
                       const double* yd, snError* error)
{
    const int ny = f->ny, na = m->na;
    const double h = m->opt.timestep;
    memcpy(s->yd, yd, (size_t)ny * sizeof(double));
    for (int at = 1; at < SN_RK4_STAGES; at++) {
        sn_combineStages(s->mean_v, sn_rk4A[at], s->yd, ny);
        sn_combineStages(s->mean_a, sn_rk4A[at], s->ydd, ny);
        sn_combineStages(s->mean_rate, sn_rk4A[at], s->rate, na);
        for (int k = 0; k < ny; k++) {
            s->y[k] = y[k] + h * s->mean_v[k];
            s->yd[at * ny + k] = yd[k] + h * s->mean_a[k];
        }
        for (int i = 0; i < na; i++) d->act[i] = s->act[i] + h * s->mean_rate[i];
        d->time = s->time + sn_rk4C[at] * h;
        const snStatus status = evaluate(m, d, f, s, at, s->y, s->yd + at * ny, error);
        if (status) return status;
    }
    sn_combineStages(s->mean_v, sn_rk4B, s->yd, ny);
    sn_combineStages(s->mean_a, sn_rk4B, s->ydd, ny);
    sn_combineStages(s->mean_rate, sn_rk4B, s->rate, na);
    return SN_STATUS_OK;
}

static snStatus rungeKutta(const snModel* m, snData* d, const snLoopFunction* f, Step* s, const double* y,
                           const double* yd, snError* error)
{
    const size_t mark = sn_scratchMark(d);
    double* velocity0;
    snStatus status = sn_keepMotorVelocities(m, d, &velocity0) ? SN_STATUS_OK : failRoom(error);
    if (!status) status = stages(m, d, f, s, y, yd, error);
    sn_restoreMotorVelocities(m, d, velocity0);
    sn_scratchRelease(d, mark);
    return status;
}

// The new y and yd, in y and yd of the step, and the state that goes with them.
static snStatus advance(const snModel* m, snData* d, const snLoopFunction* f, Step* s, const double* y,
                        const double* yd, snError* error)
{
    const double h = m->opt.timestep;
    for (int k = 0; k < f->ny; k++) {
        s->y[k] = y[k] + h * s->mean_v[k];
        s->yd[k] = yd[k] + h * s->mean_a[k];
    }
    const snStatus status = sn_callFunction(m, f, s->y, s->yd, &s->e.values, error);
    if (status) return status;
    sn_lcpKeep(m, d);
    restoreState(m, d, s); // act and time as before the stages
    sn_advanceActivation(m, d, s->mean_rate);
    setState(m, d, &s->e.values);
    d->time += h;
    memcpy(d->qacc_warmstart, d->qacc, (size_t)m->nv * sizeof(double));
    return SN_STATUS_OK;
}

static snStatus step(const snModel* m, snData* d, const snLoopFunction* f, Step* s, double* y, double* yd,
                     snError* error)
{
    snStatus status = evaluate(m, d, f, s, 0, y, yd, error);
    if (!status && sn_integratorKind(sn_integratorOf(m)).stages)
        status = rungeKutta(m, d, f, s, y, yd, error);
    else if (!status)
        status = euler(m, d, f, s, yd, error);
    if (!status) status = advance(m, d, f, s, y, yd, error);
    if (status) {
        restoreState(m, d, s);
        return status;
    }
    memcpy(y, s->y, (size_t)f->ny * sizeof(double));
    memcpy(yd, s->yd, (size_t)f->ny * sizeof(double));
    return SN_STATUS_OK;
}

snStatus sn_loopFunctionStep(const snModel* m, snData* d, const snLoopFunction* f, double* y, double* yd,
                             snError* error)
{
    const size_t mark = sn_scratchMark(d);
    Step s;
    snStatus status = sn_checkFunction(m, f, error);
    if (!status && sn_integratorKind(m->opt.integrator).metric)
        status = sn_fail(
            error, SN_STATUS_UNSUPPORTED,
            "a step along a closure function has no integrator discrete: set integrator to implicitfast");
    if (!status) status = allocateStep(m, d, f, &s, error);
    if (!status) {
        keepState(m, d, &s);
        status = step(m, d, f, &s, y, yd, error);
    }
    end(m, d);
    sn_scratchRelease(d, mark);
    return status;
}
