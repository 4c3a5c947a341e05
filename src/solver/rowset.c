// For each target: src/target/prelude.h.
#include "solver/rowset.h"
#include <assert.h>
#include <math.h>
#include "math/elementary/elementary.h"
#include "math/simd.h"

static double updateRows(const snRowset* rows, const double* x, double* force, double* weight, double* zone,
                         int* changed)
{
    v4Sum cost = {0}, changes = {0};
    for (int r = 0; r < rows->count; r += 4) {
        const v4 D = v4_load(rows->D + r), lo = v4_load(rows->lo + r), hi = v4_load(rows->hi + r);
        const v4 xr = v4_load(x + r);
        const v4i below = v4_atMost(xr, lo), above = v4_atMost(hi, xr);
        const v4 xc = v4_select(above, hi, v4_select(below, lo, xr));
        const v4 f = D * xc;
        const v4 side = v4_select(above, v4_all(1), v4_keep(below, v4_all(-1)));
        v4Sum_add(&cost, f * (xr - 0.5 * xc));
        v4Sum_add(&changes, v4_keep(~v4_equal(side, v4_load(zone + r)), v4_all(1)));
        v4_store(force + r, f);
        v4_store(weight + r, v4_keep(~(above | below), D));
        v4_store(zone + r, side);
    }
    *changed = (int)v4Sum_sum(changes);
    return v4Sum_sum(cost);
}

static double updateCones(snRowset* rows, const double* x, double* force, double* weight, int* changed)
{
    double cost = 0;
    for (int c = 0; c < rows->ncone; c++) {
        const snFrictionCone* cone = rows->cone + c;
        const snConeZone before = rows->zone[c];
        cost += sn_coneUpdate(cone, x + cone->row, force + cone->row, rows->zone + c);
        if (rows->zone[c] != before) *changed += cone->dim;
        for (int j = 0; j < cone->dim; j++)
            weight[cone->row + j] = rows->zone[c] == SN_ZONE_MIDDLE   ? 1
                                    : rows->zone[c] == SN_ZONE_BOTTOM ? cone->D[j]
                                                                      : 0;
    }
    return cost;
}

double sn_rowsetUpdate(snRowset* rows, const double* x, double* force, double* weight, double* zone,
                       int* changed)
{
    assert(rows->count % 4 == 0 && v4_isAligned(x) && v4_isAligned(force) && v4_isAligned(weight));
    const double cost = updateRows(rows, x, force, weight, zone, changed);
    return rows->ncone ? cost + updateCones(rows, x, force, weight, changed) : cost;
}

// N and T^2 of each cone at x + a v are N + a NV and UU + 2 a UV + a^2 VV; the slope of its bottom zone is
// DXV + a DVV.
static void prepareLine(snRowset* rows, const double* x, const double* v)
{
    for (int c = 0; c < ((rows->ncone + 3) & ~3); c++) {
        double sum[SN_LINE_COUNT] = {0};
        if (c < rows->ncone) {
            const snFrictionCone* cone = rows->cone + c;
            const double *xc = x + cone->row, *vc = v + cone->row;
            for (int j = 0; j < cone->dim; j++) {
                const double u = cone->scale[j] * xc[j], w = cone->scale[j] * vc[j];
                sum[SN_LINE_DXV] += cone->D[j] * xc[j] * vc[j];
                sum[SN_LINE_DVV] += cone->D[j] * vc[j] * vc[j];
                if (j == 0) {
                    sum[SN_LINE_N] = u;
                    sum[SN_LINE_NV] = w;
                    continue;
                }
                sum[SN_LINE_UU] += u * u;
                sum[SN_LINE_UV] += u * w;
                sum[SN_LINE_VV] += w * w;
            }
            sum[SN_LINE_MU] = cone->mu;
            sum[SN_LINE_DM] = cone->Dm;
        }
        double* out = rows->line + (size_t)(c >> 2) * (4 * SN_LINE_COUNT) + (c & 3);
        for (int k = 0; k < SN_LINE_COUNT; k++) out[4 * k] = sum[k];
    }
}

// Zones of four cones at x + a v: all bits of `top` or `bottom` set, or neither. gap = N - mu T.
typedef struct LineZone {
    v4 T, gap;
    v4i top, bottom;
} LineZone;

