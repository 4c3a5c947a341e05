// For each target: src/target/prelude.h.
// Separating axes: two polytopes overlap least along the normal of a side of one of them or of a pair of
// edges. Of a prism and a box these are 3 + 1 + 1 normals, 3 axes and 7 x 3 pairs, most of them in groups of
// four: an axis of the box with the top edges and the vertical, and with the edges of the base.
//
// All from the centre of the box. Along n, of any length, the prism reaches from low to high, the box from
// -reach to reach; the gaps along n and -n are -high - reach and low - reach. Source: Gottschalk, Lin and
// Manocha 1996 (separating axes of boxes).
#include "collision/convex/box_prism.h"
#include "math/simd.h"

enum { GROUPS = 8, PAIRS = 8 }; // groups of directions; the first direction of a pair of edges
#define NEAR_PARALLEL 1e-3      // sine of the angle of edges that make no good normal
#define GENERIC 1e-8            // part of the size by which the features of a contact must stand out

typedef struct Pair {
    const snFieldBox* box;
    snVec3 top[3], edge[3]; // of the top: vertices; from each to the next
    real base;
    real n[3][4 * GROUPS]; // directions, to the side on which the gap is wider
    real gap[4 * GROUPS];  // -infinite: no direction
    real scale;
} Pair;

// A direction in each lane
typedef struct Lanes {
    v4 x, y, z;
} Lanes;

SN_INLINE v4 dotLanes(Lanes n, snVec3 a)
{
    return n.x * v4_all(a.x) + n.y * v4_all(a.y) + n.z * v4_all(a.z);
}

SN_INLINE Lanes crossLanes(snVec3 a, Lanes b)
{
    return (Lanes){v4_all(a.y) * b.z - v4_all(a.z) * b.y, v4_all(a.z) * b.x - v4_all(a.x) * b.z,
                   v4_all(a.x) * b.y - v4_all(a.y) * b.x};
}

// The span of the prism along n.
SN_INLINE void prismSpan(const Pair* s, Lanes n, v4* low, v4* high)
{
    v4 flat[3], on[3];
    for (int k = 0; k < 3; k++) {
        flat[k] = n.x * v4_all(s->top[k].x) + n.y * v4_all(s->top[k].y);
        on[k] = flat[k] + n.z * v4_all(s->top[k].z);
    }
    const v4 down = n.z * v4_all(s->base);
    *low = v4_min(v4_min(v4_min(on[0], on[1]), on[2]), v4_min(v4_min(flat[0], flat[1]), flat[2]) + down);
    *high = v4_max(v4_max(v4_max(on[0], on[1]), on[2]), v4_max(v4_max(flat[0], flat[1]), flat[2]) + down);
}

// Tries four directions. Some gap is wider than the margin: true.
SN_INLINE bool tryGroup(Pair* s, int group, Lanes n, real margin)
{
    const v4 square = n.x * n.x + n.y * n.y + n.z * n.z;
    v4 low, high, reach = v4_all(0);
    prismSpan(s, n, &low, &high);
    for (int i = 0; i < 3; i++) reach += v4_all(s->box->half[i]) * v4_abs(dotLanes(n, s->box->axis[i]));
    const v4 inv = 1 / v4_sqrt(square), gap = inv * (v4_max(low, -high) - reach);
    const v4 to = v4_select(v4_less(-high, low), -inv, inv); // to the side on which the gap is
    const v4 kept = v4_select(v4_less(v4_all(1e-24 * s->scale * s->scale), square), gap, v4_all(-INFINITY));
    v4_storeAny(s->gap + 4 * group, kept);
    v4_storeAny(s->n[0] + 4 * group, n.x * to);
    v4_storeAny(s->n[1] + 4 * group, n.y * to);
    v4_storeAny(s->n[2] + 4 * group, n.z * to);
    const v4i wide = v4_less(v4_all(margin), kept);
    return wide[0] | wide[1] | wide[2] | wide[3];
}

// All directions; the same direction does not come twice, or its gaps would look like two that are as wide.
// Lengths are of the size of the pair, as the limit on them supposes.
static bool tryAll(Pair* s, real margin)
{
    const snVec3 *e = s->edge, *u = s->box->axis, up = sn_v3Cross(e[0], e[1]);
    const real one = s->scale, base = up.x == 0 && up.y == 0 ? 0 : one;
    const real inv = one / sn_v3Norm(up);
    const Lanes sides = {v4_of(up.x * inv, e[0].y, e[1].y, e[2].y),
                         v4_of(up.y * inv, -e[0].x, -e[1].x, -e[2].x), v4_of(up.z * inv, 0, 0, 0)};
    if (tryGroup(s, 0, sides, margin)) return false;
    const Lanes axes = {v4_of(one * u[0].x, one * u[1].x, one * u[2].x, 0),
                        v4_of(one * u[0].y, one * u[1].y, one * u[2].y, 0),
                        v4_of(one * u[0].z, one * u[1].z, one * u[2].z, base)};
    if (tryGroup(s, 1, axes, margin)) return false;
    const Lanes high = {v4_of(e[0].x, e[1].x, e[2].x, 0), v4_of(e[0].y, e[1].y, e[2].y, 0),
                        v4_of(e[0].z, e[1].z, e[2].z, one)};
    const v4i steep = ~v4_equal(high.z, v4_all(0)) & (v4i){-1, -1, -1, 0};
    const Lanes low = {v4_keep(steep, high.x), v4_keep(steep, high.y), v4_all(0)};
    for (int i = 0; i < 3; i++) {
        if (tryGroup(s, 2 + 2 * i, crossLanes(u[i], high), margin)) return false;
        if (tryGroup(s, 3 + 2 * i, crossLanes(u[i], low), margin)) return false;
    }
    return true;
}

