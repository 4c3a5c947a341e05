// The nearest point of a simplex: inside where all weights of the projection are positive, else on its
// boundary.
#include "math/simplex.h"
#include <assert.h>
#include <math.h>

static snVec3 weighted(const snVec3* corner, int count, const double* weight)
{
    snVec3 sum = {0, 0, 0};
    for (int i = 0; i < count; i++) sum = sn_v3AddScaled(sum, weight[i], corner[i]);
    return sum;
}

static void nearestInSegment(const snVec3* corner, snVec3 p, double weight[4])
{
    const snVec3 along = sn_v3Sub(corner[1], corner[0]);
    const double square = sn_v3Dot(along, along), share = sn_v3Dot(sn_v3Sub(p, corner[0]), along);
    weight[1] = share <= 0 || !(square > 0) ? 0 : share >= square ? 1 : share / square;
    weight[0] = 1 - weight[1];
}

// Weights of p's projection onto the plane of a triangle: areas beside its edges. With u and v from one
// corner to the others, r to p, those of |u x v|^2 are dot products, (r x v).(u x v) = ru vv - rv uv and so
// on. False: it is flat, or the projection is not inside.
static bool isOverTriangle(const snVec3* corner, snVec3 p, double weight[4])
{
    const snVec3 u = sn_v3Sub(corner[1], corner[0]), v = sn_v3Sub(corner[2], corner[0]),
                 r = sn_v3Sub(p, corner[0]);
    const double uu = sn_v3Dot(u, u), vv = sn_v3Dot(v, v), uv = sn_v3Dot(u, v);
    const double ru = sn_v3Dot(r, u), rv = sn_v3Dot(r, v), square = uu * vv - uv * uv;
    const double b = ru * vv - rv * uv, c = rv * uu - ru * uv;
    if (!(square > 1e-14 * uu * vv) || b < 0 || c < 0 || b + c > square) return false;
    weight[1] = b / square;
    weight[2] = c / square;
    weight[0] = 1 - weight[1] - weight[2];
    return true;
}

// Weights of p in a tetrahedron: volumes over its faces. False: it is flat, or p is outside.
static bool isInTetrahedron(const snVec3* corner, snVec3 p, double weight[4])
{
    const snVec3 a = sn_v3Sub(corner[1], corner[0]), b = sn_v3Sub(corner[2], corner[0]),
                 c = sn_v3Sub(corner[3], corner[0]), r = sn_v3Sub(p, corner[0]);
    const double volume = sn_v3Dot(a, sn_v3Cross(b, c));
    if (!(fabs(volume) > 1e-15 * sn_v3Norm(a) * sn_v3Norm(b) * sn_v3Norm(c))) return false;
    weight[1] = sn_v3Dot(r, sn_v3Cross(b, c)) / volume;
    weight[2] = sn_v3Dot(a, sn_v3Cross(r, c)) / volume;
    weight[3] = sn_v3Dot(a, sn_v3Cross(b, r)) / volume;
    weight[0] = 1 - weight[1] - weight[2] - weight[3];
    return weight[0] >= 0 && weight[1] >= 0 && weight[2] >= 0 && weight[3] >= 0;
}

// Keeps the nearest of several points, each with weights of some corners of a simplex.
typedef struct Best {
    double square, *weight; // weight [4]: of all corners
} Best;

static void offer(Best* best, const snVec3* corner, const int* which, int count, const double* share,
                  snVec3 p)
{
    snVec3 between = sn_v3Neg(p);
    for (int k = 0; k < count; k++) between = sn_v3AddScaled(between, share[k], corner[which[k]]);
    const double square = sn_v3Dot(between, between);
    if (!(square < best->square)) return;
    best->square = square;
    for (int k = 0; k < 4; k++) best->weight[k] = 0;
    for (int k = 0; k < count; k++) best->weight[which[k]] = share[k];
}

static void offerTriangle(Best* best, const snVec3* corner, const int which[3], snVec3 p)
{
    const snVec3 side[3] = {corner[which[0]], corner[which[1]], corner[which[2]]};
    double share[4];
    if (isOverTriangle(side, p, share)) {
        offer(best, corner, which, 3, share, p);
        return;
    }
    for (int k = 0; k < 3; k++) {
        const int edge[2] = {which[k], which[(k + 1) % 3]};
        const snVec3 ends[2] = {corner[edge[0]], corner[edge[1]]};
        nearestInSegment(ends, p, share);
        offer(best, corner, edge, 2, share, p);
    }
}

snVec3 sn_nearestInSimplex(const snVec3* corner, int count, snVec3 p, double weight[4])
{
    static const int all[3] = {0, 1, 2}, faces[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
    Best best = {HUGE_VAL, weight};
    assert(count >= 1 && count <= 4);
    for (int i = 0; i < count; i++) weight[i] = i == 0; // stays where nothing is a number
    if (count == 2) nearestInSegment(corner, p, weight);
    if (count == 3) offerTriangle(&best, corner, all, p);
    if (count == 4 && !isInTetrahedron(corner, p, weight))
        for (int f = 0; f < 4; f++) offerTriangle(&best, corner, faces[f], p);
    return weighted(corner, count, weight);
}
