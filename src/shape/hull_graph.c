#include "shape/hull_graph.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libqhull_r/libqhull_r.h>
#include <libqhull_r/poly_r.h>
#include "base/error.h"
#include "base/memory.h"
#include "base/platform/files.h"

// Points, and the hull that is made of them.
typedef struct Hull {
    const snHullWish* wish;
    int *graph, size;
    snError* error;
} Hull;

// The graph's parts, as mesh_graph of the model describes them.
typedef struct {
    int numvert, numface;
    int *edgeadr, *globalid, *edge, *face;
} Graph;

static Graph graphParts(int* graph)
{
    Graph g = {graph[0], graph[1], NULL, NULL, NULL, NULL};
    g.edgeadr = graph + 2;
    g.globalid = g.edgeadr + g.numvert;
    g.edge = g.globalid + g.numvert;
    g.face = g.edge + g.numvert + 3 * g.numface;
    return g;
}

int* sn_hullGraphFaces(int* graph, int* numface)
{
    const Graph g = graphParts(graph);
    *numface = g.numface;
    return g.face;
}

// qhull leaves its inner functions by longjmp to here. "Qt": facets of more than three vertices are cut into
// triangles; "TA": how many vertices are added to the first tetrahedron; "Q9": the farthest of all first, not
// the farthest of a facet. 0, qh_ERRmem, or another error.
static int runQhull(qhT* qh, const snHullWish* wish, FILE* messages)
{
    char options[40] = "qhull Qt";
    if (wish->most >= 4)
        snprintf(options, sizeof options, "qhull Qt%s TA%d", wish->farthest_first ? " Q9" : "",
                 wish->most - 4);
    qh_zero(qh, messages);
    qh_init_A(qh, NULL, messages, messages, 0, NULL);
    switch (setjmp(qh->errexit)) {
    case 0: break;
    case qh_ERRmem: return qh_ERRmem;
    default: return qh_ERRother;
    }
    qh->NOerrexit = False;
    qh_initflags(qh, options);
    qh_init_B(qh, (double*)wish->point, wish->count, 3, False);
    qh_qhull(qh);
    qh_triangulate(qh);
    qh_vertexneighbors(qh);
    return qh_ERRnone;
}

static void endQhull(qhT* qh)
{
    int left, total;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &left, &total);
}

// Local ids, numbered in qhull's order, of the points [count], and back. false: qhull names a point
// that is none.
static bool numberVertices(qhT* qh, int count, const Graph* g, int* local)
{
    const vertexT* vertex;
    int n = 0;
    FORALLvertices
    {
        const int id = qh_pointid(qh, vertex->point);
        if (id < 0 || id >= count || n == g->numvert) return false;
        local[id] = n;
        g->globalid[n++] = id;
    }
    return n == g->numvert;
}

// The neighbours of each vertex, once each, in the order of its facets. seen [numvert] is zeroed scratch.
static bool linkVertices(qhT* qh, const Graph* g, const int* local, int* seen)
{
    const vertexT *vertex, *corner, **cornerp;
    const facetT *facet, **facetp;
    const int room = g->numvert + 3 * g->numface;
    int n = 0, v = 0;
    FORALLvertices
    {
        g->edgeadr[v++] = n;
        FOREACHsetelement_(const facetT, vertex->neighbors, facet)
        {
            FOREACHsetelement_(const vertexT, facet->vertices, corner)
            {
                const int other = local[qh_pointid(qh, corner->point)];
                if (corner == vertex || seen[other] == v) continue;
                seen[other] = v;
                if (n == room) return false;
                g->edge[n++] = other;
            }
        }
        if (n == room) return false;
        g->edge[n++] = -1;
    }
    // every edge of a closed surface of triangles is in two of them
    return n == room;
}

// Triangles, anticlockwise seen from outside.
static bool listFaces(qhT* qh, const Graph* g)
{
    const facetT* facet;
    const vertexT *corner, **cornerp;
    int f = 0;
    FORALLfacets
    {
        int n = 0;
        if (f == g->numface) return false;
        FOREACHsetelement_(const vertexT, facet->vertices, corner)
        {
            if (n == 3) return false;
            const int place = facet->toporient && n < 2 ? 1 - n : n;
            g->face[3 * f + place] = qh_pointid(qh, corner->point);
            n++;
        }
        if (n != 3) return false;
        f++;
    }
    return f == g->numface;
}

static bool makeGraph(qhT* qh, Hull* hull)
{
    const int numvert = qh->num_vertices, numface = qh->num_facets, count = hull->wish->count;
    hull->size = 2 + 3 * numvert + 6 * numface;
    hull->graph = sn_malloc((size_t)hull->size * sizeof *hull->graph);
    int* scratch = sn_calloc((size_t)(count + numvert) * sizeof *scratch);
    bool good = hull->graph && scratch;
    if (good) {
        hull->graph[0] = numvert;
        hull->graph[1] = numface;
        const Graph g = graphParts(hull->graph);
        good = numberVertices(qh, count, &g, scratch) && linkVertices(qh, &g, scratch, scratch + count) &&
               listFaces(qh, &g);
        if (!good)
            sn_fail(hull->error, SN_STATUS_MODEL,
                    "its convex hull is not a closed surface; its vertices may be nearly flat");
    } else
        sn_fail(hull->error, SN_STATUS_NO_MEMORY, "out of memory");
    sn_free(scratch);
    return good;
}

// What qhull says first: "QH6154 Qhull precision error: Initial simplex is flat (...)" without the number.
static const char* reason(char* messages)
{
    const char* start = strstr(messages, "rror: ");
    start = start ? start + 6 : messages;
    char* line = (char*)start;
    line[strcspn(line, "\n(")] = 0;
    return *start ? start : "no reason given";
}

static void failedHull(snError* error, bool starved, char* messages)
{
    if (starved)
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory for a convex hull");
    else
        sn_fail(error, SN_STATUS_MODEL, "its vertices have no convex hull: %s", reason(messages));
}

static bool makeHull(qhT* qh, Hull* hull, snCapture* messages)
{
    char text[1024] = "";
    const int failed = runQhull(qh, hull->wish, messages->file);
    const bool good = !failed && makeGraph(qh, hull);
    endQhull(qh);
    sn_endCapture(messages);
    if (messages->text) snprintf(text, sizeof text, "%s", messages->text);
    if (failed) failedHull(hull->error, failed == qh_ERRmem, text);
    return good;
}

int* sn_makeHullGraph(const snHullWish* wish, int* size, snError* error)
{
    Hull hull = {.wish = wish, .error = error};
    snCapture messages;
    qhT* qh = sn_beginCapture(&messages) ? sn_malloc(sizeof *qh) : NULL;
    if (!qh)
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    else if (!makeHull(qh, &hull, &messages)) {
        sn_free(hull.graph);
        hull.graph = NULL;
    }
    sn_endCapture(&messages);
    free(messages.text);
    sn_free(qh);
    *size = hull.graph ? hull.size : 0;
    return hull.graph;
}
