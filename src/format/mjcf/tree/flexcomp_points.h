// A flexcomp while it is expanded: points, elements, texture coordinates. The steps, in this order, each in a
// file of its own: points by type (flexcomp_grid.c, flexcomp_box.c, flexcomp_file.c, flexcomp_asset.c), pins
// (flexcomp_pin.c), bodies and flex (flexcomp_build.c). All return false with a mistake told, or out of
// memory.
#ifndef SINEW_FORMAT_MJCF_TREE_FLEXCOMP_POINTS_H
#define SINEW_FORMAT_MJCF_TREE_FLEXCOMP_POINTS_H

#include "format/mjcf/language/reading.h"
#include "math/vec.h"

enum { SN_FLEXCOMP_POINTS = 1 << 20 }; ///< most that the flexcomps of a model may make

/// The words of FLEXCOMP, FLEXDOF and FLEXEQUALITY.
typedef enum snFlexcompType {
    SN_FLEXCOMP_GRID,
    SN_FLEXCOMP_BOX,
    SN_FLEXCOMP_CYLINDER,
    SN_FLEXCOMP_ELLIPSOID,
    SN_FLEXCOMP_SQUARE,
    SN_FLEXCOMP_DISC,
    SN_FLEXCOMP_CIRCLE,
    SN_FLEXCOMP_MESH,
    SN_FLEXCOMP_GMSH,
    SN_FLEXCOMP_DIRECT,
} snFlexcompType;
typedef enum snFlexDof {
    SN_FLEXDOF_FULL,
    SN_FLEXDOF_RADIAL,
    SN_FLEXDOF_TRILINEAR,
    SN_FLEXDOF_QUADRATIC,
    SN_FLEXDOF_PLANAR
} snFlexDof;
typedef enum snFlexEquality {
    SN_FLEXEQ_FALSE,
    SN_FLEXEQ_TRUE,
    SN_FLEXEQ_STRAIN,
    SN_FLEXEQ_VERT
} snFlexEquality;

typedef struct snFlexcomp {
    snReader* r;
    snElement* node;
    snElement *contact, *edge, *elasticity; ///< its children; NULL: not given
    const snElement* plugin;                ///< of all its bodies; NULL: none
    const char* instance;                   ///< of it
    snSpecFlexcomp set;
    const char* name;
    bool textured; ///< texture coordinates are made with the points
    int npoint, nelement, ntexcoord;
    double* point;     ///< [npoint x 3] in the frame of the body that holds the flexcomp, once it is placed
    int* element;      ///< [nelement x (dim + 1)] points
    float* texcoord;   ///< [ntexcoord x 2]; NULL: none
    int* elemtexcoord; ///< [nelement x (dim + 1)] texture coordinates; NULL: those of the points
    bool* pinned;      ///< [npoint]
    int npinned;
} snFlexcomp;

/// Room for points and elements, and for texture coordinates if it is textured; then they are added.
bool sn_makeFlexPoints(snFlexcomp* f, double npoint, double nelement);

static inline void sn_addFlexPoint(snFlexcomp* f, snVec3 p)
{
    sn_v3Store(f->point + 3 * (size_t)f->npoint++, p);
}

/// Texture coordinates from 0 to 1: places i of n and j of m.
static inline void sn_addFlexTexcoord(snFlexcomp* f, int i, int n, int j, int m)
{
    if (!f->textured) return;
    float* at = f->texcoord + 2 * (size_t)f->ntexcoord++;
    at[0] = (float)i / (float)(n > 1 ? n - 1 : 1);
    at[1] = (float)j / (float)(m > 1 ? m - 1 : 1);
}

static inline void sn_addFlexElement(snFlexcomp* f, const int* points)
{
    const int n = f->set.dim + 1;
    for (int k = 0; k < n; k++) f->element[(size_t)n * (size_t)f->nelement + (size_t)k] = points[k];
    f->nelement++;
}

void sn_freeFlexPoints(snFlexcomp* f);

/// What set->type and set->dim make, out of counts and spacings; they are checked.
bool sn_flexShape(snFlexcomp* f);
/// Grids, squares and discs, circles.
bool sn_flexGrid(snFlexcomp* f);
bool sn_flexSquare(snFlexcomp* f);
bool sn_flexCircle(snFlexcomp* f);
/// Boxes, cylinders, ellipsoids.
bool sn_flexBox(snFlexcomp* f);
/// Meshes, of files and of the assets.
bool sn_flexFile(snFlexcomp* f);

/// Points that a <pin> names, among those that are there; to be called before any are dropped.
bool sn_readPin(snFlexcomp* f, const snElement* pin);

/// The tree of it all.
bool sn_buildFlexcomp(snFlexcomp* f);

#endif
