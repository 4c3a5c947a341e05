#include "format/mesh/polygon.h"
#include <float.h>
#include <math.h>
#include <stdbool.h>

// Single precision throughout: a cut that another rounding would choose differently would be another mesh.
typedef struct polygon {
    const float* vert;
    const int* index;
    int stride, n;
    int axis[2]; // the coordinates that span the plane it is projected on
    float area;  // of the projection; its sign tells which way round the corners go
} polygon;

static const float* cornerOf(const polygon* p, int k)
{
    return p->vert + 3 * (ptrdiff_t)p->index[(ptrdiff_t)k * p->stride];
}

static int setTriangle(int* triangle, int a, int b, int c)
{
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
    return 1;
}

// The plane of two axes on which the first corner that is no straight line shows largest.
static void choosePlane(polygon* p)
{
    p->axis[0] = 1;
    p->axis[1] = 2;
    for (int k = 0; k < p->n; k++) {
        const float *a = cornerOf(p, k), *b = cornerOf(p, (k + 1) % p->n), *c = cornerOf(p, (k + 2) % p->n);
        const float u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        const float v[3] = {c[0] - b[0], c[1] - b[1], c[2] - b[2]};
        const float x = fabsf(u[1] * v[2] - u[2] * v[1]), y = fabsf(u[2] * v[0] - u[0] * v[2]),
                    z = fabsf(u[0] * v[1] - u[1] * v[0]);
        if (!(x > FLT_EPSILON || y > FLT_EPSILON || z > FLT_EPSILON)) continue;
        if (x > y && x > z) return;
        p->axis[0] = 0;
        if (z > x && z > y) p->axis[1] = 1;
        return;
    }
}

static void measureArea(polygon* p)
{
    p->area = 0;
    for (int k = 0; k < p->n; k++) {
        const float *a = cornerOf(p, k), *b = cornerOf(p, (k + 1) % p->n);
        p->area += (a[p->axis[0]] * b[p->axis[1]] - a[p->axis[1]] * b[p->axis[0]]) * 0.5f;
    }
}

// Whether a point lies in a triangle: a ray from it crosses an odd number of edges (Franklin's test).
static bool isInside(const float x[3], const float y[3], float px, float py)
{
    bool inside = false;
    for (int i = 0, j = 2; i < 3; j = i++)
        if ((y[i] > py) != (y[j] > py) && px < (x[j] - x[i]) * (py - y[i]) / (y[j] - y[i]) + x[i])
            inside = !inside;
    return inside;
}

// Whether the corners at, at + 1, at + 2 of what is left are an ear: they turn as the polygon does, and no
// other corner lies inside.
static bool isEar(const polygon* p, const int* rest, int n, int at)
{
    float x[3], y[3];
    for (int k = 0; k < 3; k++) {
        const float* v = cornerOf(p, rest[(at + k) % n]);
        x[k] = v[p->axis[0]];
        y[k] = v[p->axis[1]];
    }
    const float turn = (x[1] - x[0]) * (y[2] - y[1]) - (y[1] - y[0]) * (x[2] - x[1]);
    if (turn * p->area < 0) return false;
    for (int k = 3; k < n; k++) {
        const float* v = cornerOf(p, rest[(at + k) % n]);
        if (isInside(x, y, v[p->axis[0]], v[p->axis[1]])) return false;
    }
    return true;
}

static int cutEars(polygon* p, int* triangle, int* rest, int64_t* work)
{
    choosePlane(p);
    measureArea(p);
    for (int k = 0; k < p->n; k++) rest[k] = k;
    // `tries` counts as the peer's loop does, which gives up on an ear that it finds at the last try: of a
    // polygon that crosses itself the same triangles are left out.
    int n = p->n, at = 0, count = 0, tries = n;
    bool cut = false;
    while (n > 3 && tries > 0) {
        tries = cut ? n : tries - 1;
        *work -= n;
        if (*work < 0) return -1;
        if (at >= n) at -= n;
        cut = isEar(p, rest, n, at);
        if (!cut) {
            at++;
            continue;
        }
        count +=
            setTriangle(triangle + 3 * (ptrdiff_t)count, rest[at], rest[(at + 1) % n], rest[(at + 2) % n]);
        n--;
        for (int k = (at + 1) % (n + 1); k < n; k++) rest[k] = rest[k + 1];
    }
    if (n == 3) count += setTriangle(triangle + 3 * (ptrdiff_t)count, rest[0], rest[1], rest[2]);
    return count;
}

int sn_cutPolygon(const float* vert, const int* index, int stride, int n, int* triangle, int* rest,
                  int64_t* work)
{
    polygon p = {.vert = vert, .index = index, .stride = stride, .n = n};
    if (n == 3) return setTriangle(triangle, 0, 1, 2);
    return cutEars(&p, triangle, rest, work);
}

int64_t sn_polygonWork(size_t size)
{
    const size_t most = 1000000000;
    return size < most / 1000 ? 1000000 + 1000 * (int64_t)size : (int64_t)most;
}
