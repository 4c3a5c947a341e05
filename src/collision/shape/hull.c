#include "collision/shape/hull.h"

// Below so many vertices looking at all of them is faster than following edges
#define FEW 12

snHull sn_meshHull(const snModel* m, int mesh)
{
    snHull hull = {.vert = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh], .count = m->mesh_vertnum[mesh]};
    if (m->mesh_graphadr[mesh] < 0) return hull;
    const int* graph = m->mesh_graph + m->mesh_graphadr[mesh];
    hull.count = graph[0];
    hull.edge_adr = graph + 2;
    hull.global = hull.edge_adr + hull.count;
    hull.edge = hull.global + hull.count;
    return hull;
}

static int farthestOfAll(const snHull* hull, snVec3 n)
{
    int best = 0;
    real most = -INFINITY;
    for (int i = 0; i < hull->count; i++) {
        const real along = sn_v3Dot(n, sn_hullVertex(hull, i));
        if (along <= most) continue;
        most = along;
        best = i;
    }
    return best;
}

// On a convex hull no vertex but a farthest one is farther than all its neighbours. Ends, as each move is
// strictly uphill.
static int climb(const snHull* hull, snVec3 n, int at)
{
    real most = sn_v3Dot(n, sn_hullVertex(hull, at));
    for (;;) {
        int next = at;
        for (const int* e = hull->edge + hull->edge_adr[at]; *e >= 0; e++) {
            // selects, no branches: which neighbour is farther is hard to predict
            const real along = sn_v3Dot(n, sn_hullVertex(hull, *e));
            const bool farther = along > most;
            next = farther ? *e : next;
            most = farther ? along : most;
        }
        if (next == at) return at;
        at = next;
    }
}

int sn_hullFarthest(const snHull* hull, snVec3 n, int start)
{
    return hull->edge && hull->count > FEW ? climb(hull, n, start) : farthestOfAll(hull, n);
}
