// Cones as boxes that touch them where the solution is thought to be.
#ifndef SINEW_LCP_DIRECT_ALIGN_H
#define SINEW_LCP_DIRECT_ALIGN_H

#include "lcp/direct/scaled.h"

size_t sn_alignWork(int n);

/// t becomes s with the rows of each cone turned, in the unit of its disc, so that the first points along y,
/// and with boxes of friction around them. A solution of s is one of t if y has the directions of that
/// solution. Returns the rest of work.
double* sn_alignCones(const snScaled* s, const double* y, double* work, snScaled* t);

/// y of s from y of t, in place.
void sn_turnBack(const snScaled* s, const snScaled* t, double* y);

#endif
