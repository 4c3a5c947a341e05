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

#ifdef __cplusplus
}
#endif
#endif
