// DC motors: where their numbers stand in the arrays of actuators, and which activations they have.
#ifndef SINEW_MODEL_MOTOR_H
#define SINEW_MODEL_MOTOR_H

#include "math/real.h"

/// Of gainprm.
enum {
    SN_MOTOR_R,
    SN_MOTOR_K,
    SN_MOTOR_TEMPCOEF,
    SN_MOTOR_REFTEMP,
    SN_MOTOR_KP,
    SN_MOTOR_KI,
    SN_MOTOR_KD,
    SN_MOTOR_VMAX
};

/// Of dynprm.
enum {
    SN_MOTOR_TIMECONST,
    SN_MOTOR_RATEMAX,
    SN_MOTOR_HEATRES,
    SN_MOTOR_HEATCAP,
    SN_MOTOR_AMBIENT,
    SN_MOTOR_STIFFNESS,
    SN_MOTOR_DAMPING,
    SN_MOTOR_SLEWMAX,
    SN_MOTOR_IMAX
};

/// Of biasprm.
enum {
    SN_MOTOR_COGGING,
    SN_MOTOR_POLES,
    SN_MOTOR_PHASE,
    SN_MOTOR_COULOMB,
    SN_MOTOR_STATIC,
    SN_MOTOR_STRIBECK
};

/// Activations, in this order, those that there are.
enum {
    SN_MOTOR_SETPOINT,    ///< the first input, which moves by slewmax at most
    SN_MOTOR_INTEGRAL,    ///< of the error of position
    SN_MOTOR_TEMPERATURE, ///< of the winding, above the ambient one
    SN_MOTOR_BRISTLE,     ///< how far the bristles of its friction are bent
    SN_MOTOR_CURRENT
};

/// Which activations a motor with these numbers has, as bits.
static inline unsigned sn_motorStates(const real* dynprm, const real* gainprm)
{
    const bool setpoint = sn_any(dynprm[SN_MOTOR_SLEWMAX] > 0), integral = sn_any(gainprm[SN_MOTOR_KI] > 0);
    const bool heat = sn_any((dynprm[SN_MOTOR_HEATRES] > 0) & (dynprm[SN_MOTOR_HEATCAP] > 0));
    const bool bristle = sn_any(dynprm[SN_MOTOR_STIFFNESS] > 0);
    const bool current = sn_any(dynprm[SN_MOTOR_TIMECONST] > 0);
    return (unsigned)setpoint << SN_MOTOR_SETPOINT | (unsigned)integral << SN_MOTOR_INTEGRAL |
           (unsigned)heat << SN_MOTOR_TEMPERATURE | (unsigned)bristle << SN_MOTOR_BRISTLE |
           (unsigned)current << SN_MOTOR_CURRENT;
}

#endif
