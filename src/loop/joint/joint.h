// Loop joints: what each type asks of two frames (seed 002, sections 8.2, 8.3 and table 8.1).
//
// P is the frame on the predecessor, S that on the successor. E turns P's coordinates into S's, r is the
// place of S's origin in P's coordinates: together the transform sXp of (8.24). The joint's velocity v_J =
// v_s - v_p, forces and errors are in S's coordinates at S's origin. z is the axis or the normal of a joint,
// x its second axis.
#ifndef SINEW_LOOP_JOINT_JOINT_H
#define SINEW_LOOP_JOINT_JOINT_H

#include "math/spatial.h"

enum { SN_LOOP_MAXROWS = 6 };

/// The frames of a loop joint and how they move against each other.
typedef struct snLoopPose {
    snMat3 E;
    snVec3 r;
    snMotion v_J;
} snLoopPose;

/// What a loop joint asks: count rows T_i' v_J = 0.
typedef struct snLoopRows {
    int count;                       ///< n^c_k
    snForce T[SN_LOOP_MAXROWS];      ///< columns of T
    snForce T_rate[SN_LOOP_MAXROWS]; ///< their rates seen from S, the ring over T in the seed
    double delta[SN_LOOP_MAXROWS];   ///< T'd: the error of position, whose rate is T' v_J where there is none
                                     ///< (8.27)
} snLoopRows;

/// Number of constraints of a type, n^c_k.
int sn_loopRowCount(snLoopType type);

/// How many of them, which come first, are of angles.
int sn_loopAngleCount(snLoopType type);

/// The angle by which S is turned about P's z, in (-pi, pi].
double sn_loopTurn(const snLoopPose* pose);

/// jcalc. parameter: pitch of a helical joint (m of z a radian), length of a distance (m); else unused. delta
/// is exact to first order in the error; angles far from 0 are taken whole, so that a search for a closed
/// loop finds its way.
snLoopRows sn_loopJoint(snLoopType type, double parameter, const snLoopPose* pose);

#endif
