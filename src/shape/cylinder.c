#include "shape/cylinder.h"
#include "shape/kind.h"

static real volume(const snSolid* s)
{
    const real a = s->size[0], b = s->size[1];
    return SN_PI * a * a * 2 * b;
}

static real area(const snSolid* s)
{
    const real a = s->size[0], b = s->size[1];
    return 2 * SN_PI * a * a + 2 * SN_PI * a * 2 * b;
}

static snVec3 inertia(const snSolid* s, real mass)
{
    const real r = s->size[0], h = 2 * s->size[1];
    const real across = mass * (3 * r * r + h * h) / 12;
    return (snVec3){across, across, mass * r * r / 2};
}

// A tube and two discs at its ends.
static snVec3 shellInertia(const snSolid* s, real mass)
{
    const real r = s->size[0], h = 2 * s->size[1];
    const real discs = mass * r / (r + h);
    const real tube = mass - discs;
    const real across = tube * (6 * r * r + h * h) / 12 + discs * (r * r / 4 + h * h / 4);
    return (snVec3){across, across, tube * r * r + discs * r * r / 2};
}

static void box(const snSolid* s, real aabb[6])
{
    sn_centredBox((const real[3]){s->size[0], s->size[0], s->size[1]}, aabb);
}

static real radius(const snSolid* s)
{
    return sqrt(s->size[0] * s->size[0] + s->size[1] * s->size[1]);
}

static bool fitInertia(const real half[3], real size[3])
{
    size[0] = (half[0] + half[1]) / 2;
    size[1] = half[2];
    return true;
}

static bool fitBounds(const real half[3], real size[3])
{
    size[0] = sn_max(half[0], half[1]);
    size[1] = half[2];
    return true;
}

static real ray(const snRay* r, const snSurface* s)
{
    const real a = s->size.x, half = s->size.y;
    real best = sn_rayTube(r, a, half);
    if (fabs(r->v.z) <= SN_MINVAL) return best;
    for (int end = -1; end <= 1; end += 2) {
        const real x = (end * half - r->p.z) / r->v.z;
        const snVec3 at = sn_rayAt(r, x);
        if (x >= 0 && at.x * at.x + at.y * at.y <= a * a) best = sn_nearerHit(best, x);
    }
    return best;
}

static snVec3 normal(const snRay* r, real x, const snSurface* s)
{
    const snVec3 p = sn_rayAt(r, x), radial = {p.x, p.y, 0};
    snFacing best = SN_FACING_NONE;
    sn_considerFacing(&best, sn_v3Norm(radial) - s->size.x, radial);
    sn_considerFacing(&best, fabs(p.z) - s->size.y, sn_v3(0, 0, p.z < 0 ? -1 : 1));
    return best.normal;
}

SN_SHAPE_ROW(CYLINDER) = {.span = sn_spanHalf,
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
