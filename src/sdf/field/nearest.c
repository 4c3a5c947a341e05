#include "sdf/field/nearest.h"
#include "math/elementary/elementary.h"

static snVec3 corner(const snTriangles* t, int face, int k)
{
    const float* x = t->vert + 3 * (size_t)t->face[3 * (size_t)face + (size_t)k];
    return sn_v3((real)x[0], (real)x[1], (real)x[2]);
}

// Takes the nearest point of the edge from a to b if it is nearer than what is known.
static void tryEdge(snNearest* best, int k, snVec3 a, snVec3 b, snVec3 p)
{
    const snVec3 e = sn_v3Sub(b, a);
    const real along = sn_v3Dot(sn_v3Sub(p, a), e), square = sn_v3Dot(e, e);
    const bool first = !(along > 0), last = !first && along >= square;
    const snVec3 point = first ? a : last ? b : sn_v3AddScaled(a, along / square, e);
    const snVec3 off = sn_v3Sub(p, point);
    const real distance = sn_v3Dot(off, off);
    if (!(distance < best->square)) return;
    best->point = point;
    best->square = distance;
    best->part = (snTrianglePart)(first  ? SN_PART_CORNER0 + k
                                  : last ? SN_PART_CORNER0 + (k + 1) % 3
                                         : SN_PART_EDGE0 + k);
}

// p over the plane of the triangle has the weights w_k = n . (e_k x (p - v_k)) of the corners opposite to the
// edges e_k, n = e_0 x e_1. If none is negative, the nearest point is inside; else it is on an edge whose
// weight is negative, as these are the ones that can be seen from there.
snNearest sn_nearestOfTriangle(const snTriangles* t, int face, snVec3 p)
{
    const snVec3 v[3] = {corner(t, face, 0), corner(t, face, 1), corner(t, face, 2)};
    const snVec3 e[3] = {sn_v3Sub(v[1], v[0]), sn_v3Sub(v[2], v[1]), sn_v3Sub(v[0], v[2])};
    const snVec3 n = sn_v3Cross(e[0], e[1]);
    const real area = sn_v3Dot(n, n);
    snNearest best = {.square = (real)INFINITY, .face = face};
    bool inside = area > 0;
    for (int k = 0; k < 3; k++) {
        if (area > 0 && sn_v3Dot(n, sn_v3Cross(e[k], sn_v3Sub(p, v[k]))) >= 0) continue;
        inside = false;
        tryEdge(&best, k, v[k], v[(k + 1) % 3], p);
    }
    if (!inside) return best;
    const real height = sn_v3Dot(n, sn_v3Sub(p, v[0])) / area;
    best.point = sn_v3AddScaled(p, -height, n);
    best.square = height * height * area;
    best.part = SN_PART_FACE;
    return best;
}

static void tryFace(const snTriangles* t, int face, snVec3 p, snNearest* best)
{
    const snNearest other = sn_nearestOfTriangle(t, face, p);
    if (other.square < best->square) *best = other;
}

static void tryAll(const snTriangles* t, snVec3 p, snNearest* best)
{
    for (int f = 0; f < t->count; f++) tryFace(t, f, p, best);
}

typedef struct {
    int node;
    real square; // of the distance to its box
} Pending;

static Pending pending(const snTriangles* t, int node, snVec3 p)
{
    const real* box = t->box + 6 * (size_t)node;
    const real x = sn_max(fabs(p.x - box[0]) - box[3], 0), y = sn_max(fabs(p.y - box[1]) - box[4], 0),
               z = sn_max(fabs(p.z - box[2]) - box[5], 0);
    return (Pending){node, x * x + y * y + z * z};
}

// Nodes that are nearer come off the stack first.
static void walk(const snTriangles* t, snVec3 p, snNearest* best)
{
    enum { DEEP = 128 };
    Pending stack[DEEP];
    int top = 0;
    stack[top++] = pending(t, 0, p);
    while (top > 0) {
        const Pending at = stack[--top];
        if (!(at.square < best->square)) continue;
        if (t->element[at.node] >= 0) {
            tryFace(t, t->element[at.node], p, best);
            continue;
        }
        if (top + 2 > DEEP) { // no tree of a sane mesh is that deep
            tryAll(t, p, best);
            return;
        }
        const Pending left = pending(t, t->child[2 * (size_t)at.node], p),
                      right = pending(t, t->child[2 * (size_t)at.node + 1], p);
        const bool right_first = right.square < left.square;
        stack[top++] = right_first ? left : right;
        stack[top++] = right_first ? right : left;
    }
}

snNearest sn_nearestOfTriangles(const snTriangles* t, snVec3 p)
{
    snNearest best = {.square = (real)INFINITY, .face = -1};
    if (t->nodes > 0)
        walk(t, p, &best);
    else
        tryAll(t, p, &best);
    return best;
}
