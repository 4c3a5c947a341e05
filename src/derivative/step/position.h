// q+ = q (+) h w in the tangents at q and q+. Source: seed 001, "Numerical integration".
#ifndef SINEW_DERIVATIVE_STEP_POSITION_H
#define SINEW_DERIVATIVE_STEP_POSITION_H

#include <sinew/model.h>

/// out [nv x stride]: the change of q+ with dq and dw [nv x stride]; w [nv] the velocity. out is neither.
void sn_positionAlong(const snModel* m, const double* w, const double* dq, const double* dw, double* out,
                      int stride);

/// The adjoint: gq, gw [nv] += the gradients by q and w, g [nv] that by q+.
void sn_positionAdjoint(const snModel* m, const double* w, const double* g, double* gq, double* gw);

#endif
