// What depends on q and v alone: kinematics, inertia, velocities, bias and passive forces, actuation, energy
// (seed 001, stages 2 to 19).
#ifndef SINEW_SMOOTH_H
#define SINEW_SMOOTH_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Pose of every body, joint, geom and site from qpos and mocap poses. Normalises quaternions on the fly, in
/// copies.
SN_API void sn_kinematics(const snModel* m, snData* d);
/// Camera and light poses.
SN_API void sn_camlight(const snModel* m, snData* d);
/// subtree_com, cinert, cdof.
SN_API void sn_comPos(const snModel* m, snData* d);
/// crb and qM, armature included.
SN_API void sn_crb(const snModel* m, snData* d);
/// qLD, qLDiagInv: L'DL factor of qM (seed 000). Raises SN_WARN_INERTIA on a pivot below SN_MINVAL.
SN_API void sn_factorM(const snModel* m, snData* d);
/// actuator_length, actuator_moment.
SN_API void sn_transmission(const snModel* m, snData* d);
/// cvel, cdof_dot.
SN_API void sn_comVel(const snModel* m, snData* d);
/// actuator_velocity.
SN_API void sn_actuatorVelocity(const snModel* m, snData* d);
/// qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid, qfrc_passive.
SN_API void sn_passive(const snModel* m, snData* d);
/// Recursive Newton-Euler: result [nv] = M qacc (if flg_acc) + bias(qpos, qvel).
SN_API void sn_rne(const snModel* m, snData* d, int flg_acc, double* result);
/// cacc, cfrc_int, cfrc_ext from the final accelerations and contact forces.
SN_API void sn_rnePostConstraint(const snModel* m, snData* d);
/// actuator_force, qfrc_actuator, act_dot.
SN_API void sn_fwdActuation(const snModel* m, snData* d);
/// qfrc_smooth, qacc_smooth.
SN_API void sn_fwdAcceleration(const snModel* m, snData* d);
/// energy[0], energy[1].
SN_API void sn_energyPos(const snModel* m, snData* d);
SN_API void sn_energyVel(const snModel* m, snData* d);
/// subtree_linvel, subtree_angmom.
SN_API void sn_subtreeVel(const snModel* m, snData* d);

/// Quantities at qpos0 that the model stores (dof_M0, invweights, acc0, subtree masses, camera and light
/// references, statistics left NaN ...). Writes d.
SN_API void sn_setConst(snModel* m, snData* d);

#ifdef __cplusplus
}
#endif
#endif
