// Chains of dofs, taken a few at a time: dofs k, k-1, ... with parent(k) = k-1 have the same ancestors above
// the last of them, so what concerns these is visited once for all.
#ifndef SINEW_SMOOTH_KINEMATICS_CHAIN_H
#define SINEW_SMOOTH_KINEMATICS_CHAIN_H

#include <sinew/model.h>

enum { SN_CHAIN = 4 }; ///< most dofs taken at once, where rows stay in registers

/// How many dofs k, k-1, ... to take, at most `most`.
static inline int sn_chainLength(const snModel* m, int k, int most)
{
    int count = 1;
    while (count < most && k - count >= 0 && m->dof_parentid[k - count + 1] == k - count) count++;
    return count;
}

/// How many dofs k, k+1, ... with parent(k+1) = k to take, at most `most`.
static inline int sn_chainFrom(const snModel* m, int k, int most)
{
    int count = 1;
    while (count < most && k + count < m->nv && m->dof_parentid[k + count] == k + count - 1) count++;
    return count;
}

#endif
