// Orders of elimination by approximate minimum degree: AMD of SuiteSparse, where a build has it.
#ifndef SINEW_MATH_LEAST_DEGREE_H
#define SINEW_MATH_LEAST_DEGREE_H

#include <stdbool.h>

/// Whether this build has AMD (the option SINEW_AMD).
bool sn_hasLeastDegree(void);

/// order [n]: the node that goes k-th. The neighbours of node i are list[start[i]], length[i] of them, in all
/// `used` of `room` numbers; all three are work from then on, as are six arrays [n]. Allocates nothing.
/// Without AMD nodes go as they are.  Source: Amestoy, Davis and Duff 1996.
void sn_leastDegree(int n, int* start, int* list, int* length, int room, int used, int* work[6], int* order);

#endif
