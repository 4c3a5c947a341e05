// Loops that hold now, their clusters and the mechanisms that these make of trees (seed 002, 8.9).
#ifndef SINEW_LOOP_CLUSTER_H
#define SINEW_LOOP_CLUSTER_H

#include <sinew/data.h>

/// Finds them, takes the arrays of the arena whose sizes do not hang on ranks, and fills closure_*, cluster_*
/// but for ranks, loop_dof, mechanism_dof*, dof_cluster, dof_place. false: the arena is full, and there are
/// none.
bool sn_findClusters(const snModel* m, snData* d);

/// Whether the loops of the data are those that hold now.
bool sn_clustersHold(const snModel* m, const snData* d);

/// Names the independent dofs, from the ranks and loop_column, and takes the arrays of the arena for G'HG:
/// mechanism_y*, mechanism_Hadr, mechanism_padadr, dof_y. false: the arena is full.
bool sn_numberIndependent(const snModel* m, snData* d);

/// Takes the arrays of the arena that sn_findClusters takes, for the counts that are set, and clears what
/// velocities and forces write. false: the arena is full, in part perhaps.
bool sn_takeLoops(snData* d);

/// Forgets all loops and gives their part of the arena back.
void sn_forgetLoops(const snModel* m, snData* d);

#endif
