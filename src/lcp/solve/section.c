#include "lcp/solve/section.h"
#include "math/elementary/elementary.h"
#include <assert.h>
#include <math.h>
#include <stdbool.h>

double sn_sectionNorm(const double* t, const double* mu, int count)
{
    double sum = 0;
    for (int j = 0; j < count; j++) sum += t[j] * t[j] / (mu[j] * mu[j]);
    return sqrt(sum);
}

// t_j = c_j mu_j / (e_j + s) with c_j = d_j mu_j y_j, e_j = d_j mu_j^2, and s > 0 such that |c / (e + s)| =
// n. Newton's method on 1 / |c / (e + s)| - 1 / n, which is concave in s, and a line where all e are the
// same.
static double multiplierOf(const double* y, const double* mu, const double* d, double n, int count)
{
    double s = 0;
    for (int step = 0; step < 50; step++) {
        double square = 0, slope = 0;
        for (int j = 0; j < count; j++) {
            const double own = d ? d[j] : 1, c = own * mu[j] * y[j], e = own * mu[j] * mu[j] + s;
            square += c * c / (e * e);
            slope += c * c / (e * e * e);
        }
        const double change = (sqrt(square) / n - 1) * square / slope;
        s += change;
        if (!(fabs(change) > 1e-15 * s)) break;
    }
    return s;
}

// Below this part of y, or with a y below it, a section counts as a point: squares would underflow.
static const double POINT = 1e-80;

double sn_sectionProject(const double* y, const double* mu, const double* d, double n, int count, double* t)
{
    assert(count > 0 && count < 6);
    const double norm = sn_sectionNorm(y, mu, count);
    const bool inside = norm <= n, point = !inside && !(n > POINT * sn_max(norm, 1));
    const double s = !(n > 0) || point ? HUGE_VAL : inside ? 0 : multiplierOf(y, mu, d, n, count);
    for (int j = 0; j < count; j++) {
        const double e = (d ? d[j] : 1) * mu[j] * mu[j];
        t[j] = !(n > 0) || point ? 0 : inside ? y[j] : y[j] * (e / (e + s));
    }
    return s;
}
