#include "shape/box.h"
#include "shape/kind.h"

real sn_boxVolume(const snSolid* s)
{
    const real a = s->size[0], b = s->size[1], c = s->size[2];
    return 8 * a * b * c;
}

real sn_boxArea(const snSolid* s)
{
    const real a = s->size[0], b = s->size[1], c = s->size[2];
    return 8 * (a * b + b * c + c * a);
}

snVec3 sn_boxMoments(const real s[3], real mass)
{
    const real x = s[0] * s[0], y = s[1] * s[1], z = s[2] * s[2];
    return (snVec3){mass * (y + z) / 3, mass * (x + z) / 3, mass * (x + y) / 3};
}

snVec3 sn_boxInertia(const snSolid* s, real mass)
{
    return sn_boxMoments(s->size, mass);
}

// Six plates; a pair across axis k has sides 2 s_i, 2 s_j, and stands at +-s_k.
snVec3 sn_boxShellInertia(const snSolid* solid, real mass)
{
    const real* s = solid->size;
    const real sum = s[0] * s[1] + s[1] * s[2] + s[2] * s[0];
    real moment[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const real pair = mass * s[i] * s[j] / sum;
        moment[k] += pair * (s[i] * s[i] + s[j] * s[j]) / 3;
        moment[i] += pair * (s[j] * s[j] / 3 + s[k] * s[k]);
        moment[j] += pair * (s[i] * s[i] / 3 + s[k] * s[k]);
    }
    return sn_v3Load(moment);
}

static void box(const snSolid* s, real aabb[6])
{
    sn_centredBox(s->size, aabb);
}

static real radius(const snSolid* s)
{
    return sn_v3Norm(sn_v3Load(s->size));
}

real sn_rayBoxSides(const snRay* ray, snVec3 size, real side[6])
{
    const real p[3] = {ray->p.x, ray->p.y, ray->p.z}, v[3] = {ray->v.x, ray->v.y, ray->v.z};
    const real s[3] = {size.x, size.y, size.z};
    real best = -1;
    for (int i = 0; i < 6; i++) side[i] = -1;
    for (int i = 0; i < 3; i++) {
        if (fabs(v[i]) <= SN_MINVAL) continue;
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        for (int end = 0; end < 2; end++) {
            const real x = ((end ? s[i] : -s[i]) - p[i]) / v[i];
            if (!(x >= 0 && fabs(p[j] + x * v[j]) <= s[j] && fabs(p[k] + x * v[k]) <= s[k])) continue;
            side[2 * i + end] = x;
            best = sn_nearerHit(best, x);
        }
    }
    return best;
}

static real ray(const snRay* r, const snSurface* s)
{
    real sides[6];
    return sn_rayBoxSides(r, s->size, sides);
}

static snVec3 normal(const snRay* r, real x, const snSurface* s)
{
    const snVec3 p = sn_rayAt(r, x);
    snFacing best = SN_FACING_NONE;
    sn_considerFacing(&best, fabs(p.x) - s->size.x, sn_v3(p.x < 0 ? -1 : 1, 0, 0));
    sn_considerFacing(&best, fabs(p.y) - s->size.y, sn_v3(0, p.y < 0 ? -1 : 1, 0));
    sn_considerFacing(&best, fabs(p.z) - s->size.z, sn_v3(0, 0, p.z < 0 ? -1 : 1));
    return best.normal;
}

SN_SHAPE_ROW(BOX) = {.span = sn_spanWide,
                     .volume = sn_boxVolume,
                     .area = sn_boxArea,
                     .inertia = sn_boxInertia,
                     .shellInertia = sn_boxShellInertia,
                     .box = box,
                     .radius = radius,
                     .fitInertia = sn_fitWhole,
                     .fitBounds = sn_fitWhole,
                     .ray = ray,
                     .normal = normal};
