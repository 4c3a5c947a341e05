#include "derivative/step/along.h"
#include <string.h>
#include <sinew/support.h>
#include "derivative/step/acceleration.h"
#include "derivative/step/columns.h"
#include "derivative/step/integrator.h"
#include "derivative/step/position.h"
#include "derivative/step/projection.h"
#include "derivative/step/sensors.h"
#include "derivative/step/stages.h"
#include "model/arena.h"
#include "model/kinds.h"

// Rows of q, v, act, u in x.
static inline double* rowsV(const snModel* m, double* x, int stride)
{
    return x + (ptrdiff_t)m->nv * stride;
}
static inline double* rowsAct(const snModel* m, double* x, int stride)
{
    return x + (ptrdiff_t)2 * m->nv * stride;
}
static inline double* rowsU(const snModel* m, double* x, int stride)
{
    return x + (ptrdiff_t)sn_stateTangents(m) * stride;
}

// The first column += the generalized force of what is applied.
static snStatus addApplied(const snModel* m, snData* d, const snStepDirections* along, double* force,
                           snError* error)
{
    if (!along->qfrc && !along->xfrc) return SN_STATUS_OK;
    const size_t mark = sn_scratchMark(d);
    double* tau = sn_scratchMatrix(d, 1, m->nv);
    if (!tau) return sn_noRoom(d, error);
    if (along->qfrc) memcpy(tau, along->qfrc, (size_t)m->nv * sizeof *tau);
    for (int b = 1; along->xfrc && b < m->nbody; b++) {
        const double* f = along->xfrc + 6 * b;
        sn_applyFT(m, d, f, f + 3, d->xipos + 3 * b, b, tau);
    }
    for (int i = 0; i < m->nv; i++) force[(ptrdiff_t)i * along->stride] += tau[i];
    sn_scratchRelease(d, mark);
    return SN_STATUS_OK;
}

// out += A x over all inputs, A [nv x sn_padded(nx + nu)]
static void addInputs(const snModel* m, const snStepDirections* along, const double* A, double* out)
{
    const int inputs = sn_stepInputs(m), step = sn_padded(inputs);
    if (!along->identity)
        sn_columnsAddProduct(A, step, m->nv, inputs, along->x, along->stride, out);
    else
        for (ptrdiff_t i = 0; i < (ptrdiff_t)m->nv * step; i++) out[i] += A[i];
}

// The change of qacc in place of that of all forces at held qacc.
static void accelerate(const snModel* m, const snStepDirections* along, const snAccelerationDerivative* a,
                       double* da)
{
    sn_accelerationSolve(m, a, da, along->stride);
    if (a->prescribed) addInputs(m, along, a->prescribed, da);
}

// to [na x stride] = the change of the activations, or of their rates.
static void activations(const snModel* m, const snStepDirections* along, const snActivationSlopes* by,
                        double* to)
{
    const int stride = along->stride;
    memset(to, 0, (size_t)m->na * (size_t)stride * sizeof *to);
    for (int e = 0; e < by->count; e++) {
        const snActivationSlope* s = by->list + e;
        for (int c = 0; c < stride; c++)
            to[(ptrdiff_t)s->row * stride + c] += s->slope * along->x[(ptrdiff_t)s->column * stride + c];
    }
}

// ---- one evaluation of forward dynamics: Euler and the implicit integrators

// a' from the change of all forces at held qacc, X, and of qacc, da; in place of X. false: no room.
static bool throughIntegrator(const snModel* m, snData* d, const snStepDirections* along,
                              const snIntegratorDerivative* by, const double* da, double* X)
{
    const int stride = along->stride;
    if (da) {
        memset(X, 0, (size_t)m->nv * (size_t)stride * sizeof *X);
        sn_columnsAddM(m, d->qM, da, X, stride);
    }
    addInputs(m, along, by->change, X);
    if (!sn_integratorSolve(m, d, by, false, X, stride)) return false;
    if (by->prescribed) addInputs(m, along, by->prescribed, X);
    return true;
}

// next from the change of a' in `da`
static void advance(const snModel* m, const snStepDirections* along, const snIntegratorDerivative* by,
                    const double* da, double* next)
{
    const int stride = along->stride;
    const double h = m->opt.timestep, *v = rowsV(m, along->x, stride);
    double* nextV = rowsV(m, next, stride);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)m->nv * stride; i++) nextV[i] = v[i] + h * da[i];
    sn_positionAlong(m, by->velocity, along->x, nextV, next, stride);
    activations(m, along, &by->act, rowsAct(m, next, stride));
}

// Whether qacc itself is asked for, and not only M qacc.
static bool needsAcceleration(const snAccelerationDerivative* a, const snIntegratorDerivative* by,
                              const double* sensor)
{
    return a->P || a->factor || !by->implicit || sensor;
}

