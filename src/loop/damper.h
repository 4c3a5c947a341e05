// Dampers of loop joints in steps that are implicit in velocity: a force -c j'(v + h a), j the row that takes
// velocities to the rate of the joint's freedom, adds h c j j' to the matrix of the step.
#ifndef SINEW_LOOP_DAMPER_H
#define SINEW_LOOP_DAMPER_H

#include <sinew/data.h>

/// Whether a loop joint has a damper that acts.
bool sn_hasLoopDampers(const snModel* m, const snData* d);

/// A [n x n], rows of `stride`, += h c (G'j)(G'j)' and y [n] -= h c G'j j'g over the dampers of a mechanism.
/// Takes scratch; false: the arena is full.
bool sn_addLoopDampers(const snModel* m, snData* d, int mechanism, double h, int stride, double* A,
                       double* y);

/// result [nv] += h c j j'x over all dampers. Takes scratch; false: the arena is full.
bool sn_mulLoopDampers(const snModel* m, snData* d, double h, const double* x, double* result);

#endif
