// The rows that a loop joint adds to the equations of its trees: K, k and the error that k_stab corrects
// (seed 002, sections 8.2, 8.3, 8.7).
#ifndef SINEW_LOOP_JOINT_ROW_H
#define SINEW_LOOP_JOINT_ROW_H

#include <sinew/data.h>
#include "loop/joint/joint.h"

/// The two frames of a loop joint, P on the predecessor and S on the successor, in the world.
typedef struct snLoopFrames {
    int body[2];
    snVec3 pos[2];
    snMat3 mat[2];
} snLoopFrames;

/// How S stands against P; v_J is 0.
snLoopPose sn_loopPlace(const snLoopFrames* frames);

/// How S stands and moves against P. Reads: cvel.
snLoopPose sn_loopPose(const snModel* m, const snData* d, const snLoopFrames* frames);

/// Dofs on the way around the loop, descending, into dofs [nv]: those that move one of the bodies alone, down
/// to the loop's root. Returns how many.
int sn_loopDofs(const snModel* m, const int body[2], int* dofs);

/// Rows [count x ndof] of K, (8.20), for these dofs, all of sn_loopDofs among them: column of a dof is
/// index[dof]. Others stay. Reads: cdof.
void sn_loopJacobian(const snModel* m, const snData* d, const snLoopFrames* frames, const snLoopRows* rows,
                     const int* index, int stride, double* K);

/// k [count], (8.47) and what moves of T; velocity [count] = T' v_J. Reads: cvel, cdof_dot, qvel.
void sn_loopBias(const snModel* m, const snData* d, const snLoopFrames* frames, const snLoopPose* pose,
                 const snLoopRows* rows, double* k, double* velocity);

/// A force f on the successor, in S's axes at S's origin, as the spatial force on a side's body (0: the
/// predecessor, which gets the opposite) at sn_treeCom of it.
snForce sn_forceOnSide(const snModel* m, const snData* d, const snLoopFrames* frames, snForce f, int side);

#endif
