// Time integration (seed 001, "Numerical integration").
#include <sinew/loop.h>
#include <sinew/smooth.h>
#include <sinew/support.h>
#include <string.h>
#include "lcp/impulse.h"
#include "lcp/stabilise.h"
#include "loop/acceleration.h"
#include "loop/damper.h"
#include "loop/position.h"
#include "model/arena.h"
#include "model/history.h"
#include "model/made.h"
#include "model/plugin_call.h"
#include "model/sleep.h"
#include "pipeline/integrate.h"
#include "pipeline/yield.h"
#include "smooth/actuator/activation.h"
#include "smooth/actuator/dcmotor.h"
#include "smooth/inertia/factor.h"
#include "smooth/kinematics/integrate_joints.h"

// Positions by mean velocities, or by those at the end of the step.
static void project(const snModel* m, snData* d, const double* acceleration, const double* velocity,
                    const snLoopStanding* begin)
{
    const snLoopStanding here = sn_loopStanding(d);
    const snLoopStep step = {acceleration, velocity, begin ? begin : &here};
    if (!sn_loopProjectStep(m, d, velocity ? 0 : m->opt.timestep, &step)) sn_warnFull(d);
}

// Sleepers stand still, and keep what a solver starts from.
static void advanceAwake(const snModel* m, snData* d, const double* acceleration, const double* velocity)
{
    const double h = m->opt.timestep;
    for (snRuns r = sn_awakeDofs(m, d); sn_isRun(&r); sn_nextRun(&r)) {
        if (r.first == r.end) continue; // no dofs at all
        const size_t count = (size_t)(r.end - r.first);
        for (int i = r.first; i < r.end; i++) d->qvel[i] += h * acceleration[i];
        sn_integrateJoints(m, d->qpos, velocity ? velocity : d->qvel, h, m->dof_jntid[r.first],
                           r.end == m->nv ? m->njnt : m->dof_jntid[r.end]);
        memcpy(d->qacc_warmstart + r.first, d->qacc + r.first, count * sizeof(double));
    }
}

void sn_advance(const snModel* m, snData* d, const double* act_dot, const double* acceleration,
                const double* velocity, const snLoopStanding* begin)
{
    sn_assertMade(m, d, qacc);
    sn_keepHistory(m, d);
    sn_lcpKeep(m, d);
    sn_advanceActivation(m, d, act_dot);
    if (d->nasleep) sn_settleSleep(m, d);
    advanceAwake(m, d, acceleration, velocity);
    if (m->nplastic && sn_tendonsYield(m)) sn_yieldTendons(m, d, velocity ? velocity : d->qvel);
    d->time += m->opt.timestep;
    if (d->nclosure && m->opt.loop_project) project(m, d, acceleration, velocity, begin);
    if (m->opt.contact == SN_CONTACT_LCP) sn_lcpMend(m, d);
    if (m->nplastic) sn_yieldJoints(m, d);
    if (d->nplugin) sn_pluginAdvance(m, d);
}

