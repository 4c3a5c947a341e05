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

// Weights of p's projection onto the plane of a triangle: areas beside its edges, seen along the normal n, of
// that of the whole, n.n. False: it is flat, or the projection is not inside.
static bool isOverTriangle(const snVec3* corner, snVec3 p, double weight[4])
{
    const snVec3 a = sn_v3Sub(corner[1], corner[0]), b = sn_v3Sub(corner[2], corner[0]);
    const snVec3 n = sn_v3Cross(a, b), r = sn_v3Sub(p, corner[0]);
    const double square = sn_v3Dot(n, n);
    if (!(square > 1e-30 * sn_v3Dot(a, a) * sn_v3Dot(b, b))) return false;
    weight[1] = sn_v3Dot(sn_v3Cross(r, b), n) / square;
    weight[2] = sn_v3Dot(sn_v3Cross(a, r), n) / square;
    weight[0] = 1 - weight[1] - weight[2];
    return weight[0] >= 0 && weight[1] >= 0 && weight[2] >= 0;
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

// The best of the sides opposite to each corner.
static void nearestOnBoundary(const snVec3* corner, int count, snVec3 p, double weight[4])
{
    double least = HUGE_VAL;
    for (int i = 0; i < count; i++) weight[i] = i == 0; // stays where nothing is a number
    for (int apex = count - 1; apex >= 0; apex--) {
        snVec3 side[3];
        double share[4];
        for (int i = 0, k = 0; i < count; i++)
            if (i != apex) side[k++] = corner[i];
        const snVec3 between = sn_v3Sub(sn_nearestInSimplex(side, count - 1, p, share), p);
        const double square = sn_v3Dot(between, between);
        if (square >= least) continue;
        least = square;
        for (int i = 0, k = 0; i < count; i++) weight[i] = i == apex ? 0 : share[k++];
    }
}

snVec3 sn_nearestInSimplex(const snVec3* corner, int count, snVec3 p, double weight[4])
{
    assert(count >= 1 && count <= 4);
    weight[0] = 1;
    if (count == 2) nearestInSegment(corner, p, weight);
    if (count == 3 && !isOverTriangle(corner, p, weight)) nearestOnBoundary(corner, count, p, weight);
    if (count == 4 && !isInTetrahedron(corner, p, weight)) nearestOnBoundary(corner, count, p, weight);
    return weighted(corner, count, weight);
}
