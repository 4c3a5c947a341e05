// The direct method on the LCP of an island.
#ifndef SINEW_LCP_PIVOT_H
#define SINEW_LCP_PIVOT_H

#include <sinew/data.h>
#include "lcp/solve/system.h"

/// Rows that the direct method takes in a step where it is asked for, larger islands being swept by blocks;
/// and those for which it answers sweeps that did not converge. It takes O(n^3), and more where cones are
/// hard.
enum { SN_PIVOT_MOST = 200, SN_PIVOT_ANSWER = 48 };

/// Rows of a system that are no padding.
int sn_lcpRows(const snLcpSystem* s);

/// Solves it from x by pivoting, in scratch: x and dV are the result where its natural residual is below
/// *residual, which receives it; else they stay. *pivots gets what it took. false: the arena is full.
bool sn_lcpPivot(snData* d, snLcpSystem* s, double* residual, int* pivots);

#endif
