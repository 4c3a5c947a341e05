// Inverse dynamics (seed 001, "Inverse dynamics"): the force that gives qacc. Constraint forces follow from
// qacc row by row, so nothing is iterated.
#include <math.h>
#include <string.h>
#include <sinew/constraint.h>
#include <sinew/sensor.h>
#include <sinew/smooth.h>
#include <sinew/support.h>
#include "loop/acceleration.h"
#include "loop/damper.h"
#include "loop/reduced.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "model/made.h"
#include "model/sleep.h"
#include "model/timer.h"
#include "pipeline/integrate.h"
#include "pipeline/servo.h"
#include "smooth/velocity_derivative.h"
#include "smooth/kinematics/resistance.h"
#include "solver/metric.h"

// result [nv] += A x, rows as D_rowadr
static void addRows(const snModel* m, const double* A, const double* x, double* result)
{
    for (int i = 0; i < m->nv; i++) {
        double sum = result[i];
        for (int k = m->D_rowadr[i], end = k + m->D_rownnz[i]; k < end; k++) sum += A[k] * x[m->D_colind[k]];
        result[i] = sum;
    }
}

// qDeriv for servos whose limits hold at the end of the step with the acceleration qacc, and force [nv] less
// what they then add to the forces of its beginning.
static bool derivativeAtEnd(const snModel* m, snData* d, snGyroBodies bias, double* force)
{
    const size_t mark = sn_scratchMark(d);
    snEndServos servos;
    const bool room = sn_takeEndServos(m, d, &servos);
    if (room) {
        sn_placeEndServos(m, d, d->qacc, &servos);
        sn_shiftEndServos(m, d, &servos);
        for (int i = 0; i < m->nv; i++) force[i] = -servos.shift[i];
        sn_smoothVelAt(m, d, bias, servos.place);
    }
    sn_scratchRelease(d, mark);
    return room;
}

// qDeriv where actuation is that of this state, and what servos take from force [nv].
static void derive(const snModel* m, snData* d, snGyroBodies bias, double* force)
{
    memset(force, 0, (size_t)m->nv * sizeof(double));
    if (m->opt.servo == SN_SERVO_END && derivativeAtEnd(m, d, bias, force)) return;
    if (m->opt.servo == SN_SERVO_END) sn_warnFull(d);
    sn_smoothVelAt(m, d, bias, NULL);
}

// Calls with the actuation of this state, on whose actuators at their limits it hangs; the forces of the last
// forward pass, which may be another state's, come back.
static void atThisState(const snModel* m, snData* d,
                        void (*call)(const snModel*, snData*, snGyroBodies, double*), snGyroBodies bias,
                        double* rest)
{
    const size_t mark = sn_scratchMark(d), nout = (size_t)m->nout, na = (size_t)m->na, nv = (size_t)m->nv;
    double *force = sn_scratchReal(d, m->nout), *rate = sn_scratchReal(d, m->na),
           *sum = sn_scratchReal(d, m->nv);
    if (force && rate && sum) {
        memcpy(force, d->actuator_force, nout * sizeof(double));
        memcpy(rate, d->act_dot, na * sizeof(double));
        memcpy(sum, d->qfrc_actuator, nv * sizeof(double));
        sn_fwdActuation(m, d);
        call(m, d, bias, rest);
        memcpy(d->actuator_force, force, nout * sizeof(double));
        memcpy(d->act_dot, rate, na * sizeof(double));
        memcpy(d->qfrc_actuator, sum, nv * sizeof(double));
    } else {
        sn_warnFull(d);
        call(m, d, bias, rest);
    }
    sn_scratchRelease(d, mark);
}

// The acceleration that, fed to the integrator, becomes qacc = (v' - v)/h: inv(M) times the matrix of the
// integrator times qacc. Euler without damping steps with qacc itself; RK4 has no such acceleration.
static void continuousAcceleration(const snModel* m, snData* d)
{
    double* force = d->integrator_stage;
    const snIntegratorKind integrator = sn_integratorKind(m->opt.integrator);
    const double h = m->opt.timestep;
    if (integrator.damps && (sn_eulerDamped(m) || sn_eulerDampsLoops(m, d))) {
        sn_mulM(m, d, force, d->qacc);
        for (int i = 0; i < m->nv; i++) force[i] += h * sn_dampingOfDof(m, i, d->qvel[i]) * d->qacc[i];
    } else if (integrator.implicit) {
        const snGyroBodies bias = sn_biasOfStep(m);
        atThisState(m, d, derive, bias, force);
        sn_implicitMatrix(m, d, d->qLU);
        if (bias != SN_GYRO_ALL) sn_uncoupleSimple(m, bias == SN_GYRO_LONE, d->qLU);
        addRows(m, d->qLU, d->qacc, force);
    } else {
        return;
    }
    const bool room = d->nclosure == 0 || sn_mulLoopDampers(m, d, h, d->qacc, force);
    sn_solveM(m, d, d->qacc, force, 1);
    if (!room || (d->nclosure && !sn_loopAccelerationIn(m, d, NULL, force, d->qacc))) sn_warnFull(d);
}

