#include "shape/sphere.h"
#include "shape/kind.h"

static real volume(const snSolid* s)
{
    const real a = s->size[0];
    return 4 * SN_PI * a * a * a / 3;
}

static real area(const snSolid* s)
{
    const real a = s->size[0];
    return 4 * SN_PI * a * a;
}

static snVec3 inertia(const snSolid* s, real mass)
{
    const real r = s->size[0], ball = 2 * mass * r * r / 5;
    return (snVec3){ball, ball, ball};
}

static snVec3 shellInertia(const snSolid* s, real mass)
{
    const real r = s->size[0], sphere = 2 * mass * r * r / 3;
    return (snVec3){sphere, sphere, sphere};
}

static void box(const snSolid* s, real aabb[6])
{
    sn_centredBox((const real[3]){s->size[0], s->size[0], s->size[0]}, aabb);
}

static real radius(const snSolid* s)
{
    return s->size[0];
}

static bool fitInertia(const real half[3], real size[3])
{
    size[0] = (half[0] + half[1] + half[2]) / 3;
    return true;
}

static bool fitBounds(const real half[3], real size[3])
{
    size[0] = sn_max(sn_max(half[0], half[1]), half[2]);
    return true;
}

static real ray(const snRay* r, const snSurface* s)
{
    return sn_rayFirstRoot(sn_v3Dot(r->v, r->v), sn_v3Dot(r->v, r->p),
                           sn_v3Dot(r->p, r->p) - s->size.x * s->size.x);
}

static snVec3 normal(const snRay* r, real x, const snSurface* s)
{
    (void)s;
    return sn_rayAt(r, x);
}

SN_SHAPE_ROW(SPHERE) = {.span = sn_noSpan,
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