static snStatus directAlong(const snModel* m, snData* d, const snStepDirections* along, double* next,
                            double* sensor, snError* error)
{
    const int nv = m->nv, stride = along->stride;
    snAccelerationDerivative a;
    snIntegratorDerivative by;
    snStatus status = sn_accelerationDerivative(m, d, &a, error);
    if (!status) status = sn_integratorDerivative(m, d, a.stride, &by, error);
    if (status) return status;
    double *X = sn_scratchMatrix(d, nv, stride), *da = NULL;
    if (!X) return sn_noRoom(d, error);
    addInputs(m, along, a.force, X);
    status = addApplied(m, d, along, X, error);
    if (!status && needsAcceleration(&a, &by, sensor)) {
        da = sn_scratchMatrix(d, nv, stride);
        if (!da) return sn_noRoom(d, error);
        memcpy(da, X, (size_t)nv * (size_t)stride * sizeof *da);
        accelerate(m, along, &a, da);
    }
    if (!status && sensor) status = sn_sensorsAlong(m, d, along, da, sensor, error);
    if (status) return status;
    if (by.implicit && !throughIntegrator(m, d, along, &by, a.P || a.factor ? da : NULL, X))
        return sn_noRoom(d, error);
    advance(m, along, &by, by.implicit ? X : da, next);
    if (!sn_projectsLoops(m, d)) return SN_STATUS_OK;
    snProjectionDerivative projection;
    status = sn_projectionOfStep(m, d, by.velocity, &projection, error);
    if (status) return status;
    return sn_projectionAlong(m, d, &projection, along->x, next, stride) ? SN_STATUS_OK : sn_noRoom(d, error);
}

// ---- Runge-Kutta

// Changes of the rates of position, accelerations and act_dot of the stages, and a place for what is made of
// them.
typedef struct Slopes {
    snStepDirections stage; // at the present one
    double *v, *a;          // [SN_RK4_STAGES x nv x stride] v: of the rates of position
    double* rate;           // [SN_RK4_STAGES x na x stride]
    double* sum;            // [nv or na x stride]
} Slopes;

static bool makeSlopes(const snModel* m, snData* d, const snStepDirections* along, Slopes* k)
{
    const int nv = m->nv, na = m->na, stride = along->stride;
    k->stage = *along;
    k->stage.identity = false;
    k->stage.x = sn_scratchMatrix(d, sn_stepInputs(m), stride);
    k->v = sn_scratchMatrix(d, SN_RK4_STAGES * nv, stride);
    k->a = sn_scratchMatrix(d, SN_RK4_STAGES * nv, stride);
    k->rate = sn_scratchMatrix(d, SN_RK4_STAGES * na, stride);
    k->sum = sn_scratchMatrix(d, nv > na ? nv : na, stride);
    return k->stage.x && k->v && k->a && k->rate && k->sum;
}

// to = x + h sum of weights times slopes, rows of one kind
static void addSlopes(const snModel* m, const double* weight, const double* slopes, const double* x, int rows,
                      int stride, double* sum, double* to)
{
    const int count = rows * stride;
    sn_combineStages(sum, weight, slopes, count);
    for (int i = 0; i < count; i++) to[i] = x[i] + m->opt.timestep * sum[i];
}

// The change of the state of stage s.
static void enterAlong(const snModel* m, const snStepDirections* along, const snStages* stages, Slopes* k,
                       int s)
{
    const int nv = m->nv, na = m->na, stride = along->stride;
    double *x = along->x, *to = k->stage.x;
    const double* weight = sn_rk4A[s];
    sn_combineStages(k->sum, weight, k->v, nv * stride);
    sn_positionAlong(m, stages->mean + (ptrdiff_t)s * nv, x, k->sum, to, stride);
    addSlopes(m, weight, k->a, rowsV(m, x, stride), nv, stride, k->sum, rowsV(m, to, stride));
    addSlopes(m, weight, k->rate, rowsAct(m, x, stride), na, stride, k->sum, rowsAct(m, to, stride));
    memcpy(rowsU(m, to, stride), rowsU(m, x, stride), (size_t)m->nu * (size_t)stride * sizeof *to);
}

