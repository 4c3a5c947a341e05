#include "derivative/step/adjoint.h"
#include <string.h>
#include <sinew/smooth.h>
#include <sinew/support.h>
#include "derivative/step/acceleration.h"
#include "derivative/step/columns.h"
#include "derivative/step/integrator.h"
#include "derivative/step/position.h"
#include "derivative/step/projection.h"
#include "derivative/step/sensors.h"
#include "math/spatial.h"
#include "model/arena.h"
#include "model/kinds.h"

// Gradients as they are summed up.
typedef struct Sums {
    double* x;      // [nx + nu] q, v, act, u
    double* qfrc;   // [nv]
    double* xfrc;   // [nbody x 6], NULL: not wanted
    double* column; // [nv x WIDTH] one right-hand side
} Sums;

enum { WIDTH = 4 };

static void scatter(double* column, const double* x, int n)
{
    memset(column, 0, (size_t)n * WIDTH * sizeof *column);
    for (int i = 0; i < n; i++) column[(ptrdiff_t)i * WIDTH] = x[i];
}

static void gather(double* x, const double* column, int n)
{
    for (int i = 0; i < n; i++) x[i] = column[(ptrdiff_t)i * WIDTH];
}

// x [nx + nu] += A' y, A [nv x sn_padded(nx + nu)]
static void addTransposed(const snModel* m, const double* A, const double* y, double* x)
{
    const int inputs = sn_stepInputs(m), step = sn_padded(inputs);
    for (int i = 0; i < m->nv; i++, A += step)
        for (int c = 0; c < inputs; c++) x[c] += A[c] * y[i];
}

// x [nx + nu] += the gradient by what has the slopes, from that by the activations or their rates, g [na].
static void addActivations(const snActivationSlopes* by, const double* g, double* x)
{
    for (int e = 0; e < by->count; e++) {
        const snActivationSlope* s = by->list + e;
        x[s->column] += s->slope * g[s->row];
    }
}

// ---- applied forces

// xfrc += what each body's centre of mass does under the velocity `force`.
static snStatus addBodies(const snModel* m, snData* d, const double* force, double* xfrc, snError* error)
{
    const size_t mark = sn_scratchMark(d);
    double* velocity = sn_scratchMatrix(d, m->nbody, 6);
    if (!velocity) return sn_noRoom(d, error);
    for (int b = 1; b < m->nbody; b++) {
        snMotion v = sn_motionLoad(velocity + 6 * m->body_parentid[b]);
        for (int k = m->body_dofadr[b], end = k + m->body_dofnum[b]; k < end; k++)
            v = sn_motionAddScaled(v, force[k], sn_motionLoad(d->cdof + 6 * k));
        sn_motionStore(velocity + 6 * b, v);
        const snVec3 com = sn_v3Load(d->subtree_com + 3 * m->body_rootid[b]);
        const snVec3 arm = sn_v3Sub(sn_v3Load(d->xipos + 3 * b), com);
        const snVec3 lin = sn_v3Add(v.lin, sn_v3Cross(v.ang, arm));
        double* to = xfrc + 6 * b;
        sn_v3Store(to, sn_v3Add(sn_v3Load(to), lin));
        sn_v3Store(to + 3, sn_v3Add(sn_v3Load(to + 3), v.ang));
    }
    sn_scratchRelease(d, mark);
    return SN_STATUS_OK;
}

// Through qacc: its gradient ga becomes that by a generalized force.
static snStatus throughAcceleration(const snModel* m, snData* d, const snAccelerationDerivative* a,
                                    const double* ga, double* force, Sums* sums, snError* error)
{
    scatter(sums->column, ga, m->nv);
    sn_accelerationSolve(m, a, sums->column, WIDTH);
    gather(force, sums->column, m->nv);
    addTransposed(m, a->force, force, sums->x);
    if (a->prescribed) addTransposed(m, a->prescribed, ga, sums->x);
    for (int i = 0; i < m->nv; i++) sums->qfrc[i] += force[i];
    return sums->xfrc ? addBodies(m, d, force, sums->xfrc, error) : SN_STATUS_OK;
}

// ---- one evaluation of forward dynamics

