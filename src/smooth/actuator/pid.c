// In lanes, too: src/batch/lane/prelude.h.
#include "smooth/actuator/pid.h"
#include <math.h>
#include "smooth/actuator/law/dispatch.h"
#include "smooth/actuator/setpoint.h"
#include "smooth/actuator/signal.h"

real sn_pidSetpoint(const snModel* m, const snData* d, int i, bool bad)
{
    const real u = sn_inputOf(m, d, i, SN_INPUT_POS, bad);
    const int act = sn_pidMoving(m, i);
    if (act < 0) return u;
    const real way = m->actuator_dynprm[SN_NDYN * i + SN_PID_SLEW] * m->opt.timestep, from = d->act[act];
    const real range[2] = {from - way, from + way};
    return sn_clampToRange(sn_nearestSetpoint(m, i, u, from), range);
}

// Of a setpoint that turns the way around that is shorter.
static real nearLength(const snModel* m, const snData* d, int i, real u)
{
    return sn_nearestSetpoint(m, i, u, d->actuator_length[m->actuator_outadr[i]]);
}

void sn_pidRates(const snModel* m, snData* d, int i, bool bad)
{
    const int moving = sn_pidMoving(m, i), integral = sn_pidIntegral(m, i);
    const real u = sn_pidSetpoint(m, d, i, bad);
    if (moving >= 0) d->act_dot[moving] = (u - d->act[moving]) / m->opt.timestep;
    if (integral < 0) return;
    const real error = nearLength(m, d, i, u) - d->actuator_length[m->actuator_outadr[i]];
    d->act_dot[integral] =
        sn_integralRate(error, d->act[integral], m->actuator_dynprm[SN_NDYN * i + SN_PID_IMAX]);
}

// x, with actearly as it is after the step.
static real sum(const snModel* m, const snData* d, int i, int act)
{
    return m->actuator_actearly[i] ? sn_nextActivation(m, d, i, act, d->act_dot[act]) : d->act[act];
}

real sn_pidForce(const snModel* m, snData* d, int i, bool bad)
{
    const real *prm = m->actuator_biasprm + SN_NBIAS * i, kp = -prm[1], kv = -prm[2];
    const int integral = sn_pidIntegral(m, i);
    real p = kp * nearLength(m, d, i, sn_pidSetpoint(m, d, i, bad)) + sn_actuatorBias(m, d, i);
    p += kv * sn_inputOf(m, d, i, SN_INPUT_VEL, bad) + sn_inputOf(m, d, i, SN_INPUT_FF, bad);
    return integral < 0 ? p : p + m->actuator_gainprm[SN_NGAIN * i + SN_PID_KI] * sum(m, d, i, integral);
}
