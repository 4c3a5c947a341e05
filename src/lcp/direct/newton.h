// Newton's method on the natural map, which is piecewise smooth. Source: Qi and Sun 1993 (Newton's method on
// what is not smooth).
#ifndef SINEW_LCP_DIRECT_NEWTON_H
#define SINEW_LCP_DIRECT_NEWTON_H

#include "lcp/direct/scaled.h"

size_t sn_newtonWork(int n);

/// Moves y to a zero of the natural map, in at most `most` steps, until rounding is all that is left. y is
/// the best that was met, by sn_scaledMap at y's own normals; returns its largest |y - P|. *steps rises by
/// those taken.
double sn_naturalNewton(const snScaled* s, double* work, int most, double* y, int* steps);

#endif