// The widest gap; -1: there are two that are all but as wide.
static int widestGap(const Pair* s)
{
    v4 most = v4_loadAny(s->gap), count = v4_all(0), number = {0, 1, 2, 3}, place = v4_all(0);
    for (int i = 4; i < 4 * GROUPS; i += 4) most = v4_max(most, v4_loadAny(s->gap + i));
    const real a = most[0] > most[1] ? most[0] : most[1], b = most[2] > most[3] ? most[2] : most[3];
    const v4 close = v4_all((a > b ? a : b) - GENERIC * s->scale);
    for (int i = 0; i < 4 * GROUPS; i += 4, number += 4) {
        const v4i wide = v4_less(close, v4_loadAny(s->gap + i));
        count += v4_keep(wide, v4_all(1));
        place += v4_keep(wide, number);
    }
    return v4_sum(count) == 1 ? (int)v4_sum(place) : -1;
}

// Point of the box that is lowest along n, leaving out axis `but`. False: it is not clearly one.
static bool boxPoint(const Pair* s, snVec3 n, int but, snVec3* x)
{
    *x = sn_v3(0, 0, 0);
    for (int i = 0; i < 3; i++) {
        const real along = s->box->half[i] * sn_v3Dot(n, s->box->axis[i]);
        if (i == but) continue;
        if (!(fabs(along) > GENERIC * s->scale)) return false;
        *x = sn_v3AddScaled(*x, -copysign(s->box->half[i], along), s->box->axis[i]);
    }
    return true;
}

// The `count` highest vertices of the prism along n, by number. False: they are not clearly these.
static bool prismPoints(const Pair* s, snVec3 n, int count, int found[2])
{
    real height[6], top[3] = {-INFINITY, -INFINITY, -INFINITY}; // the highest, in order
    for (int k = 0; k < 6; k++) {
        const snVec3 x = s->top[k % 3];
        height[k] = sn_v3Dot(n, k < 3 ? x : sn_v3(x.x, x.y, s->base));
        for (int i = 0; i < 3; i++) {
            if (height[k] <= top[i]) continue;
            for (int j = 2; j > i; j--) top[j] = top[j - 1];
            top[i] = height[k];
            break;
        }
    }
    if (top[0] - top[count - 1] > GENERIC * s->scale || top[0] - top[count] <= GENERIC * s->scale)
        return false;
    for (int k = 0, i = 0; k < 6; k++)
        if (height[k] >= top[count - 1] && i < count) found[i++] = k;
    return true;
}

static snVec3 vertex(const Pair* s, int k)
{
    const snVec3 x = s->top[k % 3];
    return k < 3 ? x : sn_v3(x.x, x.y, s->base);
}

// An edge of the prism on an edge of the box along its axis `axis`.
static bool edgesMeet(const Pair* s, snVec3 n, int axis, real dist, snVec3* pa)
{
    int at[2];
    snVec3 b;
    if (!boxPoint(s, n, axis, &b) || !prismPoints(s, n, 2, at)) return false;
    const snVec3 a = vertex(s, at[0]), e = sn_v3Sub(vertex(s, at[1]), a), u = s->box->axis[axis];
    // a + t e and b along u are dist apart along n
    const snVec3 between = sn_v3AddScaled(sn_v3Sub(b, a), -dist, n);
    const real sine = sn_v3Dot(n, sn_v3Cross(e, u));
    if (!(fabs(sine) > NEAR_PARALLEL * sn_v3Norm(e))) return false;
    *pa = sn_v3AddScaled(a, sn_v3Dot(n, sn_v3Cross(between, u)) / sine, e);
    return true;
}

// The points of contact for direction i. False: many may be.
static bool touch(const Pair* s, int i, snWitness* out)
{
    int at[2];
    snVec3 b;
    const real dist = out->dist;
    const snVec3 n = out->n;
    if (i >= PAIRS) {
        if (!edgesMeet(s, n, (i - PAIRS) / 8, dist, &out->pa)) return false;
    } else if (i >= 4 && i < 7) {
        if (!prismPoints(s, n, 1, at)) return false;
        out->pa = vertex(s, at[0]);
    } else {
        if (!boxPoint(s, n, -1, &b)) return false;
        out->pa = sn_v3AddScaled(b, -dist, n);
    }
    out->pb = sn_v3AddScaled(out->pa, dist, n);
    return true;
}

snBoxPrism sn_boxPrism(const snFieldBox* box, const snVec3 top[3], real base, real margin, snWitness* out)
{
    Pair s;
    s.box = box;
    s.base = base - box->pos.z;
    s.scale = 0;
    for (int k = 0; k < 3; k++) {
        if (!(top[k].z > base)) return SN_BOXPRISM_UNKNOWN; // no prism
        s.top[k] = sn_v3Sub(top[k], box->pos);
        s.edge[k] = sn_v3Sub(top[(k + 1) % 3], top[k]);
        s.scale = sn_max(sn_max(box->half[k], fabs(s.top[k].z - s.base)), s.scale);
        s.scale = sn_max(sn_max(fabs(s.edge[k].x), fabs(s.edge[k].y)), s.scale);
    }
    if (!tryAll(&s, margin)) return SN_BOXPRISM_APART;
    const int best = widestGap(&s);
    if (best < 0 || !(s.gap[best] < 0)) return SN_BOXPRISM_UNKNOWN;
    out->dist = s.gap[best];
    out->n = sn_v3(s.n[0][best], s.n[1][best], s.n[2][best]);
    return touch(&s, best, out) ? SN_BOXPRISM_FOUND : SN_BOXPRISM_UNKNOWN;
}
