#include "collision/shape/hull.h"

// Below so many vertices looking at all of them is faster than following edges
#define FEW 12

// Directions as cells on the faces of a cube, as many along each edge
enum { CELLS = 8 };
_Static_assert(SN_NHULLDIR == 6 * CELLS * CELLS, "a cell, a start");

// Vertices are rounded to floats, so a hull of them is convex to this part of its size alone, and a walk that
// is to reach the top may have to go down as much
#define ROUNDING 2.5e-7

snHull sn_meshHull(const snModel* m, int mesh)
{
    snHull hull = {.vert = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh], .count = m->mesh_vertnum[mesh]};
    if (m->mesh_graphadr[mesh] < 0) return hull;
    const int* graph = m->mesh_graph + m->mesh_graphadr[mesh];
    hull.count = graph[0];
    hull.edge_adr = graph + 2;
    hull.global = hull.edge_adr + hull.count;
    hull.edge = hull.global + hull.count;
    hull.start = m->mesh_hullstart + SN_NHULLDIR * (size_t)mesh;
    return hull;
}

static real along(const snHull* hull, snVec3 n, int i)
{
    return sn_v3Dot(n, sn_hullVertex(hull, i));
}

static int farthestOfAll(const snHull* hull, snVec3 n)
{
    int best = 0;
    real most = -INFINITY;
    for (int i = 0; i < hull->count; i++) {
        const real far = along(hull, n, i);
        if (far <= most) continue;
        most = far;
        best = i;
    }
    return best;
}

// ---- where to start

// Cell 0 .. CELLS - 1 of a coordinate in -1 .. 1; of NaN, any.
static int cellOf(real x)
{
    const real cell = 0.5 * CELLS * (x + 1);
    return !(cell > 0) ? 0 : cell < CELLS ? (int)cell : CELLS - 1;
}

static int cellOfDirection(snVec3 n)
{
    const real x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    if (x >= y && x >= z) return ((n.x < 0) * CELLS + cellOf(n.y / x)) * CELLS + cellOf(n.z / x);
    if (y >= z) return ((2 + (n.y < 0)) * CELLS + cellOf(n.z / y)) * CELLS + cellOf(n.x / y);
    return ((4 + (n.z < 0)) * CELLS + cellOf(n.x / z)) * CELLS + cellOf(n.y / z);
}

static snVec3 middleOfCell(int cell)
{
    const int face = cell / (CELLS * CELLS);
    const real a = face & 1 ? -1 : 1, b = (cell / CELLS % CELLS + 0.5) * 2 / CELLS - 1,
               c = (cell % CELLS + 0.5) * 2 / CELLS - 1;
    return face < 2 ? sn_v3(a, b, c) : face < 4 ? sn_v3(c, a, b) : sn_v3(b, c, a);
}

// ---- the walk

// The best of those that can be reached without going down below `least`: on a flat side, where rounding
// decides which way is up, a walk may end too early.
static int bestOfTop(const snHull* hull, snVec3 n, int top, real least)
{
    enum { MOST = 32 };
    int seen[MOST] = {top}, count = 1, best = top;
    real most = along(hull, n, top);
    for (int i = 0; i < count; i++) {
        for (const int* e = hull->edge + hull->edge_adr[seen[i]]; *e >= 0; e++) {
            const real far = along(hull, n, *e);
            if (far < least) continue;
            int k = 0;
            while (k < count && seen[k] != *e) k++;
            if (k < count) continue;
            if (count == MOST) return farthestOfAll(hull, n);
            seen[count++] = *e;
            if (far < most || (far == most && *e > best)) continue;
            most = far;
            best = *e;
        }
    }
    return best;
}

// On a convex hull no vertex but a farthest one is farther than all its neighbours. Ends, as each move is
// strictly uphill.
static int climb(const snHull* hull, snVec3 n, int at)
{
    const real level = ROUNDING * hull->radius * (fabs(n.x) + fabs(n.y) + fabs(n.z));
    real most = along(hull, n, at);
    for (;;) {
        int next = at;
        bool near = false;
        const real least = most - level;
        for (const int* e = hull->edge + hull->edge_adr[at]; *e >= 0; e++) {
            // selects, no branches: which neighbour is farther is hard to predict
            const real far = along(hull, n, *e);
            const bool farther = far > most;
            near |= far >= least;
            next = farther ? *e : next;
            most = farther ? far : most;
        }
        if (next == at) return near ? bestOfTop(hull, n, at, least) : at;
        at = next;
    }
}

static bool isWalked(const snHull* hull)
{
    return hull->edge && hull->count > FEW;
}

int sn_hullFarthest(const snHull* hull, snVec3 n)
{
    if (!isWalked(hull)) return farthestOfAll(hull, n);
    return climb(hull, n, hull->start ? hull->start[cellOfDirection(n)] : 0);
}

void sn_hullStarts(const snHull* hull, int* start)
{
    const bool walked = isWalked(hull);
    for (int i = 0, last = 0; i < SN_NHULLDIR; i++) {
        if (walked) last = climb(hull, middleOfCell(i), last);
        start[i] = last;
    }
}
