#include "compile/sdf/surface_points.h"
#include <stdint.h>
#include "base/memory.h"

enum { MOST_POINTS = 300000, MOST_PARTS = 64 };

static snVec3 vertexOf(const snTriangles* t, int face, int k)
{
    const float* x = t->vert + 3 * (size_t)t->face[3 * (size_t)face + (size_t)k];
    return sn_v3((real)x[0], (real)x[1], (real)x[2]);
}

// Parts into which the sides of a triangle are cut.
static int partsOf(const snTriangles* t, int face, double spacing)
{
    double longest = 0;
    for (int k = 0; k < 3; k++)
        longest = sn_max(sn_v3Norm(sn_v3Sub(vertexOf(t, face, k), vertexOf(t, face, (k + 1) % 3))), longest);
    return (int)sn_min(sn_max(ceil(longest / spacing), 1), MOST_PARTS);
}

// Where the points of all triangles go, of which every stride-th is kept.
typedef struct Spread {
    snPoints* points;
    int64_t seen, stride;
} Spread;

static void add(Spread* s, const snTriangles* t, int face, double u, double v)
{
    if (s->seen++ % s->stride) return;
    const snVec3 a = vertexOf(t, face, 0), b = vertexOf(t, face, 1), c = vertexOf(t, face, 2);
    const snVec3 p = sn_v3AddScaled(sn_v3AddScaled(a, u, sn_v3Sub(b, a)), v, sn_v3Sub(c, a));
    float* x = s->points->x + 3 * (size_t)s->points->count++;
    x[0] = (float)p.x;
    x[1] = (float)p.y;
    x[2] = (float)p.z;
}

// The corners, and the middles of the n^2 triangles into which it is cut.
static void addTriangle(Spread* s, const snTriangles* t, int face, int n)
{
    for (int k = 0; k < 3; k++) add(s, t, face, k == 1, k == 2);
    for (int i = 0; i < n; i++)
        for (int j = 0; i + j < n; j++) {
            add(s, t, face, (i + 1.0 / 3) / n, (j + 1.0 / 3) / n);
            if (i + j + 1 < n) add(s, t, face, (i + 2.0 / 3) / n, (j + 2.0 / 3) / n);
        }
}

bool sn_spreadPoints(const snTriangles* t, const double low[3], const double high[3], snPoints* points)
{
    double side = 0;
    for (int k = 0; k < 3; k++) side = sn_max(high[k] - low[k], side);
    int64_t total = 0;
    for (int f = 0; f < t->count; f++) {
        const int64_t n = partsOf(t, f, side / 64);
        total += 3 + n * n;
    }
    Spread s = {points, 0, total / MOST_POINTS + 1};
    *points = (snPoints){sn_malloc(3 * (size_t)(total / s.stride + 1) * sizeof(float)), 0};
    if (!points->x) return false;
    for (int f = 0; f < t->count; f++) addTriangle(&s, t, f, partsOf(t, f, side / 64));
    return true;
}

void sn_freePoints(snPoints* points)
{
    sn_free(points->x);
    *points = (snPoints){0};
}

// Brings the points below c along an axis to the front; the first of the others.
static int part(snPoints* points, int first, int end, int axis, double c)
{
    for (int i = first; i < end; i++) {
        float* x = points->x + 3 * (size_t)i;
        if ((double)x[axis] >= c) continue;
        float* y = points->x + 3 * (size_t)first++;
        for (int k = 0; k < 3; k++) {
            const float held = x[k];
            x[k] = y[k];
            y[k] = held;
        }
    }
    return first;
}

void sn_splitPoints(snPoints* points, int first, int count, snVec3 centre, int begin[9])
{
    begin[0] = first;
    begin[8] = first + count;
    begin[4] = part(points, begin[0], begin[8], 2, centre.z);
    for (int k = 0; k < 8; k += 4) begin[k + 2] = part(points, begin[k], begin[k + 4], 1, centre.y);
    for (int k = 0; k < 8; k += 2) begin[k + 1] = part(points, begin[k], begin[k + 2], 0, centre.x);
}
