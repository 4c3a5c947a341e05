// Forward dynamics by articulated bodies (Featherstone 2008, 7.3) over clusters: a cluster of loops is one
// joint, whose coordinates are its y and which carries several bodies. O(n) where clusters are small.
#ifndef SINEW_LOOP_ARTICULATED_ARTICULATED_H
#define SINEW_LOOP_ARTICULATED_ARTICULATED_H

#include <sinew/data.h>

/// Whether each cluster can be such a joint: all dofs of its bodies are its own, and they hang on one body.
/// So it is where loops close between bodies.
bool sn_clustersAreJoints(const snModel* m, const snData* d);

/// qacc [nv] under the forces tau [nv] that obeys the loops. Reads: cinert, cdof, cdof_dot, cvel, qvel,
/// loop_G, loop_g. A joint without inertia counts SN_WARN_INERTIA and stays. Takes scratch; false: the arena
/// is full.
bool sn_articulatedAcceleration(const snModel* m, snData* d, const double* tau, double* qacc);

#endif
