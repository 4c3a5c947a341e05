// Forward dynamics: the stages in the order of seed 001, "Simulation pipeline".
#include <sinew/collision.h>
#include <sinew/constraint.h>
#include <sinew/loop.h>
#include <sinew/pipeline.h>
#include <sinew/sensor.h>
#include <sinew/smooth.h>
#include <sinew/support.h>
#include "model/kinds.h"
#include <string.h>
#include "constraint/rest.h"
#include "model/arena.h"
#include "model/made.h"
#include "model/sleep.h"
#include "model/timer.h"
#include "pipeline/integrate.h"
#include "pipeline/step.h"
#include "smooth/flex/flex.h"
#include "smooth/inertia/acceleration.h"

static bool disabled(const snModel* m, int bit)
{
    return (m->opt.disableflags & bit) != 0;
}

static void fwdPosition(const snModel* m, snData* d, bool factor)
{
    const double start = sn_timerNow(d);
    sn_unmake(m, d, SN_PASS_position);
    sn_kinematics(m, d);
    sn_comPos(m, d);
    sn_camlight(m, d);
    sn_flex(m, d);
    sn_tendon(m, d);
    double now = sn_timerCount(d, SN_TIMER_POS_KINEMATICS, start);
    sn_makeM(m, d);
    if (factor) sn_factorM(m, d);
    now = sn_timerCount(d, SN_TIMER_POS_INERTIA, now);
    sn_collision(m, d);
    while (sn_wakeMet(m, d)) sn_collision(m, d); // they touch more than what they met
    now = sn_timerCount(d, SN_TIMER_POS_COLLISION, now);
    sn_makeConstraint(m, d);
    sn_loopPosition(m, d);
    sn_timerCount(d, SN_TIMER_POS_MAKE, now);
    sn_transmission(m, d);
    sn_timerCount(d, SN_TIMER_POSITION, start);
}

void sn_fwdPosition(const snModel* m, snData* d)
{
    fwdPosition(m, d, true);
}

void sn_fwdVelocity(const snModel* m, snData* d)
{
    const double start = sn_timerNow(d);
    sn_unmake(m, d, SN_PASS_velocity);
    sn_tendonVelocity(m, d);
    sn_flexVelocity(m, d);
    sn_actuatorVelocity(m, d);
    sn_comVel(m, d);
    sn_passive(m, d);
    sn_loopPassive(m, d);
    sn_loopVelocity(m, d);
    sn_referenceConstraint(m, d);
    sn_rne(m, d, 0, d->qfrc_bias);
    sn_tendonBias(m, d, d->qfrc_bias);
    sn_settleSleep(m, d); // what follows from positions and velocities stands for as long as they do
    sn_timerCount(d, SN_TIMER_VELOCITY, start);
}

static void positionStages(const snModel* m, snData* d, bool sensors, bool factor)
{
    sn_unmake(m, d, SN_PASS_velocity | SN_PASS_acceleration | SN_PASS_asked);
    fwdPosition(m, d, factor);
    d->energy[0] = d->energy[1] = 0; // unless asked for by the flag or by a sensor
    if (m->opt.enableflags & SN_ENBL_ENERGY) sn_energyPos(m, d);
    if (sensors) sn_sensorPos(m, d);
}

static void velocityStages(const snModel* m, snData* d, bool sensors)
{
    sn_unmake(m, d, SN_PASS_acceleration);
    sn_fwdVelocity(m, d);
    if (sensors) sn_sensorVel(m, d);
    if (m->opt.enableflags & SN_ENBL_ENERGY) sn_energyVel(m, d);
}

static void control(const snModel* m, snData* d)
{
    if (d->callback.control) d->callback.control(m, d, d->callback.user);
}

// What a lean step has left out.
static void smoothAcceleration(const snModel* m, snData* d, int skipstage)
{
    if (skipstage < SN_STAGE_POS) sn_factorM(m, d);
    sn_solveM(m, d, d->qacc_smooth, d->qfrc_smooth, 1);
}

// own: may take the place of the solver; NULL: none.
static void accelerationStages(const snModel* m, snData* d, int skipstage, bool sensors,
                               const snOwnSolver* own)
{
    const bool lean = own && own->lean;
    double now = sn_timerNow(d);
    sn_unmake(m, d, SN_PASS_acceleration);
    sn_fwdActuation(m, d);
    sn_timerCount(d, SN_TIMER_ACTUATION, now);
    if (lean) {
        sn_sumSmooth(m, d);
    } else {
        sn_fwdAcceleration(m, d);
        sn_loopAcceleration(m, d);
    }
    now = sn_timerNow(d);
    if (!own || !own->solve(m, d, skipstage, own->arg)) {
        if (lean) smoothAcceleration(m, d, skipstage);
        sn_fwdConstraint(m, d);
    }
    if (d->nasleep > d->nstill) sn_zeroAsleep(m, d, d->qacc);
    sn_timerCount(d, SN_TIMER_CONSTRAINT, now);
    if (sensors) sn_sensorAcc(m, d);
}

