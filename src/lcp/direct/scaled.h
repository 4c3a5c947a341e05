// A dense problem with unit diagonal, and the map whose zero is its solution.
#ifndef SINEW_LCP_DIRECT_SCALED_H
#define SINEW_LCP_DIRECT_SCALED_H

#include "lcp/direct/direct.h"

/// x_i = s_i y_i and w_i = v_i / s_i with s_i = 1 / sqrt(A_ii): v = S A S y + S b, a matrix of unit diagonal.
/// Bounds on a row and on its normal stay what they are, mu becomes mu s_n / s_t.
typedef struct snScaled {
    int n;
    double *A, *b, *lo, *hi, *mu; ///< [n x n] and [n]
    double* s;                    ///< [n] 0 for a row that keeps its x
    int *kind, *normal;           ///< [n] friction of a row that keeps its x is a box, and its cone's rows
                                  ///< are boxes of their own
    int *first, *next;            ///< [n] rows of a cone: the first of a normal, the next after a row; -1
    double scale;                 ///< the largest number of b and of the bounds nearest to 0
    double *v, *z, *P;            ///< [n] as sn_scaledMap leaves them
    double* gather;               ///< [3 n] of the section at hand
} snScaled;

size_t sn_scaledWork(int n);

/// Takes a problem and its guess x; y [n] receives the guess in the new unit. Returns the rest of work.
double* sn_scale(snScaled* s, const snDirect* p, double* work, const double* x, double* y);

/// v = A y + b, z = y - v, P the projection of z with the radius of y's own normal, or, `ahead`, with that of
/// z's normal. Returns the largest |y - P|, and in *merit the sum of squares; infinity where that is not
/// finite.
double sn_scaledMap(const snScaled* s, const double* y, bool ahead, double* merit);

/// Radius of the friction of row n at its value.
static inline double sn_radius(double value)
{
    return value > 0 ? value : 0;
}

/// The present section of the cone of a normal: z and mu of its rows, gathered. Returns how many.
int sn_gatherCone(const snScaled* s, int normal, const double* z);

#endif
