// Where a segment is nearest to a box.
#ifndef SINEW_COLLISION_ANALYTIC_CAPSULE_BOX_H
#define SINEW_COLLISION_ANALYTIC_CAPSULE_BOX_H

#include "collision/contact/narrow.h"

/// In the box's frame: segment p + s a, |s| <= h; box |x_i| <= S_i.
typedef struct snBoxSegment {
    real p[3], a[3], h;
    real S[3];
} snBoxSegment;

static inline snBoxSegment sn_boxSegment(const snShape* capsule, const snShape* box)
{
    snBoxSegment g = {.h = capsule->size.y};
    sn_v3Store(g.p, sn_m3TMul(box->mat, sn_v3Sub(capsule->pos, box->pos)));
    sn_v3Store(g.a, sn_m3TMul(box->mat, sn_m3Col(capsule->mat, 2)));
    sn_v3Store(g.S, box->size);
    return g;
}

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
