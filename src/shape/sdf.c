// As matter, to rays and to the eye its mesh.
#include "shape/sdf.h"
#include "shape/kind.h"

#define MESH (&sn_shapeRow_MESH)

static real volume(const snSolid* s)
{
    return MESH->volume(s);
}

static snVec3 inertia(const snSolid* s, real mass)
{
    return MESH->inertia(s, mass);
}

static void box(const snSolid* s, real aabb[6])
{
    MESH->box(s, aabb);
}

static real radius(const snSolid* s)
{
    return MESH->radius(s);
}

static real ray(const snRay* r, const snSurface* s)
{
    return MESH->ray(r, s);
}

static snVec3 normal(const snRay* r, real x, const snSurface* s)
{
    return MESH->normal(r, x, s);
}

SN_SHAPE_ROW(SDF) = {.span = sn_noSpan,
                     .volume = volume,
                     .area = sn_noArea,
                     .inertia = inertia,
                     .shellInertia = sn_noInertia,
                     .box = box,
                     .radius = radius,
                     .fitInertia = sn_noFit,
                     .fitBounds = sn_noFit,
                     .ray = ray,
                     .normal = normal};
