// The inertias of implicit steps: M + h diag(damping), of a step of Euler that takes joint damping implicitly
// (seed 001, (6)), and M - h qDeriv.
#ifndef SINEW_SMOOTH_INERTIA_DAMPED_H
#define SINEW_SMOOTH_INERTIA_DAMPED_H

#include <sinew/data.h>
#include "math/real.h"

/// Whether Euler's step takes joint damping implicitly.
snMask sn_eulerDamped(const snModel* m);

/// qH, qHDiagInv: its factor.
void sn_factorDamped(const snModel* m, snData* d);

/// A [nLD] = M - timestep qDeriv in the layout of qLD, from the lower triangle of a symmetric qDeriv.
void sn_implicitMatrixSymmetric(const snModel* m, const snData* d, real* A);

#endif
