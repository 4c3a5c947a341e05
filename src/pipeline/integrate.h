// What the integrators share.
#ifndef SINEW_PIPELINE_INTEGRATE_H
#define SINEW_PIPELINE_INTEGRATE_H

#include <sinew/pipeline.h>

/// act += h act_dot as its dynamics has it; v += h a; q = q (+) h w, with w the given velocity or, if NULL,
/// the new v; t += h. Saves the warm start.
void sn_advance(const snModel* m, snData* d, const double* act_dot, const double* acceleration,
                const double* velocity);

/// Whether Euler's step takes joint damping implicitly.
bool sn_eulerDamped(const snModel* m);

/// A [nD] = M - timestep qDeriv, rows as D_rowadr.
void sn_implicitMatrix(const snModel* m, const snData* d, double* A);

/// A [nLD] = M - timestep qDeriv in the layout of qLD, from the lower triangle of a symmetric qDeriv.
void sn_implicitMatrixSymmetric(const snModel* m, const snData* d, double* A);

#endif
