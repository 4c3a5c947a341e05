// The end of a step: its twin is pipeline/integrate.c. Of its own, for lanes that are left to the scalar
// engine get their state back, whenever that shows.
#include <sinew/smooth.h>
#include <sinew/support.h>
#include "batch/lane/lane.h"
#include "model/arena.h"
#include "pipeline/rk4.h"
#include "smooth/actuator/activation.h"
#include "smooth/actuator/dcmotor.h"
#include "smooth/inertia/damped.h"
#include "smooth/inertia/factor.h"
#include "smooth/inertia/factor_lu.h"
#include "smooth/velocity_derivative.h"

// ---- the state before the step

typedef struct State {
    real time, *qpos, *qvel, *act, *warmstart;
} State;

static real* copy(snData* d, const real* x, int n)
{
    real* to = sn_scratchReal(d, n);
    return to ? memcpy(to, x, (size_t)n * sizeof(real)) : NULL;
}

static State stateOf(const snModel* m, snData* d)
{
    return (State){d->time, copy(d, d->qpos, m->nq), copy(d, d->qvel, m->nv), copy(d, d->act, m->na),
                   copy(d, d->qacc_warmstart, m->nv)};
}

static void restore(snMask lanes, const real* from, int n, real* x)
{
    for (int i = 0; i < n; i++) x[i] = sn_select(lanes, from[i], x[i]);
}

static void restoreEjected(const snModel* m, const State* s, snData* d)
{
    if (!sn_any(d->eject)) return;
    restore(d->eject, &s->time, 1, &d->time);
    restore(d->eject, s->qpos, m->nq, d->qpos);
    restore(d->eject, s->qvel, m->nv, d->qvel);
    restore(d->eject, s->act, m->na, d->act);
    restore(d->eject, s->warmstart, m->nv, d->qacc_warmstart);
}

// ---- integrators

static void tick(const snModel* m, snData* d)
{
#ifdef SN_SINGLE
    for (int l = 0; l < SN_LANES; l++) {
        if (!d->eject[l]) d->clock[l] += m->timestep[l];
        d->time[l] = (snLane)d->clock[l];
    }
#else
    d->time += m->opt.timestep;
#endif
}

// By mean velocities [nv], or, if NULL, by those at the end of the step.
static void advance(const snModel* m, snData* d, const real* act_dot, const real* acceleration,
                    const real* velocity)
{
    const real h = m->opt.timestep;
    sn_advanceActivation(m, d, act_dot);
    for (int i = 0; i < m->nv; i++) d->qvel[i] += h * acceleration[i];
    sn_integratePos(m, d->qpos, velocity ? velocity : d->qvel, h);
    tick(m, d);
    memcpy(d->qacc_warmstart, d->qacc, (size_t)m->nv * sizeof(real));
}

