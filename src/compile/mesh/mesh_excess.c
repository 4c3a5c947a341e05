// How much too heavy a mesh is whose pyramids all count as positive, whichever way their triangles look.
#include "base/memory.h"
#include <stdlib.h>
#include "compile/mesh/mesh.h"

// An edge of a triangle by its two vertices, the smaller one first, and which way the triangle goes along it.
typedef struct Edge {
    int low, high, way;
} Edge;

static int byVertices(const void* a, const void* b)
{
    const Edge *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    return (x->high > y->high) - (x->high < y->high);
}

static int listEdges(const snMesh* mesh, Edge* edges)
{
    int n = 0;
    for (int i = 0; i < mesh->nface; i++) {
        const int* f = mesh->face + 3 * (size_t)i;
        for (int k = 0; k < 3; k++) {
            const int from = f[k], to = f[(k + 1) % 3];
            if (from != to) edges[n++] = from < to ? (Edge){from, to, 1} : (Edge){to, from, -1};
        }
    }
    return n;
}

// Whether each edge is gone along as often one way as the other, so that the triangles enclose a volume.
static bool isClosed(Edge* edges, int n)
{
    qsort(edges, (size_t)n, sizeof *edges, byVertices);
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += edges[i].way;
        if (i + 1 < n && !byVertices(edges + i, edges + i + 1)) continue;
        if (sum) return false;
    }
    return true;
}

// Sum of the volumes of the pyramids from the origin, each with its sign.
static double signedVolume(const snMesh* mesh)
{
    double sum = 0;
    for (int i = 0; i < mesh->nface; i++) {
        const int* f = mesh->face + 3 * (size_t)i;
        const snVec3 cross = sn_v3Cross(sn_meshVert(mesh, f[1]), sn_meshVert(mesh, f[2]));
        sum += sn_v3Dot(sn_meshVert(mesh, f[0]), cross) / 6;
    }
    return sum;
}

double sn_meshExcess(const snMesh* mesh)
{
    static const double ROUNDING = 0.01; // far above that of coarse files, and no matter for a mass
    if (mesh->inertia != SN_MESH_LEGACY) return 0;
    const double volume = signedVolume(mesh);
    if (!(volume > 0 && mesh->volume > (1 + ROUNDING) * volume)) return 0;
    Edge* edges = sn_malloc(3 * (size_t)mesh->nface * sizeof *edges);
    if (!edges) return 0;
    const bool closed = isClosed(edges, listEdges(mesh, edges));
    sn_free(edges);
    return closed ? mesh->volume / volume - 1 : 0;
}
