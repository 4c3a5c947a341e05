// Sine and cosine of many angles at once.
#ifndef SINEW_MATH_SINCOS_H
#define SINEW_MATH_SINCOS_H

/// s[i] = sin(x[i]), c[i] = cos(x[i]) for i < n, each within 3e-16 of the true value. s or c may be x. Any
/// finite angle; angles above 1e5 go through the C library. NaN and infinity give NaN.
void sn_sincosArray(const double* x, double* s, double* c, int n);

#endif
