// For each target: src/target/prelude.h.
// Rays against the triangles of a skin, which has no tree of boxes: its vertices move with every pose. Most
// triangles lie to one side of one of two planes through the ray, which three products each tell.
#include <sinew/ray.h>
#include "collision/query/ray.h"
#include "collision/contact/contact.h"
#include "math/simd.h"

static snVec3 skinVertex(const float* vert, int v)
{
    const float* p = vert + 3 * (size_t)v;
    return sn_v3((real)p[0], (real)p[1], (real)p[2]);
}

static int nearestCorner(const int face[3], const float* vert, snVec3 at)
{
    int best = 0;
    real least = (real)INFINITY;
    for (int k = 0; k < 3; k++) {
        const real distance = sn_v3Norm(sn_v3Sub(skinVertex(vert, face[k]), at));
        if (distance >= least) continue;
        least = distance;
        best = k;
    }
    return face[best];
}

static void widen(float least[3], float most[3], int axis, float x)
{
    least[axis] = x < least[axis] ? x : least[axis];
    most[axis] = x > most[axis] ? x : most[axis];
}

SN_INLINE v8 choose(v8i mask, v8 a, v8 b)
{
    return (v8)(((v8i)a & mask) | ((v8i)b & ~mask));
}

// Bounds of coordinates: eight vertices are three vectors.
static void boundVertices(const float* vert, int nvert, float least[3], float most[3])
{
    const int whole = nvert - nvert % 8;
    for (int k = 0; k < 3; k++) least[k] = most[k] = vert[k];
    v8 low[3], high[3];
    for (int k = 0; k < 3; k++) low[k] = high[k] = whole ? v8_loadAny(vert + 8 * k) : v8_all(vert[0]);
    for (const float* p = vert; p < vert + 3 * (size_t)whole; p += 24) {
        SN_UNROLL
        for (int k = 0; k < 3; k++) {
            const v8 x = v8_loadAny(p + 8 * k);
            low[k] = choose(x < low[k], x, low[k]);
            high[k] = choose(x > high[k], x, high[k]);
        }
    }
    for (int i = 0; whole && i < 24; i++) {
        widen(least, most, i % 3, low[i / 8][i % 8]);
        widen(least, most, i % 3, high[i / 8][i % 8]);
    }
    for (size_t i = 3 * (size_t)whole; i < 3 * (size_t)nvert; i++) widen(least, most, (int)(i % 3), vert[i]);
}

// A plane through the ray, normal . x = offset, in floats as vertices are: what is farther than `slack`, more
// than their rounding, is beside it.
typedef struct Plane {
    float normal[3], offset, slack;
} Plane;

static Plane planeOfRay(const snRay* ray, const real normal[3], real reach)
{
    Plane plane = {.offset = (float)sn_v3Dot(sn_v3Load(normal), ray->p), .slack = (float)(1e-5 * reach)};
    for (int k = 0; k < 3; k++) plane.normal[k] = (float)normal[k];
    return plane;
}

static inline float distanceTo(const Plane* plane, const float* vert, int v)
{
    const float *p = vert + 3 * (size_t)v, *n = plane->normal;
    return n[0] * p[0] + n[1] * p[1] + n[2] * p[2] - plane->offset;
}

// Whether all corners of the triangle are to one side.
static inline bool isBeside(const Plane* plane, const int face[3], const float* vert)
{
    const float x = distanceTo(plane, vert, face[0]), y = distanceTo(plane, vert, face[1]),
                z = distanceTo(plane, vert, face[2]), low = x < y ? x : y, high = x < y ? y : x;
    return (z < low ? z : low) > plane->slack || (z > high ? z : high) < -plane->slack;
}

// The box about the vertices: false where the ray passes it. reach: of what is in it, the farthest.
static bool meetsVertices(const snRay* ray, const float* vert, int nvert, real* reach)
{
    float least[3], most[3];
    boundVertices(vert, nvert, least, most);
    real box[6], square = 0;
    for (int k = 0; k < 3; k++) {
        box[k] = 0.5 * ((real)most[k] + (real)least[k]);
        box[3 + k] = 0.5 * ((real)most[k] - (real)least[k]);
        square += (fabs(box[k]) + box[3 + k]) * (fabs(box[k]) + box[3 + k]);
    }
    *reach = sqrt(square) + sn_v3Norm(ray->p);
    return sn_rayMeetsBox(ray, box, (real)INFINITY);
}

double sn_raySkin(int nface, int nvert, const int* face, const float* vert, const double pnt[3],
                  const double vec[3], int* vertid)
{
    real x = -1, reach;
    if (vertid) *vertid = -1;
    const snRay ray = {sn_v3Load(pnt), sn_v3Load(vec)};
    if (nvert <= 0 || !(sn_v3Norm(ray.v) >= SN_MINVAL) || !meetsVertices(&ray, vert, nvert, &reach))
        return -1;
    real frame[9];
    sn_contactFrame(sn_v3Normalize(ray.v), sn_v3(0, 0, 0), frame);
    const Plane one = planeOfRay(&ray, frame + 3, reach), other = planeOfRay(&ray, frame + 6, reach);
    for (int f = 0; f < nface; f++, face += 3) {
        if (isBeside(&one, face, vert) || isBeside(&other, face, vert)) continue;
        const real hit = sn_rayTriangle(&ray, skinVertex(vert, face[0]), skinVertex(vert, face[1]),
                                        skinVertex(vert, face[2]));
        if (hit < 0 || (x >= 0 && hit >= x)) continue;
        x = hit;
        if (vertid) *vertid = nearestCorner(face, vert, sn_rayAt(&ray, x));
    }
    return x;
}
