// Depth of the origin in a convex set given by its support (expanding polytope, van den Bergen 2001).
#ifndef SINEW_COLLISION_CONVEX_EPA_H
#define SINEW_COLLISION_CONVEX_EPA_H

#include "collision/convex/convex_ascend.h"
#include "collision/convex/gjk.h"
#include "collision/convex/portal.h"

/// Least penetration of D. `known`: a local maximum of the gap found before, or NULL. `seed`: a GJK run that
/// found an overlap, whose tetrahedron is the first polytope, or NULL. With `climb`, directions better than
/// the best so far are followed to their local maximum by Newton's method. If that cannot prove that it is
/// the maximum, the polytope only has to show that no other direction does better: it ends when every face is
/// as deep as the best or faces the same way. Without, it ends when the bounds meet. The bounds meet to
/// rounding unless the polytope is full before: round shapes that are equally deep in many directions. False
/// when D without its ball is flat: *out is then unset. Bounded stack, no memory.
bool sn_epa(const snConvexPair* p, const snWitness* known, const snGjk* seed, bool climb, snWitness* out);

/// Least penetration of a polytope D that a portal has shown to hold the origin; without `points` those are
/// left out where they take longer than the direction. False: rounding or lack of room ended the search.
bool sn_epaPortal(const snConvexPair* p, const snPortal* portal, bool points, snWitness* out);

#endif
