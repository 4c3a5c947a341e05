// PID controllers: with the setpoints u and w of length l and velocity v, and the feedforward f,
//     p = kp (u - l) + kv (w - v) + ki x + f,   dx/dt = u - l,
// kp and kv by the bias -kp l - kv v. u moves by slewmax at most, from activation to activation. x stands
// where it is at or beyond imax and the error drives it further.
#ifndef SINEW_SMOOTH_ACTUATOR_PID_H
#define SINEW_SMOOTH_ACTUATOR_PID_H

#include <sinew/data.h>
#include "math/real.h"

enum { SN_PID_KI = 0 };                    ///< of gainprm
enum { SN_PID_IMAX = 0, SN_PID_SLEW = 1 }; ///< of dynprm

/// Of an integral x that has come to its bound, or beyond it, the error moves it no further out; most 0:
/// there is none.
static inline real sn_integralRate(real error, real x, real most)
{
    const snMask stands = (most > 0) & (((x >= most) & (error > 0)) | ((x <= -most) & (error < 0)));
    return sn_select(stands, 0, error);
}

/// act_dot of the setpoint that moves, then of the integral, of those that actuator i has. bad: all controls
/// count as 0.
void sn_pidRates(const snModel* m, snData* d, int i, bool bad);

/// p, before any limit. Reads act_dot.
real sn_pidForce(const snModel* m, snData* d, int i, bool bad);

#endif