// Slopes of stage s from the change of its state.
static snStatus slopesAlong(const snModel* m, snData* d, const snStages* stages, Slopes* k, int s,
                            double* sensor, snError* error)
{
    const int nv = m->nv, stride = k->stage.stride;
    const size_t block = (size_t)nv * (size_t)stride;
    double *da = k->a + (size_t)s * block, *dv = k->v + (size_t)s * block;
    snAccelerationDerivative a;
    snStatus status = sn_accelerationDerivative(m, d, &a, error);
    if (status) return status;
    addInputs(m, &k->stage, a.force, da);
    status = addApplied(m, d, &k->stage, da, error);
    if (status) return status;
    accelerate(m, &k->stage, &a, da);
    memcpy(dv, rowsV(m, k->stage.x, stride), block * sizeof(double));
    sn_combineStages(k->sum, sn_rk4A[s], k->v, nv * stride);
    sn_stageRatesAlong(m, d, stages, s, k->sum, dv, stride);
    activations(m, &k->stage, &a.rates, k->rate + (ptrdiff_t)s * m->na * stride);
    return s == 0 && sensor ? sn_sensorsAlong(m, d, &k->stage, da, sensor, error) : SN_STATUS_OK;
}

static snStatus stageAlong(const snModel* m, snData* d, const snStepDirections* along, snStages* stages,
                           Slopes* k, int s, double* sensor, snError* error)
{
    const size_t mark = sn_scratchMark(d);
    snStatus status = SN_STATUS_OK;
    if (s) { // the first is the state as it is
        sn_stageEnter(m, d, stages, s);
        status = sn_forwardPolished(m, d, false, error);
    }
    if (!status) {
        sn_stageKeep(m, d, stages, s);
        enterAlong(m, along, stages, k, s);
        status = slopesAlong(m, d, stages, k, s, sensor, error);
    }
    sn_scratchRelease(d, mark);
    return status;
}

static void combineAlong(const snModel* m, const snStepDirections* along, const snStages* stages, Slopes* k,
                         double* next)
{
    const int nv = m->nv, na = m->na, stride = along->stride;
    sn_combineStages(k->sum, sn_rk4B, k->v, nv * stride);
    sn_positionAlong(m, stages->mean + (ptrdiff_t)SN_RK4_STAGES * nv, along->x, k->sum, next, stride);
    addSlopes(m, sn_rk4B, k->a, rowsV(m, along->x, stride), nv, stride, k->sum, rowsV(m, next, stride));
    sn_combineStages(k->sum, sn_rk4B, k->rate, na * stride);
    double *act = rowsAct(m, next, stride), *before = rowsAct(m, along->x, stride);
    for (int i = 0; i < m->nactuator; i++)
        for (int n = 0; m->actuator_actadr[i] >= 0 && n < m->actuator_actnum[i]; n++) {
            double byAct, byRate;
            const int row = m->actuator_actadr[i] + n;
            const ptrdiff_t at = (ptrdiff_t)row * stride;
            sn_stagesActivation(m, stages, i, row, &byAct, &byRate);
            for (int c = 0; c < stride; c++) act[at + c] = byAct * before[at + c] + byRate * k->sum[at + c];
        }
}

// At the last stage, whose inertia the projection of loops takes.
static snStatus projectAlong(const snModel* m, snData* d, const snStages* stages, const Slopes* k,
                             double* next, snError* error)
{
    snProjectionDerivative projection;
    double *qpos = sn_scratchMatrix(d, 1, m->nq), *qvel = sn_scratchMatrix(d, 1, m->nv);
    if (!qpos || !qvel) return sn_noRoom(d, error);
    sn_stagesResult(m, stages, qpos, qvel);
    const snStatus status = sn_projectionDerivative(m, d, qpos, qvel, 0, &projection, error);
    if (status) return status;
    const bool room = sn_projectionAlong(m, d, &projection, k->stage.x, next, k->stage.stride);
    return room ? SN_STATUS_OK : sn_noRoom(d, error);
}

static snStatus rungeKuttaAlong(const snModel* m, snData* d, const snStepDirections* along, double* next,
                                double* sensor, snError* error)
{
    snStages stages;
    Slopes k;
    if (!sn_stagesBegin(m, d, &stages) || !makeSlopes(m, d, along, &k)) return sn_noRoom(d, error);
    snStatus status = SN_STATUS_OK;
    for (int s = 0; s < SN_RK4_STAGES && !status; s++)
        status = stageAlong(m, d, along, &stages, &k, s, sensor, error);
    if (!status) combineAlong(m, along, &stages, &k, next);
    if (!status && sn_projectsLoops(m, d)) status = projectAlong(m, d, &stages, &k, next, error);
    sn_stagesEnd(m, d, &stages);
    const snStatus again = sn_forwardPolished(m, d, true, status ? NULL : error);
    return status ? status : again;
}

snStatus sn_stepAlong(const snModel* m, snData* d, const snStepDirections* along, double* next,
                      double* sensor, snError* error)
{
    const size_t mark = sn_scratchMark(d);
    const snStatus status = (sn_integratorKind(m->opt.integrator).stages ? rungeKuttaAlong : directAlong)(
        m, d, along, next, sensor, error);
    sn_scratchRelease(d, mark);
    return status;
}
