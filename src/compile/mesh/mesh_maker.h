// A built-in mesh while it is made.
#ifndef SINEW_COMPILE_MESH_MESH_MAKER_H
#define SINEW_COMPILE_MESH_MESH_MAKER_H

#include "compile/mesh/mesh.h"

#define SN_MAX_SHAPE_VERTICES (1 << 20) ///< a slip in params must not eat the memory

/// A mesh that is being made: how many of each are there already.
typedef struct snMeshMaker {
    snMesh* mesh;
    int nvert, nface;
} snMeshMaker;

/// Room for vertices, triangles (none: those of the hull) and normals.
bool sn_beginShape(snBuild* b, snMesh* mesh, int64_t nvert, int64_t nface, int64_t nnormal,
                   snMeshMaker* maker);
void sn_addShapeVertex(snMeshMaker* maker, double x, double y, double z);
void sn_addShapeFace(snMeshMaker* maker, int a, int b, int c);
/// A mistake in the parameters.
bool sn_failShape(snBuild* b, const snMesh* mesh, const char* text);

// Lattices of points, see mesh_lattice.c: params are counts [3], spacings [3] and of all but squares and
// discs how many dimensions, 2 or 3.
bool sn_makeGrid(snBuild* b, snMesh* mesh, const double* params);
bool sn_makeSquare(snBuild* b, snMesh* mesh, const double* params);
bool sn_makeDisc(snBuild* b, snMesh* mesh, const double* params);
bool sn_makeBox(snBuild* b, snMesh* mesh, const double* params);
bool sn_makeCylinder(snBuild* b, snMesh* mesh, const double* params);
bool sn_makeEllipsoid(snBuild* b, snMesh* mesh, const double* params);

/// Whether a built-in shape has no inside.
bool sn_isOpenShape(const snSpecMesh* spec);

#endif
