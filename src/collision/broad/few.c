// For each target: src/target/prelude.h.
// Which geoms the filters allow to meet is a matrix of bits, kept from step to step as long as all that it
// followed from is the same. A step compares bounding spheres where there are bits, four at a time. Rows are
// of geoms in the order of ids; a plane's has all that it may meet, another's those behind it.
#include "collision/broad/few.h"
#include <string.h>
#include "collision/broad/filter.h"
#include "collision/broad/geom_box.h"
#include "collision/contact/contact.h"
#include "math/simd.h"
#include "model/arena.h"
#include "shape/facts.h"

enum { FEW = 64 };

// ---- the matrix

static uint64_t rowOf(const snData* d, int g)
{
    uint64_t row;
    memcpy(&row, d->meet_with + 2 * g, sizeof row);
    return row;
}

static inline bool same(const int* a, const int* b, int count)
{
    return count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

// X(kept, in the model, numbers)
#define FOLLOWED_FROM(X)                                                                                     \
    X(meet_geom, geom_contype, ngeom)                                                                        \
    X(meet_geom + m->ngeom, geom_conaffinity, ngeom)                                                         \
    X(meet_geom + 2 * m->ngeom, geom_type, ngeom)                                                            \
    X(meet_geom + 3 * m->ngeom, geom_bodyid, ngeom)                                                          \
    X(meet_body, body_weldid, nbody)                                                                         \
    X(meet_body + m->nbody, body_parentid, nbody)                                                            \
    X(meet_body + 2 * m->nbody, body_dofnum, nbody)                                                          \
    X(meet_pair, pair_geom1, npair)                                                                          \
    X(meet_pair + m->npair, pair_geom2, npair)                                                               \
    X(meet_exclude, exclude_signature, nexclude)

// In a data that is new all is zero, as is the matrix of a model in which nothing collides.
static inline bool isKept(const snModel* m, const snData* d)
{
    bool kept = d->meet_flags == (m->opt.disableflags & SN_DSBL_FILTERPARENT);
#define X(mine, theirs, count) kept = kept && same(d->mine, m->theirs, m->count);
    FOLLOWED_FROM(X)
#undef X
    return kept;
}

static bool areTested(const snModel* m, int g1, int g2)
{
    const bool endless1 = sn_isEndless(m->geom_type[g1]), endless2 = sn_isEndless(m->geom_type[g2]);
    if (endless2 || (!endless1 && g2 <= g1)) return false;
    return sn_mayMeet(m, g1, g2) && !(m->npair && sn_isPredefined(m, g1, g2));
}

static uint64_t makeRow(const snModel* m, const int* geom, int count, int i)
{
    uint64_t row = 0;
    for (int j = 0; j < count; j++) row |= (uint64_t)areTested(m, geom[i], geom[j]) << j;
    return row;
}

static void keep(const snModel* m, snData* d, const int* geom, int count)
{
    for (int i = 0; i < count; i++) {
        const uint64_t row = makeRow(m, geom, count, i);
        memcpy(d->meet_with + 2 * geom[i], &row, sizeof row);
    }
    d->meet_flags = m->opt.disableflags & SN_DSBL_FILTERPARENT;
#define X(mine, theirs, count) memcpy(d->mine, m->theirs, (size_t)m->count * sizeof(int));
    FOLLOWED_FROM(X)
#undef X
}

bool sn_meetsRightly(const snModel* m, const snData* d)
{
    int geom[FEW], count = 0;
    for (int g = 0; g < m->ngeom; g++) {
        if (!sn_geomCollides(m, g)) continue;
        if (count == FEW) return true; // nobody reads it
        geom[count++] = g;
    }
    if (!isKept(m, d)) return true; // it is made anew
    for (int i = 0; i < count; i++)
        if (rowOf(d, geom[i]) != makeRow(m, geom, count, i)) return false;
    return true;
}

// ---- spheres

// Those that collide: bounding spheres, reach included.
typedef struct Spheres {
    double x[FEW] __attribute__((aligned(32))), y[FEW], z[FEW], radius[FEW];
    uint64_t row[FEW];
    int geom[FEW], count;
} Spheres;

// False: they are more than fit.
static bool findSpheres(const snModel* m, const snData* d, Spheres* s)
{
    int n = 0;
    for (int g = 0; g < m->ngeom; g++) {
        if (!sn_geomCollides(m, g)) continue;
        if (n == FEW) return false;
        const double* at = d->geom_xpos + 3 * g;
        s->x[n] = at[0];
        s->y[n] = at[1];
        s->z[n] = at[2];
        s->radius[n] = m->geom_rbound[g] + sn_reachOf(m, g, m->geom_margin[g]);
        s->geom[n++] = g;
    }
    s->count = n;
    for (; n & 3; n++) s->x[n] = s->y[n] = s->z[n] = s->radius[n] = 0;
    return true;
}

// Of the row of a plane those that are not above it.
SN_INLINE uint64_t nearPlane(const snData* d, const Spheres* s, int i)
{
    const double* mat = d->geom_xmat + 9 * s->geom[i];
    const double offset = (mat[2] * s->x[i] + mat[5] * s->y[i]) + mat[8] * s->z[i];
    const v4 x = v4_all(mat[2]), y = v4_all(mat[5]), z = v4_all(mat[8]), most = v4_all(offset + s->radius[i]);
    uint64_t found = 0;
    for (uint64_t rest = s->row[i]; rest;) {
        const int k = __builtin_ctzll(rest) & ~3;
        const v4 height = (x * v4_load(s->x + k) + y * v4_load(s->y + k)) + z * v4_load(s->z + k);
        found |= (uint64_t)v4i_bits(~v4_less(most, height - v4_load(s->radius + k))) << k;
        rest &= ~((uint64_t)15 << k);
    }
    return found & s->row[i];
}

SN_INLINE uint64_t nearSphere(const Spheres* s, int i)
{
    const v4 xi = v4_all(s->x[i]), yi = v4_all(s->y[i]), zi = v4_all(s->z[i]), radius = v4_all(s->radius[i]);
    uint64_t found = 0;
    for (uint64_t rest = s->row[i]; rest;) {
        const int k = __builtin_ctzll(rest) & ~3;
        const v4 x = xi - v4_load(s->x + k), y = yi - v4_load(s->y + k), z = zi - v4_load(s->z + k);
        const v4 reach = radius + v4_load(s->radius + k);
        found |= (uint64_t)v4i_bits(v4_atMost((x * x + y * y) + z * z, reach * reach)) << k;
        rest &= ~((uint64_t)15 << k);
    }
    return found & s->row[i];
}

// ---- boxes

typedef struct Boxes {
    snSweepBox box[FEW];
    uint64_t made;
} Boxes;

static const snSweepBox* boxOf(const snModel* m, const snData* d, const Spheres* s, int i, Boxes* boxes)
{
    if (!(boxes->made >> i & 1)) {
        const int g = s->geom[i];
        boxes->box[i] = sn_geomBox(m, d, g, sn_reachOf(m, g, m->geom_margin[g]));
        boxes->made |= (uint64_t)1 << i;
    }
    return boxes->box + i;
}

// Of those near i without those whose boxes are apart. Spheres have no better box.
static uint64_t inBoxes(const snModel* m, const snData* d, const Spheres* s, int i, uint64_t near,
                        Boxes* boxes)
{
    const bool sphere = m->geom_type[s->geom[i]] == SN_GEOM_SPHERE;
    for (uint64_t rest = near; rest; rest &= rest - 1) {
        const int j = __builtin_ctzll(rest);
        if (sphere && m->geom_type[s->geom[j]] == SN_GEOM_SPHERE) continue;
        if (!sn_boxesOverlap(boxOf(m, d, s, i, boxes), boxOf(m, d, s, j, boxes))) near &= ~((uint64_t)1 << j);
    }
    return near;
}

// ----

static int readRows(const snData* d, Spheres* s)
{
    int tests = 0;
    for (int i = 0; i < s->count; i++) {
        s->row[i] = rowOf(d, s->geom[i]);
        tests += __builtin_popcountll(s->row[i]);
    }
    return tests;
}

bool sn_nearPairs(const snModel* m, snData* d, snNearPairs* pairs)
{
    Spheres s;
    Boxes boxes;
    if (!findSpheres(m, d, &s)) return false;
    if (!isKept(m, d)) keep(m, d, s.geom, s.count);
    boxes.made = 0;
    *pairs = (snNearPairs){.tests = readRows(d, &s)};
    pairs->list = sn_scratchAlloc(d, (size_t)pairs->tests * sizeof *pairs->list);
    pairs->full = !pairs->list;
    for (int i = 0; i < s.count && pairs->list; i++) {
        if (!s.row[i]) continue;
        uint64_t near = sn_isEndless(m->geom_type[s.geom[i]])
                            ? nearPlane(d, &s, i)
                            : inBoxes(m, d, &s, i, nearSphere(&s, i), &boxes);
        for (; near; near &= near - 1) {
            int* pair = pairs->list[pairs->count++];
            pair[0] = s.geom[i];
            pair[1] = s.geom[__builtin_ctzll(near)];
        }
    }
    return true;
}
