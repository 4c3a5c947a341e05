// Errors of position mended without velocity: opt.lcp_stabilise split and project.
//
// Both solve the LCP of a step once more with what positions ask for alone, of normals, limits and
// equalities, without friction: how fast to move so that no row is deeper than the slop after the step, and
// no equality open. That velocity moves qpos and is forgotten, so that it is no kinetic energy.
#ifndef SINEW_LCP_STABILISE_H
#define SINEW_LCP_STABILISE_H

#include "lcp/coordinates.h"
#include "lcp/solve/system.h"

/// Split: solves the island's system s [that of its step, solved] for positions, with erp of what is deeper
/// than the slop, and adds the velocity of it to qvel_push. s is spent. alone: as of
/// sn_lcpRun. false: the arena is full.
bool sn_lcpSplit(const snModel* m, snData* d, const snIslands* islands, int island, const snLcpCoordinates* c,
                 bool alone, snLcpSystem* s);

/// Called at the end of a step. Split: moves qpos by qvel_push. Project: moves qpos out of all depths beyond
/// the slop and errors of equalities, by Newton's method, each time with new poses, collision and rows: at
/// the least once a step, twice where something was mended, and four times at most. Loops are closed again.
/// Writes qpos; all else stays that of the step.
void sn_lcpMend(const snModel* m, snData* d);

#endif
