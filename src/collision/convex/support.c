// Sums of segments, ellipsoids, discs, hulls and balls, and their support in a direction.
#include "collision/convex/support.h"

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
    p->scale += fmax(s.x, fmax(s.y, s.z));
}

// Adds the terms of one shape; returns the radius of its ball.
static real addShape(snConvexPair* p, const snShape* shape, bool is_a)
{
    const snMat3* R = &shape->mat;
    const snVec3 s = shape->size;
    switch (shape->type) {
    case SN_GEOM_CAPSULE: addSegment(p, sn_m3Col(*R, 2), s.y); return s.x;
    case SN_GEOM_ELLIPSOID: {
        // Blaschke: a ball no larger than the least radius of curvature rolls freely inside
        const real lo = fmin(s.x, fmin(s.y, s.z)), hi = fmax(s.x, fmax(s.y, s.z));
        addRound(p, R, s, 0, is_a);
        p->rolling += hi > 0 ? lo * lo / hi : 0;
        return 0;
    }
    case SN_GEOM_CYLINDER:
        addSegment(p, sn_m3Col(*R, 2), s.y);
        if (s.x > 0) addRound(p, R, sn_v3(s.x, s.x, 0), s.x, is_a);
        return 0;
    case SN_GEOM_BOX:
        addSegment(p, sn_m3Col(*R, 0), s.x);
        addSegment(p, sn_m3Col(*R, 1), s.y);
        addSegment(p, sn_m3Col(*R, 2), s.z);
        return 0;
    case SN_GEOM_MESH: {
        const int side = is_a ? 0 : 1;
        if (!sn_isHull(&shape->hull)) return 0;
        p->hull[side] = &shape->hull;
        p->mat[side] = *R;
        p->scale += shape->hull.radius;
        return 0;
    }
    default: return s.x;
    }
}

bool sn_convexPairInit(snConvexPair* p, const snShape* a, const snShape* b)
{
    p->hull[0] = p->hull[1] = NULL;
    p->c = sn_v3Sub(b->pos, a->pos);
    p->nseg = p->nround = 0;
    p->rolling = p->scale = 0;
    p->radius_a = addShape(p, a, true);
    p->nseg_a = p->nseg;
    p->radius_b = addShape(p, b, false);
    p->radius = p->radius_a + p->radius_b;
    p->rolling += p->radius;
    p->scale += p->radius + fabs(p->c.x) + fabs(p->c.y) + fabs(p->c.z);
    const snVec3 sizes = sn_v3Add(a->size, b->size);
    real sum = p->scale + fabs(sizes.x) + fabs(sizes.y) + fabs(sizes.z);
    for (int i = 0; i < 9; i++) sum += fabs(a->mat.m[i]) + fabs(b->mat.m[i]);
    return isfinite(sum * sum);
}

snVec3 sn_convexHullPoint(const snConvexPair* p, int side, snVec3 n, int* id)
{
    const snHull* hull = p->hull[side];
    const int vertex = sn_hullFarthest(hull, sn_m3TMul(p->mat[side], n));
    if (id) *id = vertex;
    return sn_m3Mul(p->mat[side], sn_hullVertex(hull, vertex));
}

snSupport sn_convexSupport(const snConvexPair* p, snVec3 n)
{
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
    if (p->hull[0]) pa = sn_v3Add(pa, sn_convexHullPoint(p, 0, n, &id[0]));
    if (p->hull[1]) pb = sn_v3Add(pb, sn_convexHullPoint(p, 1, sn_v3Neg(n), &id[1]));
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
    if (p->hull[0]) g -= sn_v3Dot(n, sn_convexHullPoint(p, 0, n, NULL));
    if (p->hull[1]) g += sn_v3Dot(n, sn_convexHullPoint(p, 1, sn_v3Neg(n), NULL));
    return g;
}
