// Newton's method knows segments and rounds, not hulls. But a contact rests on one vertex, edge or face of a
// hull, and with the hull replaced by such a feature F, a part of it, the gap can only grow:
//
//     g_F(n) >= g(n),  equal where the farthest vertex of the hull along the normal belongs to F.
//
// So: maximise g_F, ask the hull for its farthest vertex there; if that is no farther than F, this n is a
// maximum of g too (a cut that touches g from above), and the maximum if it is the one of g_F. Else the
// vertex joins F, and what F no longer rests on leaves it. The gap g is that of support.h.
#include "collision/convex/hull_ascend.h"

enum { MOST_ROUNDS = 10 };

typedef struct Feature {
    snVec3 v[3]; // vertices of the hull, from the centre of its shape
    int count;
} Feature;

typedef struct Hull {
    const snConvexPair* p;
    int side; // 0: the hull is A, 1: B
} Hull;

// The pair with the hull replaced by a vertex or an edge of it. *moved: what to add to its points.
static snConvexPair replaced(const Hull* h, const Feature* F, snVec3* moved)
{
    snConvexPair local = *h->p;
    local.hull[0] = local.hull[1] = NULL;
    const bool edge = F->count == 2;
    const snVec3 middle = edge ? sn_v3Scale(sn_v3Add(F->v[0], F->v[1]), 0.5) : F->v[0];
    *moved = h->side == 0 ? middle : sn_v3(0, 0, 0);
    local.c = h->side == 0 ? sn_v3Sub(local.c, middle) : sn_v3Add(local.c, middle);
    if (!edge) return local;
    const snVec3 half = sn_v3Scale(sn_v3Sub(F->v[1], F->v[0]), 0.5);
    int at = local.nseg;
    if (h->side == 0) { // segments of A come first; it has no others
        for (int i = local.nseg; i > 0; i--) {
            local.seg[i] = local.seg[i - 1];
            local.seg_len[i] = local.seg_len[i - 1];
        }
        at = 0;
        local.nseg_a = 1;
    }
    local.seg[at] = half;
    local.seg_len[at] = sn_v3Norm(half);
    local.nseg++;
    return local;
}

// Keeps the vertex, or both, that the point x of the edge rests on.
static void reduceEdge(Feature* F, snVec3 x)
{
    if (F->count != 2) return;
    const snVec3 e = sn_v3Sub(F->v[1], F->v[0]);
    const real t = sn_v3Dot(e, sn_v3Sub(x, F->v[0])) / sn_v3Dot(e, e);
    if (t > 1e-9 && t < 1 - 1e-9) return;
    if (t > 0.5) F->v[0] = F->v[1];
    F->count = 1;
}

// The maximum of the gap to a vertex or edge.
static snAscend climbEdge(const Hull* h, Feature* F, real kink, snWitness* at)
{
    snVec3 moved;
    const snConvexPair local = replaced(h, F, &moved);
    const snAscend got = sn_convexAscend(&local, INFINITY, kink, at);
    if (got == SN_ASCEND_FAILED) return got;
    at->pa = sn_v3Add(at->pa, moved);
    at->pb = sn_v3Add(at->pb, moved);
    reduceEdge(F, h->side == 0 ? at->pa : sn_v3Sub(at->pb, h->p->c));
    return got;
}

