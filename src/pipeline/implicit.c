// Steps that are implicit in velocity (seed 001, "Numerical integration"): v' = v + h a with
//     (M - h D) a = sum of all forces,   D = d(smooth forces)/d qvel.
#include <string.h>
#include <sinew/smooth.h>
#include <sinew/support.h>
#include "loop/acceleration.h"
#include "model/arena.h"
#include "model/made.h"
#include "pipeline/integrate.h"
#include "pipeline/servo.h"
#include "smooth/inertia/damped.h"
#include "smooth/inertia/factor.h"
#include "smooth/inertia/factor_lu.h"
#include "smooth/velocity_derivative.h"

// The forces of the step: those of its beginning, and what servos add to them at its end; shift NULL:
// nothing.
static void sumForces(const snModel* m, const snData* d, const double* shift, double* force)
{
    for (int i = 0; i < m->nv; i++) force[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
    for (int i = 0; i < m->nv && shift; i++) force[i] += shift[i];
}

// The same of mechanisms: K a = k + k_stab in M - hD, by its reduced matrix.
static void loopsImplicit(const snModel* m, snData* d, const double* shift, double* acceleration)
{
    if (d->nclosure == 0) return;
    const size_t mark = sn_scratchMark(d);
    double *A = sn_scratchReal(d, m->nD), *force = sn_scratchReal(d, m->nv);
    const bool room = A && force;
    if (room) {
        sn_implicitMatrix(m, d, A);
        sumForces(m, d, shift, force);
    }
    if (!room || !sn_loopAccelerationLU(m, d, A, m->opt.timestep, force, acceleration)) sn_warnFull(d);
    sn_scratchRelease(d, mark);
}

// By LU for lone bodies, whose blocks are not symmetric, by L'DL for the rest. false: there is no room.
static bool solveBesideLone(const snModel* m, snData* d, double* acceleration, int* bad)
{
    const size_t mark = sn_scratchMark(d);
    double* lone = sn_scratchReal(d, m->nv);
    if (!lone) return false;
    memcpy(lone, acceleration, (size_t)m->nv * sizeof(double));
    sn_implicitMatrixSymmetric(m, d, true, d->qH);
    *bad = sn_factorAwake(m, d, true, d->qH, d->qHDiagInv);
    sn_solveAwake(m, d, d->qH, d->qHDiagInv, acceleration);
    const int other = sn_solveLone(m, d, lone);
    if (*bad < 0) *bad = other;
    for (int i = 0; i < m->nv; i++)
        if (sn_isLone(m, m->dof_bodyid[i])) acceleration[i] = lone[i];
    sn_scratchRelease(d, mark);
    return true;
}

// The acceleration where servos stand at these places and add that to the forces; returns a bad pivot, or -1.
static int accelerate(const snModel* m, snData* d, const unsigned char* place, const double* shift,
                      double* acceleration)
{
    const snGyroBodies bias = sn_biasOfStep(m);
    int bad;
    sumForces(m, d, shift, acceleration);
    sn_smoothVelAt(m, d, bias, place);
    const bool done = bias == SN_GYRO_LONE && solveBesideLone(m, d, acceleration, &bad);
    if (bias && !done) {
        sn_implicitMatrix(m, d, d->qLU);
        if (bias == SN_GYRO_LONE) sn_uncoupleSimple(m, true, d->qLU);
        bad = sn_factorLU(m, d->qLU);
        sn_solveLU(m, d->qLU, acceleration);
    } else if (!done) {
        sn_implicitMatrixSymmetric(m, d, false, d->qH);
        bad = sn_factorAwake(m, d, true, d->qH, d->qHDiagInv);
        sn_solveAwake(m, d, d->qH, d->qHDiagInv, acceleration);
    }
    loopsImplicit(m, d, shift, acceleration);
    return bad;
}

// ---- servos whose limits hold at the end of the step

enum { PATIENCE = 4, MOST_ROUNDS = 32 };

// Changes the places of all servos that stand wrong, and of one at a time when that has not made them fewer
// for some rounds (block principal pivoting): it ends where the problem has one
// solution. Most steps take one round, which is the step without all this. false: no places were found.
static bool settle(const snModel* m, snData* d, snEndServos* servos, double* acceleration, int* bad)
{
    int least = servos->count + 1, patience = PATIENCE;
    for (int round = 0; round < MOST_ROUNDS + 4 * servos->count; round++) {
        sn_shiftEndServos(m, d, servos);
        *bad = accelerate(m, d, servos->place, servos->shift, acceleration);
        const int wrong = sn_askEndServos(m, d, acceleration, servos);
        if (wrong == 0) return true;
        patience = wrong < least ? PATIENCE : patience - 1;
        least = wrong < least ? wrong : least;
        sn_moveEndServos(servos, patience > 0);
    }
    return false;
}

// By the derivative at the beginning where there are no such servos, or no places for them.
static int accelerateToEnd(const snModel* m, snData* d, double* acceleration)
{
    const size_t mark = sn_scratchMark(d);
    snEndServos servos;
    int bad;
    const bool room = sn_takeEndServos(m, d, &servos);
    if (!room) sn_warnFull(d);
    if (!room || servos.count == 0 || !settle(m, d, &servos, acceleration, &bad))
        bad = accelerate(m, d, NULL, NULL, acceleration);
    sn_scratchRelease(d, mark);
    return bad;
}

const double* sn_implicitAcceleration(const snModel* m, snData* d)
{
    double* acceleration = d->integrator_stage;
    sn_reportPivots(d, m->opt.servo == SN_SERVO_END ? accelerateToEnd(m, d, acceleration)
                                                    : accelerate(m, d, NULL, NULL, acceleration));
    return acceleration;
}

void sn_implicit(const snModel* m, snData* d)
{
    sn_assertMade(m, d, qfrc_smooth, qfrc_constraint, qM, act_dot);
    sn_advance(m, d, d->act_dot, sn_implicitAcceleration(m, d), NULL, NULL);
}
