// What depends on q and v alone: kinematics, inertia, velocities, bias and passive forces, actuation, energy
// (seed 001, stages 2 to 20).
//
// All functions read the model and earlier fields of the data and write the fields they name; none allocates.
// World: world frame. Com: world-aligned axes at the centre of mass of the body's kinematic tree,
// subtree_com[body_rootid]; spatial vectors are angular first. SI units, angles in rad. d is the data of m.
#ifndef SINEW_SMOOTH_H
#define SINEW_SMOOTH_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Pose of every body, inertial frame, joint, geom and site, world.
/// Reads: qpos [nq], mocap_pos [nmocap x 3], mocap_quat [nmocap x 4]; normalises quaternions in copies, the
/// arrays keep theirs.
/// Writes: xpos, xquat, xmat, xipos, ximat, xanchor, xaxis (anchor and axis of a joint as they are before it
/// moves; free: its origin and the model's axis), geom_xpos, geom_xmat, site_xpos, site_xmat.
/// Cost: O(nbody + njnt + ngeom + nsite).  Source: seed 001, "Kinematics".
SN_API void sn_kinematics(const snModel* m, snData* d);

/// Camera and light poses, world, in the mode of each. A target mode without a target is as fixed.
/// Reads: poses of sn_kinematics, subtree_com of sn_comPos.  Writes: cam_xpos, cam_xmat, light_xpos,
/// light_xdir (unit).  Cost: O(ncam + nlight).
SN_API void sn_camlight(const snModel* m, snData* d);

/// Centres of mass, inertias and motion axes.
/// Reads: poses of sn_kinematics.  Writes: subtree_com [nbody x 3] (world), cinert [nbody x 10], cdof [nv x
/// 6] (com). The dofs of a free joint are three translations along world axes and three rotations about body
/// axes, those of a ball three rotations about body axes.  Cost: O(nbody + nv).
SN_API void sn_comPos(const snModel* m, snData* d);

/// Joint-space inertia M(q), lower triangle in the sparsity of the tree.
/// Reads: cinert, cdof of sn_comPos.  Writes: crb [nbody x 10] (com), qM [nM], armature included.
/// Units: kg m^2 (two rotations), kg m (rotation and translation), kg (two translations).
/// Cost: O(nv depth).  Source: Featherstone 2008, 6.2 (composite rigid bodies); seed 001, stage 6.
SN_API void sn_crb(const snModel* m, snData* d);

/// Paths of tendons, their lengths and moment arms.
/// Reads: qpos, poses of sn_kinematics, cdof of sn_comPos.
/// Writes: ten_wrapadr, ten_wrapnum [ntendon], wrap_obj [nwrap x 2], wrap_xpos [nwrap x 6] (the points of all
/// spatial paths in a row, world, two a row: sites, touching points of wrapped geoms, zeros for pulleys);
/// ten_length [ntendon] (m; fixed: sum of coefficient times position); ten_J_rownnz, ten_J_rowadr,
/// ten_J_colind, ten_J: row i is d length_i/dq, what is not zero.
/// Parts behind a pulley count divided by its divisor.  Cost: O(nwrap depth + nJten).
/// Source: seed 001, "Tendons".
SN_API void sn_tendon(const snModel* m, snData* d);

/// Vertices of flexes, boxes of their elements, lengths of their edges and what changes them.
/// Reads: poses of sn_kinematics, cdof of sn_comPos.
/// Writes: flexvert_xpos [nflexvert x 3] (world, m), flexelem_aabb [nflexelem x 6] (world, m),
/// flexedge_length [nflexedge] (m), flexedge_J [nJfe]: row i of the sparsity flexedge_J_* is d length_i/dq.
/// Cost: O(nflexvert + nflexelem + nJfe).
SN_API void sn_flex(const snModel* m, snData* d);

/// K of an element of a flex that stretches (flex_stiffnessadr >= 0), counted from its first: the upper
/// triangle over its edges, row by row, 6 numbers of a triangle, 21 of a tetrahedron; docs/flex.md.
SN_API void sn_flexElementStiffness(const snModel* m, int flex, int element, double* K);

