// Bounding volumes: the nodes of a depth of the trees of bodies and meshes, and leaves above it.
#include "scene/decor/decor.h"

// Where the boxes of a tree stand.
typedef struct Frame {
    const double *pos, *mat;
} Frame;

// Sinew's collision visits other bounds, so that no node is active.
static bool addNode(const snvList* list, int node, const Frame* frame)
{
    const snModel* m = list->m;
    const double* box = m->bvh_aabb + 6 * node;
    double pos[3];
    sn_v3Store(pos, sn_v3Add(sn_v3Load(frame->pos), sn_m3Mul(sn_m3Load(frame->mat), sn_v3Load(box))));
    if (!snv_beginShape(list, SN_OBJ_UNKNOWN, node, SN_GEOM_LINEBOX, box + 3, pos, frame->mat,
                        m->vis.rgba.bv))
        return false;
    snv_endGeom(list);
    return true;
}

static bool addTree(const snvList* list, int root, int count, Frame frame)
{
    const snModel* m = list->m;
    const int depth = list->opt->bvh_depth;
    for (int i = root; root >= 0 && i < root + count; i++) {
        const bool leaf = m->bvh_nodeid[i] >= 0;
        if (m->bvh_depth[i] != depth && !(leaf && m->bvh_depth[i] < depth)) continue;
        if (!addNode(list, i, &frame)) return false;
    }
    return true;
}

void snv_addBodyVolumes(const snvList* list)
{
    const snModel* m = list->m;
    if (!snv_isOn(list, SN_VIS_BODYBVH)) return;
    for (int i = 0; i < m->nbody; i++)
        if (!addTree(list, m->body_bvhadr[i], m->body_bvhnum[i],
                     (Frame){list->d->xipos + 3 * i, list->d->ximat + 9 * i}))
            return;
}

void snv_addMeshVolumes(const snvList* list)
{
    const snModel* m = list->m;
    if (!snv_isOn(list, SN_VIS_MESHBVH)) return;
    for (int i = 0; i < m->ngeom; i++) {
        const int mesh = m->geom_dataid[i];
        if (m->geom_type[i] != SN_GEOM_MESH || mesh < 0 || mesh >= m->nmesh) continue;
        if (!addTree(list, m->mesh_bvhadr[mesh], m->mesh_bvhnum[mesh],
                     (Frame){list->d->geom_xpos + 3 * i, list->d->geom_xmat + 9 * i}))
            return;
    }
}
