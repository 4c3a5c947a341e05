// The narrow phase: what a collider takes and gives.
#ifndef SINEW_COLLISION_CONTACT_NARROW_H
#define SINEW_COLLISION_CONTACT_NARROW_H

#include <sinew/data.h>
#include "math/vec.h"
#include "shape/facts.h"
#ifndef SN_LANES
#include "model/asset.h"
#endif

/// A geom placed in the world. size means what snGeomType says.
typedef struct snShape {
    snVec3 pos;  ///< centre, world
    snMat3 mat;  ///< columns: the geom's axes in the world
    snVec3 size; ///< see SN_GEOM_TABLE
    int type;    ///< snGeomType
    int geom;    ///< id; -1: no geom of a model
#ifndef SN_LANES
    snHull hull; ///< of a mesh; others: zero
#endif
} snShape;

/// A contact point as a collider reports it.
typedef struct snContactPoint {
    real dist;      ///< distance of the surfaces along the normal; negative: penetration
    snVec3 pos;     ///< midpoint between the surfaces, world
    snVec3 normal;  ///< unit vector from shape 1 to shape 2, world
    snVec3 tangent; ///< direction of the first tangent, any length; zero: free choice
#ifdef SN_LANES
    snMask found; ///< lanes that have the point
#endif
} snContactPoint;

/// A point that counts in the lanes of `found`.
static inline snContactPoint sn_contactPoint(real dist, snVec3 pos, snVec3 normal, snMask found)
{
#ifdef SN_LANES
    return (snContactPoint){dist, pos, normal, sn_v3(0, 0, 0), found};
#else
    (void)found;
    return (snContactPoint){dist, pos, normal, sn_v3(0, 0, 0)};
#endif
}

/// Says in which lanes a point counts.
static inline void sn_setFound(snContactPoint* point, snMask found)
{
#ifdef SN_LANES
    point->found = found;
#else
    (void)point, (void)found;
#endif
}

/// Finds the contact points of two shapes whose distance is at most `margin`, in a fixed order; returns how
/// many were written to `out` [SN_MAXCONPAIR]. The types are in the order a->type <= b->type. In lanes points
/// that any lane has are written.
typedef int (*snCollider)(const snShape* a, const snShape* b, real margin, snContactPoint* out);

/// The geom, whose type is known, as it stands in d.
static inline snShape sn_geomShapeAs(const snModel* m, const snData* d, int geom, int type)
{
    snShape shape = {.pos = sn_v3Load(d->geom_xpos + 3 * geom),
                     .mat = sn_m3Load(d->geom_xmat + 9 * geom),
                     .size = sn_v3Load(m->geom_size + 3 * geom),
                     .type = type,
                     .geom = geom};
#ifndef SN_LANES
    if (sn_isHulled(type) && m->geom_dataid[geom] >= 0) shape.hull = sn_geomHull(m, geom);
#endif
    return shape;
}

/// The geom as it stands in d.
static inline snShape sn_geomShape(const snModel* m, const snData* d, int geom)
{
    return sn_geomShapeAs(m, d, geom, m->geom_type[geom]);
}

#endif