SN_INLINE LineZone lineZone(const double* line, double a)
{
    const v4 *q = (const v4*)line, N = q[SN_LINE_N] + v4_all(a) * q[SN_LINE_NV], mu = q[SN_LINE_MU];
    const v4 square = q[SN_LINE_UU] + v4_all(a) * (2 * q[SN_LINE_UV] + v4_all(a) * q[SN_LINE_VV]);
    const v4 floored = v4_max(square, v4_all(1e-300));
    const v4 T = v4_sqrt(floored), gap = N - mu * T, none = v4_all(0);
    return (LineZone){.T = T, .gap = gap, .top = v4_atMost(none, gap), .bottom = v4_atMost(mu * N + T, none)};
}

// Adds the cones' part to first and second derivative.
SN_INLINE void coneDerivatives(const snRowset* rows, double a, v4Sum* sum1, v4Sum* sum2)
{
    for (int c = 0; c < rows->ncone; c += 4) {
        const double* line = rows->line + c * SN_LINE_COUNT;
        const v4* q = (const v4*)line;
        const LineZone z = lineZone(line, a);
        const v4 mu = q[SN_LINE_MU], T1 = (q[SN_LINE_UV] + v4_all(a) * q[SN_LINE_VV]) / z.T;
        const v4 T2 = (q[SN_LINE_VV] - T1 * T1) / z.T, gap1 = q[SN_LINE_NV] - mu * T1;
        const v4 middle1 = q[SN_LINE_DM] * z.gap * gap1;
        const v4 middle2 = q[SN_LINE_DM] * (gap1 * gap1 - z.gap * mu * T2);
        const v4 bottom1 = q[SN_LINE_DXV] + v4_all(a) * q[SN_LINE_DVV];
        v4Sum_add(sum1, v4_keep(~z.top, v4_select(z.bottom, bottom1, middle1)));
        v4Sum_add(sum2, v4_keep(~z.top, v4_select(z.bottom, q[SN_LINE_DVV], middle2)));
    }
}

// Whether no cone is in its middle zone, and all are in the same at x + v.
static int sameConeZones(const snRowset* rows)
{
    for (int c = 0; c < rows->ncone; c += 4) {
        const LineZone z = lineZone(rows->line + c * SN_LINE_COUNT, 1);
        for (int k = c; k < rows->ncone && k < c + 4; k++) {
            if (rows->zone[k] == SN_ZONE_MIDDLE) return 0;
            if (rows->zone[k] == SN_ZONE_TOP ? !z.top[k - c] : z.top[k - c] || !z.bottom[k - c]) return 0;
        }
    }
    return 1;
}

// First and second derivative of the sum of s(x + a v) by a.
SN_INLINE void derivatives(const snRowset* rows, const double* x, const double* v, double a, double* d1,
                           double* d2)
{
    v4Sum sum1 = {0}, sum2 = {0};
    for (int r = 0; r < rows->count; r += 4) {
        const v4 lo = v4_load(rows->lo + r), hi = v4_load(rows->hi + r), vr = v4_load(v + r);
        const v4 xr = v4_load(x + r) + v4_all(a) * vr, Dv = v4_load(rows->D + r) * vr;
        const v4i below = v4_atMost(xr, lo), above = v4_atMost(hi, xr);
        v4Sum_add(&sum1, Dv * v4_select(above, hi, v4_select(below, lo, xr)));
        v4Sum_add(&sum2, v4_keep(~(above | below), Dv * vr));
    }
    if (rows->ncone) coneDerivatives(rows, a, &sum1, &sum2);
    *d1 = v4Sum_sum(sum1);
    *d2 = v4Sum_sum(sum2);
}

// Whether all rows are in the same zone at x + v.
SN_INLINE int sameZones(const snRowset* rows, const double* x, const double* v, const double* zone)
{
    v4i differ = {0};
    for (int r = 0; r < rows->count; r += 4) {
        const v4 xr = v4_load(x + r) + v4_load(v + r);
        const v4i below = v4_atMost(xr, v4_load(rows->lo + r)), above = v4_atMost(v4_load(rows->hi + r), xr);
        const v4 side = v4_select(above, v4_all(1), v4_keep(below, v4_all(-1)));
        differ |= ~v4_equal(side, v4_load(zone + r));
    }
    return (differ[0] | differ[1] | differ[2] | differ[3]) == 0;
}

// What a search knows when it has to end: a bracket, where it would look next, and Newton's step from 0.
typedef struct LinePoints {
    double low, high, next, first;
} LinePoints;

