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

static inline bool sn_pidSlews(const snModel* m, int i)
{
    return m->actuator_actnum[i] > 0 && sn_any(m->actuator_dynprm[SN_NDYN * i + SN_PID_SLEW] > 0);
}

/// The activation that u moves along with; -1: it is at once where it shall be.
static inline int sn_pidMoving(const snModel* m, int i)
{
    return sn_pidSlews(m, i) ? m->actuator_actadr[i] : -1;
}

/// The activation x; -1: there is none.
static inline int sn_pidIntegral(const snModel* m, int i)
{
    const int place = sn_pidSlews(m, i);
    const bool integrates = sn_any(m->actuator_gainprm[SN_NGAIN * i + SN_PID_KI] > 0);
    return integrates && place < m->actuator_actnum[i] ? m->actuator_actadr[i] + place : -1;
}

/// u, where it gets to in this step.
real sn_pidSetpoint(const snModel* m, const snData* d, int i, bool bad);

/// act_dot of the setpoint that moves, then of the integral, of those that actuator i has. bad: all controls
/// count as 0.
void sn_pidRates(const snModel* m, snData* d, int i, bool bad);

/// p, before any limit. Reads act_dot.
real sn_pidForce(const snModel* m, snData* d, int i, bool bad);

#endif
