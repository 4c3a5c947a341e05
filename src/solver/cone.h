// The penalty s of an elliptic friction cone (seed 001, (8); the appendix of Todorov 2014 that it cites).
//
// Rows of a contact of dimension n are its normal and n - 1 friction components, with R_j mu_j^2 the same for
// all j (fillElliptic). In the scaled residual U = (mu x_0, mu_1 x_1, ..., mu_{n-1} x_{n-1}), N = U_0,
// T = |(U_1, ...)|, the cone is round and s has three zones:
//     top     N >= mu T      the cone is left:          s = 0
//     bottom  mu N + T <= 0  the force is inside:       s = 1/2 sum of D_j x_j^2
//     middle  else           the force is on the cone:  s = 1/2 Dm (N - mu T)^2,  Dm = D_0 / (mu^2 (1 +
//     mu^2))
#ifndef SINEW_SOLVER_CONE_H
#define SINEW_SOLVER_CONE_H

#include <sinew/data.h>
#include "math/dense.h"

typedef enum snConeZone { SN_ZONE_TOP, SN_ZONE_BOTTOM, SN_ZONE_MIDDLE } snConeZone;

typedef struct snFrictionCone {
    int row;         ///< first of its rows in the arrays that it is used with
    int dim;         ///< 3, 4 or 6
    double mu, Dm;   ///< as above
    double scale[6]; ///< mu, mu_1, ..., mu_{dim-1}
    double D[6];     ///< [dim] 1/R
} snFrictionCone;

/// The cone of a contact whose rows are efc rows `efc` and on; cone.row = row.
snFrictionCone sn_coneOfContact(const snContact* con, const double* efc_D, int row);

/// snConstraintState of the rows of a cone in this zone.
int sn_coneState(snConeZone zone);

/// s at residuals x [dim]; force [dim] = s'.
double sn_coneUpdate(const snFrictionCone* cone, const double* x, double* force, snConeZone* zone);

/// The Hessian of s in the middle zone as a sum of squares: rows C [dim x dim] with s'' = C'C.
void sn_coneRoot(const snFrictionCone* cone, const double* x, double* C);

/// value = C times the rows of one contact, stored as quads that share their columns: rows [dim x n] in
/// ceil(dim / 4) quads of `nblock` blocks, both in `from` and in `value`.
void sn_coneTransform(const double* C, int dim, const double* from, int nblock, double* value);

#endif
