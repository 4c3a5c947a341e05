// Whether bounding volume trees can be walked: node i is followed by its left subtree, then by its right one,
// so that every walk ends; depths stay below SN_BVH_MAXDEPTH, so that a walk can keep a stack of that size.
#include "model/bvh.h"
#include "model/check/check.h"

// Right children that are still to come, deepest last.
typedef struct Pending {
    int child[SN_BVH_MAXDEPTH], depth[SN_BVH_MAXDEPTH], count;
} Pending;

// Node `at` + i of a tree of `num` nodes; *depth is where it must be, and becomes where the next one must be.
static bool node(const snCheck* c, int at, int i, int num, int* depth, Pending* pending)
{
    const snModel* m = c->m;
    const int* child = m->bvh_child + 2 * (size_t)(at + i);
    if (m->bvh_depth[at + i] != *depth)
        return sn_checkFail(c, "bvh_depth", at + i, "not one below its parent");
    if (m->bvh_nodeid[at + i] >= 0) {
        if (child[0] != -1 || child[1] != -1)
            return sn_checkFail(c, "bvh_child", 2 * (at + i), "a leaf with children");
        if (i + 1 == num)
            return pending->count == 0 || sn_checkFail(c, "bvh_child", 2 * at, "a child that never comes");
        if (!pending->count || pending->child[pending->count - 1] != i + 1)
            return sn_checkFail(c, "bvh_child", 2 * (at + i + 1), "not the child of a node before it");
        *depth = pending->depth[--pending->count];
        return true;
    }
    if (m->bvh_nodeid[at + i] != -1) return sn_checkFail(c, "bvh_nodeid", at + i, "out of range");
    if (child[0] != i + 1) return sn_checkFail(c, "bvh_child", 2 * (at + i), "does not follow its parent");
    if (child[1] <= i + 1 || child[1] >= num)
        return sn_checkFail(c, "bvh_child", 2 * (at + i) + 1, "out of range");
    if (++*depth == SN_BVH_MAXDEPTH) return sn_checkFail(c, "bvh_depth", at + i, "too deep");
    pending->child[pending->count] = child[1];
    pending->depth[pending->count++] = *depth;
    return true;
}

// The tree of `num` nodes at `at`, whose leaves hold first .. first + count - 1.
static bool tree(const snCheck* c, int at, int num, int first, int count)
{
    Pending pending = {.count = 0};
    int depth = 0;
    for (int i = 0; i < num; i++) {
        const int id = c->m->bvh_nodeid[at + i];
        if (id >= 0 && (id < first || id >= first + count))
            return sn_checkFail(c, "bvh_nodeid", at + i, "not what the tree is about");
        if (!node(c, at, i, num, &depth, &pending)) return false;
    }
    return true;
}

bool sn_checkVolumes(const snCheck* c)
{
    const snModel* m = c->m;
    if (m->nbvhstatic != m->nbvh) return sn_checkFail(c, "bvh_aabb", 0, "nbvhstatic is not nbvh");
    if (!sn_checkSpan(c, "body_bvhadr", m->body_bvhadr, m->body_bvhnum, m->nbody, m->nbvh) ||
        !sn_checkSpan(c, "mesh_bvhadr", m->mesh_bvhadr, m->mesh_bvhnum, m->nmesh, m->nbvh) ||
        !SN_CHECK_RANGE(bvh_depth, m->nbvh, 0, SN_BVH_MAXDEPTH) ||
        !SN_CHECK_RANGE(bvh_child, 2 * m->nbvh, -1, m->nbvh) ||
        !SN_CHECK_RANGE(bvh_nodeid, m->nbvh, -1, m->ngeom + m->nmeshface))
        return false;
    for (int i = 0; i < m->nbody; i++)
        if (!tree(c, m->body_bvhadr[i], m->body_bvhnum[i], m->body_geomadr[i], m->body_geomnum[i]))
            return false;
    for (int i = 0; i < m->nmesh; i++)
        if (!tree(c, m->mesh_bvhadr[i], m->mesh_bvhnum[i], 0, m->mesh_facenum[i])) return false;
    return true;
}
