#include "derivative/parameter/pid.h"
#include "derivative/force/pid.h"
#include "smooth/actuator/actuation.h"
#include "smooth/actuator/pid.h"
#include "smooth/actuator/setpoint.h"
#include "smooth/actuator/signal.h"

// A setpoint u = (u before) + slewmax h that goes as fast as it may: by slewmax all is h times what it is by
// the activation u before, and of the other sign on the way back.
static double bySlew(const snModel* m, const snData* d, const snParameterStage* s, int i, bool bad)
{
    const int moving = sn_pidMoving(m, i);
    if (moving < 0 || sn_pidIsFree(m, d, i, bad)) return 0;
    double sum = s->power[i] * sn_pidForceSlopes(m, d, i, bad).act[0];
    for (int k = moving, end = k + m->actuator_actnum[i]; k < end && s->act; k++) {
        const snActuatorSlopes rate = sn_pidRateSlopes(m, d, i, k, bad);
        sum += s->act[k] * sn_nextActivationSlopes(m, d, i, k, d->act_dot[k], rate).act[0];
    }
    return d->act_dot[moving] > 0 ? m->opt.timestep * sum : -m->opt.timestep * sum;
}

void sn_addPidGradient(const snModel* m, const snData* d, const snParameterStage* stage, int i, bool bad,
                       const snModelGradient* sum)
{
    const int out = m->actuator_outadr[i];
    const double power = stage->power[i], l = d->actuator_length[out], v = d->actuator_velocity[out];
    const double u = sn_nearestSetpoint(m, i, sn_pidSetpoint(m, d, i, bad), l);
    const double terms[3] = {1, l - u, v - sn_inputOf(m, d, i, SN_INPUT_VEL, bad)};
    for (int k = 0; k < 3 && sum->actuator_biasprm; k++)
        sum->actuator_biasprm[SN_NBIAS * i + k] += power * terms[k];
    if (sum->actuator_gainprm && sn_pidIntegral(m, i) >= 0)
        sum->actuator_gainprm[SN_NGAIN * i + SN_PID_KI] += power * sn_givenInput(m, d, i, bad);
    if (sum->actuator_dynprm) sum->actuator_dynprm[SN_NDYN * i + SN_PID_SLEW] += bySlew(m, d, stage, i, bad);
}
