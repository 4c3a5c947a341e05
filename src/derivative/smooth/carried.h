// What a dof carries.
#ifndef SINEW_DERIVATIVE_SMOOTH_CARRIED_H
#define SINEW_DERIVATIVE_SMOOTH_CARRIED_H

#include <sinew/data.h>
#include "smooth/kinematics/jacobian.h"

/// The body whose subtree is what dof k carries of the subtree of `body`; -1: nothing.
static inline int sn_carriedBody(const snModel* m, int k, int body)
{
    for (int b = m->dof_bodyid[k]; b >= body; b = m->body_parentid[b])
        if (b == body) return m->dof_bodyid[k];
    for (int i = sn_lastDof(m, body); i >= k; i = m->dof_parentid[i])
        if (i == k) return body;
    return -1;
}

/// Whether dofs i and k are rotations of one ball or free joint, two of them.
static inline bool sn_isSameBall(const snModel* m, int i, int k)
{
    const int j = m->dof_jntid[k], type = m->jnt_type[j], first = m->jnt_dofadr[j];
    if (m->dof_jntid[i] != j || i == k) return false;
    return type == SN_JNT_BALL || (type == SN_JNT_FREE && i >= first + 3 && k >= first + 3);
}

/// momentum [nbody x 6] of each body and all that it carries, about the point of its tree; the world: itself.
static inline void sn_carriedMomentum(const snModel* m, const snData* d, double* momentum)
{
    for (int b = 0; b < m->nbody; b++)
        sn_forceStore(momentum + 6 * b,
                      sn_inertiaMul(sn_inertiaLoad(d->cinert + 10 * b), sn_motionLoad(d->cvel + 6 * b)));
    for (int b = m->nbody - 1; b > 0; b--)
        for (int k = 0; k < 6 && m->body_parentid[b]; k++)
            momentum[6 * m->body_parentid[b] + k] += momentum[6 * b + k];
}

#endif
