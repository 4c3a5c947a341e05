// With u the setpoint where it gets to, w that of velocity and f the feedforward,
//     p = kp (u - l) + kv (w - v) + ki x + f,   x' = u - l or 0,   u' = (u - u before)/h,
// and u by itself before, by its control, or by neither. The derivatives are worked out here.
#include "derivative/force/pid.h"
#include "smooth/actuator/law/law.h"
#include "smooth/actuator/pid.h"
#include "smooth/actuator/setpoint.h"
#include "smooth/actuator/signal.h"

static snActuatorSlopes none(const snModel* m, int i)
{
    return (snActuatorSlopes){.act_adr = m->actuator_actadr[i],
                              .nact = m->actuator_actnum[i],
                              .ctrl_adr = m->actuator_ctrladr[i],
                              .nctrl = m->actuator_ctrlnum[i]};
}

static void addInput(const snModel* m, const snData* d, int i, int input, bool bad, double scale,
                     snActuatorSlopes* sum)
{
    const int place = bad ? -1 : sn_inputPlace(m, i, input);
    if (place >= 0) sum->ctrl[place] += scale * sn_controlSlope(m, d, sum->ctrl_adr + place);
}

static void addActivation(int k, double scale, snActuatorSlopes* sum)
{
    sum->act[k - sum->act_adr] += scale;
}

bool sn_pidIsFree(const snModel* m, const snData* d, int i, bool bad)
{
    const int moving = sn_pidMoving(m, i);
    const double u = sn_inputOf(m, d, i, SN_INPUT_POS, bad);
    return moving < 0 || sn_pidSetpoint(m, d, i, bad) == sn_nearestSetpoint(m, i, u, d->act[moving]);
}

static void addSetpoint(const snModel* m, const snData* d, int i, bool bad, double scale,
                        snActuatorSlopes* sum)
{
    if (sn_pidIsFree(m, d, i, bad))
        addInput(m, d, i, SN_INPUT_POS, bad, scale, sum);
    else
        addActivation(sn_pidMoving(m, i), scale, sum);
}

// Whether the integral stands at its most although there is an error: without one it may go either way.
static bool stands(const snModel* m, const snData* d, int i, int integral, bool bad)
{
    const double l = d->actuator_length[m->actuator_outadr[i]];
    return d->act_dot[integral] == 0 && sn_nearestSetpoint(m, i, sn_pidSetpoint(m, d, i, bad), l) != l;
}

snActuatorSlopes sn_pidRateSlopes(const snModel* m, const snData* d, int i, int k, bool bad)
{
    snActuatorSlopes s = none(m, i);
    if (k == sn_pidMoving(m, i)) {
        addSetpoint(m, d, i, bad, 1 / m->opt.timestep, &s);
        addActivation(k, -1 / m->opt.timestep, &s);
    } else if (k == sn_pidIntegral(m, i) && !stands(m, d, i, k, bad)) {
        addSetpoint(m, d, i, bad, 1, &s);
        s.length = -1;
    }
    return s;
}

// ki x
static void addIntegral(const snModel* m, const snData* d, int i, bool bad, snActuatorSlopes* sum)
{
    const int k = sn_pidIntegral(m, i);
    const double ki = m->actuator_gainprm[SN_NGAIN * i + SN_PID_KI];
    if (k < 0) return;
    snActuatorSlopes x = none(m, i);
    if (m->actuator_actearly[i])
        x = sn_nextActivationSlopes(m, d, i, k, d->act_dot[k], sn_pidRateSlopes(m, d, i, k, bad));
    else
        addActivation(k, 1, &x);
    sum->length += ki * x.length;
    for (int n = 0; n < sum->nact; n++) sum->act[n] += ki * x.act[n];
    for (int n = 0; n < sum->nctrl; n++) sum->ctrl[n] += ki * x.ctrl[n];
}

snActuatorSlopes sn_pidForceSlopes(const snModel* m, const snData* d, int i, bool bad)
{
    const double *prm = m->actuator_biasprm + SN_NBIAS * i, kp = -prm[1], kv = -prm[2];
    const snLawPoint point = sn_biasPoint(m, d, i);
    const snLawSlopes bias = sn_biasLaw(m->actuator_biastype[i])->slopes(&point);
    snActuatorSlopes s = none(m, i);
    s.length = bias.length;
    s.velocity = bias.velocity;
    addSetpoint(m, d, i, bad, kp, &s);
    addInput(m, d, i, SN_INPUT_VEL, bad, kv, &s);
    addInput(m, d, i, SN_INPUT_FF, bad, 1, &s);
    addIntegral(m, d, i, bad, &s);
    return s;
}
