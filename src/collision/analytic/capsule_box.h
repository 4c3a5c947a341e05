// Where a segment is nearest to a box.
#ifndef SINEW_COLLISION_ANALYTIC_CAPSULE_BOX_H
#define SINEW_COLLISION_ANALYTIC_CAPSULE_BOX_H

#include "math/vec.h"

/// In the box's frame: segment p + s a, |s| <= h; box |x_i| <= S_i.
typedef struct snBoxSegment {
    real p[3], a[3], h;
    real S[3];
} snBoxSegment;

/// The place on the segment, and the feature of the box it is nearest to.
typedef struct snBoxNearest {
    real distance, s;
    enum { SN_ON_INSIDE, SN_ON_FACE, SN_ON_EDGE, SN_ON_CORNER } feature;
    int axis;    ///< face: its normal; edge: its direction
    int sign[3]; ///< which side of the box the feature is on, per axis
    real u;      ///< edge: coordinate along it
} snBoxNearest;

snBoxNearest sn_nearestOnBox(const snBoxSegment* g);

#endif
