// Signed distance and contact of any two of sphere, capsule, ellipsoid, cylinder, box.
#ifndef SINEW_COLLISION_CONVEX_CONVEX_H
#define SINEW_COLLISION_CONVEX_CONVEX_H

#include "collision/convex/convex_ascend.h"

/// Which steps are taken, for tests: the answer does not depend on it beyond rounding; and what is wanted.
typedef enum snConvexRoute {
    SN_CONVEX_AUTO,     ///< Newton first, GJK and EPA where it cannot prove its answer
    SN_CONVEX_POLYTOPE, ///< GJK and EPA alone
    SN_CONVEX_NORMAL    ///< as AUTO; points may be left out (snWitness)
} snConvexRoute;

/// Signed distance of two convex shapes if it is at most `margin`: true, and *out with points in world axes
/// relative to a->pos. Terminates for any input; shapes with NaN are apart.
bool sn_convexDistance(const snShape* a, const snShape* b, real margin, snConvexRoute route, snWitness* out);

/// As snCollider for two convex shapes without a formula of their own (GJK and EPA): sphere, capsule,
/// ellipsoid, cylinder, box, mesh in any combination.
int sn_convexConvex(const snShape* a, const snShape* b, real margin, snContactPoint* out);

/// The same for those who want several contacts (sn_patch) and ask for this one where there are none: 2 where
/// shapes that lie flat on each other have left the place out. It takes as long to find as the normal.
int sn_convexNormal(const snShape* a, const snShape* b, real margin, snContactPoint* out);

#endif
