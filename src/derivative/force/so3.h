// Orientation servos (smooth/actuator/so3.h): how their three forces
//     f = kp e - kv w,   e = log(q* u),
// change. By a turn t of the child, in its axes, e changes by -K(e)' t, and by a turn s of the command, in
// its own axes, by K(e) s, K that of sn_rotationVectorRate. A rotation vector r that grows by dr turns its
// rotation by s = K(r)^-1 dr, a quaternion p of length n that grows by dp by the vector part of 2 p* dp /
// n^2.
#ifndef SINEW_DERIVATIVE_FORCE_SO3_H
#define SINEW_DERIVATIVE_FORCE_SO3_H

#include "derivative/force/actuator.h"
#include "math/vec.h"

typedef struct snOrientationSlopes {
    snVec3 force;    ///< before any limit
    snMat3 limit;    ///< of the forces within their limit by those before; the identity where there is none
    snMat3 turn;     ///< of those before by the turn of the child
    double velocity; ///< of each of them by its own velocity
    snVec3 act[3];   ///< of them by the activations; 0: there are none
    snVec3 ctrl[4];  ///< by the controls
} snOrientationSlopes;

/// bad: some control is, see sn_badControl.
snOrientationSlopes sn_orientationSlopes(const snModel* m, const snData* d, int i, bool bad);

/// Of act_dot number k.
snActuatorSlopes sn_orientationRateSlopes(const snModel* m, const snData* d, int i, int k, bool bad);

/// UNSUPPORTED, with the actuator's name, where a step takes activations past half a turn, from where they go
/// on as another vector.
snStatus sn_checkOrientationWrap(const snModel* m, const snData* d, snError* error);

#endif
