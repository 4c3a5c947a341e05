// The LCP of an island where every body has coordinates of its own and joints are rows without bounds, as
// ODE's is. Its solution is that of the same rows in the coordinates of joints. Source: seed 003, 1; Smith
// 2006 (ODE).
#ifndef SINEW_LCP_MAXIMAL_SYSTEM_H
#define SINEW_LCP_MAXIMAL_SYSTEM_H

#include "constraint/island.h"
#include "lcp/maximal/body.h"
#include "lcp/solve/system.h"

/// Whether the island can be had so: all its bodies are sound.
bool sn_maximalCan(const snModel* m, const snMaximalBodies* bodies, const snIslands* islands, int island);

/// Builds it in scratch. Its first rows are those of `joints`, the same island's in the coordinates of
/// joints: blocks, b, bounds and lambda are theirs; velocity [nv] is what that lambda adds. Behind them stand
/// those of the joints, then those of closed loops. Velocities are what lambda adds to a motion that joints
/// allow, so that b is 0 there. Their lambda begins as what keeps `velocity` one that joints allow, or, with
/// loops, at 0. false: the arena is full.
bool sn_maximalSystem(const snModel* m, snData* d, const snMaximalBodies* bodies, const snIslands* islands,
                      int island, const snLcpSystem* joints, const double* velocity, snLcpSystem* s);

#endif
