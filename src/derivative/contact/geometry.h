// How a contact (dist, pos, frame) moves when its two geoms move, or change their sizes.
//
// All is the derivative of what the engine computes, held in the piece that is active: the same features of
// the two geoms (vertex, edge, face, round surface) stay in touch. It is exact to rounding, two cases apart.
// Of sides that lie flat on each other the engine may give one point, which jumps when they open: the
// derivative is that of a point that stays in touch, riding on one of the geoms, its dist between those to
// both sides. Of several contacts of a convex pair (flag multiccd) those whose features are not recognised
// follow by differences of the narrow phase, good to about 1e-8, at a hundred times the cost.
#ifndef SINEW_DERIVATIVE_CONTACT_GEOMETRY_H
#define SINEW_DERIVATIVE_CONTACT_GEOMETRY_H

#include <sinew/data.h>

/// Changes of a contact by the motions of its geoms, a column a motion, world axes: angular velocity (3) and
/// velocity of the centre geom_xpos (3) of geom[0], then of geom[1].
typedef struct snContactGradient {
    double dist[12];
    double pos[3][12];
    double turn[3][12]; ///< rotation vector by which con->frame turns, tangents included
} snContactGradient;

/// Fills *g for a contact of d. Reads geom_xpos, geom_xmat. SN_STATUS_UNSUPPORTED: the features in touch were
/// not recognised; the error names the geoms, and *g is unset. No memory.
snStatus sn_contactGeometry(const snModel* m, snData* d, const snContact* con, snContactGradient* g,
                            snError* error);

/// The same of the nearest points of two geoms (sn_geomDistance), given as a contact halfway between them:
/// the geoms in the order of their types, frame the direction from the first surface to the second (apart) or
/// back (overlapping) with any tangents.
snStatus sn_nearestGeometry(const snModel* m, snData* d, const snContact* con, snContactGradient* g,
                            snError* error);

/// As sn_contactGeometry, by geom_size of geom[0] (3) and of geom[1] (3); rows dist, pos (3), turn (3). Sizes
/// that a geom's type does not have, those of meshes and of height fields: 0.
snStatus sn_contactSize(const snModel* m, snData* d, const snContact* con, double g[7][6], snError* error);

#endif
