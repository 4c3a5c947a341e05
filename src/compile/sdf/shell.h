// The triangles of a mesh as a surface with two sides: which vertices are one point, which triangles meet at
// an edge, and what tells its inside from its outside.
#ifndef SINEW_COMPILE_SDF_SHELL_H
#define SINEW_COMPILE_SDF_SHELL_H

#include "math/vec.h"
#include "compile/sdf/discs.h"
#include "shape/surface.h"

/// Sums over the triangles below a node of their tree, for snShell.winding.
typedef struct snDipole {
    snVec3 centre, area; ///< mean of the triangles' centres by area; sum of their normals times their areas
    real reach;          ///< from the centre to the farthest point of the node's box
} snDipole;

typedef struct snShell {
    snTriangles t;        ///< with their tree
    snDisc* discs;        ///< [nodes] of the tree
    int nvert;            ///< vertices
    int* corner;          ///< [3 count] corners of triangles; vertices at one point are one of them
    int* neighbour;       ///< [3 count] triangle at the other side of edge k; -1: none
    snVec3* normal;       ///< [count] of length 1; 0: the triangle is flat
    snVec3* cornerNormal; ///< [nvert] sums of the normals around, by angle
    snDipole*
        winding; ///< [nodes] sides are told by how often the surface goes around a point; NULL: by normals
    int open, turned, crowded; ///< edges of one triangle; of two that are turned against each other; of more
    bool inverted;             ///< its normals point inwards
} snShell;

/// Makes a shell of triangles [nface] of vertices [nvert]; both stay with the caller. false: memory is out.
/// sn_freeShell in either case.
bool sn_makeShell(const float* vert, int nvert, const int* face, int nface, snShell* shell);
void sn_freeShell(snShell* shell);

/// Whether each edge is that of two triangles that are turned alike: then the surface is closed, and the
/// normals at the nearest point tell its inside if it does not cross itself.
static inline bool sn_isClosed(const snShell* shell)
{
    return !shell->open && !shell->turned && !shell->crowded;
}

/// From now on sides are told by winding numbers, which all surfaces have. false: memory is out.
bool sn_windShell(snShell* shell);

/// What a shell says of a point.
typedef struct snSample {
    double distance;   ///< negative inside
    float gradient[3]; ///< of length 1
    int face;          ///< the nearest triangle
} snSample;

/// What is known before.
typedef struct snClue {
    int hint;     ///< a triangle that is near; -1: none
    int side;     ///< -1: the point is inside, 1: outside; 0: not known
    double slack; ///< where the side is known, the distance may be too large by this
} snClue;

/// Adds to *visits the nodes of trees that were looked at.
snSample sn_sampleShell(const snShell* shell, snVec3 p, const snClue* clue, int64_t* visits);

#endif
