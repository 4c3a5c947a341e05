// How pointers move things: what they share.
#ifndef SINEW_SCENE_ROOM_H
#define SINEW_SCENE_ROOM_H

#include "math/vec.h"
#include <sinew/scene.h>

/// A way of the pointer as a vector before a camera that looks along y: x right, y ahead, z up. For rotations
/// the axis. Zooming moves nothing.
snStatus snv_pointerVector(int action, double reldx, double reldy, snVec3* vec, snError* error);

/// Length in the model, at `point`, of the height of the picture. `orthographic`: times 0.15.
snStatus snv_pictureScale(const snvScene* scene, snVec3 point, bool orthographic, double* scale,
                          snError* error);

/// sn_v3 turned as snv_alignToCamera does.
snVec3 snv_aligned(snVec3 vec, snVec3 forward);

#endif
