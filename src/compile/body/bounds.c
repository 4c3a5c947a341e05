// Bounding volume trees: of the geoms of each body in its inertial frame, of the triangles of each mesh.
//
// What readers rely on: the trees follow one another in m->bvh_*, bodies first, then meshes; a tree of n
// leaves has 2 n - 1 nodes from its root on; children come after their parent, one deeper; a node has two
// children and nodeid -1, or none and the geom or triangle as nodeid, each once.
#include "base/memory.h"
#include "base/platform/clock.h"
#include "compile/body/body.h"
#include "compile/build/timing.h"
#include "compile/build/bvh.h"
#include "compile/mesh/mesh.h"
#include "smooth/bounds.h"

// Geoms that cannot collide stand in no tree.
static bool collides(int contype, int conaffinity)
{
    return contype != 0 || conaffinity != 0;
}

int sn_bodyBvhSize(const snSpecBody* body)
{
    int leaves = 0;
    SN_EACH (snSpecGeom, geom, body->geoms) leaves += collides(geom->contype, geom->conaffinity);
    return sn_bvhNodeCount(leaves);
}

static snBvhLeaf geomLeaf(const snModel* m, int geom, snPose inertial)
{
    snBvhLeaf leaf = {.id = geom};
    sn_geomBox(m, geom, inertial, leaf.low, leaf.high);
    const snVec3 pos = sn_v3Load(m->geom_pos + 3 * geom);
    sn_v3Store(leaf.key, sn_quatRotate(sn_quatConj(inertial.quat), sn_v3Sub(pos, inertial.pos)));
    return leaf;
}

static int bodyLeaves(const snModel* m, int body, snBvhLeaf* leaves)
{
    const snPose inertial = sn_inertialFrame(m, body);
    int n = 0;
    const int first = m->body_geomadr[body];
    for (int geom = first; geom < first + m->body_geomnum[body]; geom++)
        if (collides(m->geom_contype[geom], m->geom_conaffinity[geom]))
            leaves[n++] = geomLeaf(m, geom, inertial);
    return n;
}

// Where the perpendicular bisectors of the sides meet; of a triangle without area, its last corner.
// With a, b from corner c: c + ((|a|^2 b - |b|^2 a) x (a x b)) / (2 |a x b|^2).
static snVec3 circumcentre(snVec3 a, snVec3 b, snVec3 c)
{
    const snVec3 ca = sn_v3Sub(a, c), cb = sn_v3Sub(b, c), normal = sn_v3Cross(ca, cb);
    const real area2 = sn_v3Dot(normal, normal);
    if (!(area2 > 0)) return c;
    const snVec3 sides = sn_v3Sub(sn_v3Scale(cb, sn_v3Dot(ca, ca)), sn_v3Scale(ca, sn_v3Dot(cb, cb)));
    const snVec3 centre = sn_v3AddScaled(c, 1 / (2 * area2), sn_v3Cross(sides, normal));
    return isfinite(centre.x) && isfinite(centre.y) && isfinite(centre.z) ? centre : c;
}

static snBvhLeaf triangleLeaf(const double corner[3][3], int id)
{
    snBvhLeaf leaf = {.id = id};
    for (int k = 0; k < 3; k++) {
        leaf.low[k] = sn_min(sn_min(corner[0][k], corner[1][k]), corner[2][k]);
        leaf.high[k] = sn_max(sn_max(corner[0][k], corner[1][k]), corner[2][k]);
    }
    sn_v3Store(leaf.key, circumcentre(sn_v3Load(corner[0]), sn_v3Load(corner[1]), sn_v3Load(corner[2])));
    return leaf;
}

static int meshLeaves(const snBuild* b, int mesh, snBvhLeaf* leaves)
{
    const snModel* m = b->m;
    const int* face = m->mesh_face + 3 * (size_t)m->mesh_faceadr[mesh];
    const double* vert = b->mesh[mesh].vert; // before they are rounded to float
    for (int i = 0; i < m->mesh_facenum[mesh]; i++) {
        double corner[3][3];
        for (int k = 0; k < 3; k++) memcpy(corner[k], vert + 3 * (size_t)face[3 * i + k], sizeof corner[k]);
        leaves[i] = triangleLeaf(corner, i);
    }
    return m->mesh_facenum[mesh];
}

// Puts the tree over n leaves at node *next.
static bool addTree(snBuild* b, const snBvhLeaf* leaves, int n, int* adr, int* num, int* next)
{
    snModel* m = b->m;
    *adr = n ? *next : -1;
    *num = sn_bvhNodeCount(n);
    if (!n) return true;
    if (*num > m->nbvh - *next) return sn_buildFail(b, NULL, SN_STATUS_MODEL, "more triangles than counted");
    const snBvhNodes nodes = {m->bvh_depth + *next, m->bvh_child + 2 * (size_t)*next, m->bvh_nodeid + *next,
                              m->bvh_aabb + 6 * (size_t)*next};
    *next += *num;
    return sn_buildBvhTree(leaves, n, nodes) || sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory");
}

bool sn_buildBounds(snBuild* b)
{
    snModel* m = b->m;
    int most = 0;
    for (int i = 0; i < m->nbody; i++) most = most > m->body_geomnum[i] ? most : m->body_geomnum[i];
    for (int i = 0; i < m->nmesh; i++) most = most > m->mesh_facenum[i] ? most : m->mesh_facenum[i];
    snBvhLeaf* leaves = sn_malloc((size_t)most * sizeof *leaves);
    if (!leaves) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory");
    bool good = true;
    int next = 0;
    for (int i = 0; i < m->nbody && good; i++)
        good = addTree(b, leaves, bodyLeaves(m, i, leaves), &m->body_bvhadr[i], &m->body_bvhnum[i], &next);
    const double start = sn_monotonicTime();
    for (int i = 0; i < m->nmesh && good; i++)
        good = addTree(b, leaves, meshLeaves(b, i, leaves), &m->mesh_bvhadr[i], &m->mesh_bvhnum[i], &next);
    b->spec->times[SN_CTIMER_ASSETS] += sn_timeStage(b, SN_CTIMER_MESH_BVH, start) - start;
    sn_free(leaves);
    return good;
}
