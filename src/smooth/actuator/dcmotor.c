// In lanes, too: src/batch/lane/prelude.h.
#include "smooth/actuator/dcmotor.h"
#include <math.h>
#include <string.h>
#include "model/arena.h"
#include "model/motor.h"
#include "smooth/actuator/actuation.h"
#include "smooth/actuator/pid.h"
#include "smooth/actuator/signal.h"

static const real* gainOf(const snModel* m, int i)
{
    return m->actuator_gainprm + SN_NGAIN * i;
}
static const real* dynamicsOf(const snModel* m, int i)
{
    return m->actuator_dynprm + SN_NDYN * i;
}
static const real* biasOf(const snModel* m, int i)
{
    return m->actuator_biasprm + SN_NBIAS * i;
}

// Where an activation is in act; -1: there is none.
static int actOf(const snModel* m, int i, int state)
{
    const unsigned states = sn_motorStates(dynamicsOf(m, i), gainOf(m, i));
    const int place = __builtin_popcount(states & ((1u << state) - 1));
    return states >> state & 1 && place < m->actuator_actnum[i] ? m->actuator_actadr[i] + place : -1;
}

// ---- the controller

enum { CONTROLLED = SN_INPUT_POS | SN_INPUT_VEL | SN_INPUT_FF };

// What an input is in this step: the first one gets there by slewmax.
static real inputOf(const snModel* m, const snData* d, int i, int input, bool bad)
{
    const real u = sn_inputOf(m, d, i, input, bad);
    const int act = sn_inputPlace(m, i, input) == 0 ? actOf(m, i, SN_MOTOR_SETPOINT) : -1;
    if (act < 0) return u;
    const real way = dynamicsOf(m, i)[SN_MOTOR_SLEWMAX] * m->opt.timestep, from = d->act[act];
    const real range[2] = {from - way, from + way};
    return sn_clampToRange(u, range);
}

static real firstInput(const snModel* m, const snData* d, int i, bool bad)
{
    const int spec = m->actuator_ctrlspec[i];
    return inputOf(m, d, i, spec & -spec, bad);
}

// c
static real askedTorque(const snModel* m, const snData* d, int i, bool bad)
{
    const int out = m->actuator_outadr[i], integral = actOf(m, i, SN_MOTOR_INTEGRAL);
    const real* gain = gainOf(m, i);
    const real error = inputOf(m, d, i, SN_INPUT_POS, bad) - d->actuator_length[out];
    const real slip = inputOf(m, d, i, SN_INPUT_VEL, bad) - d->actuator_velocity[out];
    const real c = gain[SN_MOTOR_KP] * error + gain[SN_MOTOR_KD] * slip + inputOf(m, d, i, SN_INPUT_FF, bad);
    return integral < 0 ? c : c + gain[SN_MOTOR_KI] * d->act[integral];
}

// ---- the winding

typedef struct Winding {
    real resistance; // r
    snMask driven;   // by a controller whose voltage is within its bound
    snMask bound;    // the rate of the current is at its bound
    real rate;       // of the current
    real share;      // of what the current tends to: how much of it a step gets
    real current;    // of which the torque comes
} Winding;

static real resistanceOf(const snModel* m, const snData* d, int i)
{
    const int act = actOf(m, i, SN_MOTOR_TEMPERATURE);
    const real* gain = gainOf(m, i);
    if (act < 0) return gain[SN_MOTOR_R];
    const real above = d->act[act] + dynamicsOf(m, i)[SN_MOTOR_AMBIENT] - gain[SN_MOTOR_REFTEMP];
    return sn_max(gain[SN_MOTOR_R] * (1 + gain[SN_MOTOR_TEMPCOEF] * above), SN_MINVAL);
}

// v - K w; sets driven.
static real voltageOf(const snModel* m, const snData* d, int i, bool bad, Winding* w)
{
    const real *gain = gainOf(m, i), given = sn_inputOf(m, d, i, SN_INPUT_VOLTAGE, bad);
    const real lost = gain[SN_MOTOR_K] * d->actuator_velocity[m->actuator_outadr[i]];
    w->driven = sn_mask(false);
    if (!(m->actuator_ctrlspec[i] & CONTROLLED)) return given - lost;
    const real free = gain[SN_MOTOR_R] / gain[SN_MOTOR_K] * askedTorque(m, d, i, bad);
    const real most = gain[SN_MOTOR_VMAX], range[2] = {-most, most};
    w->driven = sn_not((most > 0) & (fabs(free + lost) >= most));
    return given + sn_select(w->driven, free, sn_clampToRange(free + lost, range) - lost);
}

