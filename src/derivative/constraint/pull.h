// What a pair of bodies that pull at each other adds to the derivative of the joint-space force.
//
// A dof i of side s has sign S_i' W in J' f, W the wrench on the side's body about its tree's centre of mass.
// A dof k changes W, and turns S_i with it if it carries i or is of the same ball:
//     d(S_i' W)/dq_k = S_i' (dW_k - [k carries i] S_k x* W).
#ifndef SINEW_DERIVATIVE_CONSTRAINT_PULL_H
#define SINEW_DERIVATIVE_CONSTRAINT_PULL_H

#include "derivative/constraint/change.h"
#include "math/spatial.h"

/// Wrenches on two bodies: sign times wrench on each.
typedef struct snPull {
    double sign[2];
    snForce wrench[2];
} snPull;

/// n, dof and sides of `change`: the dofs that move a side's body, ascending, those of both once; last: the
/// last dof of each, -1: none.
void sn_pullDofs(const snModel* m, const int last[2], snRowChange* change);

/// Column k of both: their changes by its dof, whose motion axis is `axis`. Of `change` n and sides are
/// there.
void sn_pullColumn(const snPull* pull, snMotion axis, const snForce W[2], int k, snRowChange* change);

/// Row i of q [nv x nv] += d(J' f)/dq of dof change->dof[i]; all columns are there. start: as snVelocities.
void sn_pullRow(const snModel* m, const snData* d, const snPull* pull, const int* start, int i,
                snRowChange* change, double* q);

#endif
