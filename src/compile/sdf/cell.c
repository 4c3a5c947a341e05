#include "compile/sdf/cell.h"
#include "math/elementary/elementary.h"

// How far a fit may be off around a sample by its slope there: a quadratic that has the right numbers at two
// points is off between them by about a quarter of half the way times what its slope is off, of a third power
// as of a crease; near the surface more is reckoned.
static double errorAround(snVec3 slope, const snSample* s, snVec3 h)
{
    const snVec3 off =
        sn_v3(0.5 * slope.x - (double)s->gradient[0] * h.x, 0.5 * slope.y - (double)s->gradient[1] * h.y,
              0.5 * slope.z - (double)s->gradient[2] * h.z);
    return (fabs(s->distance) < sn_v3Norm(h) ? 0.35 : 0.18) * sn_v3Norm(off);
}

// The slope at the k-th of three numbers, a step apart, of the parabola through them.
static real slopeAt(const float* first, int step, int k)
{
    static const real weight[3][3] = {{-3, 4, -1}, {-1, 0, 1}, {1, -4, 3}};
    const real a[3] = {(real)first[0], (real)first[step], (real)first[2 * step]};
    return sn_weigh3(a, weight[k]);
}

// What sn_leafAt has at a sample, where each sheet has its number.
static double fitAt(const snFit* fit, int i, snVec3* slope)
{
    int best = 0;
    for (int k = 1; k < fit->count; k++) {
        const float a = fit->sheet[SN_SHEET * k + i], b = fit->sheet[SN_SHEET * best + i];
        if (fit->largest ? a > b : a < b) best = k;
    }
    const float* c = fit->sheet + (size_t)SN_SHEET * (size_t)best;
    const int x = i % 3, y = i / 3 % 3, z = i / 9;
    *slope = sn_v3(slopeAt(c + i - x, 1, x), slopeAt(c + i - 3 * y, 3, y), slopeAt(c + i - 9 * z, 9, z));
    return (double)c[i];
}

static void findErrors(snFit* fit, const snCell* cell)
{
    double found = 0, around = 0;
    for (int i = 0; i < SN_SAMPLES; i++) {
        snVec3 slope;
        const double distance = fitAt(fit, i, &slope);
        found = sn_max(fabs(distance - cell->sample[i].distance), found);
        around = sn_max(errorAround(slope, &cell->sample[i], cell->half), around);
    }
    for (int i = 0; i < cell->count; i++) {
        const float* p = cell->points + 3 * (size_t)i;
        const snVec3 x = sn_v3(0.5 + 0.5 * ((double)p[0] - cell->centre.x) / cell->half.x,
                               0.5 + 0.5 * ((double)p[1] - cell->centre.y) / cell->half.y,
                               0.5 + 0.5 * ((double)p[2] - cell->centre.z) / cell->half.z);
        found = sn_max(sn_fitError(fit, x, 0), found);
    }
    fit->found = found;
    fit->error = sn_max(around, found);
}

static float cosine(const snSample* a, const snSample* b)
{
    return a->gradient[0] * b->gradient[0] + a->gradient[1] * b->gradient[1] +
           a->gradient[2] * b->gradient[2];
}

// The two samples whose gradients are farthest apart.
static void firstSeeds(const snCell* cell, int seed[2])
{
    float least = 2;
    for (int i = 0; i < SN_SAMPLES; i++)
        for (int j = i + 1; j < SN_SAMPLES; j++) {
            const float other = cosine(&cell->sample[i], &cell->sample[j]);
            if (other >= least) continue;
            least = other;
            seed[0] = i;
            seed[1] = j;
        }
}

// The seed whose gradient is the nearest to a sample's; *near receives the cosine between them.
static int seedOf(const snCell* cell, const int* seed, int count, int i, float* near)
{
    int best = 0;
    *near = -2;
    for (int k = 0; k < count; k++) {
        const float other = cosine(&cell->sample[i], &cell->sample[seed[k]]);
        if (!(other > *near)) continue;
        *near = other;
        best = k;
    }
    return best;
}

// The sample whose gradient is farthest from those of all seeds.
static int nextSeed(const snCell* cell, const int* seed, int count)
{
    int best = 0;
    float least = 2;
    for (int i = 0; i < SN_SAMPLES; i++) {
        float near;
        seedOf(cell, seed, count, i, &near);
        if (near >= least) continue;
        least = near;
        best = i;
    }
    return best;
}

// From a sample along its gradient to a place.
static double extend(const snSample* s, snVec3 way)
{
    return s->distance + (double)s->gradient[0] * way.x + (double)s->gradient[1] * way.y +
           (double)s->gradient[2] * way.z;
}

// The way from one sample to another in a cell of half sizes.
static snVec3 wayOf(snVec3 half, int from, int to)
{
    const snVec3 off = sn_v3Sub(sn_samplePlace(to), sn_samplePlace(from));
    return sn_v3(2 * half.x * off.x, 2 * half.y * off.y, 2 * half.z * off.z);
}

void sn_orderSamples(snVec3 half, snSampleOrder* order)
{
    for (int k = 0; k < SN_SAMPLES; k++) {
        double square[SN_SAMPLES];
        for (int i = 0; i < SN_SAMPLES; i++) { // of those that are as near the first one comes first
            const snVec3 way = wayOf(half, i, k);
            const double own = sn_v3Dot(way, way);
            int at = i;
            for (; at > 0 && square[at - 1] > own; at--) {
                square[at] = square[at - 1];
                order->at[k][at] = order->at[k][at - 1];
            }
            square[at] = own;
            order->at[k][at] = (unsigned char)i;
        }
    }
}

// One sheet a seed: its own samples and, at the others' places, what the nearest of its own says of them.
static void makeSheets(const snCell* cell, const int* seed, snFit* fit)
{
    int of[SN_SAMPLES];
    float near;
    for (int i = 0; i < SN_SAMPLES; i++) of[i] = seedOf(cell, seed, fit->count, i, &near);
    for (int k = 0; k < SN_SAMPLES; k++) {
        bool has[SN_MAXSHEET] = {false};
        for (int n = 0, left = fit->count; n < SN_SAMPLES && left; n++) {
            const int i = cell->order->at[k][n];
            if (has[of[i]]) continue;
            has[of[i]] = true;
            left--;
            fit->sheet[SN_SHEET * of[i] + k] = (float)extend(&cell->sample[i], wayOf(cell->half, i, k));
        }
    }
}

// Keeps the better of two.
static void keep(snFit* best, snFit* fit, const snCell* cell)
{
    findErrors(fit, cell);
    if (fit->error < best->error) *best = *fit;
}

snFit sn_fitCell(const snCell* cell, double tolerance)
{
    snFit best = {.count = 1};
    for (int k = 0; k < SN_SAMPLES; k++) best.sheet[k] = (float)cell->sample[k].distance;
    findErrors(&best, cell);
    if (best.error <= tolerance) return best;
    int seed[SN_MAXSHEET] = {0};
    firstSeeds(cell, seed);
    for (int count = 2; count <= SN_MAXSHEET && best.error > tolerance; count++) {
        if (count > 2) seed[count - 1] = nextSeed(cell, seed, count - 1);
        snFit fit = {.count = count};
        makeSheets(cell, seed, &fit);
        keep(&best, &fit, cell);
        fit.largest = true;
        keep(&best, &fit, cell);
    }
    return best;
}
