// Viable bounds: see viability.h. One side is computed, the other is its mirror image.
//
// Why both sides together leave room: a viable state has qmin <= q <= qmax, so fastest() >= 0 on either side
// and v' = 0 is between them; and |a| <= amax reaches down to fastest() because braking by amax is what makes
// the state viable. Whoever moves up stays viable below: braking to rest only takes it further away from
// there.
#include "control/limit/viability.h"
#include "math/elementary/elementary.h"
#include <math.h>

typedef struct Interval {
    double lower, upper;
} Interval;

// Steps in which a position outside of its limits is led back. One would turn what noise takes it beyond a
// limit into an acceleration of that / dt^2.
static const double RETURN = 10;

// Velocity towards a limit at distance D from which braking by amax ends before it. Beyond it (D < 0): what
// leads back.
static double fastest(double D, double amax, double dt)
{
    if (!(D > 0)) return D / (RETURN * dt);
    if (isinf(amax) || isinf(D)) return D / dt;
    if (!(amax > 0)) return 0;
    const double steps = sqrt(2 * D / amax) / dt;
    // Here the least over the real numbers, which is below that over the integers, is the same to rounding.
    if (!(steps < 1e8)) return sn_max(sqrt(2 * D) * sqrt(amax) - 0.5 * amax * dt, 0);
    const double K = sn_max(floor(steps - 1), 0);
    return sn_min(D / ((K + 1) * dt) + 0.5 * amax * dt * K, D / ((K + 2) * dt) + 0.5 * amax * dt * (K + 1));
}

// What the limits of position and velocity ask of the next velocity. Outside of one limit of position not to
// break the other one, nor vmax, counts more than to be led back.
static Interval wanted(double q, double qmin, double qmax, double vmax, double amax, double dt)
{
    Interval v = {sn_max(-vmax, -fastest(q - qmin, amax, dt)), sn_min(vmax, fastest(qmax - q, amax, dt))};
    if (v.lower <= v.upper) return v;
    if (q > qmax)
        v.upper = v.lower;
    else
        v.lower = v.upper;
    return v;
}

static double within(double x, double lower, double upper)
{
    return sn_min(sn_max(x, lower), upper);
}

// Deceleration that stops a joint before a way D, where `brake` does not: that at which the sum over steps,
// taken at a real number of them, is D. What is beyond D by more than rounding only brakes.
static double needed(double v, double D, double brake, double dt)
{
    if (!(v > 0) || D < -1e-6 * v * dt || v - brake * dt <= fastest(D, brake, dt)) return brake;
    const double way = sn_max(D, 0);
    return sn_min(v / dt, 2 * v * v / (2 * way + v * dt + 2 * sqrt(way * (way + v * dt))));
}

void sn_viableAcceleration(double q, double v, double qmin, double qmax, double vmax, double amax,
                           double brake, double dt, double* lower, double* upper)
{
    const double b = sn_min(amax, sn_max(needed(v, qmax - q, brake, dt), needed(-v, q - qmin, brake, dt)));
    const Interval next = wanted(q, qmin, qmax, vmax, b, dt);
    const double slowest = within((-vmax - v) / dt, -amax, amax),
                 quickest = within((vmax - v) / dt, -amax, amax);
    *upper = sn_min(quickest, within((next.upper - v) / dt, -b, amax));
    *lower = sn_min(*upper, sn_max(slowest, within((next.lower - v) / dt, -amax, b)));
}

void sn_viableVelocity(double q, double v, double qmin, double qmax, double vmax, double amax, double dt,
                       double* lower, double* upper)
{
    const Interval next = wanted(q, qmin, qmax, vmax, amax, dt);
    *lower = within(next.lower, v - amax * dt, v + amax * dt);
    *upper = within(next.upper, v - amax * dt, v + amax * dt);
}
