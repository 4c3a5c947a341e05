#include "shape/kind.h"

const snShapeKind* sn_shapeKind(int type)
{
    static const snShapeKind* const rows[SN_NGEOMTYPE] = {
#define X(name, value, keyword, meaning) [SN_GEOM_##name] = &sn_shapeRow_##name,
        SN_GEOM_TABLE(X)
#undef X
    };
    static const snShapeKind none = SN_SHAPE_NOTHING;
    return sn_isShape(type) ? rows[type] : &none;
}

const char* sn_shapeWord(int type)
{
    static const char* const words[SN_NGEOMTYPE] = {
#define X(name, value, keyword, meaning) [SN_GEOM_##name] = (keyword),
        SN_GEOM_TABLE(X)
#undef X
    };
    return sn_isShape(type) ? words[type] : "unknown";
}

// ---- what a type may not have

bool sn_noSpan(real length, real size[3])
{
    (void)length, (void)size;
    return false;
}

real sn_noVolume(const snSolid* s)
{
    (void)s;
    return 0;
}

real sn_noArea(const snSolid* s)
{
    (void)s;
    return 0;
}

snVec3 sn_noInertia(const snSolid* s, real mass)
{
    (void)s, (void)mass;
    return sn_v3(0, 0, 0);
}

void sn_noBox(const snSolid* s, real aabb[6])
{
    (void)s;
    for (int k = 0; k < 6; k++) aabb[k] = 0;
}

real sn_noRadius(const snSolid* s)
{
    (void)s;
    return 0;
}

bool sn_noFit(const real half[3], real size[3])
{
    (void)half, (void)size;
    return false;
}

real sn_noRay(const snRay* ray, const snSurface* s)
{
    (void)ray, (void)s;
    return -1;
}

snVec3 sn_normalUp(const snRay* ray, real x, const snSurface* s)
{
    (void)ray, (void)x, (void)s;
    return sn_v3(0, 0, 1);
}

// ---- what several have

bool sn_spanHalf(real length, real size[3])
{
    size[1] = 0.5 * length;
    return true;
}

bool sn_spanWide(real length, real size[3])
{
    size[1] = size[0];
    size[2] = 0.5 * length;
    return true;
}

bool sn_fitWhole(const real half[3], real size[3])
{
    for (int k = 0; k < 3; k++) size[k] = half[k];
    return true;
}

void sn_centredBox(const real half[3], real aabb[6])
{
    for (int k = 0; k < 3; k++) {
        aabb[k] = 0;
        aabb[3 + k] = half[k];
    }
}
