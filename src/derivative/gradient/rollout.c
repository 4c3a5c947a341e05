// Gradients over many steps: the adjoint of each from the last to the first, states by checkpoints. Source:
// Griewank and Walther 2008 (adjoints and checkpoints).
#include <math.h>
#include <string.h>
#include <sinew/derivative.h>
#include <sinew/pipeline.h>
#include <sinew/state.h>
#include "base/error.h"
#include "base/memory.h"
#include "derivative/gradient/step.h"
#include "derivative/parameter/parameter.h"
#include "derivative/parameter/wanted.h"
#include "derivative/step/acceleration.h"

typedef struct Rollout {
    const snModel* m;
    snData* d;
    const snRollout* given;
    snRolloutGradient* out;
    int nx, state;        // numbers of a tangent and of a full state
    int length, segments; // steps of a segment, how many
    double* begin;        // [state] of d
    double* checkpoint;   // [segments x state] at the first step of each
    double* segment;      // [length x state] at all steps of one
    double *x, *before;   // [nx] gradient by the state after and before a step
    double *lossX, *lossU, *lossSensor;
    double* sumRoom;     // of sn_modelGradientSize
    snModelGradient sum; // by arrays of the model
    double loss;
    void* block;
} Rollout;

enum { ARRAYS = 9 };

enum { SIGNATURE = SN_STATE_INTEGRATION };

static double* rowOf(double* a, int i, int n)
{
    return a ? a + (ptrdiff_t)i * n : NULL;
}

static void add(double* to, const double* x, int n)
{
    for (int i = 0; i < n && x; i++) to[i] += x[i];
}

static void clear(double* x, int n)
{
    memset(x, 0, (size_t)n * sizeof *x);
}

// ---- memory

static void divide(Rollout* r)
{
    const int n = r->given->nstep;
    int count = r->given->checkpoints > 0 ? r->given->checkpoints : (int)ceil(sqrt(n));
    count = count > n ? n : count;
    r->length = n ? (n + count - 1) / count : 0;
    r->segments = n ? (n + r->length - 1) / r->length : 0;
}

static bool allocate(Rollout* r)
{
    const snModel* m = r->m;
    double** const arrays[] = {&r->begin, &r->checkpoint, &r->segment,    &r->x,      &r->before,
                               &r->lossX, &r->lossU,      &r->lossSensor, &r->sumRoom};
    const size_t state = (size_t)r->state, nx = (size_t)r->nx;
    const snModelGradient* wanted = r->out->model;
    const size_t counts[] = {state,
                             (size_t)r->segments * state,
                             (size_t)r->length * state,
                             nx,
                             nx,
                             nx,
                             (size_t)m->nu,
                             (size_t)m->nsensordata,
                             wanted ? sn_modelGradientSize(m, wanted) : 0};
    size_t size = 0;
    for (int k = 0; k < ARRAYS; k++) size += sn_alignUp(counts[k] * sizeof(double));
    char* at = r->block = sn_malloc(size + SN_ALIGN);
    for (int k = 0; k < ARRAYS && at; k++) {
        *arrays[k] = (double*)at;
        at += sn_alignUp(counts[k] * sizeof(double));
    }
    if (r->block && wanted) r->sum = sn_modelGradientIn(m, wanted, r->sumRoom);
    return r->block != NULL;
}

// ---- the steps

static snStatus failAt(snError* error, snStatus status, int t, const char* text)
{
    return sn_fail(error, status, "rolloutGradient: step %d: %s", t, text);
}

static void setInputs(const Rollout* r, int t)
{
    const snModel* m = r->m;
    const snRollout* given = r->given;
    if (given->ctrl) memcpy(r->d->ctrl, given->ctrl + (ptrdiff_t)t * m->nu, (size_t)m->nu * sizeof(double));
    if (given->qfrc_applied)
        memcpy(r->d->qfrc_applied, given->qfrc_applied + (ptrdiff_t)t * m->nv,
               (size_t)m->nv * sizeof(double));
}

static int resets(const snData* d)
{
    return d->warning[SN_WARN_BADQPOS].number + d->warning[SN_WARN_BADQVEL].number +
           d->warning[SN_WARN_BADQACC].number;
}

static snStatus step(const Rollout* r, int t, snError* error)
{
    const int before = resets(r->d);
    setInputs(r, t);
    sn_step(r->m, r->d);
    if (resets(r->d) == before) return SN_STATUS_OK;
    return failAt(error, SN_STATUS_ARGUMENT, t, "the simulation diverged");
}

static int endOf(const Rollout* r, int segment)
{
    const int end = (segment + 1) * r->length;
    return end < r->given->nstep ? end : r->given->nstep;
}

// The first pass; the states of the last segment are those that are asked for first.
static snStatus forwards(const Rollout* r, snError* error)
{
    snStatus status = SN_STATUS_OK;
    for (int t = 0; t < r->given->nstep && !status; t++) {
        const int at = t / r->length;
        if (t % r->length == 0) sn_getState(r->m, r->d, rowOf(r->checkpoint, at, r->state), SIGNATURE);
        if (at == r->segments - 1)
            sn_getState(r->m, r->d, rowOf(r->segment, t % r->length, r->state), SIGNATURE);
        status = step(r, t, error);
    }
    return status;
}

