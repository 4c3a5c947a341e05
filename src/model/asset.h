// Meshes and height fields of a model as src/shape sees them.
#ifndef SINEW_MODEL_ASSET_H
#define SINEW_MODEL_ASSET_H

#include <sinew/model.h>
#include "shape/facts.h"
#include "shape/hull.h"
#include "shape/surface.h"

/// The hull of the mesh that a geom has; its graph when it has one, else all its vertices.
snHull sn_geomHull(const snModel* m, int geom);

static inline snTriangles sn_meshTriangles(const snModel* m, int mesh)
{
    const size_t root = m->mesh_bvhadr[mesh] < 0 ? 0 : (size_t)m->mesh_bvhadr[mesh];
    return (snTriangles){.vert = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh],
                         .face = m->mesh_face + 3 * (size_t)m->mesh_faceadr[mesh],
                         .box = m->bvh_aabb + 6 * root,
                         .child = m->bvh_child + 2 * root,
                         .element = m->bvh_nodeid + root,
                         .count = m->mesh_facenum[mesh],
                         .nodes = m->mesh_bvhadr[mesh] < 0 ? 0 : m->mesh_bvhnum[mesh]};
}

static inline snHeights sn_heightField(const snModel* m, int hfield)
{
    return (snHeights){.height = m->hfield_data + m->hfield_adr[hfield],
                       .size = m->hfield_size + 4 * hfield,
                       .nrow = m->hfield_nrow[hfield],
                       .ncol = m->hfield_ncol[hfield]};
}

/// The surface of a geom.
static inline snSurface sn_geomSurface(const snModel* m, int geom)
{
    const int type = m->geom_type[geom], id = m->geom_dataid[geom];
    snSurface s; // the rest of it is not read, and clearing it is a tenth of a ray
    s.size = sn_v3Load(m->geom_size + 3 * geom);
    s.mesh.face = NULL;
    s.field.height = NULL;
    if (id < 0) return s;
    if (sn_isMeshAsset(type)) s.mesh = sn_meshTriangles(m, id);
    if (sn_isFieldAsset(type)) s.field = sn_heightField(m, id);
    return s;
}

#endif
