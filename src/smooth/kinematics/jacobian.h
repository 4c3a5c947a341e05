// Walking the dofs that move a body, from its own last dof to the root of its tree.
#ifndef SINEW_SMOOTH_KINEMATICS_JACOBIAN_H
#define SINEW_SMOOTH_KINEMATICS_JACOBIAN_H

#include <sinew/data.h>
#include "math/spatial.h"

/// Last of the dofs that move the body; -1: the body is static. Follow dof_parentid for the others.
static inline int sn_lastDof(const snModel* m, int body)
{
    const int b = m->body_weldid[body];
    return m->body_dofnum[b] ? m->body_dofadr[b] + m->body_dofnum[b] - 1 : -1;
}

/// The point that the spatial vectors of a body refer to.
static inline snVec3 sn_treeCom(const snModel* m, const snData* d, int body)
{
    return sn_v3Load(d->subtree_com + 3 * m->body_rootid[body]);
}

/// Whether all six numbers are 0, as an applied force mostly is. One test for all: there is nothing to guess.
static inline snMask sn_isZero6(const real* x)
{
    return sn_not((x[0] != 0) | (x[1] != 0) | (x[2] != 0) | (x[3] != 0) | (x[4] != 0) | (x[5] != 0));
}

/// A force and a torque that act at a world point of a body, as a spatial force at sn_treeCom.
static inline snForce sn_forceAtCom(const snModel* m, const snData* d, int body, snVec3 force, snVec3 torque,
                                    snVec3 point)
{
    const snVec3 arm = sn_v3Sub(point, sn_treeCom(m, d, body));
    return (snForce){sn_v3Add(torque, sn_v3Cross(arm, force)), force};
}

/// qfrc [nv] += J' f for a spatial force f at sn_treeCom of the body.
static inline void sn_addForce(const snModel* m, const snData* d, int body, snForce f, real* qfrc)
{
    for (int k = sn_lastDof(m, body); k >= 0; k = m->dof_parentid[k])
        qfrc[k] += sn_motionDotForce(sn_motionLoad(d->cdof + 6 * k), f);
}

#endif
