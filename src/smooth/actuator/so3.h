// Orientation servos: with q the orientation of the child in the parent, u the one that is commanded and w
// the angular velocity between them, all in the axes of the child,
//     f = kp log(q* u) - kv w,
// log the rotation vector of at most half a turn. The parent and the child are those of a ball joint, or a
// reference site and a site. f has three outputs, whose lengths are log(q) and velocities w.
#ifndef SINEW_SMOOTH_ACTUATOR_SO3_H
#define SINEW_SMOOTH_ACTUATOR_SO3_H

#include <sinew/data.h>
#include "math/vec.h"

static inline bool sn_isOrientationServo(const snModel* m, int i)
{
    return m->actuator_gaintype[i] == SN_GAIN_SO3;
}

/// q of actuator i.
snQuat sn_relativeOrientation(const snModel* m, const snData* d, int i);

/// The numbers [ctrlnum] that command it: the controls, or the activations, with actearly as they are after
/// the step at act_dot. bad: all controls count as 0, see sn_badControl.
void sn_orientationCommand(const snModel* m, const snData* d, int i, bool bad, real* u);

/// u, by these numbers. A quaternion is normalised, and of length 0 the identity.
snQuat sn_commandedOrientation(const snModel* m, const snData* d, int i, bool bad);

/// log(q* u).
snVec3 sn_orientationError(const snModel* m, const snData* d, int i, bool bad);

/// f before any limit.
void sn_orientationForce(const snModel* m, const snData* d, int i, bool bad, real force[3]);

/// f within forcerange, which bounds its length.
void sn_limitTorque(const real range[2], real force[3]);

/// Whether f stands at that bound.
snMask sn_isTorqueLimited(const real range[2], const real force[3]);

/// act_dot of the three activations.
void sn_orientationRates(const snModel* m, snData* d, int i, bool bad);

/// Activations that are longer than half a turn are the same orientation by the shorter way.
void sn_wrapOrientation(real act[3]);

#endif
