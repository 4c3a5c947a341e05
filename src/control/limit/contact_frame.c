// Axes of contacts: see contact_frame.h.
#include "control/limit/contact_frame.h"
#include "math/vec.h"

// The shortest rotation that takes z to n, n.z >= 0.
static snMat3 fromZ(snVec3 n)
{
    const double c = 1 / (1 + n.z), xy = -n.x * n.y * c;
    return (snMat3){{1 - n.x * n.x * c, xy, n.x, xy, 1 - n.y * n.y * c, n.y, -n.x, -n.y, n.z}};
}

// Axes with the normal as third column, in whatever the normal is in.
static snMat3 normalAxes(const double normal[3])
{
    const snVec3 n = sn_v3Load(normal);
    const double length = sn_v3Norm(n);
    if (!(length > 0)) return fromZ((snVec3){0, 0, 1});
    const snVec3 unit = sn_v3Scale(n, 1 / length);
    if (unit.z >= 0) return fromZ(unit);
    // Half a turn about x first: y and z change sign.
    snMat3 axes = fromZ((snVec3){unit.x, -unit.y, -unit.z});
    for (int e = 3; e < 9; e++) axes.m[e] = -axes.m[e];
    return axes;
}

void sn_contactAxes(const snContactSettings* c, const double mat[9], double axes[9])
{
    const snMat3 own = normalAxes(c->normal);
    sn_m3Store(axes, c->world ? own : sn_m3MulM3(sn_m3Load(mat), own));
}

void sn_contactPoints(const snContactSettings* c, const double mat[9], double point[SN_CONTACT_POINTS][3])
{
    const snMat3 own = normalAxes(c->normal);
    const snMat3 fromFrame = c->world ? sn_m3TMulM3(own, sn_m3Load(mat)) : sn_m3Transpose(own);
    for (int i = 0; i < c->npoint; i++) sn_v3Store(point[i], sn_m3Mul(fromFrame, sn_v3Load(c->point[i])));
}
