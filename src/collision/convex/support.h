// Two convex shapes as one set D = B - A of differences of their points, seen from the origin. All shapes
// here are sums of simple symmetric terms: segments [-s, s] (capsule axis, cylinder axis, box edges), at
// most one ellipsoid or disc {x' Q^-1 x <= 1} each, and a ball. The support value of a sum is the sum of
// the support values, so that for any unit n
//
//     g(n) = min over D of n.x = n.c - sum |n.s_i| - sum sqrt(n'Q_j n) - radius
//
// (and less the support values of the hulls, where a shape is one: the farthest of their vertices)
// is the gap of the shapes along n, and their signed distance is max g(n): for g > 0 the distance, else
// minus the least translation that parts them. The signed distance as the largest gap: Gilbert, Johnson and
// Keerthi 1988; Cameron and Culley 1986 (the translation).
#ifndef SINEW_COLLISION_CONVEX_SUPPORT_H
#define SINEW_COLLISION_CONVEX_SUPPORT_H

#include "collision/contact/narrow.h"

/// A symmetric matrix: xx yy zz xy xz yz.
typedef struct snSym3 {
    real xx, yy, zz, xy, xz, yz;
} snSym3;

static inline snVec3 sn_sym3Mul(const snSym3* q, snVec3 v)
{
    return sn_v3(q->xx * v.x + q->xy * v.y + q->xz * v.z, q->xy * v.x + q->yy * v.y + q->yz * v.z,
                 q->xz * v.x + q->yz * v.y + q->zz * v.z);
}

/// The curved term of a shape: an ellipsoid or, flat along its axis, the disc of a cylinder.
typedef struct snRound {
    snSym3 Q;
    snVec3 axis; ///< disc: unit normal
    real r;      ///< disc: radius; 0: an ellipsoid
    real owner;  ///< 1: shape A, 0: shape B
} snRound;

/// Q n, and its root *e = sqrt(n'Qn), for any n: the boundary point in direction n is Qn / e.
/// Along the axis of a disc both are 0.
static inline snVec3 sn_roundMul(const snRound* round, snVec3 n, real* e)
{
    if (round->r > 0) {
        snVec3 across = sn_v3AddScaled(n, -sn_v3Dot(n, round->axis), round->axis);
        across = sn_v3AddScaled(across, -sn_v3Dot(across, round->axis), round->axis); // rid of rounding
        const real len = sn_v3Norm(across);
        if (len <= 1e-15 * sn_v3Norm(n)) {
            *e = 0;
            return sn_v3(0, 0, 0);
        }
        *e = round->r * len;
        return sn_v3Scale(across, round->r * round->r);
    }
    const snVec3 Qn = sn_sym3Mul(&round->Q, n);
    const real square = sn_v3Dot(n, Qn);
    *e = square > 0 ? sqrt(square) : 0;
    return Qn;
}

/// D in the axes of a hull, A's if it is one, else B's; of the world if neither is. Origin at the centre of
/// A.
typedef struct snConvexPair {
    snVec3 c;         ///< centre of B
    snVec3 seg[6];    ///< half segments
    real seg_len[6];  ///< their lengths
    int nseg, nseg_a; ///< segments, of which the first nseg_a are A's
    int nround;
    snRound round[2];
    real radius_a, radius_b;
    real radius;           ///< radius_a + radius_b
    real rolling;          ///< radius of a ball that rolls inside D everywhere: g + rolling is concave in n
    real inner;            ///< radius of a ball about c in D without its ball; 0: not known
    real scale;            ///< bound on the size of D, for tolerances
    const snHull* hull[2]; ///< vertices of A and of B; NULL: not a hull
    snMat3 frame;          ///< from these axes to the world
    snMat3 turn;           ///< orientation of B in these axes, where A and B are hulls
} snConvexPair;

static inline bool sn_hasHull(const snConvexPair* p)
{
    return p->hull[0] || p->hull[1];
}

/// Neither ellipsoid nor cylinder: D without its ball is a polytope, and GJK and EPA are exact.
static inline bool sn_isPolytope(const snConvexPair* p)
{
    return p->nround == 0;
}

/// A vertex of D without the ball: x = pb - pa, pa on A, pb on B.
typedef struct snSupport {
    snVec3 x, pa;
    int id[2]; ///< vertices of the hulls of A and B, where they have one
} snSupport;

/// Fills *p; false if a pose or size is not finite. The shapes must outlive p.
bool sn_convexPairInit(snConvexPair* p, const snShape* a, const snShape* b);

/// The vertex of hull `side` (0: of A, 1: of B) farthest along n, from that shape's centre.
snHullPoint sn_convexHullPoint(const snConvexPair* p, int side, snVec3 n);

/// A vertex of a hull, from that shape's centre.
snVec3 sn_convexHullVertex(const snConvexPair* p, int side, int id);

/// The vertex of D, ball left out, that is lowest along n (n need not be unit, not zero).
snSupport sn_convexSupport(const snConvexPair* p, snVec3 n);

/// g(n) + radius for a unit n: the gap along n of the shapes without their balls.
real sn_convexGap(const snConvexPair* p, snVec3 n);

#endif
