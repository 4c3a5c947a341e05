// How a loop joint between bodies, and a force in it, change as dofs move. Source: seed 002, 8.2; the
// derivatives are worked out here.
#ifndef SINEW_DERIVATIVE_CONSTRAINT_LOOP_JOINT_H
#define SINEW_DERIVATIVE_CONSTRAINT_LOOP_JOINT_H

#include "derivative/constraint/loop_rows.h"
#include "derivative/constraint/pull.h"
#include "derivative/kinematics/motion.h"
#include "loop/joint/closure.h"

/// All bodies: their accelerations, and how they move along directions 0 to nv - 1 of position, nv to 2 nv -
/// 1 of velocity.
typedef struct snLoopBodies {
    double* a; ///< [nbody x 6]
    snBodyColumns by;
    int* start; ///< as snVelocities
} snLoopBodies;

/// Makes it, in scratch; false: the arena is full. Reads: poses, cvel, cdof_dot, qvel, qacc.
bool sn_loopBodies(const snModel* m, snData* d, snLoopBodies* bodies);

/// A loop joint and a force on its successor, at S's origin.
typedef struct snJointMotion {
    snClosure closure;
    snLoopPose pose;
    snVec3 arm[2];      ///< to S's origin from the tree's centre of mass of each side
    snMotion v[2];      ///< of the sides
    snMotion gap, rate; ///< v_s - v_p; a_s - a_p + v_s x v_p
    snMotion A;         ///< the latter in S's coordinates
    snVec3 F, tau;      ///< the force in the world
    snPull pull;
} snJointMotion;

/// force: in S's coordinates.
snJointMotion sn_jointMotion(const snModel* m, const snData* d, const snClosure* c,
                             const snLoopBodies* bodies, snForce force);

/// How S moves against P along a direction; x: how S itself moves.
snLoopMove sn_jointMove(const snJointMotion* j, const snLoopBodies* bodies, int direction, snMotion* x);

/// Column k of `row`, whose dof moves S by x: how the two wrenches change where the force does by `change`,
/// in S's coordinates.
void sn_jointWrenches(const snData* d, const snJointMotion* j, snForce change, snMotion x, int k,
                      snRowChange* row);

#endif
