// In lanes, too: src/batch/lane/prelude.h.
// Gains and biases, by calls: inline, what lanes fuse to one rounding would depend on who asks.
#include "smooth/actuator/law/dispatch.h"
#include "smooth/actuator/law/fixed.h"
#include "smooth/actuator/law/user.h"

#pragma GCC diagnostic error "-Wswitch-enum"

real sn_actuatorGain(const snModel* m, snData* d, int i)
{
    const int out = m->actuator_outadr[i];
    const real length = d->actuator_length[out], velocity = d->actuator_velocity[out];
    const real* prm = m->actuator_gainprm + SN_NGAIN * i;
    switch ((snGainType)m->actuator_gaintype[i]) {
    case SN_GAIN_FIXED: return sn_fixed(prm);
    case SN_GAIN_AFFINE: return sn_affine(prm, length, velocity);
    case SN_GAIN_MUSCLE:
        return sn_muscleGain(length, velocity, m->actuator_lengthrange + 2 * out, m->actuator_acc0[out], prm);
    case SN_GAIN_DCMOTOR:
    case SN_GAIN_SO3:
    case SN_GAIN_PID: return sn_real(0); // no force of one control: sn_pidForce, sn_motorForce
    case SN_GAIN_USER: break;
    }
    return sn_userGain(m, d, i);
}

real sn_actuatorBias(const snModel* m, snData* d, int i)
{
    const int out = m->actuator_outadr[i];
    const real length = d->actuator_length[out];
    const real* prm = m->actuator_biasprm + SN_NBIAS * i;
    switch ((snBiasType)m->actuator_biastype[i]) {
    case SN_BIAS_SO3: // as if its first force were alone; all three: sn_orientationForce
    case SN_BIAS_AFFINE: return sn_affine(prm, length, d->actuator_velocity[out]);
    case SN_BIAS_MUSCLE:
        return sn_muscleBias(length, m->actuator_lengthrange + 2 * out, m->actuator_acc0[out], prm);
    case SN_BIAS_USER: return sn_userBias(m, d, i);
    case SN_BIAS_DCMOTOR:
    case SN_BIAS_NONE: break;
    }
    return sn_real(0);
}