// Through the integrator: the gradient of a' becomes the multiplier of its equation, that of qacc `ga`.
// false: no room.
static bool throughIntegrator(const snModel* m, snData* d, const snIntegratorDerivative* by, double* next,
                              double* ga, Sums* sums)
{
    if (by->prescribed) addTransposed(m, by->prescribed, next, sums->x);
    scatter(sums->column, next, m->nv);
    if (!sn_integratorSolve(m, d, by, true, sums->column, WIDTH)) return false;
    gather(next, sums->column, m->nv);
    addTransposed(m, by->change, next, sums->x);
    sn_mulM(m, d, ga, next);
    return true;
}

// From the gradient by the next state to that by a' in `next`.
static void throughState(const snModel* m, const snIntegratorDerivative* by, const double* g, double* next,
                         Sums* sums)
{
    const int nv = m->nv;
    memcpy(next, g + nv, (size_t)nv * sizeof *next);
    sn_positionAdjoint(m, by->velocity, g, sums->x, next);
    for (int i = 0; i < nv; i++) {
        sums->x[nv + i] += next[i];
        next[i] *= m->opt.timestep;
    }
    addActivations(&by->act, g + (ptrdiff_t)2 * nv, sums->x);
}

// The gradient by the state before the projection of loops, in scratch, in the place of that behind it,
// *next; at [nv] += that by the position where M is.
static snStatus throughProjection(const snModel* m, snData* d, const snProjectionDerivative* projection,
                                  const double** next, double* at, snError* error)
{
    double* before = sn_scratchMatrix(d, 1, sn_stateTangents(m));
    if (!before) return sn_noRoom(d, error);
    memcpy(before, *next, (size_t)sn_stateTangents(m) * sizeof *before);
    sn_projectionAdjoint(m, projection, *next, before, at);
    *next = before;
    return SN_STATUS_OK;
}

static snStatus directAdjoint(const snModel* m, snData* d, const double* next, const double* sensor,
                              Sums* sums, snStepAdjoint* adjoint, snError* error)
{
    const int nv = m->nv;
    snAccelerationDerivative a;
    snIntegratorDerivative by;
    snStatus status = sn_accelerationDerivative(m, d, &a, error);
    if (!status) status = sn_integratorDerivative(m, d, a.stride, &by, error);
    if (status) return status;
    double *multiplier = sn_scratchMatrix(d, 1, nv), *ga = sn_scratchMatrix(d, 1, nv);
    adjoint->nstage = 1;
    adjoint->force = sn_scratchMatrix(d, 1, nv);
    if (!multiplier || !ga || !adjoint->force) return sn_noRoom(d, error);
    if (next && sn_projectsLoops(m, d)) {
        snProjectionDerivative projection;
        status = sn_projectionOfStep(m, d, by.velocity, &projection, error);
        if (!status) status = throughProjection(m, d, &projection, &next, sums->x, error);
        if (status) return status;
    }
    if (next) throughState(m, &by, next, multiplier, sums);
    if (by.implicit) {
        if (!throughIntegrator(m, d, &by, multiplier, ga, sums)) return sn_noRoom(d, error);
        adjoint->next = multiplier;
        adjoint->a = by.next;
    } else {
        memcpy(ga, multiplier, (size_t)nv * sizeof *ga);
        adjoint->gradient = multiplier;
    }
    if (sensor) status = sn_sensorsAdjoint(m, d, sensor, sums->x, ga, sums->xfrc, error);
    return status ? status : throughAcceleration(m, d, &a, ga, adjoint->force, sums, error);
}

// ---- Runge-Kutta

typedef struct Slopes {
    snAccelerationDerivative of[SN_RK4_STAGES];
    double *v, *a; // [SN_RK4_STAGES x nv] gradients by the stages' rates of position and accelerations
    double* rate;  // [SN_RK4_STAGES x na] by their act_dot
    double *x, *w; // [nx + nu], [nv] by state and mean rate of one stage
    double* last;  // [nv] gradient by the position of the last stage
} Slopes;

static snStatus makeSlopes(const snModel* m, snData* d, snStages* stages, Slopes* k, snError* error)
{
    k->v = sn_scratchMatrix(d, SN_RK4_STAGES, m->nv);
    k->a = sn_scratchMatrix(d, SN_RK4_STAGES, m->nv);
    k->rate = sn_scratchMatrix(d, SN_RK4_STAGES, m->na);
    k->x = sn_scratchMatrix(d, 1, sn_stepInputs(m));
    k->w = sn_scratchMatrix(d, 1, m->nv);
    k->last = sn_scratchMatrix(d, 1, m->nv);
    if (!k->v || !k->a || !k->rate || !k->x || !k->w || !k->last) return sn_noRoom(d, error);
    snStatus status = SN_STATUS_OK;
    for (int s = 0; s < SN_RK4_STAGES && !status; s++) {
        if (s) {
            sn_stageEnter(m, d, stages, s);
            status = sn_forwardPolished(m, d, false, error);
        }
        if (status) break;
        sn_stageKeep(m, d, stages, s);
        status = sn_accelerationDerivative(m, d, &k->of[s], error);
    }
    return status;
}

