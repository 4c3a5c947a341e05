// All solutions of K x = k (seed 002, section 8.8): x = G y + g with K G = 0 and K g = k, y some of x itself.
#ifndef SINEW_LOOP_NULL_SPACE_H
#define SINEW_LOOP_NULL_SPACE_H

#include <stdbool.h>
#include <stddef.h>

/// K [m x n] row-major and k [m], both overwritten; G [n x n], row-major with n columns of which the first n
/// - r count; g [n].
typedef struct snNullSpace {
    int m, n;
    double *K, *k;
    double *G, *g;
    int* row;         ///< [m] out: rows in the order of elimination; the first r are independent
    int* column;      ///< [n] out: the first r depend on the others, which are y in this order
    int rank;         ///< r
    double condition; ///< largest pivot over the smallest that counts; 1 when r = 0
    double excess; ///< largest |k| of the rows that depend on others, less what these give: how inconsistent
                   ///< k is
} snNullSpace;

/// Finds G and g by Gaussian elimination with complete pivoting, (8.50) and (8.51). A pivot counts while it
/// is above tolerance times the first; with rank >= 0 given, r is that instead, unless a pivot is 0 before.
void sn_nullSpace(snNullSpace* s, double tolerance, int rank);

/// The same with y given: independent [n] marks its members. Partial pivoting over rows. false, and nothing
/// in G and g: the other columns are more than the rank, or fewer.
bool sn_nullSpaceOf(snNullSpace* s, double tolerance, const bool* independent);

#endif
