// DC motors: of the voltage v at a winding of resistance r, which moves with the velocity w, comes the
// current and of it the torque,
//     i = (v - K w) / r,   p = K i,
// or, with the time constant t of an inductance, di/dt = ((v - K w)/r - i)/t, whose step is exact for a v
// that is held; the torque is that of the current after the step. A controller asks for a torque c, by
// setpoints u and s of position and velocity, and drives
//     v = (R/K) c + K w,   c = kp (u - l) + kd (s - w) + ki x + f,   dx/dt = u - l,
// R the resistance as it is given: cold it has that torque. Warm, at T above the ambient temperature,
//     r = R (1 + alpha (T + ambient - reference)),   C dT/dt = i^2 r - T/thermal resistance.
// Beside the limits of the torque are cogging, A sin(N l + phase), and friction by bristles that are bent by
// z,
//     -(s0 z + s1 dz/dt),   dz/dt = w - s0 |w|/g(w) z,   g = coulomb + (static - coulomb)
//     exp(-(w/stribeck)^2),
// whose step is exact for a w that is held (Canudas de Wit et al., A new model for control of systems with
// friction, 1995).
#ifndef SINEW_SMOOTH_ACTUATOR_DCMOTOR_H
#define SINEW_SMOOTH_ACTUATOR_DCMOTOR_H

#include <sinew/data.h>
#include "math/real.h"

/// Of a force by length and by velocity.
typedef struct snMotorSlopes {
    real length, velocity;
} snMotorSlopes;

/// act_dot of the activations of motor i (model/motor.h). bad: all controls count as 0.
void sn_motorRates(const snModel* m, snData* d, int i, bool bad);

/// Activation number adr of motor i after a time step at rate act_dot; a bristle's by the velocity alone.
real sn_motorNext(const snModel* m, const snData* d, int i, int adr, real act_dot);

/// Integrators with stages: bristles move by the velocity before the step. *kept: actuator_velocity [nout] in
/// scratch; NULL: nobody needs it. false: there is no room.
bool sn_keepMotorVelocities(const snModel* m, snData* d, real** kept);
void sn_restoreMotorVelocities(const snModel* m, snData* d, const real* kept);

/// p, before any limit.
real sn_motorForce(const snModel* m, const snData* d, int i, bool bad);

/// Cogging and friction.
real sn_motorFriction(const snModel* m, const snData* d, int i);

/// How the force of motor i changes in a step: of the current the part that gets to the torque within the
/// step, nothing of it where `cut` or where the torque stands at forcerange; of friction its damping s1.
snMotorSlopes sn_motorSlopes(const snModel* m, const snData* d, int i, snMask cut);

#endif