// Rigid contact has no inverse: many forces go with one acceleration. NaN, so that none is taken for it.
static void failInverse(const snModel* m, snData* d)
{
    for (int i = 0; i < m->nv; i++) d->qfrc_constraint[i] = (double)NAN;
    for (int r = 0; r < d->nefc; r++) d->efc_force[r] = (double)NAN;
    sn_warn(d, SN_WARN_LCP, -1);
}

void sn_invConstraint(const snModel* m, snData* d)
{
    sn_assertMade(m, d, qacc, efc_aref, efc_J);
    if (m->opt.contact == SN_CONTACT_LCP) {
        failInverse(m, d);
        return;
    }
    const size_t mark = sn_scratchMark(d);
    double* jar = sn_scratchReal(d, d->nefc);
    memset(d->qfrc_constraint, 0, (size_t)m->nv * sizeof(double));
    if (d->nefc && jar) {
        sn_mulJacVec(m, d, jar, d->qacc);
        for (int r = 0; r < d->nefc; r++) jar[r] -= d->efc_aref[r];
        sn_constraintUpdate(m, d, jar, NULL);
    } else if (d->nefc) {
        sn_warnFull(d);
    }
    sn_scratchRelease(d, mark);
}

// qfrc_inverse of a step of the integrator discrete: (M + h D + h^2 K) a + h K v + bias - passive -
// constraint forces, with the acceleration a of lone bodies from which the step goes on (sn_turnLoneBodies).
static bool inverseInMetric(const snModel* m, snData* d)
{
    double *given = sn_scratchReal(d, m->nv), *force = d->qfrc_inverse;
    snStepTerms terms;
    if (!given || !sn_makeElastic(m, d) || !sn_stepTerms(m, d, &terms)) return false;
    sn_takeElastic(d, &terms);
    sn_makeStepMetric(m, d, &terms);
    if (!sn_weighRows(m, d, &terms)) return false;
    memcpy(given, d->qacc, (size_t)m->nv * sizeof(double));
    sn_turnLoneBodies(m, d, &terms, true, d->qacc);
    sn_invConstraint(m, d);
    sn_mulStep(m, d, &terms, d->qacc, force);
    const bool room = sn_mulLoopDampers(m, d, m->opt.timestep, d->qacc, force);
    memset(d->qacc, 0, (size_t)m->nv * sizeof(double));
    if (!sn_addLoopPull(m, d, d->qacc)) return false;
    for (int i = 0; i < m->nv; i++)
        force[i] +=
            d->qfrc_step[i] - d->qacc[i] + d->qfrc_bias[i] - d->qfrc_passive[i] - d->qfrc_constraint[i];
    memcpy(d->qacc, given, (size_t)m->nv * sizeof(double));
    return room;
}

static void inverseOfStep(const snModel* m, snData* d)
{
    const size_t mark = sn_scratchMark(d);
    if (!inverseInMetric(m, d)) sn_warnFull(d);
    sn_zeroAsleep(m, d, d->qfrc_inverse);
    sn_scratchRelease(d, mark);
}

// M qacc + bias - passive - constraint forces
static void inverseForce(const snModel* m, snData* d)
{
    if (sn_integratorKind(m->opt.integrator).metric) {
        inverseOfStep(m, d);
        return;
    }
    const double start = sn_timerNow(d);
    sn_invConstraint(m, d);
    sn_timerCount(d, SN_TIMER_CONSTRAINT, start);
    sn_mulM(m, d, d->qfrc_inverse, d->qacc);
    for (int i = 0; i < m->nv; i++)
        d->qfrc_inverse[i] += d->qfrc_bias[i] - d->qfrc_passive[i] - d->qfrc_constraint[i];
    sn_zeroAsleep(m, d, d->qfrc_inverse); // nothing holds them, and nothing has to
}

static void inverseHere(const snModel* m, snData* d, snGyroBodies bias, double* rest)
{
    (void)bias, (void)rest;
    inverseOfStep(m, d);
}

