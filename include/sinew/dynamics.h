// Smooth dynamics of a state that the caller gives, each result alone and from nothing else: poses of bodies,
// inverse dynamics, the mass matrix with its factor. For control and planning, which ask for one of them at
// many states; sn_forward and sn_step compute more and keep it in the data.
//
// Positions qpos [nq], velocities qvel [nv], accelerations qacc [nv] as those of the data; quaternions need
// not be unit. Bodies that are mocap stand at d->mocap_pos, d->mocap_quat. Of the data these functions use
// scratch memory alone: its state and all that was computed from it stay as they are. Without room for it in
// the arena they return SN_STATUS_NO_MEMORY and write nothing. SI units, angles in rad. d is the data of m.
#ifndef SINEW_DYNAMICS_H
#define SINEW_DYNAMICS_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Poses of all bodies, world.
/// Writes: xpos [nbody x 3], origins; xmat [nbody x 9], matrices from body to world, by rows. As
/// sn_kinematics, but for rounding.  Scratch: 24 njnt bytes.  Cost: O(nbody + njnt).
SN_API snStatus sn_bodyPoses(const snModel* m, snData* d, const double* qpos, double* xpos, double* xmat);

/// Inverse dynamics of the tree: tau [nv] = M(q) qacc + bias(q, qvel), dof_armature included.
/// The bias is Coriolis, centrifugal and gravity force (none of it with SN_DSBL_GRAVITY). No passive forces,
/// no actuators, no constraints: sn_inverse knows those; nor the inertia that moves with tendons. tau may be
/// qacc.  Scratch: some 250 bytes for each body and each joint.  Cost: O(nbody + nv).
/// Source: Featherstone 2008, 5.3 (recursive Newton-Euler), in body frames and with classical accelerations.
SN_API snStatus sn_inverseDynamics(const snModel* m, snData* d, const double* qpos, const double* qvel,
                                   const double* qacc, double* tau);

/// Joint-space inertia M(q), dof_armature included, and its factor L'DL.
/// Writes: qM [nM], qLD [nLD] and qLDiagInv [nv], laid out as those of the data, which they may be: sn_solveM
/// then solves with them. qLD NULL: no factor. As sn_crb and sn_factorM, but for rounding; pivots below
/// SN_MINVAL are raised to it without a warning. The inertia that moves with tendons is left out.  Scratch:
/// some 200 bytes for each body and each dof, and where qLD is no multiple of 32 its size.
/// Cost: O(nbody + nv depth^2), without factor O(nbody + nv depth).
/// Source: Featherstone 2008, 6.2 (composite rigid bodies), in world axes about a point of each tree; 6.5.
SN_API snStatus sn_massMatrix(const snModel* m, snData* d, const double* qpos, double* qM, double* qLD,
                              double* qLDiagInv);

#ifdef __cplusplus
}
#endif
#endif
