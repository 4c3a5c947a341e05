// The penalty s of the reduced problem (seed 001, (8)) over rows stored as structure of arrays.
//
// Every row is one formula: with x its residual J a - aref and xc = x clamped to [lo, hi],
//     s(x) = D xc (x - xc/2),   s'(x) = D xc,   s''(x) = D inside, 0 outside.
// Equality: [-inf, inf]. Limits and contacts: [-inf, 0]. Dry friction: [-R f, R f], whose force is at most f.
// Rows of elliptic cones stand in it as equalities with D = 0, and in a list of cones (solver/cone.h).
#ifndef SINEW_SOLVER_ROWSET_H
#define SINEW_SOLVER_ROWSET_H

#include "solver/cone.h"

/// What a search along a line needs of each cone, four cones side by side: SN_LINE_COUNT vectors of four.
enum {
    SN_LINE_N,
    SN_LINE_NV,
    SN_LINE_UU,
    SN_LINE_UV,
    SN_LINE_VV,
    SN_LINE_DXV,
    SN_LINE_DVV,
    SN_LINE_MU,
    SN_LINE_DM,
    SN_LINE_COUNT
};

/// Rows, padded to a multiple of four with D = lo = hi = 0.
typedef struct snRowset {
    int count;
    double *D, *lo, *hi;
    int ncone;
    snFrictionCone* cone; ///< [ncone] their rows index these arrays
    snConeZone* zone;     ///< [ncone] at the last update
    double* line;         ///< [ceil(ncone / 4)][SN_LINE_COUNT][4] work of the search
} snRowset;

/// At residuals x [count]: force [count] = s', weight [count] = s'' (1 in the middle zone of a cone, see
/// sn_coneRoot); zone [count] says on which side of [lo, hi] a row is (-1, 0, 1; pads 1; cones have their
/// own) and *changed how many rows are on another than it said before. Returns the sum of s.
double sn_rowsetUpdate(snRowset* rows, const double* x, double* force, double* weight, double* zone,
                       int* changed);

/// A search along x + a v: minimises slope0 a + curvature a^2 / 2 + sum of s(x + a v) over a > 0, where
/// slope0 and curvature belong to the part without rows.
typedef struct snLineSearch {
    double slope0, curvature;
    double tolerance; ///< stop when the slope is below
    int most;         ///< evaluations
    int evaluations;  ///< out
    int newton;       ///< v is Newton's direction: 1 is exact when no row leaves its quadratic piece
    double slope;     ///< out: at the result
    double first;     ///< out: at 0
    int exact;        ///< out: the result is 1, and exact in that sense
} snLineSearch;

/// Exact line search: Newton in one dimension inside a bracket, from 1 (a direction that is not Newton's has
/// no length of its own: where `most` is below 20, from Newton's step in one dimension), which is halved
/// where Newton's steps do not get shorter. The derivative is increasing and, without cones, piecewise
/// linear, so that it ends after few steps at its zero. Where `most` evaluations do not suffice, costs decide
/// among the points that it has come by, so that the cost never rises. 0 when the direction does not descend.
double sn_rowsetSearch(snRowset* rows, const double* x, const double* v, const double* zone,
                       snLineSearch* search);

#endif
