// Newton's method for the signed distance of two convex shapes: the unit n that maximises the gap g(n).
#ifndef SINEW_COLLISION_CONVEX_CONVEX_ASCEND_H
#define SINEW_COLLISION_CONVEX_CONVEX_ASCEND_H

#include "collision/convex/support.h"

typedef enum snAscend {
    SN_ASCEND_FAILED,  ///< no stationary point found
    SN_ASCEND_APART,   ///< n is a plane that parts the shapes by more than the margin
    SN_ASCEND_LOCAL,   ///< n is a local maximum
    SN_ASCEND_OPTIMAL, ///< n is the maximum
} snAscend;

/// A direction with the two surface points that it belongs to.
typedef struct snWitness {
    snVec3 n;      ///< unit, from A to B
    real dist;     ///< g(n), balls included
    snVec3 pa, pb; ///< nearest (deepest) points on A and B
    bool bare;     ///< there are none: A and B lie flat on each other, and nobody wants them
} snWitness;

/// Climbs from out->n to a stationary point of g and fills *out (on FAILED only its n is touched). Segments
/// with |n.s| <= kink |s| start as kinks: edges or faces that the contact rests on. Finite steps, no memory.
snAscend sn_convexAscend(const snConvexPair* p, real margin, real kink, snWitness* out);

#endif
