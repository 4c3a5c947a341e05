// Displacement of a joint from where its spring is at rest. Source: seed 001, "Passive forces".
#ifndef SINEW_SMOOTH_KINEMATICS_SPRING_H
#define SINEW_SMOOTH_KINEMATICS_SPRING_H

#include <sinew/data.h>
#include "math/vec.h"

/// Rotation vector, in the child frame, that takes orientation q0 to q: log(q0* q). q need not be normal.
static inline snVec3 sn_rotationFrom(const real* q0, const real* q)
{
    return sn_quatToRotvec(sn_quatMul(sn_quatConj(sn_quatLoad(q0)), sn_quatNormalize(sn_quatLoad(q))));
}

#endif
