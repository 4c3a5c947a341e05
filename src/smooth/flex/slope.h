// How the forces of a flex at its vertices change as these move, and with their velocities: all of it, what
// curves hinges and the h of damping included (force.c).
#ifndef SINEW_SMOOTH_FLEX_SLOPE_H
#define SINEW_SMOOTH_FLEX_SLOPE_H

#include "smooth/flex/force.h"

/// A flex at the state of the data.
typedef struct snFlexSlope {
    int flex;
    snFlexParts parts;
    double *velocity, *force; ///< [3 flex_vertnum] of vertices, world; force: springs and dampers together
    double *tension, *change, *slope; ///< [2 flex_edgenum]; the last two are scratch
} snFlexSlope;

/// Forces by flags of the options. Arrays are scratch, which the caller releases; false: the arena is full.
/// Reads flexvert_xpos, flexedge_length, cvel.
bool sn_makeFlexSlope(const snModel* m, snData* d, int flex, snFlexSlope* s);

/// result [3 flex_vertnum] += change of force as vertices move by x and their velocities by v [3
/// flex_vertnum]. Cost: O(flex_elemnum + flex_edgenum).
void sn_addFlexSlope(const snModel* m, const snData* d, const snFlexSlope* s, const double* x,
                     const double* v, double* result);

#endif
