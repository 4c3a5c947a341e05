// The laws in a step, by their types. A type that is not named here does not compile.
#ifndef SINEW_SMOOTH_ACTUATOR_LAW_DISPATCH_H
#define SINEW_SMOOTH_ACTUATOR_LAW_DISPATCH_H

#include <sinew/data.h>
#include "smooth/actuator/law/affine.h"
#include "smooth/actuator/law/filter.h"
#include "smooth/actuator/law/filterexact.h"
#include "smooth/actuator/law/integrator.h"
#include "smooth/actuator/law/muscle.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch-enum"

/// Gain of actuator i.
real sn_actuatorGain(const snModel* m, snData* d, int i);

/// Its derivative by velocity.
static inline real sn_lawGainVelocity(const snModel* m, const snData* d, int i)
{
    const int out = m->actuator_outadr[i];
    const real* prm = m->actuator_gainprm + SN_NGAIN * i;
    switch ((snGainType)m->actuator_gaintype[i]) {
    case SN_GAIN_AFFINE: return sn_affineVelocity(prm);
    case SN_GAIN_MUSCLE:
        return sn_muscleGainVelocity(d->actuator_length[out], d->actuator_velocity[out],
                                     m->actuator_lengthrange + 2 * out, m->actuator_acc0[out], prm);
    case SN_GAIN_FIXED:
    case SN_GAIN_DCMOTOR:
    case SN_GAIN_SO3:
    case SN_GAIN_PID:
    case SN_GAIN_USER: break;
    }
    return sn_real(0);
}

/// Bias of actuator i.
real sn_actuatorBias(const snModel* m, snData* d, int i);

/// Its derivative by velocity.
static inline real sn_lawBiasVelocity(const snModel* m, int i)
{
    switch ((snBiasType)m->actuator_biastype[i]) {
    case SN_BIAS_AFFINE:
    case SN_BIAS_SO3: return sn_affineVelocity(m->actuator_biasprm + SN_NBIAS * i);
    case SN_BIAS_NONE:
    case SN_BIAS_MUSCLE:
    case SN_BIAS_DCMOTOR:
    case SN_BIAS_USER: break;
    }
    return sn_real(0);
}

/// Rate of the activation `act`, the last one of actuator i, under control u; those of the user's functions
/// are sn_userRates', a controller's sn_pidRates', a motor's sn_motorRates'.
static inline real sn_lawRate(const snModel* m, int i, real u, real act)
{
    const real* prm = m->actuator_dynprm + SN_NDYN * i;
    switch ((snDynType)m->actuator_dyntype[i]) {
    case SN_DYN_INTEGRATOR: return sn_integratorRate(u);
    case SN_DYN_FILTER:
    case SN_DYN_FILTEREXACT: return sn_filterRate(u, act, prm);
    case SN_DYN_MUSCLE: return sn_muscleDynamics(u, act, prm);
    case SN_DYN_NONE:
    case SN_DYN_DCMOTOR:
    case SN_DYN_PID:
    case SN_DYN_USER: break;
    }
    return sn_real(0);
}

/// An activation of actuator i after a time step at this rate.
static inline real sn_lawNext(const snModel* m, int i, real act, real rate)
{
    const real h = m->opt.timestep;
    switch ((snDynType)m->actuator_dyntype[i]) {
    case SN_DYN_FILTEREXACT: return sn_filterexactNext(act, rate, h, m->actuator_dynprm + SN_NDYN * i);
    case SN_DYN_NONE:
    case SN_DYN_INTEGRATOR:
    case SN_DYN_FILTER:
    case SN_DYN_MUSCLE:
    case SN_DYN_DCMOTOR:
    case SN_DYN_PID:
    case SN_DYN_USER: break;
    }
    return act + rate * h;
}

#pragma GCC diagnostic pop

#endif
