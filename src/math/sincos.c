// x = k pi/2 + r with |r| <= pi/4, then Taylor series in r: the first terms left out are r^19/19! and
// r^18/18!, below 1e-17. Straight-line code, so that the compiler takes several angles at a time.
#include "math/sincos.h"
#include <math.h>
#include "math/clones.h"

// pi/2 in three parts; k times either of the first two, of 33 bits each, is exact for |k| < 2^20
#define PIO2_A 0x1.921fb544p+0
#define PIO2_B 0x1.0b4611a6p-34
#define PIO2_C 0x1.3198a2e037073p-69
#define TWO_OVER_PI 0x1.45f306dc9c883p-1
#define LARGEST 1e5

static inline double sinSeries(double r, double z)
{
    const double p =
        -1 / 6.0 +
        z * (1 / 120.0 +
             z * (-1 / 5040.0 +
                  z * (1 / 362880.0 +
                       z * (-1 / 39916800.0 + z * (1 / 6227020800.0 + z * (-1 / 1307674368000.0 +
                                                                           z * (1 / 355687428096000.0)))))));
    return r + r * z * p;
}

static inline double cosSeries(double z)
{
    const double p =
        1 / 24.0 +
        z * (-1 / 720.0 + z * (1 / 40320.0 + z * (-1 / 3628800.0 +
                                                  z * (1 / 479001600.0 + z * (-1 / 87178291200.0 +
                                                                              z * (1 / 20922789888000.0))))));
    return 1 - (0.5 * z - z * z * p);
}

SN_CLONES
static void reduced(const double* x, double* s, double* c, int n)
{
    const double round = 0x1.8p52; // adding it rounds to an integer
    for (int i = 0; i < n; i++) {
        const double k = (x[i] * TWO_OVER_PI + round) - round;
        const double r = ((x[i] - k * PIO2_A) - k * PIO2_B) - k * PIO2_C, z = r * r;
        const double sr = sinSeries(r, z), cr = cosSeries(z);
        // quadrant k mod 4 in {-2, -1, 0, 1, 2}
        const double q = k - 4 * ((k * 0.25 + round) - round);
        const int odd = fabs(q) == 1;
        const double a = odd ? cr : sr, b = odd ? sr : cr;
        s[i] = q < 0 || q == 2 ? -a : a;
        c[i] = q == 1 || fabs(q) == 2 ? -b : b;
    }
}

void sn_sincosArray(const double* x, double* s, double* c, int n)
{
    int small = 1;
    for (int i = 0; i < n; i++) small &= fabs(x[i]) <= LARGEST;
    if (small) {
        reduced(x, s, c, n);
        return;
    }
    for (int i = 0; i < n; i++) {
        const double angle = x[i];
        s[i] = sin(angle);
        c[i] = cos(angle);
    }
}
