// Frames of objects: where they are and which body carries them.
#ifndef SINEW_SMOOTH_KINEMATICS_OBJECT_H
#define SINEW_SMOOTH_KINEMATICS_OBJECT_H

#include <sinew/data.h>
#include "math/real.h"

/// World position [3] and orientation [9] of an object and its body.
typedef struct snObjectFrame {
    const real* pos;
    const real* mat;
    int body;
} snObjectFrame;

/// The frame of an object: body (its inertial frame), xbody, geom, site or camera; any other kind or an id
/// out of range: the world.
snObjectFrame sn_objectFrame(const snModel* m, const snData* d, int objtype, int objid);

#endif
