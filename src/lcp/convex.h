// The convex problem of an island: the impulses within their bounds that leave least velocity,
//
//   min 1/2 |J'x|^2 + b'x,   lo <= x <= hi,   |x_t| <= c x_n,
//
// c = mu, of friction in cones the share of the box inside. It differs from the LCP where contacts slide
// alone: there it lets bodies part. Where impulses within these bounds can hold all bodies still (A x + b =
// 0) its solution does, and is a solution of the LCP; of many it is a middle one, well inside the bounds.
#ifndef SINEW_LCP_CONVEX_H
#define SINEW_LCP_CONVEX_H

#include "lcp/solve/profile.h"

/// Whether the rows of all blocks stand in one quad each, as the factor wants them.
bool sn_convexCan(const snLcpSystem* s);

/// Moves x and dV to a solution of the convex problem, to some 1e-6 of its largest number, by a primal-dual
/// interior path (Wright 1997) with linear systems of H = 1 + J' D^-1 J, D from the bounds. T is J; p has
/// room. Rows that nothing moves keep their x. *products receives the number of factorisations. false: the
/// arena is full, x as it was.
bool sn_lcpConvex(snData* d, snLcpSystem* s, snProfile* p, int* products);

#endif
