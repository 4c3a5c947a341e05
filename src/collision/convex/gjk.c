// GJK: the nearest point v to the origin over a simplex of support points, then the support in direction -v,
// until the support lies no lower than v itself.
#include "collision/convex/gjk.h"

enum { MOST_SUPPORTS = 200, MOST_STALLS = 8 };

static void keep(snGjk* s, int count, const int* index, const real* weight)
{
    snSupport kept[4];
    s->v = sn_v3(0, 0, 0);
    for (int i = 0; i < count; i++) kept[i] = s->vertex[index[i]];
    for (int i = 0; i < count; i++) {
        s->vertex[i] = kept[i];
        s->weight[i] = weight[i];
        s->v = sn_v3AddScaled(s->v, weight[i], kept[i].x);
    }
    s->count = count;
}

// A nearest point of part of a simplex: which vertices carry it, and how much.
typedef struct Near {
    int count, index[3];
    real weight[3], dist2;
} Near;

static Near nearVertex(const snGjk* s, int i)
{
    const snVec3 x = s->vertex[i].x;
    return (Near){1, {i, 0, 0}, {1, 0, 0}, sn_v3Dot(x, x)};
}

static Near nearSegment(const snGjk* s, int i, int j)
{
    const snVec3 a = s->vertex[i].x, b = s->vertex[j].x, ab = sn_v3Sub(b, a);
    const real len2 = sn_v3Dot(ab, ab), t = -sn_v3Dot(a, ab);
    if (!(t > 0)) return nearVertex(s, i);
    if (t >= len2) return nearVertex(s, j);
    const real u = t / len2;
    const snVec3 x = sn_v3AddScaled(a, u, ab);
    return (Near){2, {i, j, 0}, {1 - u, u, 0}, sn_v3Dot(x, x)};
}

static Near nearer(Near a, Near b)
{
    return b.dist2 < a.dist2 ? b : a;
}

// Interior if the origin projects inside, else the nearest edge. The weights are areas of the sub-triangles.
static Near nearTriangle(const snGjk* s, int i, int j, int k)
{
    const snVec3 a = s->vertex[i].x, b = s->vertex[j].x, c = s->vertex[k].x;
    const snVec3 n = sn_v3Cross(sn_v3Sub(b, a), sn_v3Sub(c, a));
    const real n2 = sn_v3Dot(n, n);
    const real wa = sn_v3Dot(n, sn_v3Cross(b, c)), wb = sn_v3Dot(n, sn_v3Cross(c, a)),
               wc = sn_v3Dot(n, sn_v3Cross(a, b));
    if (n2 > 0 && wa > 0 && wb > 0 && wc > 0) {
        const real inv = 1 / (wa + wb + wc), h = sn_v3Dot(n, a);
        return (Near){3, {i, j, k}, {wa * inv, wb * inv, wc * inv}, h * h / n2};
    }
    return nearer(nearer(nearSegment(s, i, j), nearSegment(s, j, k)), nearSegment(s, k, i));
}

// The origin against a tetrahedron: inside, or the nearest of the faces that it lies outside of.
static bool nearTetrahedron(const snGjk* s, Near* near)
{
    static const int faces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    bool inside = true;
    near->dist2 = INFINITY;
    for (int f = 0; f < 4; f++) {
        const int* k = faces[f];
        const snVec3 a = s->vertex[k[0]].x;
        const snVec3 n = sn_v3Cross(sn_v3Sub(s->vertex[k[1]].x, a), sn_v3Sub(s->vertex[k[2]].x, a));
        const real origin = -sn_v3Dot(n, a), other = sn_v3Dot(n, sn_v3Sub(s->vertex[k[3]].x, a));
        if (origin * other > 0) continue; // same side as the fourth vertex
        inside = false;
        *near = nearer(*near, nearTriangle(s, k[0], k[1], k[2]));
    }
    return inside;
}

static bool holds(const snGjk* s, snVec3 x)
{
    for (int i = 0; i < s->count; i++) {
        const snVec3 y = s->vertex[i].x;
        if (x.x == y.x && x.y == y.y && x.z == y.z) return true;
    }
    return false;
}

void sn_gjk(const snConvexPair* p, snVec3 n, real limit, real tolerance, snGjk* out)
{
    const real touch = 1e-9 * p->scale, noise = 4e-16 * p->scale, enough = sn_max(tolerance, noise);
    int stalls = 0;
    out->vertex[0] = sn_convexSupport(p, n);
    out->weight[0] = 1;
    out->count = 1;
    out->v = out->vertex[0].x;
    out->gap = -INFINITY;
    out->overlap = out->apart = false;
    for (int it = 0; it < MOST_SUPPORTS; it++) {
        const real len = sn_v3Norm(out->v);
        if (!(len > touch)) {
            out->overlap = true;
            return;
        }
        const snSupport w = sn_convexSupport(p, out->v);
        const real gap = sn_v3Dot(out->v, w.x) / len;
        if (gap > out->gap) out->gap = gap;
        if (out->gap > limit) {
            out->apart = true;
            return;
        }
        if (len - out->gap <= enough || holds(out, w.x)) return;
        out->vertex[out->count] = w; // the simplex has it if it comes nearer with it
        Near near;
        if (out->count == 1)
            near = nearSegment(out, 0, 1);
        else if (out->count == 2)
            near = nearTriangle(out, 0, 1, 2);
        else if (nearTetrahedron(out, &near)) {
            out->weight[out->count++] = 0;
            out->overlap = true;
            return;
        }
        if (!(near.dist2 < len * len)) return;
        // so near that v is all rounding: the bounds will not meet
        stalls = sqrt(near.dist2) > len - noise ? stalls + 1 : 0;
        if (stalls > MOST_STALLS) return;
        keep(out, near.count, near.index, near.weight);
    }
}
