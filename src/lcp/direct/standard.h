// Boxes and boxes of friction as a standard LCP.
#ifndef SINEW_LCP_DIRECT_STANDARD_H
#define SINEW_LCP_DIRECT_STANDARD_H

#include "lcp/direct/scaled.h"

/// Rows that nothing bounds are eliminated, and come back by themselves. A bounded row is u = y - lo >= 0 or
/// u = hi - y >= 0; a second bound has a slack g >= 0 of its own: v + g >= 0 stands against u, and hi - lo -
/// u against g. Friction is y = u - u' with v + g >= 0, -v + g >= 0 and mu y_n - u - u' >= 0 against u, u'
/// and g (Anitescu and Potra 1997), which is copositive. Cones are taken for boxes of friction.
size_t sn_standardWork(int n);

/// How Lemke's method goes; other ways go past what stopped one.
typedef struct snPivoting {
    double spread;  ///< of the covering vector around 1
    double shift;   ///< added to the diagonal of A
    double perturb; ///< added to q, about twice, relative to the scale; 0: ties are broken lexicographically
    uint64_t seed;  ///< of what is drawn for these
} snPivoting;

/// y [n] receives the solution, or where pivoting ended: then false. *pivots rises by those taken.
bool sn_solveStandard(const snScaled* s, const snPivoting* how, double* work, double* y, int* pivots);

#endif
