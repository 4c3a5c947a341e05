// The primal problem, island by island, on the threads of the data.
#ifndef SINEW_SOLVER_ISLANDS_H
#define SINEW_SOLVER_ISLANDS_H

#include "constraint/island.h"

/// Minimises the problem of each island by Newton's method or by conjugate gradients, as opt.solver says: its
/// part of qacc, qfrc_constraint, efc_force and efc_state. Adds to the statistics of the solver, in the order
/// of islands. An island for which there is no room goes on without its forces, with a warning. Takes
/// scratch; false: the arena has no room at all.
bool sn_solveIslands(const snModel* m, snData* d, const snIslands* islands);

#endif
