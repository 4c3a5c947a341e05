// Many columns at once through the factor of M. Source: Featherstone 2008, 6.5.
#ifndef SINEW_DERIVATIVE_SMOOTH_INVERSE_INERTIA_H
#define SINEW_DERIVATIVE_SMOOTH_INVERSE_INERTIA_H

#include <sinew/data.h>

enum { SN_STRIP = 8 }; ///< columns at once

/// How far rows of nv numbers are apart in strips.
static inline int sn_stripStride(const snModel* m)
{
    return (m->nv + SN_STRIP - 1) / SN_STRIP * SN_STRIP;
}

/// X <- inv(M) X, rows sn_stripStride apart, cache-line aligned, zero behind column nv. Unless it is
/// `full`, X(i,j) must be zero where neither of dofs i and j is above the other.  Cost: O(nv^2 depth).
void sn_solveStrips(const snModel* m, const snData* d, bool full, double* X);

#endif
