// Boxes around geoms, for the broad phase.
#ifndef SINEW_COLLISION_BROAD_GEOM_BOX_H
#define SINEW_COLLISION_BROAD_GEOM_BOX_H

#include <math.h>
#include "collision/broad/sweep.h"
#include "math/vec.h"
#include "shape/extent.h"

// Rounded outwards, so that what touches overlaps
static inline void sn_setSides(snSweepBox* box, int axis, double centre, double half)
{
    const double slack = 2e-7 * (fabs(centre) + half);
    box->low[axis] = (float)(centre - half - slack);
    box->high[axis] = (float)(centre + half + slack);
}

/// The box with this centre and these half sides.
static inline snSweepBox sn_sweepBox(snVec3 centre, snVec3 half)
{
    snSweepBox box;
    sn_setSides(&box, 0, centre.x, half.x);
    sn_setSides(&box, 1, centre.y, half.y);
    sn_setSides(&box, 2, centre.z, half.z);
    return box;
}

/// The box around a geom and all within `reach` of it.
static inline snSweepBox sn_geomBox(const snModel* m, const snData* d, int g, double reach)
{
    snVec3 centre = sn_v3Load(d->geom_xpos + 3 * g);
    const snVec3 half = sn_shapeExtent(m->geom_type[g], d->geom_xmat + 9 * g, m->geom_size + 3 * g,
                                       m->geom_aabb + 6 * g, &centre);
    return sn_sweepBox(centre, sn_v3Add(half, sn_v3(reach, reach, reach)));
}

static inline bool sn_boxesOverlap(const snSweepBox* a, const snSweepBox* b)
{
    bool apart = false;
    for (int k = 0; k < 3; k++) apart |= (a->low[k] > b->high[k]) | (a->high[k] < b->low[k]);
    return !apart;
}

#endif
