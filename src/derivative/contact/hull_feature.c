#include "derivative/contact/hull_feature.h"

enum { MOST = 64 }; // vertices of a side that are looked at

typedef struct Side {
    snVec3 v[MOST];
    int count;
    snVec3 n;
} Side;

static void sideAlong(const snHull* hull, snVec3 n, real off, Side* side)
{
    const real least = sn_v3Dot(n, sn_hullFarthest(hull, n).x) - off;
    side->n = n;
    side->count = 0;
    for (int i = 0; i < hull->count && side->count < MOST; i++) {
        const snVec3 x = sn_hullVertex(hull, i);
        if (sn_v3Dot(n, x) >= least) side->v[side->count++] = x;
    }
}

// Whether x is on the line of two vertices, with all others on one side of it.
static bool isEdgeAt(const Side* side, int i, int j, snVec3 x, real off)
{
    const snVec3 e = sn_v3Normalize(sn_v3Sub(side->v[j], side->v[i])), across = sn_v3Cross(side->n, e);
    if (sn_v3Norm(sn_v3Cross(e, sn_v3Sub(x, side->v[i]))) > off) return false;
    bool left = false, right = false;
    for (int k = 0; k < side->count; k++) {
        const real away = sn_v3Dot(across, sn_v3Sub(side->v[k], side->v[i]));
        left |= away > off;
        right |= away < -off;
    }
    return !(left && right);
}

static bool smallFeature(const Side* side, snVec3 x, real off, snHullFeature* out)
{
    for (int i = 0; i < side->count; i++)
        if (sn_v3Norm(sn_v3Sub(side->v[i], x)) <= off) {
            *out = (snHullFeature){{side->v[i]}, 1};
            return true;
        }
    for (int i = 0; i < side->count; i++)
        for (int j = i + 1; j < side->count; j++)
            if (isEdgeAt(side, i, j, x, off)) {
                *out = (snHullFeature){{side->v[i], side->v[j]}, 2};
                return true;
            }
    return false;
}

// The vertex farthest from the first, then the one farthest from their line
static snHullFeature wholeSide(const Side* side, real off)
{
    snHullFeature f = {{side->v[0]}, 1};
    real most = off;
    for (int i = 1; i < side->count; i++) {
        const real far = sn_v3Norm(sn_v3Sub(side->v[i], side->v[0]));
        if (far <= most) continue;
        most = far;
        f.v[1] = side->v[i];
        f.count = 2;
    }
    if (f.count == 1) return f;
    const snVec3 e = sn_v3Scale(sn_v3Sub(f.v[1], f.v[0]), 1 / most);
    most = off;
    for (int i = 1; i < side->count; i++) {
        const real far = sn_v3Norm(sn_v3Cross(e, sn_v3Sub(side->v[i], side->v[0])));
        if (far <= most) continue;
        most = far;
        f.v[2] = side->v[i];
        f.count = 3;
    }
    return f;
}

snHullFeature sn_hullFeature(const snHull* hull, snVec3 n, const snVec3* at, real off)
{
    Side side;
    snHullFeature f;
    sideAlong(hull, n, off, &side);
    if (side.count == 0) return (snHullFeature){.count = 0};
    return at && smallFeature(&side, *at, off, &f) ? f : wholeSide(&side, off);
}
