// The direct method on the LCP of an island.
#ifndef SINEW_LCP_PIVOT_H
#define SINEW_LCP_PIVOT_H

#include <sinew/data.h>
#include "lcp/solve/system.h"

/// Rows that the direct method takes in a step, and those at most for which it answers sweeps that did not
/// converge: it takes O(n^3).
enum { SN_PIVOT_MOST = 300, SN_PIVOT_ANSWER = 48 };

/// Rows of a system that are no padding.
int sn_lcpRows(const snLcpSystem* s);

/// Solves it from x by pivoting, in scratch: x and dV are the result where its natural residual is below
/// *residual, which receives it; else they stay. *pivots gets what it took. false: the arena is full.
bool sn_lcpPivot(snData* d, snLcpSystem* s, double* residual, int* pivots);

#endif
