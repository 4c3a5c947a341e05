// Where to begin: a box around all that both may share is halved again and again, and what is left out is
// where either cannot be. As neither changes faster than the point moves, it is nowhere in a cell with
// half diagonal r where it is more than r away from the centre.
#include "collision/sdf/search.h"

enum { DEEPEST = 9 }; // halvings

typedef struct Cell {
    snVec3 centre, half;
    double gap; // of both together as far as the centre tells: sides that face each other have it all between
} Cell;

static double radiusOf(const Cell* c)
{
    return sn_v3Norm(c->half);
}

// Whether solid and field may meet in a cell. *bound: how near the field is known to come to the solid, where
// only the nearest is asked for; else NULL.
static bool mayMeet(const snSdfPair* p, Cell* c, double* bound)
{
    const double r = radiusOf(c), reach = bound && *bound < p->margin ? *bound : p->margin;
    snVec3 g;
    const double away = sn_pairField(p, c->centre, &g);
    if (!(away <= r + reach)) return false;
    const double d = sn_pairSolid(p, c->centre, &g), steep = sn_v3Norm(g);
    if (!(d <= r * (steep > 1 ? steep : 1))) return false;
    const double near = away + (d > 0 ? d : 0);
    c->gap = away + d / (steep > 1 ? steep : 1);
    if (bound && p->solid.exact && near < *bound) *bound = near;
    return true;
}

static int longest(snVec3 half)
{
    return half.x >= half.y && half.x >= half.z ? 0 : half.y >= half.z ? 1 : 2;
}

// The halves of a cell across its longest side
static void halve(const Cell* c, Cell out[2])
{
    const int k = longest(c->half);
    snVec3 by =
        sn_v3(k == 0 ? 0.5 * c->half.x : 0, k == 1 ? 0.5 * c->half.y : 0, k == 2 ? 0.5 * c->half.z : 0);
    for (int i = 0; i < 2; i++) {
        out[i].centre = sn_v3AddScaled(c->centre, i ? 1 : -1, by);
        out[i].half = sn_v3Sub(c->half, by);
    }
}

// Halves of some cells where both may meet; -1: more than `limit`.
static int halveAll(const snSdfPair* p, const Cell* from, int count, int limit, double* bound, Cell* to)
{
    int n = 0;
    for (int i = 0; i < count; i++) {
        Cell half[2];
        halve(from + i, half);
        for (int k = 0; k < 2; k++) {
            if (!mayMeet(p, half + k, bound)) continue;
            if (n == limit) return -1;
            to[n++] = half[k];
        }
    }
    return n;
}

// Cells where both may meet, at most `limit`, as small as there is room for them; *fine: as small as any.
static int findCells(const snSdfPair* p, int limit, double* bound, Cell out[SN_SDF_CELLS], bool* fine)
{
    Cell next[SN_SDF_CELLS];
    const snVec3 low = sn_v3Load(p->low), high = sn_v3Load(p->high);
    out[0].centre = sn_v3Scale(sn_v3Add(low, high), 0.5);
    out[0].half = sn_v3Scale(sn_v3Sub(high, low), 0.5);
    if (limit > SN_SDF_CELLS) limit = SN_SDF_CELLS;
    int count = limit > 0 && mayMeet(p, out, bound);
    *fine = false;
    for (int i = 0; i < DEEPEST && count; i++) {
        const int halves = halveAll(p, out, count, limit, bound, next);
        if (halves < 0) return count;
        memcpy(out, next, (size_t)halves * sizeof *next);
        count = halves;
    }
    *fine = true;
    return count;
}

// ---- what comes of it

// How far apart two spots are; by their normals, too: two sides of a groove have a spot each.
static double apart(const snSdfPair* p, const snSpot* a, const snSpot* b)
{
    const snVec3 way = sn_v3Sub(a->x, b->x), turn = sn_v3Scale(sn_v3Sub(a->n, b->n), 0.05 * p->size);
    return sn_v3Dot(way, way) + sn_v3Dot(turn, turn);
}

// Adds a spot unless it is one that there is; of both the deeper stays.
static int addSpot(const snSdfPair* p, snSpot* list, int count, const snSpot* spot)
{
    const double same = 2e-3 * p->size;
    for (int i = 0; i < count; i++)
        if (apart(p, list + i, spot) < same * same) {
            if (spot->dist < list[i].dist) list[i] = *spot;
            return count;
        }
    list[count] = *spot;
    return count + 1;
}

