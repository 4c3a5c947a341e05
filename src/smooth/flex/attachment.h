// Vertices and the bodies that carry them: velocities, forces. Most vertices are bodies of their own with
// three slides in a body that does not move; their axes alone say all.
#ifndef SINEW_SMOOTH_FLEX_ATTACHMENT_H
#define SINEW_SMOOTH_FLEX_ATTACHMENT_H

#include <sinew/data.h>
#include "math/spatial.h"
#include "smooth/kinematics/jacobian.h"

/// First of the three slides that alone move a body; -1: it moves otherwise, or not.
static inline int sn_threeSlides(const snModel* m, int body)
{
    const int dof = m->body_dofadr[body], *type = m->jnt_type + m->body_jntadr[body];
    if (m->body_dofnum[body] != 3 || m->body_jntnum[body] != 3 || m->dof_parentid[dof] >= 0) return -1;
    return type[0] == SN_JNT_SLIDE && type[1] == SN_JNT_SLIDE && type[2] == SN_JNT_SLIDE ? dof : -1;
}

/// Direction in which a slide moves what it carries.
static inline snVec3 sn_slideAxis(const snData* d, int dof)
{
    return sn_v3Load(d->cdof + 6 * dof + 3);
}

/// velocity [3 flex_vertnum] of the vertices of a flex, world. Reads cvel.
void sn_flexVertexVelocity(const snModel* m, const snData* d, int flex, double* velocity);

/// qfrc [nv] += what forces [3 flex_vertnum] at the vertices of a flex (N, world) do to the dofs of trees
/// that are awake.
void sn_addVertexForces(const snModel* m, const snData* d, int flex, const double* force, double* qfrc);

#endif
