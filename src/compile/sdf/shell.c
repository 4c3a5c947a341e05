#include "compile/sdf/shell.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "compile/build/bvh.h"

static snVec3 vertexOf(const snTriangles* t, int v)
{
    const float* x = t->vert + 3 * (size_t)v;
    return sn_v3((real)x[0], (real)x[1], (real)x[2]);
}

static void cornersOf(const snTriangles* t, int face, snVec3 v[3])
{
    for (int k = 0; k < 3; k++) v[k] = vertexOf(t, t->face[3 * (size_t)face + (size_t)k]);
}

// ---- vertices at one point

typedef struct Point {
    float x[3];
    int vertex;
} Point;

static int byPlace(const void* a, const void* b)
{
    const Point *p = a, *q = b;
    for (int k = 0; k < 3; k++)
        if (p->x[k] < q->x[k] || p->x[k] > q->x[k]) return p->x[k] < q->x[k] ? -1 : 1;
    return (p->vertex > q->vertex) - (p->vertex < q->vertex);
}

static bool isSamePlace(const Point* p, const Point* q)
{
    return !(p->x[0] < q->x[0]) && !(p->x[1] < q->x[1]) && !(p->x[2] < q->x[2]) && !(q->x[0] < p->x[0]) &&
           !(q->x[1] < p->x[1]) && !(q->x[2] < p->x[2]);
}

// The least of the vertices at one point stands for all.
static bool joinVertices(snShell* s)
{
    Point* points = sn_malloc((size_t)s->nvert * sizeof *points);
    int* same = sn_malloc((size_t)s->nvert * sizeof *same);
    const bool good = points && same;
    if (good) {
        for (int i = 0; i < s->nvert; i++) {
            const float* x = s->t.vert + 3 * (size_t)i;
            points[i] = (Point){{x[0], x[1], x[2]}, i};
        }
        qsort(points, (size_t)s->nvert, sizeof *points, byPlace);
        for (int i = 0, first = 0; i < s->nvert; i++) {
            if (!isSamePlace(&points[first], &points[i])) first = i;
            same[points[i].vertex] = points[first].vertex;
        }
        for (int i = 0; i < 3 * s->t.count; i++) s->corner[i] = same[s->t.face[i]];
    }
    sn_free(points);
    sn_free(same);
    return good;
}

// ---- edges

// An edge of a triangle, under the lower one of its corners.
typedef struct Edge {
    int high, side; ///< the other corner; 3 face + k
    bool up;        ///< it runs from the lower corner to the higher one
} Edge;

static int byHigh(const void* a, const void* b)
{
    const Edge *e = a, *f = b;
    if (e->high != f->high) return e->high < f->high ? -1 : 1;
    return (e->side > f->side) - (e->side < f->side);
}

// Whether a triangle has three corners.
static bool hasCorners(const int* c)
{
    return c[0] != c[1] && c[1] != c[2] && c[2] != c[0];
}

static int next(int side)
{
    return side % 3 == 2 ? side - 2 : side + 1;
}

// Sorts the edges [3 count] into lists of one lower corner each, list v from begin[v] on; begin [nvert + 1].
static void listEdges(const snShell* s, int* begin, Edge* edges)
{
    const int* c = s->corner;
    memset(begin, 0, ((size_t)s->nvert + 1) * sizeof *begin);
    for (int i = 0; i < 3 * s->t.count; i++)
        if (hasCorners(c + i - i % 3)) begin[(c[i] < c[next(i)] ? c[i] : c[next(i)]) + 1]++;
    for (int v = 0; v < s->nvert; v++) begin[v + 1] += begin[v];
    for (int i = 0; i < 3 * s->t.count; i++) {
        if (!hasCorners(c + i - i % 3)) continue;
        const int a = c[i], b = c[next(i)];
        edges[begin[a < b ? a : b]++] = (Edge){a < b ? b : a, i, a < b};
    }
    for (int v = s->nvert; v > 0; v--) begin[v] = begin[v - 1]; // each had moved to the begin of the next
    begin[0] = 0;
}

// n triangles at one edge.
static void joinTriangles(snShell* s, const Edge* e, int n)
{
    if (n == 2 && e[0].up != e[1].up) {
        s->neighbour[e[0].side] = e[1].side / 3;
        s->neighbour[e[1].side] = e[0].side / 3;
    } else {
        s->open += n == 1;
        s->turned += n == 2;
        s->crowded += n > 2;
    }
}