// A triangle as the face of contact: its normal, and the point of the other shape over it. False, and a
// vertex less, when that point is not over the triangle.
static bool tryFace(const Hull* h, Feature* F, snWitness* at)
{
    const snConvexPair* p = h->p;
    const snVec3 e = sn_v3Sub(F->v[1], F->v[0]), f = sn_v3Sub(F->v[2], F->v[0]);
    const snVec3 normal = sn_v3Cross(e, f);
    const real square = sn_v3Dot(normal, normal);
    if (!(square > 1e-24 * sn_v3Dot(e, e) * sn_v3Dot(f, f))) { // in line
        F->v[0] = F->v[2];
        F->count = 2;
        return false;
    }
    at->n = sn_v3Scale(normal, copysign(1 / sqrt(square), sn_v3Dot(normal, at->n)));
    // without its hull the pair is the other shape, seen from the hull's centre
    snConvexPair other = *p;
    other.hull[0] = other.hull[1] = NULL;
    const snVec3 seen = sn_convexSupport(&other, at->n).x, x = h->side == 0 ? seen : sn_v3Neg(seen);
    const real height = sn_v3Dot(at->n, sn_v3Sub(x, F->v[0]));
    const snVec3 foot = sn_v3AddScaled(x, -height, at->n);
    int outside = -1;
    real least = -1e-9;
    for (int k = 0; k < 3; k++) {
        const snVec3 a = sn_v3Sub(F->v[(k + 1) % 3], foot), b = sn_v3Sub(F->v[(k + 2) % 3], foot);
        const real weight = sn_v3Dot(normal, sn_v3Cross(a, b)) / square;
        if (weight >= least) continue;
        least = weight;
        outside = k;
    }
    if (outside >= 0) {
        F->v[outside] = F->v[2];
        F->count = 2;
        return false;
    }
    at->dist = (h->side == 0 ? height : -height) - p->radius;
    at->pa = sn_v3AddScaled(h->side == 0 ? foot : sn_v3Add(p->c, x), p->radius_a, at->n);
    at->pb = sn_v3AddScaled(h->side == 0 ? x : sn_v3Add(p->c, foot), -p->radius_b, at->n);
    return true;
}

// Adds a vertex to a feature; of a full one the vertex that lies least over the contact leaves.
static void add(Feature* F, snVec3 v, snVec3 foot)
{
    if (F->count == 3) {
        int far = 0;
        real most = -1;
        for (int k = 0; k < 3; k++) {
            const real len = sn_v3Norm(sn_v3Sub(F->v[k], foot));
            if (len <= most) continue;
            most = len;
            far = k;
        }
        F->v[far] = F->v[--F->count];
    }
    F->v[F->count++] = v;
}

// The feature to begin with: the vertices of the supports, up to three, or the farthest along n
static Feature firstFeature(const Hull* h, const snSupport* near, int nnear, snVec3 outward)
{
    const snConvexPair* p = h->p;
    Feature F = {.count = 0};
    int ids[3];
    for (int i = 0; i < nnear && F.count < 3; i++) {
        const int id = near[i].id[h->side];
        bool known = false;
        for (int k = 0; k < F.count; k++) known |= ids[k] == id;
        if (known) continue;
        ids[F.count] = id;
        F.v[F.count++] = sn_convexHullVertex(p, h->side, id);
    }
    if (F.count == 0) F = (Feature){.v = {sn_convexHullPoint(p, h->side, outward).x}, .count = 1};
    return F;
}

// The climb of a pair of which exactly one is a hull, and the other has a round.
static snAscend hullAscend(const snConvexPair* p, real kink, const snSupport* near, int nnear, snWitness* out)
{
    const Hull h = {p, p->hull[0] ? 0 : 1};
    const real sign = h.side == 0 ? 1 : -1, eps = 1e-14 * p->scale;
    Feature F = firstFeature(&h, near, nnear, sn_v3Scale(out->n, sign));
    snWitness at = *out;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        snAscend got;
        if (F.count == 3) {
            if (!tryFace(&h, &F, &at)) continue;
            got = at.dist + p->rolling > 1e-9 * p->scale ? SN_ASCEND_OPTIMAL : SN_ASCEND_LOCAL;
        } else {
            got = climbEdge(&h, &F, kink, &at);
            if (got == SN_ASCEND_FAILED) return got;
        }
        out->n = at.n;
        const snVec3 v = sn_convexHullPoint(p, h.side, sn_v3Scale(at.n, sign)).x;
        if (sign * sn_v3Dot(at.n, sn_v3Sub(v, F.v[0])) <= eps) {
            *out = at;
            return got;
        }
        add(&F, v, h.side == 0 ? at.pa : sn_v3Sub(at.pb, p->c));
    }
    return SN_ASCEND_FAILED;
}

snAscend sn_convexClimb(const snConvexPair* p, real kink, const snSupport* near, int nnear, snWitness* out)
{
    if (!sn_hasHull(p)) return sn_convexAscend(p, INFINITY, kink, out);
    if (sn_isPolytope(p) || (p->hull[0] && p->hull[1])) return SN_ASCEND_FAILED;
    return hullAscend(p, kink, near, nnear, out);
}
