// Distance of the origin from a convex set given by its support (Gilbert, Johnson, Keerthi 1988).
#ifndef SINEW_COLLISION_CONVEX_GJK_H
#define SINEW_COLLISION_CONVEX_GJK_H

#include "collision/convex/support.h"

typedef struct snGjk {
    snSupport vertex[4];
    real weight[4]; ///< v = sum weight_i vertex_i: barycentric, sum 1
    int count;      ///< vertices, 1 to 4
    snVec3 v;       ///< nearest point of the simplex to the origin
    real gap;       ///< lower bound of the distance of the set, best so far
    bool overlap; ///< the origin is in the set, with count 4 in the tetrahedron of the vertices, or too near
                  ///< to tell
    bool apart;   ///< stopped early: the distance is above the limit
} snGjk;

/// Nearest point to the origin of D without the ball, from the direction `n` on. Ends when upper and lower
/// bound of the distance differ by less than `tolerance`, when it is known to be above `limit`, when
/// progress drowns in rounding, or after `iterations`.
void sn_gjk(const snConvexPair* p, snVec3 n, real limit, real tolerance, snGjk* out);

#endif
