// For each target: src/target/prelude.h.
// Sums of segments, ellipsoids, discs, hulls and balls, and their support in a direction.
#include "collision/convex/support.h"
#include "shape/hull_search.h"

static void addSegment(snConvexPair* p, snVec3 axis, real half)
{
    if (half <= 0) return;
    p->seg[p->nseg] = sn_v3Scale(axis, half);
    p->seg_len[p->nseg++] = half;
    p->scale += half;
}

// Q = R diag(s^2) R'
static snSym3 squared(const snMat3* R, snVec3 s)
{
    const real *m = R->m, a = s.x * s.x, b = s.y * s.y, c = s.z * s.z;
    return (snSym3){a * m[0] * m[0] + b * m[1] * m[1] + c * m[2] * m[2],
                    a * m[3] * m[3] + b * m[4] * m[4] + c * m[5] * m[5],
                    a * m[6] * m[6] + b * m[7] * m[7] + c * m[8] * m[8],
                    a * m[0] * m[3] + b * m[1] * m[4] + c * m[2] * m[5],
                    a * m[0] * m[6] + b * m[1] * m[7] + c * m[2] * m[8],
                    a * m[3] * m[6] + b * m[4] * m[7] + c * m[5] * m[8]};
}

static void addRound(snConvexPair* p, const snMat3* R, snVec3 s, real disc_radius, bool is_a)
{
    snRound* round = &p->round[p->nround++];
    round->Q = squared(R, s);
    round->axis = sn_m3Col(*R, 2);
    round->r = disc_radius;
    round->owner = is_a;
    p->scale += sn_max(s.x, sn_max(s.y, s.z));
}

// A ball no larger than the least radius of curvature rolls freely inside an ellipsoid (Blaschke).
static real rollingIn(snVec3 s)
{
    const real lo = sn_min(s.x, sn_min(s.y, s.z)), hi = sn_max(s.x, sn_max(s.y, s.z));
    return hi > 0 ? lo * lo / hi : 0;
}

static void addRoundTerm(snConvexPair* p, const snTerms* terms, const snMat3* R, snVec3 s, bool is_a)
{
    switch (terms->round) {
    case SN_ROUND_NONE: break;
    case SN_ROUND_ELLIPSOID:
        addRound(p, R, s, 0, is_a);
        p->rolling += rollingIn(s);
        break;
    case SN_ROUND_DISC:
        if (s.x > 0) addRound(p, R, sn_v3(s.x, s.x, 0), s.x, is_a);
        break;
    }
}

// NULL: none, or a mesh without vertices
static const snHull* hullOf(const snShape* shape)
{
    switch (sn_factsOf(shape->type)->terms.hull) {
    case SN_HULL_NONE: return NULL;
    case SN_HULL_ASSET: return sn_isHull(&shape->hull) ? &shape->hull : NULL;
    }
    return NULL;
}

// Adds the terms of one shape that stands as R, its hull being in place; returns the radius of its ball.
static real addShape(snConvexPair* p, const snShape* shape, const snMat3* R, bool is_a)
{
    const snShapeFacts* facts = sn_factsOf(shape->type);
    const snTerms* terms = &facts->terms;
    const snHull* hull = p->hull[is_a ? 0 : 1];
    const real size[3] = {shape->size.x, shape->size.y, shape->size.z};
    for (int i = 0; i < 3; i++)
        if (terms->segment[i] != SN_LENGTH_NONE)
            addSegment(p, sn_m3Col(*R, i), size[sn_sizeOf(terms->segment[i])]);
    addRoundTerm(p, terms, R, shape->size, is_a);
    if (hull) {
        p->scale += hull->radius;
        p->inner += hull->inner;
    }
    if (terms->inner == SN_INNER_LEAST) {
        real least = size[0];
        for (int i = 1; i < facts->sizes; i++) least = sn_min(size[i], least);
        p->inner += least;
    }
    if (hull) return hull->ball;
    return terms->ball == SN_LENGTH_NONE ? 0 : size[sn_sizeOf(terms->ball)];
}

// No number of a pose or size is NaN, infinite or too large to be squared.
static bool isFinitePair(const snConvexPair* p, const snShape* a, const snShape* b)
{
    const snVec3 sizes = sn_v3Add(a->size, b->size);
    real sum = p->scale + fabs(sizes.x) + fabs(sizes.y) + fabs(sizes.z);
    for (int i = 0; i < 9; i++) sum += fabs(a->mat.m[i]) + fabs(b->mat.m[i]);
    return isfinite(sum * sum);
}