static void forwardBy(const snModel* m, snData* d, int skipstage, int skipsensor, const snOwnSolver* own)
{
    const bool sensors = !skipsensor;
    const double start = sn_timerNow(d);
    if (skipstage < SN_STAGE_POS) positionStages(m, d, sensors, !own || !own->lean);
    if (skipstage < SN_STAGE_VEL) velocityStages(m, d, sensors);
    if (!disabled(m, SN_DSBL_ACTUATION)) control(m, d);
    accelerationStages(m, d, skipstage, sensors, own);
    sn_timerCount(d, SN_TIMER_FORWARD, start);
}

void sn_forwardSkip(const snModel* m, snData* d, int skipstage, int skipsensor)
{
    forwardBy(m, d, skipstage, skipsensor, NULL);
}

void sn_forward(const snModel* m, snData* d)
{
    sn_forwardSkip(m, d, SN_STAGE_NONE, 0);
}

int sn_integratorOf(const snModel* m)
{
    const bool euler = m->opt.contact == SN_CONTACT_LCP && !sn_integratorKind(m->opt.integrator).metric;
    return euler ? (int)SN_INT_EULER : m->opt.integrator;
}

// factored: see sn_eulerAcceleration
static void advance(const snModel* m, snData* d, bool factored)
{
    const double start = sn_timerNow(d);
    const snIntegratorKind integrator = sn_integratorKind(sn_integratorOf(m));
    if (integrator.implicit)
        sn_implicit(m, d);
    else if (integrator.metric)
        sn_advance(m, d, d->act_dot, d->qacc, NULL, NULL);
    else
        sn_advance(m, d, d->act_dot, sn_eulerAcceleration(m, d, factored), NULL, NULL);
    sn_timerCount(d, SN_TIMER_ADVANCE, start);
}

void sn_step1(const snModel* m, snData* d)
{
    sn_checkPos(m, d);
    sn_checkVel(m, d);
    positionStages(m, d, true, true);
    velocityStages(m, d, true);
    control(m, d);
}

// Sleepers have velocity 0, which what depends on it must show, sensors too, before they are left out.
static void rest(const snModel* m, snData* d, int skipsensor)
{
    if (!sn_maySleep(m) || !sn_fallAsleep(m, d)) return;
    const size_t mark = sn_scratchMark(d), bytes = (size_t)m->nsensordata * sizeof(double);
    double* sample = m->nhistory ? sn_scratchReal(d, m->nsensordata) : NULL; // histories keep the first
    if (sample) memcpy(sample, d->sensor_sample, bytes);
    forwardBy(m, d, SN_STAGE_POS, skipsensor, NULL);
    if (sample) memcpy(d->sensor_sample, sample, bytes);
    sn_scratchRelease(d, mark);
    sn_listAwake(m, d);
    sn_settleSleep(m, d);
}

void sn_step2(const snModel* m, snData* d)
{
    const double start = sn_timerNow(d);
    accelerationStages(m, d, SN_STAGE_VEL, true, NULL);
    sn_checkAcc(m, d);
    sn_loopCheck(d);
    if (m->nflex) sn_flexCheck(m, d);
    if (m->opt.enableflags & SN_ENBL_FWDINV) sn_compareFwdInv(m, d);
    rest(m, d, 0);
    advance(m, d, false);
    sn_timerCount(d, SN_TIMER_STEP, start);
}

void sn_stepBy(const snModel* m, snData* d, int skipstage, int skipsensor, const snOwnSolver* own)
{
    sn_timerBeginStep(d);
    const double start = sn_timerNow(d);
    sn_checkPos(m, d);
    sn_checkVel(m, d);
    forwardBy(m, d, skipstage, skipsensor, own);
    sn_checkAcc(m, d);
    sn_loopCheck(d);
    if (m->nflex) sn_flexCheck(m, d);
    if (m->opt.enableflags & SN_ENBL_FWDINV) sn_compareFwdInv(m, d);
    if (!own) rest(m, d, skipsensor);
    if (sn_integratorKind(sn_integratorOf(m)).stages)
        sn_RungeKutta(m, d);
    else
        advance(m, d, own && own->damped && skipstage >= SN_STAGE_POS);
    sn_timerEndStep(d, start);
}

void sn_step(const snModel* m, snData* d)
{
    sn_stepBy(m, d, SN_STAGE_NONE, 0, NULL);
}
