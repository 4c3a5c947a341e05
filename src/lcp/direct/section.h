// The section of a friction cone: sum (y_i / mu_i)^2 <= r^2.
#ifndef SINEW_LCP_DIRECT_SECTION_H
#define SINEW_LCP_DIRECT_SECTION_H

/// y [n], the nearest point of the section to z [n]. Returns the multiplier t >= 0 of y_i = z_i mu_i^2 /
/// (mu_i^2 + t), 0 inside. With r = 0 y = 0, and the multiplier is infinite.
double sn_projectSection(const double* z, const double* mu, int n, double r, double* y);

#endif
