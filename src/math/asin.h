// Many arcsines at once.
#ifndef SINEW_MATH_ASIN_H
#define SINEW_MATH_ASIN_H

/// y[i] = asin(x[i]) for i < n, the bits of sn_asin. y may be x.
void sn_asinArray(const double* x, double* y, int n);

#endif
