// Gradients by arrays of the model against differences of a step, or of many, in which the array was changed.
#ifndef SINEW_TEST_PARAMETER_CASE_H
#define SINEW_TEST_PARAMETER_CASE_H

#include <math.h>
#include <stdlib.h>
#include "model_text.h"
#include "random_tree.h"

#define X(...) +1
enum { MOST = 256, FIELDS = 0 SN_MODEL_GRADIENT(X, 0) };
#undef X

/// One array of the model, what a gradient has of it.
typedef struct Field {
    const char* name;
    double* value; ///< in the model
    int rows, columns;
    bool turns; ///< a quaternion: the columns are those of a rotation
} Field;

static inline int fieldsOf(snModel* m, Field* fields)
{
    int n = 0;
#define X(member, count, width, meaning) fields[n++] = (Field){#member, NULL, count, width, false};
    SN_MODEL_GRADIENT(X, m)
#undef X
    n = 0;
#define gravity opt.gravity
#define X(member, count, width, meaning) fields[n++].value = m->member;
    SN_MODEL_GRADIENT(X, m)
#undef X
#undef gravity
    for (int i = 0; i < n; i++) fields[i].turns = strstr(fields[i].name, "quat") != NULL;
    return n;
}

static inline double** placeOf(snModelGradient* g, int field)
{
    return (double**)g + field;
}

/// A scalar: weights times the next state and the sensors, of the last of `steps` steps.
typedef struct Scalar {
    double state[1024], end[MOST], next[MOST], sensor[MOST];
    int steps;
    bool sensors, setconst;
    double h;
} Scalar;

static inline double evaluate(snModel* m, snData* d, const Scalar* s)
{
    double y[MOST], sum = 0;
    const int nv = m->nv, nx = 2 * nv + m->na;
    if (s->setconst) sn_setConst(m, d);
    sn_setState(m, d, s->state, SN_STATE_INTEGRATION);
    for (int t = 0; t < s->steps; t++) sn_step(m, d);
    sn_differentiatePos(m, y, 1, s->end, d->qpos);
    memcpy(y + nv, d->qvel, (size_t)nv * sizeof(double));
    memcpy(y + 2 * nv, d->act, (size_t)m->na * sizeof(double));
    for (int i = 0; i < nx; i++) sum += s->next[i] * y[i];
    for (int i = 0; i < m->nsensordata && s->sensors; i++) sum += s->sensor[i] * d->sensordata[i];
    return sum;
}

static inline void displaceField(const Field* f, int e, double by)
{
    if (!f->turns) {
        f->value[e] += by;
        return;
    }
    double turn[3] = {0};
    turn[e % 3] = 1;
    sn_integrateQuat(f->value + e / 3 * 4, turn, by);
}

static inline double differenceBy(snModel* m, snData* d, const Scalar* s, const Field* f, int e)
{
    static const double weight[7] = {-1, 9, -45, 0, 45, -9, 1};
    const double least = s->h < 5e-3 ? 0.03 : 0.01, size = f->turns ? least : fabs(f->value[e]);
    const bool touches =
        strstr(f->name, "geom_") && !strstr(f->name, "friction"); // which may begin and end contacts
    const double h = (touches && s->h < 5e-3 ? 1e-6 : s->h) * fmax(size, least);
    double sum = 0;
    for (int k = -3; k <= 3; k++) {
        double before[4];
        double* at = f->turns ? f->value + e / 3 * 4 : f->value + e;
        if (k == 0) continue;
        memcpy(before, at, (f->turns ? 4 : 1) * sizeof(double));
        displaceField(f, e, k * h);
        sum += weight[k + 3] / (60 * h) * evaluate(m, d, s);
        memcpy(at, before, (f->turns ? 4 : 1) * sizeof(double));
    }
    return sum;
}

static inline void compare(snModel* m, snData* d, const Scalar* s, snModelGradient* g, double tolerance)
{
    Field fields[FIELDS];
    const int n = fieldsOf(m, fields);
    for (int i = 0; i < n; i++) {
        const Field* f = fields + i;
        const double* ours = *placeOf(g, i);
        double off = 0, size = s->h < 5e-3 ? 1 : 0.1, theirs[2] = {0};
        int worst = 0;
        for (int e = 0; e < f->rows * f->columns && ours; e++) {
            // what sn_setConst writes anew cannot be changed before it
            if (s->setconst && strstr(f->name, "invweight0")) continue;
            // a dry friction of zero has no row
            if (strstr(f->name, "frictionloss") && f->value[e] == 0) continue;
            const double by = differenceBy(m, d, s, f, e);
            size = fmax(size, fabs(by));
            if (fabs(ours[e] - by) <= off) continue;
            off = fabs(ours[e] - by);
            worst = e;
            theirs[0] = by;
            theirs[1] = ours[e];
        }
        if (getenv("SINEW_TEST_SHOW")) print_message("%-22s %9.2e of %9.2e\n", f->name, off, size);
        if (!(off <= tolerance * size))
            fail_msg("%s: number %d of %d is %g, not %g; largest %g", f->name, worst, f->rows * f->columns,
                     theirs[1], theirs[0], size);
    }
    if (s->setconst) sn_setConst(m, d);
    sn_setState(m, d, s->state, SN_STATE_INTEGRATION);
}

/// All arrays but those named in `without` (": "-separated).
static inline void wantAll(snModel* m, const char* without, snModelGradient* g)
{
    Field fields[FIELDS];
    const int n = fieldsOf(m, fields);
    for (int i = 0; i < n; i++) {
        const size_t count = (size_t)fields[i].rows * (size_t)fields[i].columns;
        if (!strstr(without, fields[i].name)) *placeOf(g, i) = calloc(count + 1, sizeof(double));
    }
}

static inline void dropAll(snModelGradient* g)
{
    for (int i = 0; i < FIELDS; i++) free(*placeOf(g, i));
}

/// Holds the gradient of a scalar of the next `steps` steps of d against differences, setconst or not.
static inline void holds(snModel* m, snData* d, Random* r, int steps, bool sensors, bool setconst,
                         const char* without, double h, double tolerance)
{
    static Scalar s;
    snModelGradient g = {.setconst = setconst};
    snError error = {0};
    s = (Scalar){.steps = steps, .sensors = sensors, .setconst = setconst, .h = h};
    for (int i = 0; i < MOST; i++) {
        s.next[i] = randomReal(r);
        s.sensor[i] = randomReal(r);
    }
    sn_getState(m, d, s.state, SN_STATE_INTEGRATION);
    for (int t = 0; t < steps; t++) sn_step(m, d);
    memcpy(s.end, d->qpos, (size_t)m->nq * sizeof(double));
    sn_setState(m, d, s.state, SN_STATE_INTEGRATION);
    wantAll(m, without, &g);
    snStatus status;
    if (steps == 1) {
        const snStepGradient gradient = {.model = &g};
        status = sn_stepVJP(m, d, s.next, sensors ? s.sensor : NULL, &gradient, &error);
    } else {
        const snRollout rollout = {.nstep = steps, .gradient_end = s.next};
        snRolloutGradient gradient = {.model = &g};
        status = sn_rolloutGradient(m, d, &rollout, &gradient, &error);
    }
    if (status) fail_msg("%s", error.message);
    compare(m, d, &s, &g, tolerance);
    dropAll(&g);
}

#endif
