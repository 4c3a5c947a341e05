#include "lcp/direct/section.h"
#include <math.h>

// |y / mu| and its derivative by t, at y_i = z_i mu_i^2 / (mu_i^2 + t).
static double length(const double* z, const double* mu, int n, double t, double* slope)
{
    double square = 0, change = 0;
    for (int i = 0; i < n; i++) {
        const double m = mu[i] * mu[i], d = z[i] * mu[i] / (m + t);
        square += d * d;
        change -= d * d / (m + t);
    }
    const double size = sqrt(square);
    *slope = size > 0 ? change / size : 0;
    return size;
}

// The root of |y(t) / mu| = r. 1/|y / mu| - 1/r is concave and rises with t: Newton's method from below stays
// below.
static double multiplier(const double* z, const double* mu, int n, double r)
{
    double t = 0;
    for (int k = 0; k < 60; k++) {
        double slope;
        const double size = length(z, mu, n, t, &slope);
        const double step = (size - r) / r * size / -slope;
        if (!(step > 1e-16 * t)) break;
        t += step;
    }
    return t;
}

double sn_projectSection(const double* z, const double* mu, int n, double r, double* y)
{
    double slope;
    const double size = length(z, mu, n, 0, &slope);
    const double t = r <= 0 ? HUGE_VAL : size <= r ? 0 : multiplier(z, mu, n, r);
    for (int i = 0; i < n; i++) y[i] = r <= 0 ? 0 : z[i] * (mu[i] * mu[i] / (mu[i] * mu[i] + t));
    return t;
}
