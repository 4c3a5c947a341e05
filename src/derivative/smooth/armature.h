// Derivatives of what goes with the armature of tendons through sites.
#ifndef SINEW_DERIVATIVE_SMOOTH_ARMATURE_H
#define SINEW_DERIVATIVE_SMOOTH_ARMATURE_H

#include "derivative/smooth/block.h"

/// Whether there is armature of tendons whose moment arms change.
bool sn_hasMovingArmature(const snModel* m);

/// Scratch for one tendon at a time.
typedef struct snArmatureWork {
    double *H, *chained, *arms; ///< [n x n], [n x n], [n]: of the dofs that a tendon may touch
    snVec3* rate[2];            ///< [n]
    double *q, *v, *zero;       ///< [nv]
} snArmatureWork;

/// Takes them, for the tendon that touches most. SN_STATUS_UNSUPPORTED: a tendon around geoms has armature.
snStatus sn_armatureWork(const snModel* m, snData* d, snArmatureWork* work, snError* error);

/// q, v, rows `stride` apart, += d/dq, d/dv of armature J_i (sum of J_j qacc_j + J' qvel), j as far as M has
/// room for it, of all such tendons. Either may be NULL. Uses the vectors of `block` anew.
void sn_armatureDerivative(const snModel* m, const snData* d, const double* qacc, snBlockWork* block,
                           snArmatureWork* work, int stride, double* q, double* v);

/// q [nv] += d/dq of their kinetic energy.
void sn_armatureEnergy(const snModel* m, const snData* d, snArmatureWork* work, double* q);

#endif
