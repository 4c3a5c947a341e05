// Coordinates of velocity in which M = 1, so that T = M^-1 J' is J' (seed 003, the last section).
//
// Of a tree with M = L'DL they are z = sqrt(D) L v; of a mechanism (loop.h) the same with y and G'MG; of a
// free body, which has six at its centre of mass, sqrt(m) times the velocity along the world's axes and
// sqrt(I) times the angular velocity about the principal ones. A row J has there J inv(L) D^-1/2, not zero in
// its dofs and those above them alone. Coordinates are numbered in each island by trees, filled up to
// multiples of four.
#ifndef SINEW_LCP_COORDINATES_H
#define SINEW_LCP_COORDINATES_H

#include "constraint/island.h"
#include "lcp/inertia.h"
#include "math/dense.h"

/// A free body: v_com = v_origin + w x r, r from its origin to its centre of mass.
typedef struct snFreeBody {
    int body;   ///< -1: the tree is no free body, or is not taken as one
    double lin; ///< 1 / sqrt(mass)
    double
        turn[9]; ///< angular velocity in the body's axes to 1 / sqrt(I) times that about the principal ones
    double shift[9]; ///< J of the origin's velocity to what it adds to the angular part; all 0 where r is
    bool centred;    ///< r is 0
} snFreeBody;

typedef struct snLcpCoordinates {
    const snStepInertia* inertia;
    int* place;       ///< [nv] of a dof in its island; of mechanisms of the y alone; else -1
    int* size;        ///< [islands] coordinates of an island, a multiple of four
    int* base;        ///< [ntree] first of a tree in its island; of a mechanism that of its first tree; -1
    snFreeBody* free; ///< [ntree]
    int *tree_dofadr, *tree_dofnum; ///< [ntree] dofs of a tree
    double* lanes;                  ///< [nv][4] work: four rows, all 0
    unsigned char* mark;            ///< [nv] work: all 0
    int *part, *partdof;     ///< [ntree + 1] work: parts of a group of rows, and where their dofs begin
    int npart, ncol, coladr; ///< of the last group of rows
    int* col;
} snLcpCoordinates;

/// Coordinates of all islands, in scratch. mixed: free bodies at
/// their centres of mass, else through the factor. false: the arena is full.
bool sn_lcpCoordinates(const snModel* m, snData* d, const snIslands* islands, const snStepInertia* inertia,
                       bool mixed, snLcpCoordinates* c);

/// Gives a copy of them work of its own, in scratch, so that islands may be built at once. false: the arena
/// is full.
bool sn_lcpOwnWork(const snModel* m, snData* d, snLcpCoordinates* c);

/// The quads of `rows` rows of efc from `row` on, which touch the same dofs, in scratch: (rows + 3) / 4 of
/// them. false: the arena is full.
bool sn_lcpQuads(const snModel* m, snData* d, snLcpCoordinates* c, int row, int rows, snQuad* quad);

/// velocity [nv] of the dofs of an island from its coordinates z [size]. Others stay.
void sn_lcpToVelocity(const snModel* m, snData* d, const snLcpCoordinates* c, const snIslands* islands,
                      int island, const double* z, double* velocity);

#endif
