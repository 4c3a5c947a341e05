// Distance fields of meshes: an octree of sheets (sdf/field/sheet.h) in a box around the mesh, and the
// triangles themselves outside of it.
#ifndef SINEW_SDF_FIELD_FIELD_H
#define SINEW_SDF_FIELD_FIELD_H

#include <sinew/model.h>

/// Whether a mesh has a distance field.
static inline bool sn_hasField(const snModel* m, int mesh)
{
    return m->mesh_sdfnum[mesh] > 0;
}

/// Signed distance of a point to a mesh that has a field, in the mesh's frame (m), negative inside; gradient:
/// [3] or NULL. Within mesh_sdferror of the triangles in the box of the field, of which it says so with
/// samples, and exact outside. A coordinate that is no number is nowhere: INFINITY, gradient 0.
double sn_fieldDistance(const snModel* m, int mesh, const double point[3], double gradient[3]);

#endif
