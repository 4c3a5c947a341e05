#include "compile/sdf/cell.h"

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

static void findErrors(snFit* fit, const snCell* cell)
{
    double found = 0, around = 0;
    for (int i = 0; i < SN_SAMPLES; i++) {
        snVec3 slope;
        const double distance = sn_leafAt(fit->sheet, fit->count, fit->largest, sn_samplePlace(i), &slope);
        found = fmax(found, fabs(distance - cell->sample[i].distance));
        around = fmax(around, errorAround(slope, &cell->sample[i], cell->half));
    }
    for (int i = 0; i < cell->count; i++) {
        const float* p = cell->points + 3 * (size_t)i;
        const snVec3 x = sn_v3(0.5 + 0.5 * ((double)p[0] - cell->centre.x) / cell->half.x,
                               0.5 + 0.5 * ((double)p[1] - cell->centre.y) / cell->half.y,
                               0.5 + 0.5 * ((double)p[2] - cell->centre.z) / cell->half.z);
        found = fmax(found, sn_fitError(fit, x, 0));
    }
    fit->found = found;
    fit->error = fmax(found, around);
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

// One sheet a seed: its own samples and, at the others' places, what the nearest of its own says of them.
static void makeSheets(const snCell* cell, const int* seed, snFit* fit)
{
    int of[SN_SAMPLES];
    float near;
    for (int i = 0; i < SN_SAMPLES; i++) of[i] = seedOf(cell, seed, fit->count, i, &near);
    for (int k = 0; k < SN_SAMPLES; k++) {
        double least[SN_MAXSHEET] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
        const snVec3 place = sn_samplePlace(k);
        for (int i = 0; i < SN_SAMPLES; i++) {
            const snVec3 off = sn_v3Sub(place, sn_samplePlace(i));
            const snVec3 way =
                sn_v3(2 * cell->half.x * off.x, 2 * cell->half.y * off.y, 2 * cell->half.z * off.z);
            const double square = sn_v3Dot(way, way);
            if (square >= least[of[i]]) continue;
            least[of[i]] = square;
            fit->sheet[SN_SHEET * of[i] + k] = (float)extend(&cell->sample[i], way);
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
