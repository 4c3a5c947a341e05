// The inertia of a step: M, and where Euler's step is implicit in damping M + h diag(damping), of mechanisms
// (loop.h) reduced, with the dampers of loop joints.
#ifndef SINEW_LCP_INERTIA_H
#define SINEW_LCP_INERTIA_H

#include <sinew/data.h>

typedef struct snStepInertia {
    const double *LD, *diagInv;                 ///< its factor, as qLD
    const double *mechanism_L, *mechanism_Dinv; ///< likewise of mechanisms
    const double* acceleration;                 ///< [nv] in it, without rows; loops are held
} snStepInertia;

/// Reads qLD, qfrc_smooth, qacc_smooth. Takes scratch where there is damping, and writes qH then. false: the
/// arena is full.
bool sn_lcpInertia(const snModel* m, snData* d, snStepInertia* inertia);

#endif
