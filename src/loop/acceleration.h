// Accelerations that the loops of a mechanism allow, in the inertia of a step (seed 002, section 8.5).
#ifndef SINEW_LOOP_ACCELERATION_H
#define SINEW_LOOP_ACCELERATION_H

#include <sinew/data.h>
#include "loop/damper.h"

/// qacc [nv] of the dofs of all mechanisms: G inv(G'HG) G' (force - H g) + g, (8.46), under the forces force
/// [nv] in the inertia of a damped step; with NULL in qM. Other dofs stay. force is not qacc. Takes scratch;
/// false: the arena is full.
bool sn_loopAccelerationIn(const snModel* m, snData* d, const snLoopDamped* damped, const double* force,
                           double* qacc);

/// The same in a matrix A [nD] that need not be symmetric, rows as D_rowadr.
bool sn_loopAccelerationLU(const snModel* m, snData* d, const double* A, double h, const double* force,
                           double* qacc);

/// qacc [nv] of the dofs of all mechanisms: G inv(G'HG) G' force, the acceleration that a force adds.
bool sn_loopResponse(snData* d, const double* force, double* qacc);

/// qacc and lambda of the dofs and rows of all mechanisms under force [nv], in qM: by (8.36) at once, and by
/// (8.37), lambda first. Rows that depend on others get forces of least norm, inconsistent ones are met in
/// the sense of least squares in the metric of inv(H). lambda [nlooprow]. false: the arena is full.
bool sn_loopSolutionKKT(const snModel* m, snData* d, const double* force, double* qacc, double* lambda);
bool sn_loopSolutionLambda(const snModel* m, snData* d, const double* force, double* qacc, double* lambda);

#endif
