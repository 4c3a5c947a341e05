// How the rows of a loop joint change as its two frames move: the derivative of src/loop/joint/joint.c.
// Source: seed 002, 8.2; the derivatives are worked out here.
#ifndef SINEW_DERIVATIVE_CONSTRAINT_LOOP_ROWS_H
#define SINEW_DERIVATIVE_CONSTRAINT_LOOP_ROWS_H

#include "loop/joint/joint.h"

/// What S does against P, in S's coordinates at S's origin: a displacement, and the changes of v_J and of its
/// rate, the relative acceleration A.
typedef struct snLoopMove {
    snMotion x, v, a;
} snLoopMove;

/// out [count] = change of T' A + T_rate' v_J + 2/t T' v_J + delta/t^2, which loops hold at 0 (K qacc - k -
/// k_stab); T: changes of T.
void sn_loopRowsMoved(snLoopType type, double parameter, const snLoopPose* pose, const snMotion* A, double t,
                      const snLoopMove* by, snForce T[SN_LOOP_MAXROWS], double out[SN_LOOP_MAXROWS]);

/// Changes of sn_loopTurn, and of the way pose->r.z.
double sn_turnChange(const snLoopPose* pose, const snLoopMove* by);
double sn_wayChange(const snLoopPose* pose, const snLoopMove* by);

#endif