/// flexedge_velocity [nflexedge] (m/s) = flexedge_J qvel.
SN_API void sn_flexVelocity(const snModel* m, snData* d);

/// The moment arms of tendons as a dense array J [ntendon x nv].  Reads: ten_J.  Cost: O(ntendon nv).
SN_API void sn_tenJ(const snModel* m, const snData* d, double* J);

/// ten_velocity [ntendon] = ten_J qvel.
SN_API void sn_tendonVelocity(const snModel* m, snData* d);

/// M(q) with the inertia that moves with tendons: sn_crb, then qM += armature J'J for each tendon, as far as
/// the sparsity of the tree has room: dofs of different branches stay uncoupled.
/// Reads: what sn_crb reads, ten_J.  Writes: crb, qM.
SN_API void sn_makeM(const snModel* m, snData* d);

/// result [nv] += armature J' (dJ/dt qvel) of tendons, the part of the bias that goes with their inertia.
/// Reads: poses, cdof_dot, cvel, qvel, ten_J.  Called by sn_fwdVelocity on qfrc_bias.
SN_API void sn_tendonBias(const snModel* m, snData* d, double* result);

/// M = L'DL, L unit lower triangular in the sparsity of qM.
/// Reads: qM.  Writes: qLD [nLD] (L, with D on the diagonal), qLDiagInv [nv] (1/D). A pivot below SN_MINVAL
/// is raised to it and counted as SN_WARN_INERTIA with the dof: M is positive definite. (The matrices of
/// implicit steps need not be, see sn_implicit.) Cost: O(nv depth^2).  Source: seed 000; Featherstone
/// 2008, 6.5.
SN_API void sn_factorM(const snModel* m, snData* d);

/// Lengths of actuators and their gradients (moment arms).
/// Reads: qpos, ten_length, ten_J, site_xpos, site_xmat, xquat, cdof, subtree_com, and for transmissions on
/// bodies contacts. Writes: actuator_length [nout] and moment_rownnz, moment_rowadr, moment_colind,
/// actuator_moment: row i is dl_i/dq, all dofs of a joint, else what is not zero. joint: gear times position,
/// of a ball the rotation vector along gear; free, body and site: length 0; refsite: pose relative to the
/// reference site along gear, dofs that move both dropped from the row; slidercrank: where the rod meets the
/// slider's axis; body: mean over its contacts of the gradient of approach along the normal.
/// docs/actuators.md has the table. Cost: O(1) on joints, O(nv) on sites, O(nv + contacts depth) on bodies.
/// Source: seed 001, "Transmission".
SN_API void sn_transmission(const snModel* m, snData* d);

/// Velocities of bodies and rates of motion axes.
/// Reads: qvel, cdof.  Writes: cvel [nbody x 6], cdof_dot [nv x 6], com.  Cost: O(nbody + nv).
SN_API void sn_comVel(const snModel* m, snData* d);

/// actuator_velocity [nout] = actuator_moment qvel; zero under SN_DSBL_ACTUATION.
SN_API void sn_actuatorVelocity(const snModel* m, snData* d);

/// Passive forces.
/// Reads: qpos, qvel, positions, cvel, opt.gravity, opt.wind, opt.density, opt.viscosity.
/// Writes, all [nv]: qfrc_spring; qfrc_damper; qfrc_gravcomp (lift of body_gravcomp weights at each centre of
/// mass); qfrc_fluid (forces on each body's ellipsoid geoms, or on its box of equal inertia); qfrc_passive,
/// their sum without the gravity compensation of joints with jnt_actgravcomp, which counts as actuator force.
/// Flags: spring, damper; with both off there are no passive forces at all; gravity.
/// Cost: O(njnt + nv), with compensation or fluid O(nbody depth).  Source: seed 001, "Passive forces".
SN_API void sn_passive(const snModel* m, snData* d);