static void swap(snSpot* a, snSpot* b)
{
    const snSpot held = *a;
    *a = *b;
    *b = held;
}

// The deepest first, then each time the one that is farthest from all before it.
static void spread(const snSdfPair* p, snSpot* list, int count, int most)
{
    double far[SN_SDF_SPOTS];
    for (int i = 1; i < count; i++)
        if (list[i].dist < list[0].dist) swap(list, list + i);
    for (int i = 0; i < count; i++) far[i] = HUGE_VAL;
    for (int k = 1; k < most && k < count; k++) {
        int best = k;
        for (int i = k; i < count; i++) {
            far[i] = sn_min(apart(p, list + i, list + k - 1), far[i]);
            if (far[i] > far[best]) best = i;
        }
        swap(list + k, list + best);
        far[best] = far[k];
    }
}

static int addSeed(const snSdfPair* p, snVec3 x, double step, int iterations, snSpot* list, int count)
{
    const snSpot spot = sn_pairDescend(p, x, step, iterations);
    return spot.dist <= p->margin ? addSpot(p, list, count, &spot) : count;
}

// Whether a seed is no further than a cell from a spot that is as deep: it would lead there.
static bool isFound(const snSpot* list, int count, snVec3 x, double d, double near)
{
    for (int i = 0; i < count; i++) {
        const snVec3 off = sn_v3Sub(list[i].x, x);
        if (list[i].dist <= d && sn_v3Dot(off, off) < near * near) return true;
    }
    return false;
}

typedef struct Seed {
    snVec3 x;
    double d; // of the field there
} Seed;

// Of cells that follow each other, which are neighbours, the one where the gap is least, brought to the
// solid; so many groups as seeds are wanted.
static int chooseSeeds(const snSdfPair* p, const Cell* cells, int count, int wanted, Seed* out)
{
    int n = 0;
    const int group = (count + wanted - 1) / wanted;
    for (int first = 0; first < count; first += group) {
        int best = first;
        for (int i = first; i < first + group && i < count; i++)
            if (cells[i].gap < cells[best].gap) best = i;
        snVec3 g;
        const snVec3 x = sn_pairProject(p, cells[best].centre);
        out[n++] = (Seed){x, sn_pairField(p, x, &g)};
    }
    return n;
}

static int seedsFor(const snSdfPair* p, int initpoints)
{
    const int seeds = initpoints < 1 ? 1 : initpoints < SN_SDF_SEEDS ? initpoints : SN_SDF_SEEDS;
    return p->solid.dear ? (seeds + 3) / 4 : seeds; // where a distance costs as much as many
}

int sn_searchSpots(const snSdfPair* p, const snVec3* given, int count, int initpoints, int iterations,
                   int most, snSpot out[SN_SDF_SPOTS])
{
    Cell cells[SN_SDF_CELLS];
    Seed seeds[SN_SDF_SEEDS];
    bool fine;
    snVec3 g;
    const int wanted = seedsFor(p, initpoints),
              ncell = findCells(p, SN_SDF_EACH * wanted, NULL, cells, &fine);
    if (!ncell) return 0;
    const double step = radiusOf(cells);
    int n = 0;
    for (int i = 0; i < count; i++)
        if (sn_pairField(p, given[i], &g) <= p->margin + step)
            n = addSeed(p, given[i], step, iterations, out, n);
    const int nseed = chooseSeeds(p, cells, ncell, wanted, seeds);
    for (int i = 0; i < nseed; i++)
        if (!fine || !isFound(out, n, seeds[i].x, seeds[i].d, step))
            n = addSeed(p, seeds[i].x, step, iterations, out, n);
    spread(p, out, n, most);
    return n < most ? n : most;
}

bool sn_nearestSpot(const snSdfPair* p, const snVec3* given, int count, int initpoints, int iterations,
                    snSpot* out)
{
    Cell cells[SN_SDF_CELLS];
    double bound = HUGE_VAL;
    bool fine;
    const int ncell = findCells(p, initpoints, &bound, cells, &fine);
    out->dist = HUGE_VAL;
    for (int i = 0; i < count + ncell; i++) {
        const snVec3 x = i < count ? given[i] : cells[i - count].centre;
        const snSpot spot = sn_pairDescend(p, x, ncell ? radiusOf(cells) : p->size, iterations);
        if (spot.dist < out->dist) *out = spot;
    }
    return out->dist <= p->margin;
}
