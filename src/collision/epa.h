// Depth of the origin in a convex set given by its support (expanding polytope, van den Bergen 2001).
#ifndef SINEW_COLLISION_EPA_H
#define SINEW_COLLISION_EPA_H

#include "collision/support.h"

typedef struct snEpa {
    snVec3 n;      ///< unit; the set reaches `depth` beyond the origin along -n
    real depth;    ///< of D without the ball: the least that was found
    real bound;    ///< no direction has less
    snVec3 pa, pb; ///< points on A and B without their balls
} snEpa;

/// Least penetration of D without the ball, in at most `iterations` supports and to `tolerance`. False when
/// D is flat (all its extents along some direction vanish), *out is then unset. Bounded stack, no memory.
bool sn_epa(const snConvexPair* p, snVec3 n, real tolerance, int iterations, snEpa* out);

#endif
