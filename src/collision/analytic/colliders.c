// The table of colliders with a closed form.
#include "collision/analytic/colliders.h"

snCollider sn_analyticCollider(int type1, int type2)
{
    // clang-format off
    // [type1][type2], type1 <= type2
    static const snCollider table[SN_NGEOMTYPE][SN_NGEOMTYPE] = {
        [SN_GEOM_PLANE]   = {[SN_GEOM_SPHERE] = sn_planeSphere, [SN_GEOM_CAPSULE] = sn_planeCapsule,
                             [SN_GEOM_ELLIPSOID] = sn_planeEllipsoid, [SN_GEOM_CYLINDER] = sn_planeCylinder,
                             [SN_GEOM_BOX] = sn_planeBox, [SN_GEOM_MESH] = sn_planeMesh},
        [SN_GEOM_SPHERE]  = {[SN_GEOM_SPHERE] = sn_sphereSphere, [SN_GEOM_CAPSULE] = sn_sphereCapsule,
                             [SN_GEOM_CYLINDER] = sn_sphereCylinder, [SN_GEOM_BOX] = sn_sphereBox},
        [SN_GEOM_CAPSULE] = {[SN_GEOM_CAPSULE] = sn_capsuleCapsule, [SN_GEOM_BOX] = sn_capsuleBox},
        [SN_GEOM_BOX]     = {[SN_GEOM_BOX] = sn_boxBox},
    };
    // clang-format on
    return table[type1][type2];
}