// From the gradient by the next state to those by the slopes.
static void throughMeans(const snModel* m, const snStages* stages, const double* g, Slopes* k, Sums* sums)
{
    const int nv = m->nv;
    const double h = m->opt.timestep;
    memset(k->w, 0, (size_t)nv * sizeof(double));
    sn_positionAdjoint(m, stages->mean + (ptrdiff_t)SN_RK4_STAGES * nv, g, sums->x, k->w);
    for (int i = 0; i < nv; i++) sums->x[nv + i] += g[nv + i];
    for (int s = 0; s < SN_RK4_STAGES; s++)
        for (int i = 0; i < nv; i++) {
            k->v[s * nv + i] += sn_rk4B[s] * k->w[i];
            k->a[s * nv + i] += sn_rk4B[s] * h * g[nv + i];
        }
    for (int i = 0; i < m->nactuator; i++)
        for (int n = 0; m->actuator_actadr[i] >= 0 && n < m->actuator_actnum[i]; n++) {
            double byAct, byRate;
            const int row = m->actuator_actadr[i] + n;
            sn_stagesActivation(m, stages, i, row, &byAct, &byRate);
            sums->x[2 * nv + row] += byAct * g[2 * nv + row];
            for (int s = 0; s < SN_RK4_STAGES; s++)
                k->rate[s * m->na + row] += sn_rk4B[s] * byRate * g[2 * nv + row];
        }
}

// From the gradient x by the state of stage s to those by the state before the step and by earlier slopes.
static void throughStage(const snModel* m, const snStages* stages, int s, Slopes* k, Sums* sums)
{
    const int nv = m->nv, na = m->na;
    const double h = m->opt.timestep, *x = k->x;
    sn_positionAdjoint(m, stages->mean + (ptrdiff_t)s * nv, x, sums->x, k->w);
    for (int i = nv; i < sn_stepInputs(m); i++) sums->x[i] += x[i];
    for (int j = 0; j < s; j++) {
        const double weight = sn_rk4A[s][j];
        for (int i = 0; i < nv; i++) {
            k->v[j * nv + i] += weight * k->w[i];
            k->a[j * nv + i] += weight * h * x[nv + i];
        }
        for (int i = 0; i < na; i++) k->rate[j * na + i] += weight * h * x[2 * nv + i];
    }
}

// From the gradients by the slopes of stage s to those by its state, k->x, and its mean rate, k->w.
static snStatus throughSlopes(const snModel* m, snData* d, const snStages* stages, int s, Slopes* k,
                              double* force, Sums* sums, snError* error)
{
    const int nv = m->nv;
    const snAccelerationDerivative* of = &k->of[s];
    Sums stage = *sums;
    stage.x = k->x;
    memset(k->x, 0, (size_t)sn_stepInputs(m) * sizeof(double));
    memset(k->w, 0, (size_t)nv * sizeof(double));
    for (int i = 0; i < nv; i++) k->x[nv + i] = k->v[s * nv + i];
    if (s) sn_stageRatesAdjoint(m, stages, s, k->x + nv, k->w);
    for (int i = 0; i < nv && s == SN_RK4_STAGES - 1; i++) k->x[i] = k->last[i];
    addActivations(&of->rates, k->rate + (ptrdiff_t)s * m->na, k->x);
    return throughAcceleration(m, d, of, k->a + (ptrdiff_t)s * nv, force, &stage, error);
}

// Back to the poses of stage s, for the motions of bodies.
static void posesOf(const snModel* m, snData* d, snStages* stages, int s)
{
    if (s)
        sn_stageEnter(m, d, stages, s);
    else
        sn_stagesEnd(m, d, stages);
    sn_kinematics(m, d);
    sn_comPos(m, d);
}

