// All solutions of K x = k (seed 002, section 8.8): x = G y + g with K G = 0 and K g = k, y some of x itself.
#ifndef SINEW_LOOP_ALGEBRA_NULL_SPACE_H
#define SINEW_LOOP_ALGEBRA_NULL_SPACE_H

#include <stdbool.h>
#include <stddef.h>

/// K [m x n] row-major, overwritten by its factors: K = L U with rows in the order `row` and columns in the
/// order `column`, L unit lower trapezoidal and U upper, of r columns and rows.
typedef struct snNullSpace {
    int m, n;
    double* K;
    int* row;         ///< [m] out: rows in the order of elimination; the first r are independent
    int* column;      ///< [n] out: the first r depend on the others, which are y in this order
    int rank;         ///< r
    double condition; ///< largest pivot over the smallest that counts; 1 when r = 0
} snNullSpace;

/// Gaussian elimination with complete pivoting, (8.50). A pivot counts while it is above tolerance times the
/// first; with rank >= 0 given, r is that instead, unless a pivot is 0 before.
void sn_nullSpace(snNullSpace* s, double tolerance, int rank);

/// The same with y given: independent [n] marks its members. Partial pivoting over rows. false: the other
/// columns are more than the rank, or fewer.
bool sn_nullSpaceOf(snNullSpace* s, double tolerance, const bool* independent);

/// G of (8.51), row-major with n columns, of which the first n - r count.
void sn_nullSpaceBasis(const snNullSpace* s, double* G);

/// g [n] of (8.51) for k [m], which is overwritten. Returns the largest |k| that rows beyond the first r ask
/// beyond what these give: how inconsistent k is.
double sn_nullSpaceParticular(const snNullSpace* s, double* k, double* g);

/// How much rows may ask of the column of their pivot where that is below `part` of the first one: |g| up to
/// turn + close pivot / (part first) as they ask it, and what tends to twice that beyond.
typedef struct snWeakRows {
    double part, turn, close;
} snWeakRows;

/// The same with that bound. bounded: whether a row asked for more.
double sn_nullSpaceBounded(const snNullSpace* s, const snWeakRows* weak, double* k, double* g, bool* bounded);

/// Whether g is of a row that asked for more.
bool sn_nullSpaceIsBounded(const snNullSpace* s, const snWeakRows* weak, const double* g);

/// lambda [m] of least norm with K' lambda = tau [n], for tau in the range of K'. work [m (m + 1)].
void sn_nullSpaceForce(const snNullSpace* s, const double* tau, double* lambda, double* work);

#endif
