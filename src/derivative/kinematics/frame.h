// What the derivatives of kinematics share: the frame of an object, and the dofs that move it in groups that
// turn together.
#ifndef SINEW_DERIVATIVE_KINEMATICS_FRAME_H
#define SINEW_DERIVATIVE_KINEMATICS_FRAME_H

#include <sinew/data.h>
#include "math/spatial.h"

/// A frame that is fixed in a body: R takes the frame to the world, arm goes from the tree's centre of mass
/// to its point.
typedef struct snBodyFrame {
    int body;
    snVec3 arm;
    snMat3 R;
} snBodyFrame;

/// The frame of an object at `point` (NULL: its origin). SN_STATUS_ARGUMENT: there is no such object;
/// SN_STATUS_UNSUPPORTED: a camera that follows something.
snStatus sn_bodyFrame(const snModel* m, const snData* d, int objtype, int objid, const double* point,
                      snBodyFrame* frame, snError* error);

/// First dof of those of dof k's joint that turn or move together: the three rotations of a ball or free
/// joint, whose axes all turn with each of them; the three translations of a free one; else k itself.
static inline int sn_firstOfGroup(const snModel* m, int k)
{
    const int j = m->dof_jntid[k], first = m->jnt_dofadr[j];
    switch ((snJointType)m->jnt_type[j]) {
    case SN_JNT_FREE: return k < first + 3 ? first : first + 3;
    case SN_JNT_BALL: return first;
    case SN_JNT_SLIDE:
    case SN_JNT_HINGE: break;
    }
    return k;
}

/// Velocity of a point `arm` away from the point that a motion refers to.
static inline snVec3 sn_velocityAt(snMotion v, snVec3 arm)
{
    return sn_v3Add(v.lin, sn_v3Cross(v.ang, arm));
}

#endif
