// What a dof carries of a subtree.
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
