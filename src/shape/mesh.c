#include "shape/mesh.h"
#include "shape/kind.h"

// ---- as matter

static real volume(const snSolid* s)
{
    return s->volume;
}

static snVec3 inertia(const snSolid* s, real mass)
{
    return sn_boxMoments(s->moments, mass);
}

static void box(const snSolid* s, real aabb[6])
{
    for (int k = 0; k < 3; k++) {
        aabb[k] = 0.5 * (s->high[k] + s->low[k]);
        aabb[3 + k] = 0.5 * (s->high[k] - s->low[k]);
    }
}

static real radius(const snSolid* s)
{
    return sn_v3Norm(sn_v3Load(s->size));
}

// ---- rays, through the tree of boxes

static snVec3 vertex(const snTriangles* t, int v)
{
    const float* x = t->vert + 3 * (size_t)v;
    return sn_v3((real)x[0], (real)x[1], (real)x[2]);
}

static real rayFace(const snTriangles* t, const snRay* ray, int face)
{
    const int* v = t->face + 3 * (size_t)face;
    return sn_rayTriangle(ray, vertex(t, v[0]), vertex(t, v[1]), vertex(t, v[2]));
}

static real rayAllFaces(const snTriangles* t, const snRay* ray)
{
    real best = -1;
    for (int f = 0; f < t->count; f++) best = sn_nearerHit(best, rayFace(t, ray, f));
    return best;
}

static real ray(const snRay* r, const snSurface* s)
{
    enum { DEEP = 128 };
    const snTriangles* t = &s->mesh;
    if (t->nodes <= 0) return rayAllFaces(t, r);
    int stack[DEEP], top = 0;
    real best = -1;
    stack[top++] = 0;
    while (top > 0) {
        const int node = stack[--top], id = t->element[node];
        if (!sn_rayMeetsBox(r, t->box + 6 * (size_t)node, best < 0 ? (real)INFINITY : best)) continue;
        if (id >= 0) {
            best = sn_nearerHit(best, rayFace(t, r, id));
            continue;
        }
        if (top + 2 > DEEP) return rayAllFaces(t, r); // no tree of a sane mesh is that deep
        for (int k = 0; k < 2; k++) {
            const int child = t->child[2 * node + k];
            if (child >= 0) stack[top++] = child;
        }
    }
    return best;
}

static snVec3 normal(const snRay* r, real x, const snSurface* s)
{
    const snTriangles* t = &s->mesh;
    snFacing best = SN_FACING_NONE;
    for (int f = 0; f < t->count; f++) {
        snVec3 v[3];
        for (int k = 0; k < 3; k++) v[k] = vertex(t, t->face[3 * (size_t)f + (size_t)k]);
        const real hit = sn_rayTriangle(r, v[0], v[1], v[2]);
        if (hit >= 0) sn_considerFacing(&best, hit - x, sn_triangleNormal(v));
    }
    return best.normal;
}

SN_SHAPE_ROW(MESH) = {.span = sn_noSpan,
                      .volume = volume,
                      .area = sn_noArea,
                      .inertia = inertia,
                      .shellInertia = sn_noInertia,
                      .box = box,
                      .radius = radius,
                      .fitInertia = sn_noFit,
                      .fitBounds = sn_noFit,
                      .ray = ray,
                      .normal = normal};
