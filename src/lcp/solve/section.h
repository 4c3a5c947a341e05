// The section of a friction cone: { t : sum of (t_j / mu_j)^2 <= n^2 } at a normal impulse n.
#ifndef SINEW_LCP_SOLVE_SECTION_H
#define SINEW_LCP_SOLVE_SECTION_H

/// sqrt of the sum of (t_j / mu_j)^2 over `count` rows.
double sn_sectionNorm(const double* t, const double* mu, int count);

/// t: the point of the section that is nearest to y [count] in the metric sum of d_j (t_j - y_j)^2, d NULL:
/// all 1. t may be y. Returns the multiplier s of d_j (y_j - t_j) = s t_j / mu_j^2: 0 inside, infinity where
/// n is 0.
double sn_sectionProject(const double* y, const double* mu, const double* d, double n, int count, double* t);

#endif
