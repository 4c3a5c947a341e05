// The rows of all types of geom: what is asked of a type while a model is made, looked at or met by a ray.
// The rest stands in shape/facts.h and, for each number of a step, shape/types.h.
#ifndef SINEW_SHAPE_KIND_H
#define SINEW_SHAPE_KIND_H

#include "shape/facts.h"
#include "shape/ray.h"

/// A shape as matter, in its own frame: origin at the centre, what is turned about an axis along z.
typedef struct snSolid {
    const real* size;       ///< see SN_GEOM_TABLE; of a field the half sizes of a box with as much matter
    const real *low, *high; ///< of a mesh: the corners of its box
    const real* moments;    ///< of a mesh: half sizes of the box with its volume and inertia
    real volume;            ///< of a mesh; of one that is a shell the area
    const real* field;      ///< of a field: half sizes x and y, height of 1, depth of the base
} snSolid;

/// A row. What a type does not have is one of the functions below that say so.
typedef struct snShapeKind {
    /// Size of a shape of this length along z, size[0] given, as fromto means it; false: it has no fromto.
    bool (*span)(real length, real size[3]);
    real (*volume)(const snSolid* s); ///< m^3
    real (*area)(const snSolid* s);   ///< m^2
    /// Principal moments about the centre of one of this mass, and of one with all of it on the surface.
    snVec3 (*inertia)(const snSolid* s, real mass);
    snVec3 (*shellInertia)(const snSolid* s, real mass);
    void (*box)(const snSolid* s, real aabb[6]); ///< along its axes: centre (3), half sizes (3)
    real (*radius)(const snSolid* s);            ///< of the ball about the centre; 0: endless
    /// Size of the same inertia as a box with these half sizes, and of the smallest whose bounding box holds
    /// it; false: it cannot be fitted.
    bool (*fitInertia)(const real box[3], real size[3]);
    bool (*fitBounds)(const real half[3], real size[3]);
    real (*ray)(const snRay* ray, const snSurface* s); ///< first x on the surface; -1: none
    /// Outward normal, of any length, at the point of the surface where the ray is at x.
    snVec3 (*normal)(const snRay* ray, real x, const snSurface* s);
} snShapeKind;

// clang-format off
/// The row of what has nothing.
#define SN_SHAPE_NOTHING { \
    .span = sn_noSpan, \
    .volume = sn_noVolume, \
    .area = sn_noArea, \
    .inertia = sn_noInertia, \
    .shellInertia = sn_noInertia, \
    .box = sn_noBox, \
    .radius = sn_noRadius, \
    .fitInertia = sn_noFit, \
    .fitBounds = sn_noFit, \
    .ray = sn_noRay, \
    .normal = sn_normalUp \
}
// clang-format on

/// The rows as their files define them: SN_SHAPE_ROW(SPHERE) = {...};
#define SN_SHAPE_ROW(name) const snShapeKind sn_shapeRow_##name
#define X(name, value, keyword, meaning) extern SN_SHAPE_ROW(name);
SN_GEOM_TABLE(X)
#undef X

/// The row of a type; of a number that is none, as a program may write it into a model: one that has nothing.
const snShapeKind* sn_shapeKind(int type);

/// The type's word in model files; "unknown".
const char* sn_shapeWord(int type);

// What a type may not have.
bool sn_noSpan(real length, real size[3]);
real sn_noVolume(const snSolid* s);
real sn_noArea(const snSolid* s);
snVec3 sn_noInertia(const snSolid* s, real mass);
void sn_noBox(const snSolid* s, real aabb[6]);
real sn_noRadius(const snSolid* s);
bool sn_noFit(const real half[3], real size[3]);
real sn_noRay(const snRay* ray, const snSurface* s);
snVec3 sn_normalUp(const snRay* ray, real x, const snSurface* s); ///< along z

// What several types have.
real sn_boxVolume(const snSolid* s);
real sn_boxArea(const snSolid* s);
snVec3 sn_boxInertia(const snSolid* s, real mass);
snVec3 sn_boxShellInertia(const snSolid* s, real mass);

/// Moments of a box with these half sizes.
snVec3 sn_boxMoments(const real half[3], real mass);

/// Size 1 is half the length; and: as wide as deep, size 2 is half the length.
bool sn_spanHalf(real length, real size[3]);
bool sn_spanWide(real length, real size[3]);

bool sn_fitWhole(const real half[3], real size[3]); ///< the box itself

/// A box with these half sizes about the origin.
void sn_centredBox(const real half[3], real aabb[6]);

#endif
