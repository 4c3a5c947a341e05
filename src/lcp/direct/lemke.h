// Lemke's method on a standard LCP: w = M z + q, w >= 0, z >= 0, w' z = 0.
#ifndef SINEW_LCP_DIRECT_LEMKE_H
#define SINEW_LCP_DIRECT_LEMKE_H

#include <stdbool.h>
#include <stddef.h>

/// basic = q + T nonbasic: rows of width numbers, the last being q.
typedef struct snDictionary {
    int rows, width;
    double* T;
} snDictionary;

/// The basic variable of the row and the nonbasic one of the column change places.
void sn_exchange(const snDictionary* d, int row, int column);

static inline double* sn_dictionaryRow(const snDictionary* d, int row)
{
    return d->T + (size_t)row * (size_t)d->width;
}

/// Numbers of work beside the dictionary.
size_t sn_lemkeWork(int n);

/// d of n rows: M in the first n columns, then a covering vector > 0, then q; it is overwritten. z [n]
/// receives the solution. slack = 0: ties are broken lexicographically, so that no basis comes twice; slack >
/// 0: of the rows that block while q is above -slack the one of the largest pivot leaves, which rounding
/// harms least, and it is for the caller to perturb q. false: a ray, or more than `most` pivots; z is then
/// where it ended. *pivots rises by those taken.  Source: Cottle, Pang and Stone 1992, 4.4 and 4.9; the
/// slack: Harris 1973.
bool sn_lemke(const snDictionary* d, double slack, double* work, int most, double* z, int* pivots);

#endif
