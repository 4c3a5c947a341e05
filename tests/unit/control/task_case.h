// Rows of tasks at random states, and what the task is about along a motion: quantities of the engine,
// differentiated by time.
#ifndef SINEW_TEST_TASK_CASE_H
#define SINEW_TEST_TASK_CASE_H

#include <sinew/task.h>
#include "derivative/central_slope.h"
#include "model_text.h"
#include "random_tree.h"

enum { MOST_ROWS = 64, MOST_COLUMNS = 96 };

/// A task, its rows, and the motion qvel + t qacc from the state of d.
typedef struct TaskCase {
    snModel* m;
    snData *d, *moving;
    snTask* t;
    int rows, columns;
    double A[MOST_ROWS * MOST_COLUMNS], lower[MOST_ROWS], upper[MOST_ROWS], weight[MOST_ROWS];
} TaskCase;

/// What tasks read, and the velocities of subtrees.
static inline void computeTask(const snModel* m, snData* d)
{
    sn_kinematics(m, d);
    sn_comPos(m, d);
    sn_crb(m, d);
    sn_comVel(m, d);
    sn_subtreeVel(m, d);
}

static inline snTask* makeTask(const snModel* m, const snTaskSettings* settings)
{
    snError error = {0};
    snTask* t = sn_makeTask(m, settings, &error);
    if (!t) fail_msg("%s", error.message);
    return t;
}

/// A case of a model that it owns from then on, at a random state.
static inline void openCase(TaskCase* c, snModel* m, const snTaskSettings* settings, Random* r)
{
    *c = (TaskCase){.m = m, .d = sn_makeData(m), .moving = sn_makeData(m)};
    c->columns = m->nv + 3;
    assert_true(c->columns <= MOST_COLUMNS);
    c->t = makeTask(m, settings);
    randomState(m, c->d, r);
    computeTask(m, c->d);
}

static inline void closeCase(TaskCase* c)
{
    sn_freeTask(c->t);
    sn_deleteData(c->moving);
    sn_deleteData(c->d);
    sn_deleteModel(c->m);
}

static inline void randomNumbers(Random* r, double* to, int count)
{
    for (int i = 0; i < count; i++) to[i] = randomReal(r);
}

/// The rows, which are to be finite, and 0 beyond the dofs.
static inline void rowsOf(TaskCase* c, int mode)
{
    for (int i = 0; i < MOST_ROWS * MOST_COLUMNS; i++) c->A[i] = NAN;
    c->rows = sn_taskRows(c->m, c->d, c->t, mode, 0.001, c->columns, c->A, c->lower, c->upper, c->weight);
    for (int i = 0; i < c->rows; i++)
        for (int k = 0; k < c->columns; k++) {
            assert_true(isfinite(c->A[i * c->columns + k]));
            if (k >= c->m->nv) assert_true(c->A[i * c->columns + k] == 0);
        }
}

/// out [rows] = A x.
static inline void timesRows(const TaskCase* c, const double* x, double* out)
{
    for (int i = 0; i < c->rows; i++) {
        out[i] = 0;
        for (int k = 0; k < c->m->nv; k++) out[i] += c->A[i * c->columns + k] * x[k];
    }
}

/// A quantity of a data at a state that computeTask has looked at.
typedef void (*Observed)(const TaskCase* c, const snData* d, double* out);

typedef struct AlongCase {
    TaskCase* c;
    Observed f;
} AlongCase;

// The state after a time x: qpos by the mean velocity, which is exact to third order in x where joints turn
// about several axes, more than the derivative at 0 shows.
static inline void sampleAlong(void* context, double x, double* out)
{
    const AlongCase* a = context;
    TaskCase* c = a->c;
    double mean[MOST_COLUMNS];
    memcpy(c->moving->qpos, c->d->qpos, (size_t)c->m->nq * sizeof(double));
    for (int k = 0; k < c->m->nv; k++) {
        mean[k] = c->d->qvel[k] + 0.5 * x * c->d->qacc[k];
        c->moving->qvel[k] = c->d->qvel[k] + x * c->d->qacc[k];
    }
    sn_integratePos(c->m, c->moving->qpos, mean, x);
    computeTask(c->m, c->moving);
    a->f(c, c->moving, out);
}

