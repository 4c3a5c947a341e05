// Mass properties of several rigid parts as one.
#ifndef SINEW_COMPILE_BODY_INERTIA_H
#define SINEW_COMPILE_BODY_INERTIA_H

#include "math/vec.h"

typedef struct snMassProperties {
    real mass;
    snPose frame;   ///< centre of mass and principal axes in the body
    snVec3 moments; ///< principal moments about the centre of mass
} snMassProperties;

/// One body out of n parts: total mass, common centre, moments by the parallel axis theorem, principal axes
/// with decreasing moments, to rounding when exact, else to the peer's 1e-6. One part is returned as it is.
/// n > 0, masses > 0.
snMassProperties sn_mergeMass(const snMassProperties* parts, int n, bool exact);

#endif
