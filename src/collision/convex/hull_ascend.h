// The signed distance of a hull and a shape with an ellipsoid or disc in it.
#ifndef SINEW_COLLISION_CONVEX_HULL_ASCEND_H
#define SINEW_COLLISION_CONVEX_HULL_ASCEND_H

#include "collision/convex/convex_ascend.h"

/// sn_convexAscend, or the same for a hull and a shape with a round: climbs from out->n to a local maximum of
/// the gap, whatever it is. near [nnear]: supports whose hull vertices the contact may rest on, or NULL.
/// FAILED for hulls without rounds: GJK and EPA are exact there.
snAscend sn_convexClimb(const snConvexPair* p, real kink, const snSupport* near, int nnear, snWitness* out);

#endif
