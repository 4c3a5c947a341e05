// Bounding volumes: the nodes of a depth of the trees of bodies and meshes, and leaves above it.
#include "scene/decor/decor.h"
#include "shape/facts.h"

// Sinew's collision visits other bounds, so that no node is active.
static bool addBox(const snvList* list, int node, const double box[6], const double pos[3],
                   const double mat[9])
{
    double centre[3];
    sn_v3Store(centre, sn_v3Add(sn_v3Load(pos), sn_m3Mul(sn_m3Load(mat), sn_v3Load(box))));
    if (!snv_beginShape(list, SN_OBJ_UNKNOWN, node, SN_GEOM_LINEBOX, box + 3, centre, mat,
                        list->m->vis.rgba.bv))
        return false;
    snv_endGeom(list);
    return true;
}

static bool isShown(const snvList* list, int node)
{
    const int depth = list->m->bvh_depth[node], wanted = list->opt->bvh_depth;
    return depth == wanted || (list->m->bvh_nodeid[node] >= 0 && depth < wanted);
}

// Inner nodes stand in the inertial frame of their body, leaves in that of their geom.
static bool addBody(const snvList* list, int body)
{
    const snModel* m = list->m;
    const snData* d = list->d;
    const int first = m->body_bvhadr[body];
    for (int i = first; first >= 0 && i < first + m->body_bvhnum[body]; i++) {
        const int geom = m->bvh_nodeid[i];
        if (!isShown(list, i)) continue;
        const bool room =
            geom < 0
                ? addBox(list, i, m->bvh_aabb + 6 * i, d->xipos + 3 * body, d->ximat + 9 * body)
                : addBox(list, i, m->geom_aabb + 6 * geom, d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom);
        if (!room) return false;
    }
    return true;
}

void snv_addBodyVolumes(const snvList* list)
{
    if (!snv_isOn(list, SN_VIS_BODYBVH)) return;
    for (int i = 0; i < list->m->nbody; i++)
        if (!addBody(list, i)) return;
}

static bool addMesh(const snvList* list, int geom)
{
    const snModel* m = list->m;
    const int mesh = m->geom_dataid[geom], first = m->mesh_bvhadr[mesh];
    for (int i = first; first >= 0 && i < first + m->mesh_bvhnum[mesh]; i++)
        if (isShown(list, i) && !addBox(list, i, m->bvh_aabb + 6 * i, list->d->geom_xpos + 3 * geom,
                                        list->d->geom_xmat + 9 * geom))
            return false;
    return true;
}

// Of shapes that were fitted to a mesh, too.
void snv_addMeshVolumes(const snvList* list)
{
    const snModel* m = list->m;
    if (!snv_isOn(list, SN_VIS_MESHBVH)) return;
    for (int i = 0; i < m->ngeom; i++) {
        const int mesh = sn_isFieldAsset(m->geom_type[i]) ? -1 : m->geom_dataid[i];
        if (mesh >= 0 && mesh < m->nmesh && !addMesh(list, i)) return;
    }
}
