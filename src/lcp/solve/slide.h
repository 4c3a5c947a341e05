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
bool sn_slideInBox(const double* D, const double* r, const double* mu, const double* stick, double* x);

#endif
