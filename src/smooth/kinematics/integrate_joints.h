// Positions of some joints.
#ifndef SINEW_SMOOTH_KINEMATICS_INTEGRATE_JOINTS_H
#define SINEW_SMOOTH_KINEMATICS_INTEGRATE_JOINTS_H

#include <sinew/data.h>
#include "math/real.h"

/// As sn_integratePos, of joints first to end - 1 alone.
void sn_integrateJoints(const snModel* m, real* qpos, const real* qvel, real dt, int first, int end);

#endif