static bool findNeighbours(snShell* s)
{
    Edge* edges = sn_malloc(3 * (size_t)s->t.count * sizeof *edges);
    int* begin = sn_malloc(((size_t)s->nvert + 1) * sizeof *begin);
    const bool good = edges && begin;
    if (good) {
        for (int i = 0; i < 3 * s->t.count; i++) s->neighbour[i] = -1;
        listEdges(s, begin, edges);
        for (int v = 0; v < s->nvert; v++) {
            const int n = begin[v + 1] - begin[v];
            Edge* list = edges + begin[v];
            if (n > 1) qsort(list, (size_t)n, sizeof *list, byHigh);
            for (int i = 0, j; i < n; i = j) {
                for (j = i + 1; j < n && list[j].high == list[i].high;) j++;
                joinTriangles(s, list + i, j - i);
            }
        }
    }
    sn_free(edges);
    sn_free(begin);
    return good;
}

// ---- normals

// Angle between two vectors.
static real angleOf(snVec3 a, snVec3 b)
{
    return sn_atan2(sn_v3Norm(sn_v3Cross(a, b)), sn_v3Dot(a, b));
}

// Of triangles and corners.
static void findNormals(snShell* s)
{
    real volume = 0;
    for (int f = 0; f < s->t.count; f++) {
        snVec3 v[3];
        cornersOf(&s->t, f, v);
        const snVec3 cross = sn_v3Cross(sn_v3Sub(v[1], v[0]), sn_v3Sub(v[2], v[0]));
        const real length = sn_v3Norm(cross);
        s->normal[f] = length > 0 ? sn_v3Scale(cross, 1 / length) : sn_v3(0, 0, 0);
        if (!(length > 0)) continue;
        volume += sn_v3Dot(v[0], cross);
        for (int k = 0; k < 3; k++) {
            const real angle = angleOf(sn_v3Sub(v[(k + 1) % 3], v[k]), sn_v3Sub(v[(k + 2) % 3], v[k]));
            snVec3* sum = s->cornerNormal + s->corner[3 * (size_t)f + (size_t)k];
            *sum = sn_v3AddScaled(*sum, angle, s->normal[f]);
        }
    }
    s->inverted = volume < 0;
}

// ---- the tree

static bool plantTree(snShell* s)
{
    const size_t n = (size_t)s->t.count, nodes = (size_t)sn_bvhNodeCount(s->t.count);
    snBvhLeaf* leaves = sn_malloc(n * sizeof *leaves);
    int *child = sn_malloc(2 * nodes * sizeof *child), *element = sn_malloc(nodes * sizeof *element);
    double* box = sn_malloc(6 * nodes * sizeof *box);
    s->t.child = child; // freed with the shell
    s->t.element = element;
    s->t.box = box;
    bool good = leaves && child && element && box;
    for (int f = 0; good && f < s->t.count; f++) {
        snVec3 v[3];
        cornersOf(&s->t, f, v);
        snBvhLeaf* leaf = &leaves[f];
        leaf->id = f;
        for (int k = 0; k < 3; k++) {
            const real x[3] = {(&v[0].x)[k], (&v[1].x)[k], (&v[2].x)[k]};
            leaf->low[k] = sn_min(sn_min(x[0], x[1]), x[2]);
            leaf->high[k] = sn_max(sn_max(x[0], x[1]), x[2]);
            leaf->key[k] = (x[0] + x[1] + x[2]) / 3;
        }
    }
    good = good && sn_buildBvhTree(leaves, s->t.count, (snBvhNodes){NULL, child, element, box});
    if (good) s->t.nodes = (int)nodes;
    sn_free(leaves);
    return good;
}

bool sn_makeShell(const float* vert, int nvert, const int* face, int nface, snShell* shell)
{
    *shell = (snShell){.t = {.vert = vert, .face = face, .count = nface}, .nvert = nvert};
    const size_t n = (size_t)nface;
    shell->corner = sn_malloc(3 * n * sizeof *shell->corner);
    shell->neighbour = sn_malloc(3 * n * sizeof *shell->neighbour);
    shell->normal = sn_malloc(n * sizeof *shell->normal);
    shell->cornerNormal = sn_calloc((size_t)nvert * sizeof *shell->cornerNormal);
    if (!shell->corner || !shell->neighbour || !shell->normal || !shell->cornerNormal ||
        !joinVertices(shell) || !findNeighbours(shell) || !plantTree(shell))
        return false;
    findNormals(shell);
    shell->discs = sn_makeDiscs(&shell->t, shell->normal);
    return shell->discs != NULL;
}

void sn_freeShell(snShell* shell)
{
    sn_free(shell->corner);
    sn_free(shell->neighbour);
    sn_free(shell->normal);
    sn_free(shell->cornerNormal);
    sn_free(shell->winding);
    sn_free(shell->discs);
    sn_free((void*)shell->t.box);
    sn_free((void*)shell->t.child);
    sn_free((void*)shell->t.element);
    *shell = (snShell){0};
}
