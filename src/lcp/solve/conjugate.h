// Conjugate directions on top of sweeps: the nonsmooth nonlinear conjugate gradient method of Silcowitz,
// Niebe and Erleben (2010). A sweep is a step of a fixed-point iteration, its change minus a gradient;
// Fletcher and Reeves' direction is kept as lambda and as dV, so that it costs no product. Where the change
// grows it starts anew.
#ifndef SINEW_LCP_SOLVE_CONJUGATE_H
#define SINEW_LCP_SOLVE_CONJUGATE_H

#include <stddef.h>
#include "lcp/solve/system.h"

typedef struct snConjugate {
    double *x, *dV; ///< before the sweep
    double *p, *pV; ///< the direction
    double square;  ///< of the last change, in the metric of A's diagonal; 0: none yet
} snConjugate;

/// Numbers of work for a system.
size_t sn_conjugateWork(const snLcpSystem* s);

/// Begins without a direction.
void sn_conjugateBegin(const snLcpSystem* s, double* work, snConjugate* c);

/// To be called before each sweep, and after each that another one follows: moves x and dV, which need not be
/// within bounds then.
void sn_conjugateBefore(const snLcpSystem* s, snConjugate* c);
void sn_conjugateAfter(snLcpSystem* s, snConjugate* c);

#endif
