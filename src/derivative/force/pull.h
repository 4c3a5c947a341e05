// A force at a point of a body, in generalized coordinates, and how these change as dofs move.
//
// Row i of J'f is S_i' f for the dofs i that move the body, f at the tree's centre of mass. That point is
// held in the world; then dof k carries the axis S_i along, dS_i = S_k x S_i, when it lies above dof i, and
// in a ball joint, whose axes are the body's own, also when it is any other of the three. (S_k x S_i)'f =
// -S_i'(S_k x* f), so row i, column k of d(J'f)/dq is S_i'(df/dq_k - S_k x* f), the latter if k carries i.
#ifndef SINEW_DERIVATIVE_FORCE_PULL_H
#define SINEW_DERIVATIVE_FORCE_PULL_H

#include <sinew/data.h>
#include "smooth/kinematics/jacobian.h"

/// Last of the dofs that carry the axis of dof i with them, its own for one; -1: none, it is a translation of
/// a free joint.
static inline int sn_lastCarrier(const snModel* m, int i)
{
    const int j = m->dof_jntid[i], first = m->jnt_dofadr[j];
    switch ((snJointType)m->jnt_type[j]) {
    case SN_JNT_BALL: return first + 2;
    case SN_JNT_FREE: return i < first + 3 ? -1 : first + 5;
    case SN_JNT_SLIDE:
    case SN_JNT_HINGE: break;
    }
    return i;
}

/// Whether dof k moves the body.
static inline bool sn_movesBody(const snModel* m, int k, int body)
{
    int i = sn_lastDof(m, body);
    while (i > k) i = m->dof_parentid[i];
    return i == k;
}

/// Spatial velocity that dof k gives the body.
static inline snMotion sn_bodyRate(const snModel* m, const snData* d, int k, int body)
{
    return sn_movesBody(m, k, body) ? sn_motionLoad(d->cdof + 6 * k) : (snMotion){{0, 0, 0}, {0, 0, 0}};
}

/// Velocity of a world point of the body that moves with `rate`.
static inline snVec3 sn_pointRate(const snModel* m, const snData* d, int body, snMotion rate, snVec3 point)
{
    return sn_v3Add(rate.lin, sn_v3Cross(rate.ang, sn_v3Sub(point, sn_treeCom(m, d, body))));
}

/// The last dof that moves both bodies; -1: none. Dofs from it up see the two as one rigid body.
int sn_lastCommonDof(const snModel* m, int body1, int body2);

/// A force and a torque, world axes, at a world point of a body.
typedef struct snPull {
    int body;
    int stop; ///< no rows from this dof up; -1: all rows
    snVec3 point, force, torque;
} snPull;

/// H [nv x nv], column k += scale d(J'f)/dq_k, when dof k changes point, force and torque by `rate`.
void sn_addPullRate(const snModel* m, const snData* d, const snPull* pull, int k, const snPull* rate,
                    double scale, double* H);

/// Derivative of the rotation vector r of a rotation when this goes on turning by w in the child frame:
/// dr = K w, K = c 1 + [r]x/2 + (1 - c) e e' with e along r, t = |r| and c = t/2 cot(t/2).
snMat3 sn_rotationVectorRate(snVec3 r);

#endif
