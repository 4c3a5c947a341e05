#include "sdf/field/nearest.h"

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

// Nearest point of one triangle. A flat one, of which two corners or all lie on a line, has no inside.
// p over the plane of the triangle has the weights w_k = n . (e_k x (p - v_k)) of the corners opposite to the
// edges e_k, n = e_0 x e_1. If none is negative, the nearest point is inside; else it is on an edge whose
// weight is negative, as these are the ones that can be seen from there.
static snNearest ofTriangle(const snTriangles* t, int face, snVec3 p)
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

static real larger(real a, real b)
{
    return a > b ? a : b;
}

// A search under way. Nodes are left out whose triangles are all at least `limit` away, by squares.
typedef struct {
    const snTriangles* t;
    const snSearch* how;
    snVec3 p;
    snNearest best;
    real limit;
} Walk;

static void tryFace(Walk* w, int face)
{
    const snNearest other = ofTriangle(w->t, face, w->p);
    if (!(other.square < w->best.square)) return;
    w->best = other;
    const real reach = larger(sqrt(other.square) - w->how->slack, 0);
    w->limit = w->how->slack > 0 ? reach * reach : other.square;
}

static void tryAll(Walk* w)
{
    for (int f = 0; f < w->t->count; f++) tryFace(w, f);
}

// Square of the distance to a box.
static real boxSquare(const real aabb[6], snVec3 p)
{
    const real x = larger(fabs(p.x - aabb[0]) - aabb[3], 0), y = larger(fabs(p.y - aabb[1]) - aabb[4], 0),
               z = larger(fabs(p.z - aabb[2]) - aabb[5], 0);
    return x * x + y * y + z * z;
}

static real discSquare(const snDisc* disc, snVec3 p)
{
    const snVec3 off = sn_v3Sub(p, disc->centre);
    const real along = sn_v3Dot(disc->n, off), across = sqrt(larger(sn_v3Dot(off, off) - along * along, 0));
    const real x = larger(larger(disc->low - along, along - disc->high), 0),
               y = larger(across - disc->radius, 0);
    return x * x + y * y;
}

typedef struct {
    int node;
    real square; // none of its triangles is nearer than that
} Pending;

static Pending pending(const Walk* w, int node)
{
    const real square = boxSquare(w->t->box + 6 * (size_t)node, w->p);
    const snDisc* discs = w->how->discs;
    return (Pending){node,
                     discs && square < w->limit ? larger(square, discSquare(&discs[node], w->p)) : square};
}

// Nodes that are nearer come off the stack first.
static void walk(Walk* w)
{
    enum { DEEP = 128 };
    const snTriangles* t = w->t;
    Pending stack[DEEP];
    int top = 0;
    stack[top++] = pending(w, 0);
    while (top > 0) {
        const Pending at = stack[--top];
        if (!(at.square < w->limit)) continue;
        if (t->element[at.node] >= 0) {
            tryFace(w, t->element[at.node]);
            continue;
        }
        if (top + 2 > DEEP) { // no tree of a sane mesh is that deep
            tryAll(w);
            return;
        }
        const Pending left = pending(w, t->child[2 * (size_t)at.node]),
                      right = pending(w, t->child[2 * (size_t)at.node + 1]);
        const bool right_first = right.square < left.square;
        stack[top++] = right_first ? left : right;
        stack[top++] = right_first ? right : left;
    }
}

snNearest sn_nearestOfTriangles(const snTriangles* t, const snSearch* search, snVec3 p)
{
    Walk w = {t, search, p, {.square = (real)INFINITY, .face = -1}, (real)INFINITY};
    if (search->hint >= 0) tryFace(&w, search->hint);
    if (t->nodes > 0)
        walk(&w);
    else
        tryAll(&w);
    return w.best;
}