// At the last stage, whose inertia the projection of loops takes.
static snStatus projectAdjoint(const snModel* m, snData* d, const snStages* stages, Slopes* k,
                               const double** next, snError* error)
{
    snProjectionDerivative projection;
    double *qpos = sn_scratchMatrix(d, 1, m->nq), *qvel = sn_scratchMatrix(d, 1, m->nv);
    if (!qpos || !qvel) return sn_noRoom(d, error);
    sn_stagesResult(m, stages, qpos, qvel);
    const snStatus status = sn_projectionDerivative(m, d, qpos, qvel, 0, &projection, error);
    return status ? status : throughProjection(m, d, &projection, next, k->last, error);
}

static snStatus stagesAdjoint(const snModel* m, snData* d, const double* next, const double* sensor,
                              Sums* sums, snStepAdjoint* adjoint, snError* error)
{
    snStages* stages = &adjoint->stages;
    const int nv = m->nv;
    Slopes k;
    double *x0 = sn_scratchMatrix(d, 1, sn_stepInputs(m)), *a0 = sn_scratchMatrix(d, 1, nv);
    adjoint->nstage = SN_RK4_STAGES;
    adjoint->force = sn_scratchMatrix(d, SN_RK4_STAGES, nv);
    if (!x0 || !a0 || !adjoint->force) return sn_noRoom(d, error);
    // while d is at the first stage
    snStatus status = sensor ? sn_sensorsAdjoint(m, d, sensor, x0, a0, sums->xfrc, error) : SN_STATUS_OK;
    if (!status) status = makeSlopes(m, d, stages, &k, error);
    if (status) return status;
    if (next && sn_projectsLoops(m, d)) status = projectAdjoint(m, d, stages, &k, &next, error);
    if (status) return status;
    if (next) throughMeans(m, stages, next, &k, sums);
    for (int i = 0; i < nv; i++) k.a[i] += a0[i];
    for (int i = 0; i < sn_stepInputs(m); i++) sums->x[i] += x0[i];
    for (int s = SN_RK4_STAGES - 1; s >= 0 && !status; s--) {
        if (sums->xfrc) posesOf(m, d, stages, s);
        status = throughSlopes(m, d, stages, s, &k, adjoint->force + (ptrdiff_t)s * nv, sums, error);
        if (!status) throughStage(m, stages, s, &k, sums);
    }
    return status;
}

static snStatus rungeKuttaAdjoint(const snModel* m, snData* d, const double* next, const double* sensor,
                                  Sums* sums, snStepAdjoint* adjoint, snError* error)
{
    if (!sn_stagesBegin(m, d, &adjoint->stages)) return sn_noRoom(d, error);
    const snStatus status = stagesAdjoint(m, d, next, sensor, sums, adjoint, error);
    sn_stagesEnd(m, d, &adjoint->stages);
    const snStatus again = sn_forwardPolished(m, d, true, status ? NULL : error);
    return status ? status : again;
}

// ----

static void put(double* to, const double* from, int n)
{
    if (to) memcpy(to, from, (size_t)n * sizeof *to);
}

static bool makeSums(const snModel* m, snData* d, const snStepGradient* gradient, Sums* sums)
{
    *sums = (Sums){.x = sn_scratchMatrix(d, 1, sn_stepInputs(m)),
                   .qfrc = sn_scratchMatrix(d, 1, m->nv),
                   .xfrc = gradient->xfrc ? sn_scratchMatrix(d, m->nbody, 6) : NULL,
                   .column = sn_scratchMatrix(d, m->nv, WIDTH)};
    return sums->x && sums->qfrc && sums->column && (sums->xfrc || !gradient->xfrc);
}

snStatus sn_stepAdjoint(const snModel* m, snData* d, const double* next, const double* sensor,
                        const snStepGradient* gradient, snStepAdjoint* adjoint, snError* error)
{
    Sums sums;
    *adjoint = (snStepAdjoint){0};
    snStatus status = sn_isStepDifferentiable(m, d, error);
    if (!status) status = sn_forwardPolished(m, d, true, error);
    if (status) return status;
    if (!makeSums(m, d, gradient, &sums)) return sn_noRoom(d, error);
    status = (sn_integratorKind(m->opt.integrator).stages ? rungeKuttaAdjoint : directAdjoint)(
        m, d, next, sensor, &sums, adjoint, error);
    if (status) return status;
    put(gradient->x, sums.x, sn_stateTangents(m));
    put(gradient->u, sums.x + sn_stateTangents(m), m->nu);
    put(gradient->qfrc, sums.qfrc, m->nv);
    if (sums.xfrc) put(gradient->xfrc, sums.xfrc, 6 * m->nbody);
    return status;
}
