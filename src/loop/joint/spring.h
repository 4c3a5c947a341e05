// Springs and dampers of loop joints with one freedom: where it stands and how it moves.
#ifndef SINEW_LOOP_JOINT_SPRING_H
#define SINEW_LOOP_JOINT_SPRING_H

#include <sinew/data.h>
#include "loop/joint/row.h"

/// Stretch of a loop joint's spring: its angle (revolute, helical; the nearest to `ref` of all that are a
/// turn apart) or way (prismatic), less ref.
double sn_loopStretch(const snModel* m, int loop, const snLoopPose* pose);

/// Energy of the springs of all loop joints. Reads: poses.
double sn_loopSpringEnergy(const snModel* m, const snData* d);

/// The force of a loop joint's spring and damper on its successor: torque and force at the successor's frame,
/// in its axes. Flags spring and damper leave theirs out. Reads: cvel.
snForce sn_loopActive(const snModel* m, int loop, const snLoopPose* pose);

/// qfrc [nv] += the joint-space force of a force or torque `force` along the freedom of a loop joint; of 1,
/// the row that takes velocities to the freedom's rate. Reads: poses, cdof.
void sn_addLoopFreedom(const snModel* m, const snData* d, int loop, double force, double* qfrc);

#endif
