// Whether a convex set holds the origin, seen from a point inside it (after Snethen 2008, "XenoCollide").
#ifndef SINEW_COLLISION_CONVEX_PORTAL_H
#define SINEW_COLLISION_CONVEX_PORTAL_H

#include "collision/convex/support.h"

/// Three vertices of D between which the ray from the centre of D, p->c, to the origin leaves their triangle
/// behind the origin: the tetrahedron of centre and vertices holds the origin.
typedef struct snPortal {
    snSupport v[3]; ///< counter-clockwise, seen from outside
    snVec3 n;       ///< not FOUND: unit direction along which there is a gap, and the gap
    real gap;
} snPortal;

typedef enum snPortalFound {
    SN_PORTAL_FOUND,
    SN_PORTAL_APART,  ///< D without its ball does not hold the origin
    SN_PORTAL_UNKNOWN ///< rounding ended the search
} snPortalFound;

/// Searches for a portal from the support out->v[0] along n on. The centre must be inside D (p->inner > 0).
snPortalFound sn_findPortal(const snConvexPair* p, snVec3 n, snPortal* out);

#endif
