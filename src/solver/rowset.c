#include "solver/rowset.h"
#include <math.h>
#include "math/clones.h"
#include "math/simd.h"

SN_CLONES
double sn_rowsetUpdate(const snRowset* rows, const double* x, double* force, double* weight, double* zone,
                       int* changed)
{
    v4 cost = {0}, changes = {0};
    for (int r = 0; r < rows->count; r += 4) {
        const v4 D = v4_load(rows->D + r), lo = v4_load(rows->lo + r), hi = v4_load(rows->hi + r);
        const v4 xr = v4_load(x + r);
        const v4i below = xr <= lo, above = xr >= hi;
        const v4 xc = v4_select(above, hi, v4_select(below, lo, xr));
        const v4 f = D * xc;
        const v4 side = v4_select(above, v4_all(1), v4_keep(below, v4_all(-1)));
        cost += f * (xr - 0.5 * xc);
        changes += v4_keep(side != v4_load(zone + r), v4_all(1));
        v4_store(force + r, f);
        v4_store(weight + r, v4_keep(~(above | below), D));
        v4_store(zone + r, side);
    }
    *changed = (int)v4_sum(changes);
    return v4_sum(cost);
}

// First and second derivative of the sum of s(x + a v) by a.
SN_INLINE void derivatives(const snRowset* rows, const double* x, const double* v, double a, double* d1,
                           double* d2)
{
    v4 sum1 = {0}, sum2 = {0};
    for (int r = 0; r < rows->count; r += 4) {
        const v4 lo = v4_load(rows->lo + r), hi = v4_load(rows->hi + r), vr = v4_load(v + r);
        const v4 xr = v4_load(x + r) + a * vr, Dv = v4_load(rows->D + r) * vr;
        const v4i below = xr <= lo, above = xr >= hi;
        sum1 += Dv * v4_select(above, hi, v4_select(below, lo, xr));
        sum2 += v4_keep(~(above | below), Dv * vr);
    }
    *d1 = v4_sum(sum1);
    *d2 = v4_sum(sum2);
}

// Whether all rows are in the same zone at x + v.
SN_INLINE int sameZones(const snRowset* rows, const double* x, const double* v, const double* zone)
{
    v4i differ = {0};
    for (int r = 0; r < rows->count; r += 4) {
        const v4 xr = v4_load(x + r) + v4_load(v + r);
        const v4i below = xr <= v4_load(rows->lo + r), above = xr >= v4_load(rows->hi + r);
        const v4 side = v4_select(above, v4_all(1), v4_keep(below, v4_all(-1)));
        differ |= side != v4_load(zone + r);
    }
    return (differ[0] | differ[1] | differ[2] | differ[3]) == 0;
}

SN_CLONES
double sn_rowsetSearch(const snRowset* rows, const double* x, const double* v, const double* zone,
                       snLineSearch* search)
{
    double s1, s2;
    search->exact = sameZones(rows, x, v, zone);
    search->evaluations = 1;
    search->slope = 0;
    search->first = 0;
    if (search->exact) return 1;
    derivatives(rows, x, v, 0, &s1, &s2);
    search->first = search->slope = search->slope0 + s1;
    if (!(search->first < 0)) return 0;
    const double tolerance = fmax(search->tolerance, -1e-14 * search->first);
    double low = 0, high = HUGE_VAL, a = 1;
    while (search->evaluations < search->most) {
        derivatives(rows, x, v, a, &s1, &s2);
        const double d1 = search->slope0 + search->curvature * a + s1, d2 = search->curvature + s2;
        search->evaluations++;
        search->slope = d1;
        if (fabs(d1) <= tolerance) return a;
        if (d1 < 0)
            low = a;
        else
            high = a;
        const double next = a - d1 / d2;
        if (next == a) return a;
        a = next > low && next < high ? next : isfinite(high) ? 0.5 * (low + high) : 2 * low;
    }
    return low > 0 ? low : a; // the cost falls all the way to low
}
