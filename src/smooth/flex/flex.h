// What a flex is by positions: vertices, boxes of its elements, edges.
#ifndef SINEW_SMOOTH_FLEX_FLEX_H
#define SINEW_SMOOTH_FLEX_FLEX_H

#include <sinew/data.h>
#include "math/vec.h"
#include "model/flex.h"

/// Place of a vertex in the world, counted over all flexes.
static inline snVec3 sn_flexVertex(const snData* d, int vertex)
{
    return sn_v3Load(d->flexvert_xpos + 3 * vertex);
}

/// From the first end of an edge, counted over all, to its second.
static inline snVec3 sn_flexAlong(const snModel* m, const snData* d, int flex, int edge)
{
    const int *ends = m->flex_edge + 2 * edge, first = m->flex_vertadr[flex];
    return sn_v3Sub(sn_flexVertex(d, first + ends[1]), sn_flexVertex(d, first + ends[0]));
}

/// Whether triangles or tetrahedra resist stretching, edges of triangles bending.
static inline bool sn_flexStretches(const snModel* m, int flex)
{
    return m->flex_dim[flex] > 1 && m->flex_stiffnessadr[flex] >= 0 && !m->flex_rigid[flex];
}

static inline bool sn_flexBends(const snModel* m, int flex)
{
    return m->flex_dim[flex] == 2 && m->flex_bendingadr[flex] >= 0 && !m->flex_rigid[flex];
}

/// Whether all that moves of it sleeps, and stages do not compute it.
bool sn_flexIsStill(const snModel* m, const snData* d, int flex);

/// sn_flex without boxes of elements, which fill memory where all else is made once.
void sn_flexLengths(const snModel* m, snData* d);

/// Counts a tetrahedron that is turned inside out, the first of all.
void sn_flexCheck(const snModel* m, snData* d);

#endif
