// Rays against the triangles of a mesh, found through its tree of boxes.
#include "collision/query/ray.h"

static snVec3 meshVertex(const snModel* m, int mesh, int v)
{
    const float* x = m->mesh_vert + 3 * ((size_t)m->mesh_vertadr[mesh] + (size_t)v);
    return sn_v3((real)x[0], (real)x[1], (real)x[2]);
}

static real rayFace(const snModel* m, int mesh, const snRay* ray, int face)
{
    const int* v = m->mesh_face + 3 * ((size_t)m->mesh_faceadr[mesh] + (size_t)face);
    return sn_rayTriangle(ray, meshVertex(m, mesh, v[0]), meshVertex(m, mesh, v[1]),
                          meshVertex(m, mesh, v[2]));
}

static real rayAllFaces(const snModel* m, int mesh, const snRay* ray)
{
    real best = -1;
    for (int f = 0; f < m->mesh_facenum[mesh]; f++) best = sn_nearerHit(best, rayFace(m, mesh, ray, f));
    return best;
}

bool sn_rayMeetsBox(const snRay* ray, const double box[6], real limit)
{
    const real p[3] = {ray->p.x, ray->p.y, ray->p.z}, v[3] = {ray->v.x, ray->v.y, ray->v.z};
    real from = 0, to = limit;
    for (int i = 0; i < 3; i++) {
        const real half = box[3 + i] * (1 + 1e-9) + 1e-12 * (1 + fabs(box[i])), at = p[i] - box[i];
        if (fabs(v[i]) < SN_MINVAL) {
            if (fabs(at) > half) return false;
            continue;
        }
        const real inv = 1 / v[i], a = (-half - at) * inv, b = (half - at) * inv;
        from = fmax(from, fmin(a, b));
        to = fmin(to, fmax(a, b));
    }
    return from <= to;
}

real sn_rayMeshLocal(const snModel* m, int mesh, const snRay* ray)
{
    enum { DEEP = 128 };
    const int root = m->mesh_bvhadr[mesh];
    if (root < 0 || m->mesh_bvhnum[mesh] <= 0) return rayAllFaces(m, mesh, ray);
    int stack[DEEP], top = 0;
    real best = -1;
    stack[top++] = 0;
    while (top > 0) {
        const int node = stack[--top], id = m->bvh_nodeid[root + node];
        if (!sn_rayMeetsBox(ray, m->bvh_aabb + 6 * ((size_t)root + (size_t)node),
                            best < 0 ? (real)INFINITY : best))
            continue;
        if (id >= 0) {
            best = sn_nearerHit(best, rayFace(m, mesh, ray, id));
            continue;
        }
        if (top + 2 > DEEP) return rayAllFaces(m, mesh, ray); // no tree of a sane mesh is that deep
        for (int k = 0; k < 2; k++) {
            const int child = m->bvh_child[2 * (root + node) + k];
            if (child >= 0) stack[top++] = child;
        }
    }
    return best;
}
