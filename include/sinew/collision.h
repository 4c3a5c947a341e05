// Contacts between geoms.
#ifndef SINEW_COLLISION_H
#define SINEW_COLLISION_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Finds all contacts: broad phase, filters, narrow phase (seed 001, stage 8). Clears the arena first.
SN_API void sn_collision(const snModel* m, snData* d);
/// Whether the narrow phase can collide two geom types (either order).
SN_API bool sn_canCollide(int type1, int type2);
/// SN_STATUS_UNSUPPORTED if two geoms of the model may meet whose types the narrow phase cannot collide;
/// error names them.
SN_API snStatus sn_checkCollisions(const snModel* m, snError* error);

/// Signed distance of two geoms (m): the gap of their surfaces, negative the least translation that parts
/// them; distmax if it is larger, if a geom id is out of range, or if there is no such measure (two planes).
/// fromto [6] (may be NULL): nearest points, world, on geom1 and on geom2; zero when distmax is returned.
/// Reads: geom_xpos, geom_xmat of sn_kinematics, opt.ccd_*. Ignores contype, margin and excludes.
/// Cost: about 1 us, deep overlaps of round shapes up to 20.
SN_API double sn_geomDistance(const snModel* m, const snData* d, int geom1, int geom2, double distmax,
                              double fromto[6]);

#ifdef __cplusplus
}
#endif
#endif