static Winding windingOf(const snModel* m, const snData* d, int i, bool bad)
{
    Winding w = {.resistance = resistanceOf(m, d, i), .bound = sn_mask(false), .share = sn_real(1)};
    const int act = actOf(m, i, SN_MOTOR_CURRENT);
    w.current = voltageOf(m, d, i, bad, &w) / w.resistance;
    if (act < 0) return w;
    const real time = dynamicsOf(m, i)[SN_MOTOR_TIMECONST], most = dynamicsOf(m, i)[SN_MOTOR_RATEMAX];
    w.rate = (w.current - d->act[act]) / time;
    w.bound = (most > 0) & (fabs(w.rate) >= most);
    w.rate = sn_select(w.bound, copysign(most, w.rate), w.rate);
    w.share = -sn_expm1(-m->opt.timestep / time);
    w.current = d->act[act] + w.rate * time * w.share;
    return w;
}

// ---- friction

// z goes by dz/dt = w + a z. Where g is 0 the bristles bear nothing.
typedef struct Bristles {
    real a;
    snMask loose;
} Bristles;

static Bristles bristlesOf(const snModel* m, const snData* d, int i)
{
    const real *bias = biasOf(m, i), velocity = d->actuator_velocity[m->actuator_outadr[i]];
    const snMask falls = bias[SN_MOTOR_STRIBECK] != 0;
    const real ratio = velocity / sn_select(falls, bias[SN_MOTOR_STRIBECK], 1);
    const real extra = (bias[SN_MOTOR_STATIC] - bias[SN_MOTOR_COULOMB]) * sn_exp(-ratio * ratio);
    const real g = bias[SN_MOTOR_COULOMB] + sn_select(falls, extra, 0);
    const snMask loose = sn_not(g > SN_MINVAL);
    const real a = -dynamicsOf(m, i)[SN_MOTOR_STIFFNESS] * fabs(velocity) / sn_select(loose, 1, g);
    return (Bristles){a, loose};
}

static real bristleRate(const snModel* m, const snData* d, int i, int act)
{
    const Bristles b = bristlesOf(m, d, i);
    const real z = d->act[act], rate = d->actuator_velocity[m->actuator_outadr[i]] + b.a * z;
    return sn_select(b.loose, -z / m->opt.timestep, rate);
}

static real bristleNext(const snModel* m, const snData* d, int i, int act)
{
    const Bristles b = bristlesOf(m, d, i);
    const real h = m->opt.timestep, z = d->act[act];
    const snMask moves = b.a != 0;
    const real time = sn_select(moves, sn_expm1(b.a * h) / sn_select(moves, b.a, 1), h);
    return sn_select(b.loose, 0, z + time * (d->actuator_velocity[m->actuator_outadr[i]] + b.a * z));
}

static real bristleForce(const snModel* m, const snData* d, int i)
{
    const int act = actOf(m, i, SN_MOTOR_BRISTLE);
    if (act < 0) return sn_real(0);
    const real* dynamics = dynamicsOf(m, i);
    const real force =
        -dynamics[SN_MOTOR_STIFFNESS] * d->act[act] - dynamics[SN_MOTOR_DAMPING] * bristleRate(m, d, i, act);
    return sn_select(bristlesOf(m, d, i).loose, 0, force);
}

static real coggingAngle(const snModel* m, const snData* d, int i)
{
    const real* bias = biasOf(m, i);
    return bias[SN_MOTOR_POLES] * d->actuator_length[m->actuator_outadr[i]] + bias[SN_MOTOR_PHASE];
}

// ---- all of it

real sn_motorForce(const snModel* m, const snData* d, int i, bool bad)
{
    return gainOf(m, i)[SN_MOTOR_K] * windingOf(m, d, i, bad).current;
}

real sn_motorFriction(const snModel* m, const snData* d, int i)
{
    const real amplitude = biasOf(m, i)[SN_MOTOR_COGGING], friction = bristleForce(m, d, i);
    return sn_any(amplitude != 0) ? friction + amplitude * sn_sin(coggingAngle(m, d, i)) : friction;
}

// Of the current before the step, where it has a state.
static real heatRate(const snModel* m, const snData* d, int i, const Winding* w, real rise)
{
    const int act = actOf(m, i, SN_MOTOR_CURRENT);
    const real *dynamics = dynamicsOf(m, i), current = act < 0 ? w->current : d->act[act];
    return (current * current * w->resistance - rise / dynamics[SN_MOTOR_HEATRES]) /
           dynamics[SN_MOTOR_HEATCAP];
}