bool sn_convexPairInit(snConvexPair* p, const snShape* a, const snShape* b)
{
    const snHull *hull_a = hullOf(a), *hull_b = hullOf(b);
    p->hull[0] = hull_a;
    p->hull[1] = hull_b;
    p->c = sn_v3Sub(b->pos, a->pos);
    p->frame = sn_m3Identity();
    snMat3 A = a->mat, B = b->mat;
    if (hull_a || hull_b) {
        p->frame = hull_a ? a->mat : b->mat;
        p->c = sn_m3TMul(p->frame, p->c);
        A = hull_a ? sn_m3Identity() : sn_m3TMulM3(p->frame, a->mat);
        B = hull_a ? sn_m3TMulM3(p->frame, b->mat) : sn_m3Identity();
    }
    p->turn = B;
    p->nseg = p->nround = 0;
    p->rolling = p->inner = p->scale = 0;
    p->radius_a = addShape(p, a, &A, true);
    p->nseg_a = p->nseg;
    p->radius_b = addShape(p, b, &B, false);
    p->radius = p->radius_a + p->radius_b;
    p->rolling += p->radius;
    p->scale += p->radius + fabs(p->c.x) + fabs(p->c.y) + fabs(p->c.z);
    return isFinitePair(p, a, b);
}

// Whether a hull does not stand as the axes of D do.
static inline bool isTurned(const snConvexPair* p, int side)
{
    return side == 1 && p->hull[0];
}

SN_INLINE snHullPoint hullPoint(const snConvexPair* p, int side, snVec3 n)
{
    const bool turned = isTurned(p, side);
    snHullPoint v = sn_searchHull(p->hull[side], turned ? sn_m3TMul(p->turn, n) : n);
    if (turned) v.x = sn_m3Mul(p->turn, v.x);
    return v;
}

snHullPoint sn_convexHullPoint(const snConvexPair* p, int side, snVec3 n)
{
    return hullPoint(p, side, n);
}

snVec3 sn_convexHullVertex(const snConvexPair* p, int side, int id)
{
    const snVec3 v = sn_hullVertex(p->hull[side], id);
    return isTurned(p, side) ? sn_m3Mul(p->turn, v) : v;
}

// Of two hulls, which have neither segments nor rounds.
SN_INLINE snSupport hullsSupport(const snConvexPair* p, snVec3 n)
{
    const snHullPoint a = sn_searchHull(p->hull[0], n);
    const snHullPoint b = sn_searchHull(p->hull[1], sn_m3TMul(p->turn, sn_v3Neg(n)));
    const snVec3 pb = sn_v3Add(p->c, sn_m3Mul(p->turn, b.x));
    return (snSupport){sn_v3Sub(pb, a.x), a.x, {a.id, b.id}};
}

snSupport sn_convexSupport(const snConvexPair* p, snVec3 n)
{
    if (p->hull[0] && p->hull[1]) return hullsSupport(p, n);
    snVec3 pa = {0, 0, 0}, pb = p->c;
    int i = 0;
    for (; i < p->nseg_a; i++) pa = sn_v3AddScaled(pa, copysign(1, sn_v3Dot(n, p->seg[i])), p->seg[i]);
    for (; i < p->nseg; i++) pb = sn_v3AddScaled(pb, -copysign(1, sn_v3Dot(n, p->seg[i])), p->seg[i]);
    for (int j = 0; j < p->nround; j++) {
        real e;
        const snVec3 Qn = sn_roundMul(&p->round[j], n, &e);
        if (e <= 0) continue; // along the axis of a disc: its centre is as low as any point
        const real s = 1 / e, owner = p->round[j].owner;
        pa = sn_v3AddScaled(pa, owner * s, Qn);
        pb = sn_v3AddScaled(pb, (owner - 1) * s, Qn);
    }
    int id[2] = {0, 0};
    if (p->hull[0]) {
        const snHullPoint v = hullPoint(p, 0, n);
        pa = sn_v3Add(pa, v.x);
        id[0] = v.id;
    }
    if (p->hull[1]) {
        const snHullPoint v = hullPoint(p, 1, sn_v3Neg(n));
        pb = sn_v3Add(pb, v.x);
        id[1] = v.id;
    }
    return (snSupport){sn_v3Sub(pb, pa), pa, {id[0], id[1]}};
}

real sn_convexGap(const snConvexPair* p, snVec3 n)
{
    real g = sn_v3Dot(n, p->c);
    for (int i = 0; i < p->nseg; i++) g -= fabs(sn_v3Dot(n, p->seg[i]));
    for (int j = 0; j < p->nround; j++) {
        real e;
        sn_roundMul(&p->round[j], n, &e);
        g -= e;
    }
    if (p->hull[0]) g -= sn_v3Dot(n, hullPoint(p, 0, n).x);
    if (p->hull[1]) g += sn_v3Dot(n, hullPoint(p, 1, sn_v3Neg(n)).x);
    return g;
}
