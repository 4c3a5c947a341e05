// Built-in meshes: of unit size, at the origin, or lattices about it.
#ifndef SINEW_FORMAT_MESH_BUILT_IN_H
#define SINEW_FORMAT_MESH_BUILT_IN_H

#include <stdint.h>
#include "format/mesh/mesh_file.h"
#include "model/spec/spec.h"

#define SN_MAX_SHAPE_VERTICES (1 << 20) ///< a slip in params must not eat the memory

/// Vertices, triangles and normals of a shape; without triangles they are those of the hull, and wedges and
/// plates have three normals a vertex, the last two along the surface. To be freed with sn_freeMeshFile.
/// error, not NULL, says which of the params [count] is wrong, or that memory is out.
snStatus sn_makeMeshShape(int shape, const double* params, int count, snMeshFile* mesh, snError* error);

/// Whether a built-in shape has no inside.
bool sn_isOpenShape(int shape, const double* params, int count);

// ---- for those that make them

/// A mesh that is being made: how many of each are there already.
typedef struct snMeshMaker {
    snMeshFile* mesh;
    snError* error;
    int count; ///< of its params
    int nvert, nface;
} snMeshMaker;

/// Room for vertices, triangles (none: those of the hull) and normals.
bool sn_beginShape(snMeshMaker* maker, int64_t nvert, int64_t nface, int64_t nnormal);
void sn_addShapeVertex(snMeshMaker* maker, double x, double y, double z);
void sn_addShapeFace(snMeshMaker* maker, int a, int b, int c);
/// A mistake in the parameters.
bool sn_failShape(snMeshMaker* maker, const char* text);

// Lattices of points, see lattice.c: params are counts [3], spacings [3] and of all but squares and discs how
// many dimensions, 2 or 3.
bool sn_makeGrid(snMeshMaker* maker, const double* params);
bool sn_makeSquare(snMeshMaker* maker, const double* params);
bool sn_makeDisc(snMeshMaker* maker, const double* params);
bool sn_makeBox(snMeshMaker* maker, const double* params);
bool sn_makeCylinder(snMeshMaker* maker, const double* params);
bool sn_makeEllipsoid(snMeshMaker* maker, const double* params);

#endif
