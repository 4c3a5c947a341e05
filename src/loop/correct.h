// The smallest change of dofs that gives the rows of loops what they lack.
#ifndef SINEW_LOOP_CORRECT_H
#define SINEW_LOOP_CORRECT_H

#include <sinew/data.h>

/// change [nv] of least norm, dof i weighted by weight[i] > 0, with K change = -error [nlooprow] in the sense
/// of least squares; 0 for dofs in no loop and, unless NULL, where held [nv]. Reads: loop_K. Takes scratch;
/// false: the arena is full.
bool sn_loopCorrection(const snModel* m, snData* d, const double* weight, const bool* held,
                       const double* error, double* change);

#endif
