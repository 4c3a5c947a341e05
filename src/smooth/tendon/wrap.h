// Shortest path of a string around a sphere or an infinite cylinder. Source: seed 001, stage 5.
#ifndef SINEW_SMOOTH_TENDON_WRAP_H
#define SINEW_SMOOTH_TENDON_WRAP_H

#include "math/vec.h"

/// The shape: its frame and radius, the cylinder's axis along z of the frame.
typedef struct snWrapShape {
    snVec3 pos;
    snMat3 mat;
    real radius;
    bool cylinder;
    bool through; ///< the path winds around it as the one through the side does (SN_RULE_SIDE_SITES)
} snWrapShape;

/// The path from point[0] to point[1], world. side: a point on the side where the path passes, NULL: the
/// shorter way; with `through` the path is the taut one of those that go around the shape the way that
/// straight lines to the side and on go; nearer to pos than the radius, the path passes through the inside
/// and touches it from there. Returns the length of the arc between the touching points, which go to touch[0]
/// and touch[1], world; -1: the straight line is the path. In lanes the touching points of lanes without any
/// are point[0].
real sn_wrap(const snWrapShape* shape, const snVec3 point[2], const snVec3* side, snVec3 touch[2]);

#endif