/// rate [n]: time derivative of a quantity along qvel and qacc.
static inline void rateAlong(TaskCase* c, Observed f, int n, double* rate)
{
    AlongCase a = {c, f};
    centralSlope(sampleAlong, &a, 1e-3, n, rate);
}

/// The same with steps of 1e-4 and 2e-4; false: they do not agree to 1e-9, the quantity has a kink here.
static inline bool smoothRateAlong(TaskCase* c, Observed f, int n, double* rate)
{
    AlongCase a = {c, f};
    double again[MOST_ROWS];
    centralSlope(sampleAlong, &a, 1e-4, n, rate);
    centralSlope(sampleAlong, &a, 2e-4, n, again);
    return relativeError(rate, again, n, 1) < 1e-9;
}

/// The shortest qacc (or qvel) with A x = lower: J' inv(J J') b, by elimination.
static inline void meetRows(const TaskCase* c, double* x)
{
    const int n = c->rows, nv = c->m->nv;
    double G[MOST_ROWS * (MOST_ROWS + 1)];
    const int width = n + 1;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            G[i * width + j] = 0;
            for (int k = 0; k < nv; k++)
                G[i * width + j] += c->A[i * c->columns + k] * c->A[j * c->columns + k];
        }
        G[i * width + n] = c->lower[i];
    }
    for (int p = 0; p < n; p++)
        for (int i = 0; i < n; i++) {
            if (i == p) continue;
            const double factor = G[i * width + p] / G[p * width + p];
            for (int j = p; j <= n; j++) G[i * width + j] -= factor * G[p * width + j];
        }
    memset(x, 0, (size_t)nv * sizeof(double));
    for (int i = 0; i < n; i++)
        for (int k = 0; k < nv; k++) x[k] += G[i * width + n] / G[i * width + i] * c->A[i * c->columns + k];
}

/// Fails unless a and b agree to the tolerance of their largest number, or of 1.
static inline void assertNear(const double* a, const double* b, int count, double tolerance)
{
    const double error = relativeError(a, b, count, 1);
    if (!(error <= tolerance)) fail_msg("off by %g", error);
}

/// Where the subtree of the body has its centre of mass, its mass and momentum (linear, angular), summed over
/// the bodies; body 0: all that moves.
typedef struct Whole {
    double mass, pos[3], momentum[6];
} Whole;

static inline bool ofSubtree(const snModel* m, int b, int body)
{
    if (body == 0) return m->body_weldid[b] != 0;
    while (b > body) b = m->body_parentid[b];
    return b == body;
}

static inline Whole wholeOf(const snModel* m, const snData* d, int body)
{
    Whole w = {0};
    snVec3 moment = {0, 0, 0}, p = {0, 0, 0}, L = {0, 0, 0};
    for (int b = 1; b < m->nbody; b++) {
        if (!ofSubtree(m, b, body)) continue;
        double v[6];
        sn_objectVelocity(m, d, SN_OBJ_BODY, b, v, 0);
        const snVec3 at = sn_v3Load(d->xipos + 3 * b), linear = sn_v3Scale(sn_v3Load(v + 3), m->body_mass[b]);
        const snMat3 R = sn_m3Load(d->ximat + 9 * b);
        const snVec3 w_b = sn_m3TMul(R, sn_v3Load(v));
        const double* I = m->body_inertia + 3 * b;
        const snVec3 spin = sn_m3Mul(R, sn_v3(I[0] * w_b.x, I[1] * w_b.y, I[2] * w_b.z));
        w.mass += m->body_mass[b];
        moment = sn_v3AddScaled(moment, m->body_mass[b], at);
        p = sn_v3Add(p, linear);
        L = sn_v3Add(L, sn_v3Add(spin, sn_v3Cross(at, linear)));
    }
    const snVec3 pos = sn_v3Scale(moment, 1 / w.mass);
    sn_v3Store(w.pos, pos);
    sn_v3Store(w.momentum, p);
    sn_v3Store(w.momentum + 3, sn_v3Sub(L, sn_v3Cross(pos, p)));
    return w;
}

#endif
