// A mesh on its way from its source to the model. The steps, each in its own file, in the peer's order:
// source (mesh_source.c), hull (mesh_hull.c), normals (mesh_normal.c), polygons
// (mesh_polygon.c), then refpos, refquat and scale, mass (mesh_mass.c), the turn to the centre of mass
// and the principal axes (mesh.c), tables of the hull (mesh_cell.c), signed distances (mesh_field.c). Under
// the rule MESH_POLYGONS polygons come after the turn. mesh_build.c copies the outcome into the model.
#ifndef SINEW_COMPILE_MESH_MESH_H
#define SINEW_COMPILE_MESH_MESH_H

#include "compile/build/build.h"
#include "compile/sdf/grow.h"
#include "model/rules.h"

/// What a mesh is to have.
typedef struct snMeshNeeds {
    bool hull, field;
} snMeshNeeds;

struct snMesh {
    const snSpecMesh* spec;
    snMeshInertia inertia; ///< what has mass; a plate is a shell whatever the description says
    bool needs_hull;       ///< a geom collides with it, or its hull has the mass
    bool needs_field;      ///< a geom is its signed distances
    int nvert, nnormal, ntexcoord, nface, npoly, npolyvert, ngraph;
    double* vert;      ///< [nvert x 3]
    float* normal;     ///< [nnormal x 3]
    float* texcoord;   ///< [ntexcoord x 2]
    int* face;         ///< [nface x 3] vertices
    int* facenormal;   ///< [nface x 3] normals
    int* facetexcoord; ///< [nface x 3] texture coordinates; NULL: none
    int* graph;        ///< [ngraph] the hull, as mesh_graph of the model; NULL: none
    int* hullcell;     ///< [2 x SN_NHULLDIR] as mesh_hullcell of the model, from 0; NULL: none
    float* hullblock;  ///< [nhullblock x 16] as mesh_hullblock of the model
    int nhullblock;
    double hullinner;      ///< as mesh_hullinner of the model
    int* polyadr;          ///< [npoly + 1] where each polygon starts in polyvert
    int* polyvert;         ///< [npolyvert] vertices of the polygons
    snDistanceField field; ///< signed distances; no nodes: none
    double volume;         ///< of SN_MESH_SHELL: the area
    bool blamed;           ///< its excess has been warned of
    double box[3];         ///< half sizes of the box with the same volume and inertia
    double low[3], high[3];
    snPose frame; ///< centre of mass and principal axes in the frame of the file
};

/// Makes a mesh out of its description in two steps: reads its source, then all that follows from it, which
/// touches nothing that meshes share. On failure the error names it; sn_freeMesh in either case.
bool sn_loadMesh(snBuild* b, const snSpecMesh* spec, snMeshNeeds needs, snMesh* mesh);
bool sn_processMesh(snBuild* b, snMesh* mesh);

/// A mesh that is to be made.
typedef struct snMeshOrder {
    const snSpecMesh* spec;
    snMeshNeeds needs;
    snMesh* mesh;
} snMeshOrder;

/// Makes meshes by both steps, the second on several threads unless the compiler's `usethread` is false; with
/// the same results, warnings and error as one after the other.
bool sn_makeMeshList(snBuild* b, const snMeshOrder* orders, int count);
void sn_freeMesh(snMesh* mesh);

// Every step returns false with an error in b when the mesh is wrong, or memory is out.

/// Vertices, triangles, normals and texture coordinates as given: file, text or shape. Indices are checked.
bool sn_meshSource(snBuild* b, snMesh* mesh);
/// Whether the scale of a mesh turns it inside out.
static inline bool sn_isMirrored(const snSpecMesh* spec)
{
    return spec->scale[0] * spec->scale[1] * spec->scale[2] < 0;
}

/// Turns the triangles over, those of the hull included, if there is one.
void sn_meshTurnOver(snMesh* mesh);
/// Vertices and triangles of the shape of its plugin.
bool sn_meshContour(snBuild* b, snMesh* mesh);
/// The convex hull as a graph.
bool sn_meshMakeHull(snBuild* b, snMesh* mesh);
/// The [numface x 3] vertices of the hull's triangles; *numface receives how many.
int* sn_meshHullFaces(const snMesh* mesh, int* numface);
/// The field of signed distances, if it is to have one; after the frame has been applied.
bool sn_meshField(snBuild* b, snMesh* mesh);
/// Tables and inner ball of the hull, if there is one; after the frame has been applied.
bool sn_meshCells(snBuild* b, snMesh* mesh);
/// Normals from the triangles, one a vertex: weighted by area; without smoothnormal those of triangles at a
/// large angle are left out.
bool sn_meshNormals(snBuild* b, snMesh* mesh);
/// Merges triangles, of the hull if there is one, into polygons.
bool sn_meshPolygons(snBuild* b, snMesh* mesh);
/// Unit normal from the first three vertices; if they lie on a line, or with `whole`, from all; zero if all
/// lie on a line.
snVec3 sn_meshPolygonNormal(const snMesh* mesh, int polygon, bool whole);
/// Volume, box and frame by spec->inertia.
bool sn_meshMass(snBuild* b, snMesh* mesh);
/// How much more than it has, as a part of it, the volume of a mesh with SN_MESH_LEGACY is; 0: not more than
/// rounding, or nobody knows as the triangles do not enclose any.
double sn_meshExcess(const snMesh* mesh);

static inline snVec3 sn_meshVert(const snMesh* mesh, int vertex)
{
    return sn_v3Load(mesh->vert + 3 * (size_t)vertex);
}

/// Size and centre, in the mesh's frame, of a primitive in the place of a mesh: as large as its box of the
/// same inertia or, with `fitaabb`, the smallest whose bounding box holds the mesh's. false: no primitive.
bool sn_meshFit(const snMesh* mesh, int type, bool fitaabb, double size[3], snVec3* centre);

/// All meshes of the spec, into b->mesh, and their sizes; before the model is made.
bool sn_makeMeshes(snBuild* b, int sizes[]);
void sn_freeMeshes(snBuild* b);

/// Copies the meshes into the model; false: *b->error says what is wrong.
bool sn_buildMeshes(snBuild* b);

#endif
