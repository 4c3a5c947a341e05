#include "shape/capsule.h"
#include "shape/kind.h"

static real volume(const snSolid* s)
{
    const real a = s->size[0], b = s->size[1];
    return SN_PI * (a * a * 2 * b + 4 * a * a * a / 3);
}

static real area(const snSolid* s)
{
    const real a = s->size[0], b = s->size[1];
    return 4 * SN_PI * a * a + 2 * SN_PI * a * 2 * b;
}

// A cylinder of height h between two half balls, at the same density. A half ball has its centre of mass
// 3r/8 above its base; about the capsule's centre its share is 2/5 m r^2 + m h (3r + 2h)/8.
static snVec3 inertia(const snSolid* s, real mass)
{
    const real r = s->size[0], h = 2 * s->size[1];
    const real balls = mass * 4 * r / (4 * r + 3 * h);
    const real tube = mass - balls;
    const real across =
        tube * (3 * r * r + h * h) / 12 + 2 * balls * r * r / 5 + balls * h * (3 * r + 2 * h) / 8;
    return (snVec3){across, across, tube * r * r / 2 + 2 * balls * r * r / 5};
}

// A tube of height h and two half spheres. A half sphere has its centre of mass r/2 above its base and
// 5/12 m r^2 across about that point, which lies (h + r)/2 from the capsule's centre.
static snVec3 shellInertia(const snSolid* s, real mass)
{
    const real r = s->size[0], h = 2 * s->size[1];
    const real caps = mass * 2 * r / (2 * r + h);
    const real tube = mass - caps;
    const real offset = (h + r) / 2;
    const real across = tube * (6 * r * r + h * h) / 12 + caps * (5 * r * r / 12 + offset * offset);
    return (snVec3){across, across, tube * r * r + 2 * caps * r * r / 3};
}

static void box(const snSolid* s, real aabb[6])
{
    sn_centredBox((const real[3]){s->size[0], s->size[0], s->size[1] + s->size[0]}, aabb);
}

static real radius(const snSolid* s)
{
    return s->size[0] + s->size[1];
}

static bool fitInertia(const real half[3], real size[3])
{
    size[0] = (half[0] + half[1]) / 2;
    size[1] = sn_max(half[2] - size[0] / 2, 0);
    return true;
}

static bool fitBounds(const real half[3], real size[3])
{
    size[0] = sn_max(half[0], half[1]);
    size[1] = sn_max(half[2] - size[0], 0);
    return true;
}

static real ray(const snRay* r, const snSurface* s)
{
    const real a = s->size.x, half = s->size.y;
    real best = sn_rayTube(r, a, half);
    for (int end = -1; end <= 1; end += 2) {
        const snVec3 p = sn_v3(r->p.x, r->p.y, r->p.z - end * half);
        real x[2];
        if (!sn_rayRoots(sn_v3Dot(r->v, r->v), sn_v3Dot(r->v, p), sn_v3Dot(p, p) - a * a, x)) continue;
        for (int k = 0; k < 2; k++)
            if (x[k] >= 0 && end * (p.z + x[k] * r->v.z) >= 0) best = sn_nearerHit(best, x[k]);
    }
    return best;
}

static snVec3 normal(const snRay* r, real x, const snSurface* s)
{
    const snVec3 p = sn_rayAt(r, x);
    const real half = s->size.y;
    return sn_v3(p.x, p.y, p.z - sn_max(-half, sn_min(half, p.z)));
}

SN_SHAPE_ROW(CAPSULE) = {.span = sn_spanHalf,
                         .volume = volume,
                         .area = area,
                         .inertia = inertia,
                         .shellInertia = shellInertia,
                         .box = box,
                         .radius = radius,
                         .fitInertia = fitInertia,
                         .fitBounds = fitBounds,
                         .ray = ray,
                         .normal = normal};