// The sum of all forces.
static real* forces(const snModel* m, snData* d)
{
    real* sum = d->integrator_stage;
    for (int i = 0; i < m->nv; i++) sum[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
    return sum;
}

// (M + h D) a = sum of all forces, in lanes with damping; qacc in the others.
static const real* eulerAcceleration(const snModel* m, snData* d)
{
    const snMask damped = sn_eulerDamped(m);
    if (!sn_any(damped)) return d->qacc;
    sn_factorDamped(m, d);
    real* a = forces(m, d);
    sn_solveTree(m, d->qH, d->qHDiagInv, a, 1);
    if (!sn_all(damped)) restore(sn_not(damped), d->qacc, m->nv, a);
    return a;
}

static const real* implicitAcceleration(const snModel* m, snData* d)
{
    const snGyroBodies bias = sn_biasOfStep(m);
    real* a = forces(m, d);
    sn_smoothVelAt(m, d, bias, NULL);
    if (bias) {
        sn_implicitMatrix(m, d, d->qLU);
        if (bias == SN_GYRO_LONE) sn_uncoupleSimple(m, true, d->qLU);
        sn_reportPivots(d, sn_factorLU(m, d->qLU));
        sn_solveLU(m, d->qLU, a);
        return a;
    }
    sn_implicitMatrixSymmetric(m, d, false, d->qH);
    sn_reportPivots(d, sn_factorTree(m, true, d->qH, d->qHDiagInv));
    sn_solveTree(m, d->qH, d->qHDiagInv, a, 1);
    return a;
}

enum { STAGES = SN_RK4_STAGES };

// sum [n] = sum over stages s of weight[s] x[s]
static void combine(real* sum, const snDouble* weight, const real* x, int n)
{
    memset(sum, 0, (size_t)n * sizeof(real));
    for (int s = 0; s < STAGES; s++)
        for (int i = 0; i < n && weight[s] != 0; i++) sum[i] += (snLane)weight[s] * x[s * n + i];
}

// What a step of Runge and Kutta goes by.
typedef struct Stages {
    real *v, *a, *rate; // [STAGES x nv] rates of position, [STAGES x nv], [STAGES x na]
    real *mean_v, *mean_a, *mean_rate;
} Stages;

static Stages stagesOf(const snModel* m, snData* d)
{
    real *v = d->integrator_stage, *a = v + STAGES * m->nv, *rate = d->integrator_act;
    return (Stages){v, a, rate, a + STAGES * m->nv, a + (STAGES + 1) * m->nv, rate + STAGES * m->na};
}

static void keepStage(const snModel* m, const snData* d, int s, Stages* stages)
{
    memcpy(stages->v + s * m->nv, d->qvel, (size_t)m->nv * sizeof(real));
    memcpy(stages->a + s * m->nv, d->qacc, (size_t)m->nv * sizeof(real));
    memcpy(stages->rate + s * m->na, d->act_dot, (size_t)m->na * sizeof(real));
}

static void combineStages(const snModel* m, const snDouble* weight, Stages* stages)
{
    combine(stages->mean_v, weight, stages->v, m->nv);
    combine(stages->mean_a, weight, stages->a, m->nv);
    combine(stages->mean_rate, weight, stages->rate, m->na);
}

static void stage(const snModel* m, snData* d, const State* old, int s, Stages* stages)
{
    const real h = m->opt.timestep;
    combineStages(m, sn_rk4A[s], stages);
    for (int i = 0; i < m->na; i++) d->act[i] = old->act[i] + h * stages->mean_rate[i];
    for (int i = 0; i < m->nv; i++) d->qvel[i] = old->qvel[i] + h * stages->mean_a[i];
    memcpy(d->qpos, old->qpos, (size_t)m->nq * sizeof(real));
    sn_integratePos(m, d->qpos, stages->mean_v, h);
    d->time = old->time + (snLane)sn_rk4C[s] * h;
    sn_laneForward(m, d, false);
    keepStage(m, d, s, stages);
    sn_rk4Rates(m, stages->mean_v, h, stages->v + s * m->nv);
}

static void rungeKutta(const snModel* m, snData* d, const State* old)
{
    Stages stages = stagesOf(m, d);
    real* velocity0;
    if (!sn_keepMotorVelocities(m, d, &velocity0)) d->eject = sn_mask(true);
    keepStage(m, d, 0, &stages);
    for (int s = 1; s < STAGES; s++) stage(m, d, old, s, &stages);
    combineStages(m, sn_rk4B, &stages);
    d->time = old->time;
    memcpy(d->qpos, old->qpos, (size_t)m->nq * sizeof(real));
    memcpy(d->qvel, old->qvel, (size_t)m->nv * sizeof(real));
    memcpy(d->act, old->act, (size_t)m->na * sizeof(real));
    sn_restoreMotorVelocities(m, d, velocity0);
    advance(m, d, stages.mean_rate, stages.mean_a, stages.mean_v);
}

static void advanceBy(const snModel* m, snData* d, const State* old)
{
    switch ((snIntegrator)m->opt.integrator) {
    case SN_INT_RK4: rungeKutta(m, d, old); break;
    case SN_INT_IMPLICITFAST: advance(m, d, d->act_dot, implicitAcceleration(m, d), NULL); break;
    case SN_INT_EULER:
    case SN_INT_IMPLICIT: // these are left to the scalar engine by batch/features.c
    case SN_INT_DISCRETE: advance(m, d, d->act_dot, eulerAcceleration(m, d), NULL);
    }
}

void sn_laneAdvance(const snModel* m, snData* d)
{
    if (sn_all(d->eject)) return;
    const size_t mark = sn_scratchMark(d);
    const State old = stateOf(m, d);
    if (old.qpos && old.qvel && old.act && old.warmstart) {
        advanceBy(m, d, &old);
        restoreEjected(m, &old, d);
    } else {
        d->eject = sn_mask(true);
    }
    sn_scratchRelease(d, mark);
}
