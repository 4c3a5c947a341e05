// What a flex is by positions: vertices, boxes of its elements, lengths of its edges.
#ifndef SINEW_SMOOTH_FLEX_FLEX_H
#define SINEW_SMOOTH_FLEX_FLEX_H

#include <sinew/data.h>
#include "math/vec.h"

/// Place of a vertex in the world, counted over all flexes.
static inline snVec3 sn_flexVertex(const snData* d, int vertex)
{
    return sn_v3Load(d->flexvert_xpos + 3 * vertex);
}

#endif
