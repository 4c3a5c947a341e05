// The LCP of one island. Source: seed 003, 1.
#ifndef SINEW_LCP_BUILD_H
#define SINEW_LCP_BUILD_H

#include "lcp/coordinates.h"
#include "lcp/solve/system.h"

/// Builds it in scratch, T being J; block k is group k of the island's list, in its order. b [nefc] from
/// sn_lcpVelocity; impulse [nefc]: where lambda starts. All of the system is there but dV. false: the arena
/// is full.
bool sn_lcpBuild(const snModel* m, snData* d, const snIslands* islands, int island, snLcpCoordinates* c,
                 const double* b, const double* impulse, snLcpSystem* s);

/// Writes efc_force and efc_state of the island's rows from lambda.
void sn_lcpForces(const snModel* m, snData* d, const snIslands* islands, int island, const snLcpSystem* s);

#endif
