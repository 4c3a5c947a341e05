// The inertias of implicit steps: M + h diag(damping), of a step of Euler that takes joint damping implicitly
// (seed 001, (6)), and M - h qDeriv.
#ifndef SINEW_SMOOTH_INERTIA_DAMPED_H
#define SINEW_SMOOTH_INERTIA_DAMPED_H

#include <sinew/data.h>
#include "math/real.h"

/// Whether a body moves by a free joint, and its tree by no other: qDeriv is a block of 6 x 6 there.
static inline bool sn_isLone(const snModel* m, int body)
{
    const int j = m->body_jntadr[m->body_rootid[body]];
    return j >= 0 && m->jnt_type[j] == SN_JNT_FREE && m->D_rownnz[m->jnt_dofadr[j]] == 6;
}

/// Whether Euler's step takes joint damping implicitly.
snMask sn_eulerDamped(const snModel* m);
#ifndef SN_LANES
/// The same, asking first what is awake.
bool sn_eulerDampsAny(const snModel* m, const snData* d);
#endif

/// qH, qHDiagInv: its factor.
void sn_factorDamped(const snModel* m, snData* d);

/// Rows [begin, end) of M - timestep qDeriv, as D_rowadr, into A [nD]; no dof outside is above or below them.
void sn_implicitRows(const snModel* m, const snData* d, int begin, int end, real* A);
/// A [nD] = M - timestep qDeriv, rows as D_rowadr.
void sn_implicitMatrix(const snModel* m, const snData* d, real* A);

/// Of a matrix of implicitfast as that of sn_implicitMatrix, drops what sn_implicitMatrixSymmetric leaves
/// out: what couples simple dofs. but_lone: not those of lone bodies.
void sn_uncoupleSimple(const snModel* m, bool but_lone, real* A);

/// A [nLD] = M - timestep qDeriv in the layout of qLD, from the lower triangle of a symmetric qDeriv.
/// but_lone: M alone for lone bodies, whose qDeriv is not symmetric.
void sn_implicitMatrixSymmetric(const snModel* m, const snData* d, bool but_lone, real* A);

#endif