void sn_motorRates(const snModel* m, snData* d, int i, bool bad)
{
    const Winding w = windingOf(m, d, i, bad);
    const int setpoint = actOf(m, i, SN_MOTOR_SETPOINT), integral = actOf(m, i, SN_MOTOR_INTEGRAL),
              heat = actOf(m, i, SN_MOTOR_TEMPERATURE), bristle = actOf(m, i, SN_MOTOR_BRISTLE),
              current = actOf(m, i, SN_MOTOR_CURRENT);
    if (setpoint >= 0) d->act_dot[setpoint] = (firstInput(m, d, i, bad) - d->act[setpoint]) / m->opt.timestep;
    if (integral >= 0) {
        const real error = inputOf(m, d, i, SN_INPUT_POS, bad) - d->actuator_length[m->actuator_outadr[i]];
        d->act_dot[integral] = sn_integralRate(error, d->act[integral], dynamicsOf(m, i)[SN_MOTOR_IMAX]);
    }
    if (heat >= 0) d->act_dot[heat] = heatRate(m, d, i, &w, d->act[heat]);
    if (bristle >= 0) d->act_dot[bristle] = bristleRate(m, d, i, bristle);
    if (current >= 0) d->act_dot[current] = w.rate;
}

real sn_motorNext(const snModel* m, const snData* d, int i, int adr, real act_dot)
{
    const real *dynamics = dynamicsOf(m, i), h = m->opt.timestep, time = dynamics[SN_MOTOR_TIMECONST];
    if (adr == actOf(m, i, SN_MOTOR_BRISTLE)) return bristleNext(m, d, i, adr);
    if (adr == actOf(m, i, SN_MOTOR_CURRENT)) return d->act[adr] - act_dot * time * sn_expm1(-h / time);
    const real next = d->act[adr] + h * act_dot, most = dynamics[SN_MOTOR_IMAX], range[2] = {-most, most};
    if (adr != actOf(m, i, SN_MOTOR_INTEGRAL)) return next;
    return sn_select(most > 0, sn_clampToRange(next, range), next);
}

static bool anyHasBristles(const snModel* m)
{
    for (int i = 0; i < m->nactuator; i++)
        if (m->actuator_dyntype[i] == SN_DYN_DCMOTOR && actOf(m, i, SN_MOTOR_BRISTLE) >= 0) return true;
    return false;
}

bool sn_keepMotorVelocities(const snModel* m, snData* d, real** kept)
{
    const size_t size = (size_t)m->nout * sizeof(real);
    *kept = NULL;
    if (!anyHasBristles(m)) return true;
    *kept = sn_scratchReal(d, m->nout);
    if (*kept) memcpy(*kept, d->actuator_velocity, size);
    return *kept != NULL;
}

void sn_restoreMotorVelocities(const snModel* m, snData* d, const real* kept)
{
    if (kept) memcpy(d->actuator_velocity, kept, (size_t)m->nout * sizeof(real));
}

#ifdef SN_LANES // those with a bad control are left to the scalar engine
static bool hasBadControl(const snModel* m, const snData* d)
{
    (void)m, (void)d;
    return false;
}
#else
static bool hasBadControl(const snModel* m, const snData* d)
{
    return sn_badControl(m, d) >= 0;
}
#endif

snMotorSlopes sn_motorSlopes(const snModel* m, const snData* d, int i, snMask cut)
{
    const Winding w = windingOf(m, d, i, hasBadControl(m, d));
    const real *gain = gainOf(m, i), *bias = biasOf(m, i), *range = m->actuator_forcerange + 2 * i;
    const real torque = gain[SN_MOTOR_K] * w.current;
    cut |= w.bound;
    if (m->actuator_forcelimited[i]) cut |= sn_not((range[0] < torque) & (torque < range[1]));
    const real share = sn_select(cut, 0, w.share / w.resistance);
    const real stiffness = sn_select(w.driven, gain[SN_MOTOR_R] * gain[SN_MOTOR_KP], 0);
    const real damping =
        sn_select(w.driven, gain[SN_MOTOR_R] * gain[SN_MOTOR_KD], gain[SN_MOTOR_K] * gain[SN_MOTOR_K]);
    snMotorSlopes slopes = {.length = -stiffness * share, .velocity = -damping * share};
    if (sn_any(bias[SN_MOTOR_COGGING] != 0))
        slopes.length += bias[SN_MOTOR_COGGING] * bias[SN_MOTOR_POLES] * sn_cos(coggingAngle(m, d, i));
    if (actOf(m, i, SN_MOTOR_BRISTLE) >= 0)
        slopes.velocity -=
            sn_select(bristlesOf(m, d, i).loose, 0, sn_max(dynamicsOf(m, i)[SN_MOTOR_DAMPING], 0));
    return slopes;
}
