#include <sinew/scalar.h>
#include <math.h>
#include <stdatomic.h>
#include <sinew/noise.h>
#include "math/elementary/elementary.h"

double sn_Halton(int index, int base)
{
    double sum = 0, weight = 1;
    if (index > 0 && (base == 0 || base == 1)) return (double)NAN;
    while (index > 0) {
        weight /= base;
        sum += weight * (index % base);
        index /= base;
    }
    return sum;
}

double sn_sigmoid(double x)
{
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    return x * x * x * (x * (6 * x - 15) + 10);
}

// x(t) = pos0 C + (vel0 + h pos0) S with h = Kv/2 and C, S = exp(-h t) times cosh(w t), sinh(w t)/w of w^2 =
// h^2 - Kp, cos and sin where that is negative, 1 and t where it is 0. Roots -h +- w whose sum cancels come
// from their product Kp.
double sn_springDamper(double pos0, double vel0, double Kp, double Kv, double dt)
{
    const double h = 0.5 * Kv, square = h * h - Kp, w = sqrt(fabs(square));
    double c, s;
    if (square > 0) {
        const double slow = h > 0 ? -Kp / (h + w) : w - h, fast = h < 0 ? -Kp / (h - w) : -h - w;
        const double a = sn_exp(slow * dt), b = sn_exp(fast * dt);
        c = 0.5 * (a + b);
        s = dt >= 0 ? -a * sn_expm1(-2 * w * dt) / (2 * w) : b * sn_expm1(2 * w * dt) / (2 * w);
    } else {
        const double decay = sn_exp(-h * dt);
        c = decay * sn_cos(w * dt);
        s = decay * (w * fabs(dt) > 1e-150 ? sn_sin(w * dt) / w : dt);
    }
    return pos0 * c + (vel0 + h * pos0) * s;
}

double sn_standardNormal(double* num2)
{
    static atomic_ullong used;
    double pair[2];
    sn_noise(pair, 2, 0, atomic_fetch_add(&used, 2));
    if (num2) *num2 = pair[1];
    return pair[0];
}

void sn_encodePyramid(double* pyramid, const double* force, const double* mu, int dim)
{
    const double a = force[0] / (dim - 1);
    for (int i = 0; i < dim - 1; i++) {
        const double ratio = force[i + 1] / mu[i], b = a < ratio ? a : ratio;
        pyramid[2 * i] = 0.5 * (a + b);
        pyramid[2 * i + 1] = 0.5 * (a - b);
    }
}

void sn_decodePyramid(double* force, const double* pyramid, const double* mu, int dim)
{
    force[0] = dim == 1 ? pyramid[0] : 0;
    for (int i = 0; i < dim - 1; i++) {
        force[0] += pyramid[2 * i] + pyramid[2 * i + 1];
        force[i + 1] = mu[i] * (pyramid[2 * i] - pyramid[2 * i + 1]);
    }
}
