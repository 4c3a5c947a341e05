// What closes a loop: a loop joint, or an equality that is held exactly.
#ifndef SINEW_LOOP_JOINT_CLOSURE_H
#define SINEW_LOOP_JOINT_CLOSURE_H

#include <sinew/data.h>
#include "loop/joint/row.h"

/// A loop by its id in closure_id. Between bodies: its type and frames; else a joint or tendon equality.
typedef struct snClosure {
    bool spatial;
    int id, eq; ///< eq: -1 for a loop joint
    snLoopType type;
    double parameter;
    snLoopFrames frames;
} snClosure;

/// Loops that the model could hold: its loop joints and all equalities.
static inline int sn_closureCount(const snModel* m)
{
    return m->nloop + m->neq;
}

/// Whether the loop holds now and moves something.
bool sn_closureHolds(const snModel* m, const snData* d, int id);

/// Number of its constraints.
int sn_closureSize(const snModel* m, int id);

/// How many of its rows, which come first, have errors in rad; those of the others are in m.
int sn_closureAngles(const snModel* m, int id);
/// The bodies that it joins, predecessor first. false: it is a joint or tendon equality.
bool sn_closureBodies(const snModel* m, int id, int body[2]);

/// Dofs of the spanning tree that it ties, descending, into dofs [nv]; at least one where it holds. Hangs on
/// the model alone.
int sn_closureDofs(const snModel* m, int id, int* dofs);

/// What it is at this position. Reads: poses.
snClosure sn_closure(const snModel* m, const snData* d, int id);

/// Its rows of K, a column for each of its dofs, that of dof i at place[i], and delta. K is zero before.
/// Reads: poses, cdof, tendons.
void sn_closurePosition(const snModel* m, const snData* d, int id, const int* place, int stride, double* K,
                        double* delta);

/// Its k of (8.15), without stabilisation, and speed T' v_J. Reads: cvel, cdof_dot, qvel.
void sn_closureVelocity(const snModel* m, const snData* d, int id, double* k, double* speed);

/// Both at once.
void sn_closureMotion(const snModel* m, const snData* d, int id, const int* place, int stride, double* K,
                      double* delta, double* k, double* speed);

#endif
