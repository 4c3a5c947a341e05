// Mass properties of several rigid parts as one.
#ifndef SINEW_COMPILE_BODY_INERTIA_H
#define SINEW_COMPILE_BODY_INERTIA_H

#include "math/vec.h"

typedef struct snMassProperties {
    real mass;
    snPose frame;   ///< centre of mass and principal axes in the body
    snVec3 moments; ///< principal moments about the centre of mass
} snMassProperties;

/// Principal axes and moments of a symmetric matrix, as sn_eig3.
typedef snQuat snAxesFinder(snMat3 tensor, real moments[3]);

/// One body out of n parts: total mass, common centre, moments by the parallel axis theorem, principal axes
/// by `axes`. One part is returned as it is. n > 0, masses > 0.
snMassProperties sn_mergeMass(const snMassProperties* parts, int n, snAxesFinder* axes);

#endif
