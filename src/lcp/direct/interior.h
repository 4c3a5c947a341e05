// An interior path to the solution: all products of complementary numbers are made tau, and tau goes to 0.
// Source: Wright 1997.
#ifndef SINEW_LCP_DIRECT_INTERIOR_H
#define SINEW_LCP_DIRECT_INTERIOR_H

#include "lcp/direct/scaled.h"

/// A row off its bounds by y - lo and hi - y has v = p - q with (y - lo) p = (hi - y) q = tau. Friction, of
/// one row or of a cone, has in the unit of its disc, x = y / mu and u = mu v, with the normal's y as radius
/// r and a number e above |u|,
///     r e + x' u = tau,   r u + e x = 0,
/// which for tau = 0 is Coulomb's law, e being |u|, and for tau > 0 a smooth one. Each step is Newton's for a
/// tau below the mean of the products.
size_t sn_interiorWork(int n);

/// y [n] receives a point near the solution, where there are many in their midst; not exact, and where rows
/// jam none at all. unit: how far from all bounds it starts. *steps rises by those taken.
void sn_interiorPath(const snScaled* s, double unit, double* work, double* y, int* steps);

#endif
