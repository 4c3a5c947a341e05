// Where the impulses of joints begin.
#ifndef SINEW_LCP_MAXIMAL_START_H
#define SINEW_LCP_MAXIMAL_START_H

#include "lcp/maximal/body.h"
#include "lcp/solve/system.h"

/// change [ncoord] = the bodies' z for the velocity [nv] of dofs. list [count]: the bodies, parents first.
void sn_maximalMotion(const snModel* m, const snMaximalBodies* bodies, const int* list, int count,
                      const double* velocity, double* change);

/// x of the joints' rows, whose blocks are those from `block` on, one a body that has any, such that all rows
/// together make `change` out of the rows before, which make dV: from the leaves to the roots. change is
/// overwritten.
void sn_maximalImpulses(const snMaximalBodies* bodies, const int* list, int count, int block, double* change,
                        snLcpSystem* s);

#endif
