// Signed distance and contact of any two of sphere, capsule, ellipsoid, cylinder, box.
#ifndef SINEW_COLLISION_CONVEX_CONVEX_H
#define SINEW_COLLISION_CONVEX_CONVEX_H

#include "collision/convex/convex_ascend.h"

/// Which steps were taken, for tests: the answer does not depend on it beyond rounding.
typedef enum snConvexRoute {
    SN_CONVEX_AUTO,    ///< Newton first, GJK and EPA where it cannot prove its answer
    SN_CONVEX_POLYTOPE ///< GJK and EPA alone
} snConvexRoute;

/// Signed distance of two convex shapes if it is at most `margin`: true, and *out with points in world axes
/// relative to a->pos. Terminates for any input; shapes with NaN are apart.
bool sn_convexDistance(const snShape* a, const snShape* b, real margin, snConvexRoute route, snWitness* out);

/// As snCollider for two convex shapes without a formula of their own (GJK and EPA): sphere, capsule,
/// ellipsoid, cylinder, box, mesh in any combination.
int sn_convexConvex(const snShape* a, const snShape* b, real margin, snContactPoint* out);

#endif
