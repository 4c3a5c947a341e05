#include "collision/flex/triangle.h"
#include "collision/analytic/colliders.h"
#include "math/simplex.h"

// A ball and the nearest point of the triangle
static int ballTriangle(snVec3 centre, double radius, const snElement* t, double margin, snContactPoint* out)
{
    double weight[4];
    const snVec3 normal =
        sn_v3Cross(sn_v3Sub(t->corner[1], t->corner[0]), sn_v3Sub(t->corner[2], t->corner[0]));
    const double height = sn_v3Dot(normal, sn_v3Sub(centre, t->corner[0])),
                 reach = radius + t->radius + margin;
    if (height * height > reach * reach * (1 + 1e-9) * sn_v3Dot(normal, normal))
        return 0; // far from its plane
    const snVec3 nearest = sn_nearestInSimplex(t->corner, 3, centre, weight);
    return sn_ballBall(centre, radius, nearest, t->radius, normal, margin, out);
}

int sn_sphereTriangle(const snShape* sphere, const snElement* triangle, double margin, snContactPoint* out)
{
    return ballTriangle(sphere->pos, sphere->size.x, triangle, margin, out);
}

int sn_capsuleTriangle(const snShape* capsule, const snElement* triangle, double margin, snContactPoint* out)
{
    const double radius = capsule->size.x, half = capsule->size.y;
    const snVec3 axis = sn_m3Col(capsule->mat, 2), none = {0, 0, 0};
    int count = 0;
    for (int end = -1; end <= 1; end += 2)
        count += ballTriangle(sn_v3AddScaled(capsule->pos, end * half, axis), radius, triangle, margin,
                              out + count);
    for (int k = 0; k < 3; k++) {
        const double along = sn_v3Dot(sn_v3Sub(triangle->corner[k], capsule->pos), axis);
        if (fabs(along) >= half * (1 - 2 * SN_MINVAL)) continue;
        const snVec3 nearest = sn_v3AddScaled(capsule->pos, along, axis);
        count +=
            sn_ballBall(nearest, radius, triangle->corner[k], triangle->radius, none, margin, out + count);
    }
    return count;
}

// A corner of the triangle at x, in the axes of the box, and the side of the box that it is farthest outside
// of, or least deep under.
static int cornerOnBox(const snShape* box, const double x[3], snVec3 corner, double radius, double margin,
                       snContactPoint* out)
{
    const double size[3] = {box->size.x, box->size.y, box->size.z};
    int side = 0;
    for (int k = 0; k < 3; k++) {
        if (fabs(x[k]) - size[k] > fabs(x[side]) - size[side]) side = k;
        if (fabs(x[k]) > size[k] + margin + radius) return 0;
    }
    const double dist = fabs(x[side]) - size[side] - radius;
    const snVec3 normal = sn_v3Scale(sn_m3Col(box->mat, side), x[side] > 0 ? 1 : -1);
    *out = (snContactPoint){
        .dist = dist, .pos = sn_v3AddScaled(corner, -radius - 0.5 * dist, normal), .normal = normal};
    return 1;
}

// Whether the triangle is all beyond one side of the box; x: its corners in the axes of the box.
static bool isBeyond(const snShape* box, double x[3][3], double reach)
{
    const double size[3] = {box->size.x, box->size.y, box->size.z};
    for (int k = 0; k < 3; k++) {
        const double low = sn_min(x[0][k], sn_min(x[1][k], x[2][k])),
                     high = sn_max(x[0][k], sn_max(x[1][k], x[2][k]));
        if (low > size[k] + reach || high < -size[k] - reach) return true;
    }
    return false;
}

int sn_boxTriangle(const snShape* box, const snElement* triangle, double margin, snContactPoint* out)
{
    double x[3][3];
    for (int k = 0; k < 3; k++)
        sn_v3Store(x[k], sn_m3TMul(box->mat, sn_v3Sub(triangle->corner[k], box->pos)));
    if (isBeyond(box, x, (margin + triangle->radius) * (1 + 1e-9))) return 0;
    int count = 0;
    for (int k = 0; k < 3; k++)
        count += cornerOnBox(box, x[k], triangle->corner[k], triangle->radius, margin, out + count);
    for (int i = 0; i < 8; i++) {
        const snVec3 corner = sn_v3(i & 1 ? box->size.x : -box->size.x, i & 2 ? box->size.y : -box->size.y,
                                    i & 4 ? box->size.z : -box->size.z);
        count +=
            ballTriangle(sn_v3Add(box->pos, sn_m3Mul(box->mat, corner)), 0, triangle, margin, out + count);
    }
    return count;
}
