// What the broad phase asks of a model: made when it is compiled, and by sn_setConst.
#ifndef SINEW_SMOOTH_BOUNDS_H
#define SINEW_SMOOTH_BOUNDS_H

#include <sinew/data.h>
#include "math/vec.h"

static inline snPose sn_inertialFrame(const snModel* m, int body)
{
    return (snPose){sn_v3Load(m->body_ipos + 3 * body), sn_quatLoad(m->body_iquat + 4 * body)};
}

/// The box, along the axes of an inertial frame of its body, around the eight corners of a geom's box.
void sn_geomBox(const snModel* m, int geom, snPose inertial, double low[3], double high[3]);

/// Masks and margin of a body, from its geoms.
void sn_bodyFilter(snModel* m, int body);

/// All that the rule CONST_BOUNDS names, from sizes, poses, margins and masks of geoms as they are.
void sn_makeBounds(snModel* m);

#endif
