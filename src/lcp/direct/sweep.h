// Projected Gauss-Seidel on the dense problem: towards a solution from anywhere, slowly. Source: seed 003, 2
// (sweeps over an A that is stored).
#ifndef SINEW_LCP_DIRECT_SWEEP_H
#define SINEW_LCP_DIRECT_SWEEP_H

#include "lcp/direct/scaled.h"

/// Goes over all rows `sweeps` times, each normal followed by its cone.
void sn_denseSweeps(const snScaled* s, int sweeps, double* y);

#endif
