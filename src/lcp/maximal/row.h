// Rows over the coordinates of bodies (body.h), four in a quad.
#ifndef SINEW_LCP_MAXIMAL_ROW_H
#define SINEW_LCP_MAXIMAL_ROW_H

#include "lcp/maximal/body.h"
#include "math/dense.h"

/// Rows that are being made. Block columns of an island are 16 numbers as in snQuad.
typedef struct snMaximalRows {
    const snMaximalBodies* bodies;
    double* wide;        ///< [16 block columns] all 0
    unsigned char* mark; ///< [block columns] all 0
    int* touched;        ///< [block columns] those of the rows
    int count;           ///< of them
} snMaximalRows;

/// For `ncoord` coordinates, in scratch. false: the arena is full.
bool sn_maximalRows(snData* d, const snMaximalBodies* bodies, int ncoord, snMaximalRows* rows);

/// Row `lane` += f, given at `point`, times the twist of body n; nothing where n is -1.
void sn_maximalForce(snMaximalRows* rows, int lane, int n, snForce f, snVec3 point);

/// Row `lane` += f . (u - u_parent - S_R r) of body n, at its centre of mass.
void sn_maximalJoint(snMaximalRows* rows, int lane, int n, snForce f);

/// Row `lane` += scale times the velocity of a dof.
void sn_maximalDof(const snModel* m, snMaximalRows* rows, int lane, int dof, double scale);

/// Moves the rows into a quad, in scratch, and leaves none. false: the arena is full.
bool sn_maximalQuad(snData* d, snMaximalRows* rows, snQuad* quad);

#endif
