// Conjugate directions on top of sweeps.
//
// A sweep is a step of a fixed-point iteration; its change s is taken as a preconditioned gradient of
//     f(lambda) = 1/2 dV'dV + b'lambda,   dV = T lambda,   A = J M^-1 J' = T'T where M = 1,
// made orthogonal, in the metric of A, to the last few directions, and f is minimised along all of these:
// flexible conjugate gradients (Notay 2000) inside the bounds, as Silcowitz, Niebe and Erleben (2010) have
// for Fletcher and Reeves' directions. What leaves its bounds is put back; where f does not fall, and
// friction makes that happen, the extrapolation is undone and the directions are dropped. lambda and dV move
// together, so that it costs no product but those of rows that are put back.
#ifndef SINEW_LCP_SOLVE_CONJUGATE_H
#define SINEW_LCP_SOLVE_CONJUGATE_H

#include <stddef.h>
#include "lcp/solve/system.h"

enum { SN_CONJUGATE_KEPT = 3 };

/// lambda and dV one behind the other, as all of these are.
typedef struct snConjugate {
    double* before;                       ///< before the sweep, then its change
    double* swept;                        ///< after it
    double* direction[SN_CONJUGATE_KEPT]; ///< of unit length
    int kept, next;                       ///< directions there are; which is replaced next
} snConjugate;

/// Numbers of work for a system.
size_t sn_conjugateWork(const snLcpSystem* s);

/// Begins without directions.
void sn_conjugateBegin(const snLcpSystem* s, double* work, snConjugate* c);

/// To be called before each sweep, and after each that another one follows.
void sn_conjugateBefore(const snLcpSystem* s, snConjugate* c);
void sn_conjugateAfter(snLcpSystem* s, snConjugate* c);

#endif
