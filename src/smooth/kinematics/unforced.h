// What velocities alone give the acceleration of a body.
#ifndef SINEW_SMOOTH_KINEMATICS_UNFORCED_H
#define SINEW_SMOOTH_KINEMATICS_UNFORCED_H

#include "math/spatial.h"
#include "smooth/kinematics/jacobian.h"

/// Spatial acceleration of a body, about the tree's centre of mass, where qacc is zero: the sum of cdof_dot
/// qvel over the dofs that move it, without gravity.
static inline snMotion sn_unforcedAcceleration(const snModel* m, const snData* d, int body)
{
    snMotion a = {sn_v3(0, 0, 0), sn_v3(0, 0, 0)};
    for (int k = sn_lastDof(m, body); k >= 0; k = m->dof_parentid[k])
        a = sn_motionAddScaled(a, d->qvel[k], sn_motionLoad(d->cdof_dot + 6 * k));
    return a;
}

#endif
