// In lanes, too: src/batch/lane/prelude.h.
#include "smooth/actuator/setpoint.h"
#include "math/vec.h"
#include "model/rules.h"

// A gain of minus the bias by length, on a control or on what follows one, or a controller.
static snMask isServo(const snModel* m, int i)
{
    const bool affine = m->actuator_gaintype[i] == SN_GAIN_FIXED && m->actuator_biastype[i] == SN_BIAS_AFFINE;
    if (m->actuator_gaintype[i] == SN_GAIN_PID) return sn_mask(true);
    switch ((snDynType)m->actuator_dyntype[i]) {
    case SN_DYN_MUSCLE:
    case SN_DYN_DCMOTOR:
    case SN_DYN_USER: return sn_mask(false);
    case SN_DYN_PID:
    case SN_DYN_NONE:
    case SN_DYN_INTEGRATOR:
    case SN_DYN_FILTER:
    case SN_DYN_FILTEREXACT: break;
    }
    if (!affine) return sn_mask(false);
    return m->actuator_gainprm[SN_NGAIN * i] == -m->actuator_biasprm[SN_NBIAS * i + 1];
}

// The numbers of the gear by which it turns, where it does nothing else; NULL: there are none.
static const real* turningGear(const snModel* m, int i)
{
    const real* gear = m->actuator_gear + 6 * m->actuator_outadr[i];
    const int id = m->actuator_trnid[2 * i], reference = m->actuator_trnid[2 * i + 1];
    switch ((snTrnType)m->actuator_trntype[i]) {
    case SN_TRN_JOINT:
    case SN_TRN_JOINTINPARENT: return m->jnt_type[id] == SN_JNT_BALL ? gear : NULL;
    case SN_TRN_SITE: return reference >= 0 ? gear + 3 : NULL;
    case SN_TRN_TENDON:
    case SN_TRN_SLIDERCRANK:
    case SN_TRN_BODY:
    case SN_TRN_SO3:
    case SN_TRN_UNDEFINED: break;
    }
    return NULL;
}

real sn_setpointPeriod(const snModel* m, int i)
{
    if (!sn_means(m->physics, SN_RULE_TURNING_SETPOINTS)) return sn_real(0);
    const real *gear = m->actuator_gear + 6 * m->actuator_outadr[i], *turning = turningGear(m, i);
    if (!turning) return sn_real(0);
    snMask has = isServo(m, i);
    for (int k = 0; k < 3 && turning != gear; k++) has &= gear[k] == 0;
    return sn_select(has, 2 * SN_PI * sn_v3Norm(sn_v3Load(turning)), 0);
}

real sn_unwoundSetpoint(real period, real u, real to)
{
    const snMask turns = period > 0;
    const real far = (u - to) / sn_select(turns, period, 1), whole = floor(fabs(far) + 0.5);
    return sn_select(turns & (whole > 0), u - period * copysign(whole, far), u);
}
