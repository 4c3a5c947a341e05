#include "lcp/solve/section.h"
#include <math.h>

double sn_sectionNorm(const double* t, const double* mu, int count)
{
    double sum = 0;
    for (int j = 0; j < count; j++) sum += t[j] * t[j] / (mu[j] * mu[j]);
    return sqrt(sum);
}

// t_j = c_j mu_j / (e_j + s) with c_j = d_j mu_j y_j, e_j = d_j mu_j^2, and s > 0 such that |c / (e + s)| =
// n. Newton's method on 1 / |c / (e + s)| - 1 / n, which is concave in s, and a line where all e are the
// same.
void sn_sectionProject(const double* y, const double* mu, const double* d, double n, int count, double* t)
{
    if (sn_sectionNorm(y, mu, count) <= n) {
        for (int j = 0; j < count; j++) t[j] = y[j];
        return;
    }
    double s = 0;
    for (int step = 0; step < 50 && n > 0; step++) {
        double square = 0, slope = 0;
        for (int j = 0; j < count; j++) {
            const double c = d[j] * mu[j] * y[j], e = d[j] * mu[j] * mu[j] + s;
            square += c * c / (e * e);
            slope += c * c / (e * e * e);
        }
        const double norm = sqrt(square), change = (norm / n - 1) * square / slope;
        s += change;
        if (!(fabs(change) > 1e-15 * s)) break;
    }
    for (int j = 0; j < count; j++)
        t[j] = n > 0 ? d[j] * mu[j] * mu[j] * y[j] / (d[j] * mu[j] * mu[j] + s) : 0;
}