// The states of a segment once more.
static snStatus again(const Rollout* r, int segment, snError* error)
{
    const int first = segment * r->length, end = endOf(r, segment);
    snStatus status = SN_STATUS_OK;
    sn_setState(r->m, r->d, rowOf(r->checkpoint, segment, r->state), SIGNATURE);
    for (int t = first; t < end && !status; t++) {
        sn_getState(r->m, r->d, rowOf(r->segment, t - first, r->state), SIGNATURE);
        if (t + 1 < end) status = step(r, t, error);
    }
    return status;
}

// ---- back

// Gradients of the term of step t, at its state.
static void termOf(Rollout* r, int t)
{
    const snModel* m = r->m;
    const snRollout* given = r->given;
    const bool last = t == given->nstep;
    clear(r->lossX, r->nx);
    clear(r->lossU, m->nu);
    clear(r->lossSensor, m->nsensordata);
    if (given->loss) {
        const snLossGradient gradient = {r->lossX, last ? NULL : r->lossU, last ? NULL : r->lossSensor};
        sn_forward(m, r->d);
        r->loss += given->loss(m, r->d, t, &gradient, given->user);
    }
    if (last) {
        add(r->lossX, given->gradient_end, r->nx);
        return;
    }
    if (given->gradient_x) add(r->lossX, given->gradient_x + (ptrdiff_t)t * r->nx, r->nx);
    if (given->gradient_sensor)
        add(r->lossSensor, given->gradient_sensor + (ptrdiff_t)t * m->nsensordata, m->nsensordata);
}

static bool hasSensorGradient(const Rollout* r)
{
    for (int i = 0; i < r->m->nsensordata; i++)
        if (r->lossSensor[i] != 0) return true;
    return false;
}

// r->x from the gradient by the state after step t to that before it.
static snStatus back(Rollout* r, int t, const double* state, snError* error)
{
    const snModel* m = r->m;
    snRolloutGradient* out = r->out;
    double* ctrl = rowOf(out->ctrl, t, m->nu);
    const snStepGradient gradient = {r->before, ctrl, rowOf(out->qfrc, t, m->nv),
                                     rowOf(out->xfrc, t, 6 * m->nbody), out->model};
    snError cause;
    sn_setState(m, r->d, state, SIGNATURE);
    setInputs(r, t);
    termOf(r, t);
    const double* sensor = hasSensorGradient(r) ? r->lossSensor : NULL;
    const snStatus status =
        sn_addStepGradient(m, r->d, r->x, sensor, &gradient, out->model ? &r->sum : NULL, &cause);
    if (status) return failAt(error, status, t, cause.message);
    if (ctrl) add(ctrl, r->lossU, m->nu);
    memcpy(r->x, r->before, (size_t)r->nx * sizeof(double));
    add(r->x, r->lossX, r->nx);
    return SN_STATUS_OK;
}

static snStatus backwards(Rollout* r, snError* error)
{
    termOf(r, r->given->nstep); // d is there
    memcpy(r->x, r->lossX, (size_t)r->nx * sizeof(double));
    snStatus status = SN_STATUS_OK;
    for (int s = r->segments - 1; s >= 0 && !status; s--) {
        const int first = s * r->length;
        if (s < r->segments - 1) status = again(r, s, error);
        for (int t = endOf(r, s) - 1; t >= first && !status; t--)
            status = back(r, t, rowOf(r->segment, t - first, r->state), error);
    }
    return status;
}

snStatus sn_rolloutGradient(const snModel* m, snData* d, const snRollout* rollout,
                            snRolloutGradient* gradient, snError* error)
{
    Rollout r = {.m = m,
                 .d = d,
                 .given = rollout,
                 .out = gradient,
                 .nx = sn_stateTangents(m),
                 .state = sn_stateSize(m, SIGNATURE)};
    if (rollout->nstep < 0)
        return sn_fail(error, SN_STATUS_ARGUMENT, "rolloutGradient: nstep is %d, must be 0 or more",
                       rollout->nstep);
    snStatus status = sn_isStepDifferentiable(m, d, error);
    if (status) return status;
    divide(&r);
    if (!allocate(&r))
        return sn_fail(error, SN_STATUS_NO_MEMORY, "rolloutGradient: out of memory for %d and %d states",
                       r.segments, r.length);
    sn_getState(m, d, r.begin, SIGNATURE);
    status = forwards(&r, error);
    if (!status) status = backwards(&r, error);
    if (!status && gradient->model) status = sn_endParameterGradient(m, d, &r.sum, error);
    sn_setState(m, d, r.begin, SIGNATURE);
    if (!status) {
        gradient->loss = r.loss;
        if (gradient->x) memcpy(gradient->x, r.x, (size_t)r.nx * sizeof(double));
        if (gradient->model) sn_modelGradientPut(m, &r.sum, gradient->model);
    }
    sn_free(r.block);
    return status;
}
