// One contact that slides, solved exactly.
#ifndef SINEW_LCP_SOLVE_SLIDE_H
#define SINEW_LCP_SOLVE_SLIDE_H

#include <stdbool.h>

/// x [rows]: normal impulse x_0 > 0 and friction on the edge of its section, such that w = D x + r has w_0 =
/// 0 and a friction velocity that is opposite to the friction in the metric of the ellipse: w_j + s x_j /
/// mu_j^2 = 0 for some s > 0. D [size x size]; mu [rows], mu_0 not read. *multiplier: a guess of s, 0: none,
/// then s. To be called where sticking asks for more friction than there is, and r_0 < 0. false: there is
/// none but x = 0.
bool sn_slide(const double* D, int size, int rows, const double* r, const double* mu, double* multiplier,
              double* x);

/// The same for a box of friction: rows of friction that stick ask for more than mu x_0, and are put on the
/// bounds that they cross; the others stick. Three rows, stick [3]: what sticking asks for. false: that is no
/// solution.
static inline bool sn_slideInBox(const double* D, const double* r, const double* mu, const double* stick,
                                 double* x)
{
    double side[3] = {0};
    for (int j = 1; j < 3; j++)
        if (!(stick[j] <= mu[j] * stick[0] && stick[j] >= -mu[j] * stick[0]))
            side[j] = stick[j] > 0 ? mu[j] : -mu[j];
    for (int attempt = 0; attempt < 2; attempt++) {
        // x_j = side_j x_0 of those that slide; at most one sticks
        const int k = side[1] == 0 ? 1 : side[2] == 0 ? 2 : 0;
        const double a = D[0] + side[1] * D[1] + side[2] * D[2];
        if (k) {
            const double b = D[k], c = D[4 * k] + side[1] * D[4 * k + 1] + side[2] * D[4 * k + 2],
                         d = D[5 * k];
            const double det = a * d - b * c;
            if (!(det > 1e-6 * D[0] * d)) return false; // jammed
            x[0] = (b * r[k] - d * r[0]) / det;
            x[k] = (c * r[0] - a * r[k]) / det;
        } else {
            if (!(a > 1e-6 * D[0])) return false;
            x[0] = -r[0] / a;
        }
        for (int j = 1; j < 3; j++)
            if (j != k) x[j] = side[j] * x[0];
        if (!k || (x[k] <= mu[k] * x[0] && x[k] >= -mu[k] * x[0])) break;
        side[k] = x[k] > 0 ? mu[k] : -mu[k];
    }
    if (!(x[0] > 0)) return false;
    for (int j = 1; j < 3; j++) {
        const double w = r[j] + D[4 * j] * x[0] + D[4 * j + 1] * x[1] + D[4 * j + 2] * x[2];
        if (side[j] * w > 0) return false; // it would be pushed off its bound
        if (side[j] == 0 && !(x[j] <= mu[j] * x[0] && x[j] >= -mu[j] * x[0])) return false;
    }
    return true;
}

#endif
