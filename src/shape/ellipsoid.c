#include "shape/ellipsoid.h"
#include "shape/kind.h"

// The shell of an ellipsoid is the difference of two solids whose semi-axes differ by this much (m).
#define SHELL_THICKNESS 1e-6

static real volumeOf(const real s[3])
{
    const real a = s[0], b = s[1], c = s[2];
    return 4 * SN_PI * a * b * c / 3;
}

static real volume(const snSolid* s)
{
    return volumeOf(s->size);
}

// Thomsen's formula, p = 1.6075, within 1.1 % of the truth.
static real area(const snSolid* s)
{
    const real a = s->size[0], b = s->size[1], c = s->size[2], p = 1.6075;
    const real mean = (sn_pow(a * b, p) + sn_pow(b * c, p) + sn_pow(c * a, p)) / 3;
    return 4 * SN_PI * sn_pow(mean, 1 / p);
}

static snVec3 moments(const real s[3], real mass)
{
    const real x = s[0] * s[0], y = s[1] * s[1], z = s[2] * s[2];
    return (snVec3){mass * (y + z) / 5, mass * (x + z) / 5, mass * (x + y) / 5};
}

static snVec3 inertia(const snSolid* s, real mass)
{
    return moments(s->size, mass);
}

static snVec3 shellInertia(const snSolid* solid, real mass)
{
    const real* s = solid->size;
    const real outer[3] = {s[0] + SHELL_THICKNESS, s[1] + SHELL_THICKNESS, s[2] + SHELL_THICKNESS};
    const real whole = volumeOf(outer), hole = volumeOf(s);
    const real mass_outer = mass * whole / (whole - hole);
    return sn_v3Sub(moments(outer, mass_outer), moments(s, mass_outer - mass));
}

static void box(const snSolid* s, real aabb[6])
{
    sn_centredBox(s->size, aabb);
}

static real radius(const snSolid* s)
{
    return sn_max(sn_max(s->size[0], s->size[1]), s->size[2]);
}

static real ray(const snRay* r, const snSurface* surface)
{
    const snVec3 s = surface->size;
    const snVec3 p = sn_v3(r->p.x / s.x, r->p.y / s.y, r->p.z / s.z);
    const snVec3 v = sn_v3(r->v.x / s.x, r->v.y / s.y, r->v.z / s.z);
    return sn_rayFirstRoot(sn_v3Dot(v, v), sn_v3Dot(v, p), sn_v3Dot(p, p) - 1);
}

static snVec3 normal(const snRay* r, real x, const snSurface* surface)
{
    const snVec3 p = sn_rayAt(r, x), s = surface->size;
    return sn_v3(p.x / (s.x * s.x), p.y / (s.y * s.y), p.z / (s.z * s.z));
}

SN_SHAPE_ROW(ELLIPSOID) = {.span = sn_spanWide,
                           .volume = volume,
                           .area = area,
                           .inertia = inertia,
                           .shellInertia = shellInertia,
                           .box = box,
                           .radius = radius,
                           .fitInertia = sn_fitWhole,
                           .fitBounds = sn_fitWhole,
                           .ray = ray,
                           .normal = normal};
