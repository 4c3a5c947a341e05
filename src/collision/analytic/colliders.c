// The table of colliders with a closed form.
#include "collision/analytic/colliders.h"

typedef struct Entry {
    snCollider one;
    snBatchCollider many;
} Entry;

// clang-format off
// [type1][type2], type1 <= type2
static const Entry table[SN_NGEOMTYPE][SN_NGEOMTYPE] = {
    [SN_GEOM_PLANE]   = {[SN_GEOM_SPHERE]    = {sn_planeSphere, sn_planeSphereBatch},
                         [SN_GEOM_CAPSULE]   = {sn_planeCapsule, sn_planeCapsuleBatch},
                         [SN_GEOM_ELLIPSOID] = {sn_planeEllipsoid, sn_planeEllipsoidBatch},
                         [SN_GEOM_CYLINDER]  = {sn_planeCylinder, sn_planeCylinderBatch},
                         [SN_GEOM_BOX]       = {sn_planeBox, sn_planeBoxBatch},
                         [SN_GEOM_MESH]      = {sn_planeMesh, sn_planeMeshBatch}},
    [SN_GEOM_SPHERE]  = {[SN_GEOM_SPHERE]    = {sn_sphereSphere, sn_sphereSphereBatch},
                         [SN_GEOM_CAPSULE]   = {sn_sphereCapsule, sn_sphereCapsuleBatch},
                         [SN_GEOM_CYLINDER]  = {sn_sphereCylinder, sn_sphereCylinderBatch},
                         [SN_GEOM_BOX]       = {sn_sphereBox, sn_sphereBoxBatch}},
    [SN_GEOM_CAPSULE] = {[SN_GEOM_CAPSULE]   = {sn_capsuleCapsule, sn_capsuleCapsuleBatch},
                         [SN_GEOM_BOX]       = {sn_capsuleBox, sn_capsuleBoxBatch}},
    [SN_GEOM_BOX]     = {[SN_GEOM_BOX]       = {sn_boxBox, sn_boxBoxBatch}},
};
// clang-format on

static Entry entry(int physics, int type1, int type2)
{
    if (sn_areClippedBoxes(physics, type1, type2)) return (Entry){sn_boxBoxClipped, sn_boxBoxClippedBatch};
    if (sn_areCapsulesBeside(physics, type1, type2))
        return (Entry){sn_capsulesBeside, sn_capsulesBesideBatch};
    if (sn_isSideOnPlane(physics, type1, type2)) return (Entry){NULL, NULL};
    return table[type1][type2];
}

snCollider sn_analyticCollider(int physics, int type1, int type2)
{
    return entry(physics, type1, type2).one;
}

snBatchCollider sn_batchCollider(int physics, int type1, int type2)
{
    return entry(physics, type1, type2).many;
}