// In M + hB of mechanisms, whose accelerations the loops bind: K a = k + k_stab.
static void loopsDamped(const snModel* m, snData* d, double* acceleration)
{
    if (d->nclosure == 0) return;
    const size_t mark = sn_scratchMark(d);
    double* force = sn_scratchReal(d, m->nv);
    snLoopDamped damped;
    for (int i = 0; i < m->nv && force; i++) force[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
    if (!force || !sn_factorLoopsDamped(m, d, &damped) ||
        !sn_loopAccelerationIn(m, d, &damped, force, acceleration))
        sn_warnFull(d);
    sn_scratchRelease(d, mark);
}

const double* sn_eulerAcceleration(const snModel* m, snData* d, bool factored)
{
    sn_assertMade(m, d, qacc, qM, qfrc_smooth, qfrc_constraint);
    const bool damped = sn_eulerDampsAny(m, d);
    if (m->opt.contact == SN_CONTACT_LCP) return d->qacc; // (v+ - v) / h already
    if (!damped && !sn_eulerDampsLoops(m, d)) return d->qacc;
    // (M + h D) a = M qacc, and M qacc is the sum of all forces
    double* acceleration = d->integrator_stage;
    if (damped) {
        if (!factored) sn_factorDamped(m, d);
        SN_EACH_DOF (m, d, i) acceleration[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
        sn_solveAwake(m, d, d->qH, d->qHDiagInv, acceleration);
    } else {
        memcpy(acceleration, d->qacc, (size_t)m->nv * sizeof(double));
    }
    loopsDamped(m, d, acceleration);
    return acceleration;
}

void sn_Euler(const snModel* m, snData* d)
{
    sn_assertMade(m, d, act_dot);
    sn_advance(m, d, d->act_dot, sn_eulerAcceleration(m, d, false), NULL, NULL);
}

enum { STAGES = SN_RK4_STAGES };
const double sn_rk4A[STAGES][STAGES] = {{0}, {0.5}, {0, 0.5}, {0, 0, 1}};
const double sn_rk4B[STAGES] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
const double sn_rk4C[STAGES] = {0, 0.5, 0.5, 1};

void sn_combineStages(double* sum, const double* weight, const double* x, int n)
{
    memset(sum, 0, (size_t)n * sizeof(double));
    for (int s = 0; s < STAGES; s++)
        if (weight[s] != 0)
            for (int i = 0; i < n; i++) sum[i] += weight[s] * x[s * n + i];
}

static double squareOf(const snModel* m, const snData* d, const double* x, double* Mx)
{
    double sum = 0;
    sn_mulM(m, d, Mx, x);
    for (int i = 0; i < m->nv; i++) sum += x[i] * Mx[i];
    return sum;
}

// Where loops come to a singular pose a step may be long beside the way on which their directions hold, and
// what one stage takes for acceleration sends the next one far off. Velocities v and accelerations a of the
// first stage.
static bool runsAway(const snModel* m, snData* d, const double* v, const double* a, const double* mean_v)
{
    const size_t mark = sn_scratchMark(d);
    double *Mx = sn_scratchReal(d, m->nv), *first = sn_scratchReal(d, m->nv);
    bool away = false;
    if (Mx && first) {
        for (int i = 0; i < m->nv; i++) first[i] = v[i] + m->opt.timestep * a[i];
        away = !(squareOf(m, d, mean_v, Mx) <= squareOf(m, d, v, Mx) + squareOf(m, d, first, Mx));
    }
    sn_scratchRelease(d, mark);
    return away;
}

static bool meetsSingular(const snData* d, const snLoopStanding* begin)
{
    const snLoopStanding here = sn_loopStanding(d);
    return here.rank != begin->rank || sn_max(here.condition, begin->condition) > SN_LOOP_WEAK;
}

// Lengths and arms of the first stage again.
static void tendonsAtBegin(const snModel* m, snData* d)
{
    sn_kinematics(m, d);
    sn_comPos(m, d);
    sn_tendon(m, d);
}

// Positions are advanced on their manifold by a mean velocity.
void sn_RungeKutta(const snModel* m, snData* d)
{
    sn_assertMade(m, d, qacc, act_dot);
    const int nv = m->nv, na = m->na;
    double* v = d->integrator_stage;        // [STAGES x nv] rate of position of each stage
    double* a = v + STAGES * nv;            // [STAGES x nv] acceleration of each stage
    double* mean_v = a + STAGES * nv;       // [nv]
    double* mean_a = mean_v + nv;           // [nv]
    double* qpos0 = mean_a + nv;            // [nq], nq < 2 nv
    double* rate = d->integrator_act;       // [STAGES x na] act_dot of each stage
    double* mean_rate = rate + STAGES * na; // [na]
    double* act0 = mean_rate + na;          // [na]
    const double h = m->opt.timestep, time0 = d->time;
    const snLoopStanding begin = sn_loopStanding(d);
    const size_t mark = sn_scratchMark(d);
    double* velocity0;
    bool singular = false;
    if (!sn_keepMotorVelocities(m, d, &velocity0)) sn_warnFull(d);
    memcpy(qpos0, d->qpos, (size_t)m->nq * sizeof(double));
    memcpy(v, d->qvel, (size_t)nv * sizeof(double));
    memcpy(a, d->qacc, (size_t)nv * sizeof(double));
    memcpy(act0, d->act, (size_t)na * sizeof(double));
    memcpy(rate, d->act_dot, (size_t)na * sizeof(double));
    for (int s = 1; s < STAGES; s++) {
        sn_combineStages(mean_rate, sn_rk4A[s], rate, na);
        for (int i = 0; i < na; i++) d->act[i] = act0[i] + h * mean_rate[i];
        sn_combineStages(mean_v, sn_rk4A[s], v, nv);
        sn_combineStages(mean_a, sn_rk4A[s], a, nv);
        memcpy(d->qpos, qpos0, (size_t)m->nq * sizeof(double));
        sn_integratePos(m, d->qpos, mean_v, h);
        for (int i = 0; i < nv; i++) d->qvel[i] = v[i] + h * mean_a[i];
        memcpy(v + s * nv, d->qvel, (size_t)nv * sizeof(double));
        sn_rk4Rates(m, mean_v, h, v + s * nv);
        d->time = time0 + sn_rk4C[s] * h;
        sn_forwardSkip(m, d, SN_STAGE_NONE, 1);
        memcpy(a + s * nv, d->qacc, (size_t)nv * sizeof(double));
        memcpy(rate + s * na, d->act_dot, (size_t)na * sizeof(double));
        singular = singular || (d->nclosure && meetsSingular(d, &begin));
    }
    sn_combineStages(mean_rate, sn_rk4B, rate, na);
    sn_combineStages(mean_v, sn_rk4B, v, nv);
    sn_combineStages(mean_a, sn_rk4B, a, nv);
    const bool away = singular && runsAway(m, d, v, a, mean_v);
    d->time = time0;
    memcpy(d->qpos, qpos0, (size_t)m->nq * sizeof(double));
    memcpy(d->qvel, v, (size_t)nv * sizeof(double));
    memcpy(d->act, act0, (size_t)na * sizeof(double));
    sn_restoreMotorVelocities(m, d, velocity0);
    sn_scratchRelease(d, mark);
    if (away) { // then a step is Euler's
        sn_forwardSkip(m, d, SN_STAGE_NONE, 1);
        sn_advance(m, d, d->act_dot, d->qacc, NULL, NULL);
        return;
    }
    if (m->nplastic && sn_tendonsYield(m)) tendonsAtBegin(m, d);
    sn_advance(m, d, mean_rate, mean_a, mean_v, &begin);
}
