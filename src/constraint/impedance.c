#include "constraint/impedance.h"
#include <math.h>

// fmax without a call; what is no number becomes `least`.
static double larger(double x, double least)
{
    return x > least ? x : least;
}

static double clamp(double x, double lo, double hi)
{
    x = larger(x, lo);
    return x < hi ? x : hi;
}

// x^p; the common powers without the cost of pow.
static double power(double x, double p)
{
    if (p == 1) return x;
    return p == 2 ? x * x : pow(x, p);
}

// d(r) = d0 + y(x) (d1 - d0) with x = |r|/width in [0, 1] and y two power curves that meet in (mid, mid):
// y = x^p / mid^(p-1) below, 1 - (1-x)^p / (1-mid)^(p-1) above. Seed 001, "Parameters", impedance.
static void impedance(const double solimp[SN_NIMP], double r, double* value, double* slope)
{
    const double d0 = clamp(solimp[0], SN_MINIMP, SN_MAXIMP), d1 = clamp(solimp[1], SN_MINIMP, SN_MAXIMP);
    const double width = larger(solimp[2], 0), mid = clamp(solimp[3], SN_MINIMP, SN_MAXIMP);
    const double p = larger(solimp[4], 1);
    *slope = 0;
    if (d0 == d1 || width <= SN_MINVAL) {
        *value = 0.5 * (d0 + d1);
        return;
    }
    const double x = fabs(r) / width;
    if (x >= 1 || x <= 0) {
        *value = x >= 1 ? d1 : d0;
        return;
    }
    double y, dy;
    if (x <= mid) {
        const double a = p == 1 ? 1 : 1 / power(mid, p - 1);
        y = a * power(x, p);
        dy = p == 1 ? 1 : a * p * power(x, p - 1);
    } else {
        const double b = p == 1 ? 1 : 1 / power(1 - mid, p - 1);
        y = 1 - b * power(1 - x, p);
        dy = p == 1 ? 1 : b * p * power(1 - x, p - 1);
    }
    *value = d0 + y * (d1 - d0);
    *slope = (r < 0 ? -1 : 1) * dy * (d1 - d0) / width;
}

snKbip sn_kbip(const snOption* opt, const double solref[SN_NREF], const double solimp[SN_NIMP], double pos,
               bool friction)
{
    snKbip out;
    double r0 = solref[0], r1 = solref[1];
    if ((r0 > 0) != (r1 > 0)) { // neither (time constant, ratio) nor (-K, -B)
        r0 = 0.02;
        r1 = 1;
    }
    if (r0 > 0 && !(opt->disableflags & SN_DSBL_REFSAFE)) r0 = larger(r0, 2 * opt->timestep);
    const double d1 = clamp(solimp[1], SN_MINIMP, SN_MAXIMP);
    if (r0 > 0) { // seed 001: b = 2/(dmax t), k = 1/(dmax t z)^2
        out.stiffness = 1 / larger(d1 * d1 * r0 * r0 * r1 * r1, SN_MINVAL);
        out.damping = 2 / larger(d1 * r0, SN_MINVAL);
    } else {
        out.stiffness = -r0 / larger(d1 * d1, SN_MINVAL);
        out.damping = -r1 / larger(d1, SN_MINVAL);
    }
    if (friction) out.stiffness = 0;
    impedance(solimp, pos, &out.impedance, &out.slope);
    return out;
}
