// How sn_kbip is computed, to be inlined where rows are filled: what it returns stays in registers there.
#ifndef SINEW_CONSTRAINT_IMPEDANCE_LAW_H
#define SINEW_CONSTRAINT_IMPEDANCE_LAW_H

#include "constraint/impedance.h"
#include "constraint/row.h"
#include "math/real.h"
#include "model/kinds.h"

// x^p; the common powers without the cost of pow.
static inline real sn_impedancePower(real x, real p)
{
    const snMask one = p == 1, two = p == 2;
    if (sn_all(one | two)) return sn_select(one, x, x * x);
    return sn_select(one, x, sn_select(two, x * x, sn_pow(x, p)));
}

// z^p / c^(p-1) and its slope.
static inline real sn_impedanceCurve(real z, real c, real p, real* slope)
{
    if (sn_all(p == 1)) {
        *slope = sn_real(1);
        return z;
    }
    const real a = 1 / sn_impedancePower(c, p - 1);
    *slope = a * p * sn_impedancePower(z, p - 1);
    return a * sn_impedancePower(z, p);
}

// d(r) = d0 + y(x) (d1 - d0) with x = |r|/width in [0, 1] and y two power curves that meet in (mid, mid):
// y = x^p / mid^(p-1) below, 1 - (1-x)^p / (1-mid)^(p-1) above. Seed 001, "Parameters", impedance.
static inline void sn_impedanceAt(const real solimp[SN_NIMP], real r, real* value, real* slope)
{
    const real d0 = sn_min(sn_max(solimp[0], SN_MINIMP), SN_MAXIMP),
               d1 = sn_min(sn_max(solimp[1], SN_MINIMP), SN_MAXIMP);
    const real width = sn_max(solimp[2], sn_real(0)), mid = sn_min(sn_max(solimp[3], SN_MINIMP), SN_MAXIMP);
    const real p = sn_max(solimp[4], sn_real(1));
    *slope = sn_real(0);
    const snMask flat = (d0 == d1) | (width <= SN_MINVAL);
    *value = 0.5 * (d0 + d1);
    if (sn_all(flat)) return;
    const real x = fabs(r) / width;
    const snMask past = x >= 1, ends = flat | past | (x <= 0);
    *value = sn_select(flat, *value, sn_select(past, d1, d0));
    if (sn_all(ends)) return;
    const snMask below = x <= mid;
    real dy;
    const real z = sn_impedanceCurve(sn_select(below, x, 1 - x), sn_select(below, mid, 1 - mid), p, &dy);
    const real y = sn_select(below, z, 1 - z);
    *value = sn_select(ends, *value, d0 + y * (d1 - d0));
    *slope = sn_select(ends, 0, sn_select(r < 0, -1, 1) * dy * (d1 - d0) / width);
}

// x / a and y / b; in lanes one division, which there costs as much as a dozen products.
static inline void sn_divideBoth(real* x, real a, real* y, real b)
{
#ifdef SN_LANES
    const real both = 1 / (a * b);
    *x *= b * both;
    *y *= a * both;
#else
    *x /= a;
    *y /= b;
#endif
}

#ifndef SN_LANES
// A spring that pushes, and that a step of the integrator discrete would throw back: the stiffest that takes
// the depth away in one step, of the same damping ratio.
static inline void sn_resolveSpring(double h, double ratio, snKbip* k)
{
    const double most = 1 / (h * h * k->impedance);
    if (!(k->stiffness > most)) return;
    k->stiffness = most;
    k->damping = 2 * ratio * sqrt(most);
}
#endif

static inline snKbip sn_kbipLaw(const snOption* opt, const real solref[SN_NREF], const real solimp[SN_NIMP],
                                real pos, int type)
{
    const bool safe = !(opt->disableflags & SN_DSBL_REFSAFE);
    const bool metric = sn_integratorKind(opt->integrator).metric;
    snKbip out;
    // neither (time constant, ratio) nor (-K, -B)
    const snMask mixed = (solref[0] > 0) ^ (solref[1] > 0);
    real r0 = sn_select(mixed, 0.02, solref[0]);
    const real r1 = sn_select(mixed, 1, solref[1]);
    const snMask times = r0 > 0;
    if (safe && !metric) r0 = sn_select(times, sn_max(r0, 2 * opt->timestep), r0);
    // seed 001: b = 2/(dmax t), k = 1/(dmax t z)^2
    const real d1 = sn_min(sn_max(solimp[1], SN_MINIMP), SN_MAXIMP);
    const real K = sn_select(times, d1 * d1 * r0 * r0 * r1 * r1, d1 * d1);
    const real B = sn_select(times, d1 * r0, d1);
    out.stiffness = sn_select(times, 1, -r0);
    out.damping = sn_select(times, 2, -r1);
    sn_divideBoth(&out.stiffness, sn_max(K, sn_real(SN_MINVAL)), &out.damping, sn_max(B, sn_real(SN_MINVAL)));
    if (sn_isFriction(type)) out.stiffness = sn_real(0);
    sn_impedanceAt(solimp, pos, &out.impedance, &out.slope);
#ifndef SN_LANES
    if (safe && metric && times && (sn_isLimit(type) || sn_isContact(type)))
        sn_resolveSpring(opt->timestep, r1, &out);
#endif
    return out;
}

#endif