static void positionStages(const snModel* m, snData* d, bool sensors)
{
    sn_unmake(m, d, SN_PASS_velocity);
    sn_fwdPosition(m, d);
    if (sensors) sn_sensorPos(m, d);
    if (m->opt.enableflags & SN_ENBL_ENERGY) sn_energyPos(m, d);
}

static void velocityStages(const snModel* m, snData* d, bool sensors)
{
    sn_fwdVelocity(m, d);
    if (sensors) sn_sensorVel(m, d);
    if (m->opt.enableflags & SN_ENBL_ENERGY) sn_energyVel(m, d);
}

void sn_inverseSkip(const snModel* m, snData* d, int skipstage, int skipsensor)
{
    sn_assertMade(m, d, qacc);
    const size_t bytes = (size_t)m->nv * sizeof(double);
    const bool sensors = !skipsensor;
    const bool discrete = (m->opt.enableflags & SN_ENBL_INVDISCRETE) != 0;
    double* given = d->integrator_stage + m->nv; // qacc as the caller gave it
    const double start = sn_timerNow(d);
    if (skipstage < SN_STAGE_POS) positionStages(m, d, sensors);
    if (skipstage < SN_STAGE_VEL) velocityStages(m, d, sensors);
    memcpy(given, d->qacc, bytes);
    if (sn_integratorKind(m->opt.integrator).metric) {
        atThisState(m, d, inverseHere, SN_GYRO_NONE, NULL);
    } else {
        if (discrete) continuousAcceleration(m, d);
        inverseForce(m, d);
    }
    if (sensors) sn_sensorAcc(m, d);
    memcpy(d->qacc, given, bytes);
    sn_timerCount(d, SN_TIMER_INVERSE, start);
}

void sn_inverse(const snModel* m, snData* d)
{
    sn_inverseSkip(m, d, SN_STAGE_NONE, 0);
}

static double norm(const double* x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

// Forces of mechanisms count as far as they do work: G' x in the place of the independent dofs, 0 elsewhere.
static void reduceForces(const snModel* m, snData* d, double* x)
{
    const size_t mark = sn_scratchMark(d);
    double* y = sn_scratchReal(d, m->nv + 3);
    for (int k = 0; k < d->nmechanism && y; k++) {
        sn_loopReduce(d, k, x, y);
        for (int i = 0; i < d->mechanism_dofnum[k]; i++) {
            const int dof = d->mechanism_dof[d->mechanism_dofadr[k] + i];
            x[dof] = d->dof_y[dof] < 0 ? 0 : y[d->dof_y[dof]];
        }
    }
    sn_scratchRelease(d, mark);
}

// qfrc_applied + J' xfrc_applied + qfrc_actuator = qfrc_smooth - qfrc_passive + qfrc_bias
void sn_compareFwdInv(const snModel* m, snData* d)
{
    sn_assertMade(m, d, qacc, qfrc_bias, qfrc_passive, qfrc_constraint, qfrc_actuator);
    const int nv = m->nv, nefc = d->nefc;
    const size_t mark = sn_scratchMark(d);
    double *qfrc = sn_scratchReal(d, nv), *efc = sn_scratchReal(d, nefc), *difference = sn_scratchReal(d, nv);
    int* state = sn_scratchInt(d, nefc);
    d->solver_fwdinv[0] = d->solver_fwdinv[1] = 0;
    if (nefc && qfrc && efc && difference && state) {
        memcpy(qfrc, d->qfrc_constraint, (size_t)nv * sizeof(double));
        memcpy(efc, d->efc_force, (size_t)nefc * sizeof(double));
        memcpy(state, d->efc_state, (size_t)nefc * sizeof(int));
        inverseForce(m, d);
        for (int i = 0; i < nv; i++)
            difference[i] = d->qfrc_smooth[i] - d->qfrc_passive[i] + d->qfrc_bias[i] - d->qfrc_inverse[i];
        sn_zeroAsleep(m, d, difference);
        reduceForces(m, d, difference);
        d->solver_fwdinv[1] = norm(difference, nv);
        for (int i = 0; i < nv; i++) difference[i] = qfrc[i] - d->qfrc_constraint[i];
        reduceForces(m, d, difference);
        d->solver_fwdinv[0] = norm(difference, nv);
        memcpy(d->qfrc_constraint, qfrc, (size_t)nv * sizeof(double));
        memcpy(d->efc_force, efc, (size_t)nefc * sizeof(double));
        memcpy(d->efc_state, state, (size_t)nefc * sizeof(int));
    }
    sn_scratchRelease(d, mark);
}