/// Inverse dynamics without constraints: result [nv] = M qacc (only if flg_acc; armature left out) + bias.
/// The bias is Coriolis, centrifugal and gravity force.
/// Reads: qvel, qacc (if flg_acc), cdof, cdof_dot, cinert, cvel, opt.gravity.  Writes: result only; it may be
/// d->qfrc_bias. Takes 96 nbody bytes of scratch; a full arena gives zeros and SN_WARN_CNSTRFULL.
/// Cost: O(nbody + nv).  Source: Featherstone 2008, 5.3 (recursive Newton-Euler).
SN_API void sn_rne(const snModel* m, snData* d, int flg_acc, double* result);

/// Accelerations and forces of bodies after the solver.
/// Reads: qacc, xfrc_applied, contacts with efc_force, and what sn_rne reads.
/// Writes, com: cacc [nbody x 6] (gravity as an upward acceleration of the world), cfrc_ext [nbody x 6]
/// (xfrc_applied, contacts, connects and welds on each body), cfrc_int [nbody x 6] (what the parent gives the
/// body). Called by sn_sensorAcc when a sensor needs it.  Cost: O(nbody + nv + ncon).
SN_API void sn_rnePostConstraint(const snModel* m, snData* d);

/// Actuator forces p = gain u + bias.
/// Reads: ctrl, act, actuator_length, actuator_velocity, moments, qfrc_gravcomp.
/// Writes: actuator_force [nout], within forcerange; qfrc_actuator [nv] = moment' force, plus gravity
/// compensation of joints with jnt_actgravcomp, within jnt_actfrcrange; act_dot [na].
/// u is ctrl within ctrlrange (unless SN_DSBL_CLAMPCTRL), for actuators with activation act, with actearly
/// act at the end of the step. A control that is NaN or beyond SN_MAXVAL makes all controls zero and counts
/// SN_WARN_BADCTRL with the actuator; ctrl is left as it is. Actuators of groups in opt.disableactuator give
/// no force; SN_DSBL_ACTUATION: none does, and act_dot is 0. Cost: O(nv + nJmom).  Source: seed 001,
/// "Actuation".
SN_API void sn_fwdActuation(const snModel* m, snData* d);

/// Derivative of the smooth forces by velocity: qDeriv [nD] = d(qfrc_passive + qfrc_actuator - qfrc_bias)/d
/// qvel, in the rows of D_rowadr, D_colind: what couples two dofs on one chain. flg_bias = 0 leaves the bias
/// force out and makes the fluid's part symmetric: the derivative of the integrator implicitfast. Controls
/// count as clamped; actuators whose force, or the sum of whose joint's or tendon's forces, stands at a limit
/// do not count. Reads: what sn_passive, sn_rne and sn_fwdActuation read, crb, and of the latter
/// actuator_force and qfrc_actuator. Writes: qDeriv. A full arena leaves bias and fluid out and counts
/// SN_WARN_CNSTRFULL. Cost: O(nv depth), with bias or fluid 36 numbers a body more.  Source: Echeandia and
/// Wensing 2021 (body Coriolis matrices); seed 001, "Numerical integration".
SN_API void sn_smoothVel(const snModel* m, snData* d, int flg_bias);

/// energy[0] = - sum of mass gravity . xipos + spring energy (J), each part unless its flag is off.
SN_API void sn_energyPos(const snModel* m, snData* d);

/// energy[1] = qvel' M qvel / 2 (J).
SN_API void sn_energyVel(const snModel* m, snData* d);

/// Momentum of subtrees.
/// Reads: cvel, positions.  Writes, world: subtree_linvel [nbody x 3], velocity of the centre of mass (m/s);
/// subtree_angmom [nbody x 3], angular momentum about it (kg m^2/s).
/// Called by sn_sensorVel when a sensor needs it.  Cost: O(nbody).
SN_API void sn_subtreeVel(const snModel* m, snData* d);

/// Quantities at qpos0 that the model stores (dof_M0, invweights, acc0, subtree masses, camera and light
/// references; of physics 3.3.7 damping ratios, open rest lengths and statistics, too). Writes d, whose
/// contacts are gone afterwards.
SN_API void sn_setConst(snModel* m, snData* d);

#ifdef __cplusplus
}
#endif
#endif