// Sum of s(x + a v).
static double rowsAlong(const snRowset* rows, const double* x, const double* v, double a)
{
    v4Sum cost = {0};
    for (int r = 0; r < rows->count; r += 4) {
        const v4 lo = v4_load(rows->lo + r), hi = v4_load(rows->hi + r);
        const v4 xr = v4_load(x + r) + v4_all(a) * v4_load(v + r);
        const v4 xc = v4_select(v4_atMost(hi, xr), hi, v4_select(v4_atMost(xr, lo), lo, xr));
        v4Sum_add(&cost, v4_load(rows->D + r) * xc * (xr - 0.5 * xc));
    }
    return v4Sum_sum(cost);
}

static double conesAlong(const snRowset* rows, const double* x, const double* v, double a)
{
    double cost = 0;
    for (int c = 0; c < rows->ncone; c++) {
        const snFrictionCone* cone = rows->cone + c;
        double at[6], force[6];
        snConeZone zone;
        for (int j = 0; j < cone->dim; j++) at[j] = x[cone->row + j] + a * v[cone->row + j];
        cost += sn_coneUpdate(cone, at, force, &zone);
    }
    return cost;
}

static double costAlong(const snRowset* rows, const double* x, const double* v, const snLineSearch* search,
                        double a)
{
    return a * (search->slope0 + 0.5 * a * search->curvature) + rowsAlong(rows, x, v, a) +
           conesAlong(rows, x, v, a);
}

// Where the evaluations are used up: of the points that are at hand, the one that costs least. Where none
// costs less than 0, a step is shortened until it does: the slope at 0 is negative.
static double leastOf(const snRowset* rows, const double* x, const double* v, const snLineSearch* search,
                      const LinePoints* points)
{
    enum { SHORTER = 30 };
    const double start = costAlong(rows, x, v, search, 0);
    const double at[] = {points->low, points->next, points->high, points->first};
    double least = start, best = points->low;
    for (int k = 0; k < 4; k++) {
        if (!(at[k] > 0 && at[k] < HUGE_VAL)) continue;
        const double cost = costAlong(rows, x, v, search, at[k]);
        if (!(cost < least)) continue;
        least = cost;
        best = at[k];
    }
    double a = sn_min(points->next, sn_min(points->high, points->first));
    for (int k = 0; k < SHORTER && !(best > 0); k++) {
        a *= 0.25;
        if (costAlong(rows, x, v, search, a) < start) best = a;
    }
    return best;
}

enum { FEW = 20 };

static double searchLine(const snRowset* rows, const double* x, const double* v, const double* zone,
                         snLineSearch* search)
{
    double s1, s2;
    search->exact = search->newton && sameZones(rows, x, v, zone) && (!rows->ncone || sameConeZones(rows));
    search->evaluations = 1;
    search->slope = 0;
    search->first = 0;
    if (search->exact) return 1;
    derivatives(rows, x, v, 0, &s1, &s2);
    search->first = search->slope = search->slope0 + s1;
    if (!(search->first < 0)) return 0;
    const double tolerance = sn_max(search->tolerance, -1e-14 * search->first);
    const double first = -search->first / (search->curvature + s2);
    // of few evaluations none is left to find the length of a direction that is not Newton's
    const int guess = !search->newton && search->most < FEW && isfinite(first);
    double low = 0, high = HUGE_VAL, a = guess ? first : 1;
    double last = HUGE_VAL, before = HUGE_VAL; // lengths of the last step and of the one before
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
        double next = a - d1 / d2;
        if (next == a) return a;
        // an S-shaped slope, of cones, would throw Newton's steps from end to end: they have to get shorter
        const bool slow = isfinite(high) && !(fabs(next - a) <= 0.5 * before);
        if (slow || !(next > low && next < high)) next = isfinite(high) ? 0.5 * (low + high) : 2 * low;
        before = last;
        last = fabs(next - a);
        a = next;
    }
    const LinePoints points = {.low = low, .high = high, .next = a, .first = first};
    return leastOf(rows, x, v, search, &points);
}

double sn_rowsetSearch(snRowset* rows, const double* x, const double* v, const double* zone,
                       snLineSearch* search)
{
    assert(rows->count % 4 == 0 && v4_isAligned(x) && v4_isAligned(v) && v4_isAligned(zone));
    if (rows->ncone) prepareLine(rows, x, v);
    return searchLine(rows, x, v, zone, search);
}
