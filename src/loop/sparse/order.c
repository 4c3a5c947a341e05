// The order of elimination. The pivot of a joint's force is regular when the constraints eliminated with it
// are independent in the bodies eliminated before it. Joints after all bodies would be safe, but then a body
// with n children makes all their joints neighbours of each other, O(n^2). So clusters of tree joints that
// share loops (8.9) are eliminated one after the other, leaves first: of each its bodies but the topmost,
// which belongs to the cluster above, then its joints and loops; with the topmost body fixed they are as
// independent as they are in K. A joint in no loop is a cluster with its body, so that a tree is eliminated
// without any fill, as by Baraff (1996). A cluster's bodies are no neighbours of each other, so that their
// order does not matter: after them their joints are neighbours that share one, and minimum degree (AMD)
// orders these. (CAMD, which takes such constraints, is no library to link: Debian's static one cannot go
// into a shared one.)
#include <limits.h>
#include <string.h>
#include "loop/joint/closure.h"
#include "loop/sparse/graph.h"
#include "math/least_degree.h"

// In a cluster of few loops these come last: if constraints contradict each other, a loop's are left out.
enum { FEW_LOOPS = 6, PARTS = 3 };

// Clusters of the joints above bodies, as a forest.
typedef struct Clusters {
    int* up;    // [nbody] a body of the same cluster; itself: the root, which stands for the cluster
    int* top;   // [nbody] of a root: topmost body that the cluster moves against, 0: the world
    int* loops; // [nbody] of a root: number of loops
} Clusters;

static int find(Clusters* c, int b)
{
    while (c->up[b] != b) b = c->up[b] = c->up[c->up[b]];
    return b;
}

static int unite(Clusters* c, int a, int b)
{
    b = find(c, b);
    if (a < 0) return b;
    a = find(c, a);
    if (a == b) return a;
    if (c->top[b] < c->top[a]) c->top[a] = c->top[b];
    c->up[b] = a;
    return a;
}

static int mover(const snModel* m, const snSparseGraph* g, int body)
{
    return g->body_node[body] < 0 ? 0 : m->body_weldid[body];
}

// Unites the joints between bodies x and y with cluster `set`, jumping over those that are one already.
static int tie(Clusters* c, int set, int x, int y)
{
    while (x != y) {
        int* low = x > y ? &x : &y;
        const int b = *low;
        *low = c->top[find(c, b)];
        set = unite(c, set, b);
    }
    return set;
}

static void tieLoop(const snModel* m, const snSparseGraph* g, Clusters* c, int id, int* dofs)
{
    int body[2], set = -1;
    if (sn_closureBodies(m, id, body)) {
        set = tie(c, set, mover(m, g, body[0]), mover(m, g, body[1]));
    } else {
        const int count = sn_closureDofs(m, id, dofs), first = m->dof_bodyid[dofs[0]];
        for (int k = 0; k < count; k++) {
            const int b = m->dof_bodyid[dofs[k]];
            set = tie(c, set, b, mover(m, g, m->body_parentid[b]));
            set = tie(c, set, b, first);
        }
    }
    c->loops[find(c, set)]++;
}

static void findClusters(const snModel* m, const snSparseGraph* g, Clusters* c, int* dofs)
{
    for (int b = 0; b < m->nbody; b++) {
        c->up[b] = b;
        c->top[b] = mover(m, g, m->body_parentid[b]);
        c->loops[b] = 0;
    }
    for (int id = 0; id < sn_closureCount(m); id++)
        if (g->loop_node[id] >= 0) tieLoop(m, g, c, id, dofs);
    for (int b = m->nbody - 1; b > 0; b--) { // those of roots that are none any more
        const int root = find(c, b);
        if (root == b) continue;
        c->loops[root] += c->loops[b];
        c->loops[b] = 0;
    }
}

// A body of the cluster that a node is in.
static int bodyOf(const snModel* m, const snSparseGraph* g, int n, int* dofs)
{
    const snSparseNode* node = g->node + n;
    int body[2];
    if (node->kind != SN_SPARSE_LOOP) return node->id;
    if (!sn_closureBodies(m, node->id, body)) {
        sn_closureDofs(m, node->id, dofs);
        return m->dof_bodyid[dofs[0]];
    }
    const int x = mover(m, g, body[0]), y = mover(m, g, body[1]);
    return x > y ? x : y;
}

// stage [nnode]: nodes of a lower one come first. Clusters by descending top, which is in the cluster above.
static void findStages(const snModel* m, snSparseGraph* g, Clusters* c, int* rank, int* dofs, int* stage)
{
    int *head = rank, *next = rank + m->nbody, *number = next + m->nbody, count = 0;
    for (int b = 0; b < m->nbody; b++) head[b] = -1;
    for (int b = 1; b < m->nbody; b++) {
        if (find(c, b) != b) continue;
        next[b] = head[c->top[b]];
        head[c->top[b]] = b;
    }
    for (int top = m->nbody - 1; top >= 0; top--)
        for (int b = head[top]; b >= 0; b = next[b]) number[b] = count++;
    for (int n = 0; n < g->nnode; n++) {
        const int cluster = find(c, bodyOf(m, g, n, dofs)), loops = c->loops[cluster];
        const bool last = g->node[n].kind == SN_SPARSE_LOOP && loops <= FEW_LOOPS;
        g->node[n].looped = loops > 0;
        stage[n] = PARTS * number[cluster] + (last ? 2 : sn_isForce(g, n));
    }
}

// For each acceleration the forces that touch it: of node n list [adr[n], adr[n + 1]). at [nnode]: work.
static void fillTouching(const snSparseGraph* g, int* adr, int* list, int* at)
{
    memset(adr, 0, (size_t)(g->nnode + 1) * sizeof(int));
    for (int e = 0; e < g->nblock; e++) adr[g->block_node[e] + 1]++;
    for (int n = 0; n < g->nnode; n++) {
        adr[n + 1] += adr[n];
        at[n] = adr[n];
    }
    for (int n = 0; n < g->nnode; n++)
        for (int e = g->block_adr[n]; e < g->block_adr[n + 1]; e++) list[at[g->block_node[e]]++] = n;
}

// The other forces of its cluster that share an acceleration of it with force n, counted from `first`, into
// list unless that is NULL. Returns how many. seen [nnode]: not n before.
static int neighbours(const snSparseGraph* g, const int* stage, const int* adr, const int* touching,
                      int first, int n, int* seen, int* list)
{
    int count = 0;
    seen[n] = n;
    for (int e = g->block_adr[n]; e < g->block_adr[n + 1]; e++) {
        const int shared = g->block_node[e];
        if (stage[shared] / PARTS != stage[n] / PARTS) continue; // the topmost body
        for (int p = adr[shared]; p < adr[shared + 1]; p++) {
            const int other = touching[p];
            if (seen[other] == n || stage[other] / PARTS != stage[n] / PARTS) continue;
            seen[other] = n;
            if (list) list[count] = other - first;
            count++;
        }
    }
    return count;
}

// Forces by minimum degree, as counted from `first`, into out [nnode - first].
static bool orderForces(snPool* pool, const snSparseGraph* g, const int* stage, int first, int* out)
{
    enum { WORK = 10 };
    const int n = g->nnode - first;
    int *work[WORK], *touching = sn_poolAlloc(pool, (size_t)(g->nblock + 1) * sizeof(int));
    bool ok = touching != NULL;
    for (int k = 0; k < WORK; k++)
        ok = (work[k] = sn_poolAlloc(pool, (size_t)(g->nnode + 1) * sizeof(int))) && ok;
    if (!ok) return false;
    int *adr = work[0], *seen = work[1], *start = work[2], *length = work[3];
    fillTouching(g, adr, touching, seen);
    long edges = 0;
    for (int k = 0; k < g->nnode; k++) seen[k] = -1;
    for (int k = 0; k < n; k++) {
        start[k] = (int)edges;
        edges += length[k] = neighbours(g, stage, adr, touching, first, first + k, seen, NULL);
        if (edges > INT_MAX / 2 - n) return false;
    }
    const int room = (int)(edges + edges / 5 + n);
    int* list = sn_poolAlloc(pool, (size_t)(room + 1) * sizeof(int));
    if (!list) return false;
    for (int k = 0; k < g->nnode; k++) seen[k] = -1;
    for (int k = 0; k < n; k++) neighbours(g, stage, adr, touching, first, first + k, seen, list + start[k]);
    sn_leastDegree(n, start, list, length, room, (int)edges, work + 4, out);
    return true;
}

// The order by stages; in each accelerations as they are, forces as in `forces`. at [nstage] is zero before.
static void sortStages(snSparseGraph* g, const int* stage, int nstage, const int* forces, int first, int* at)
{
    for (int n = 0; n < g->nnode; n++) at[stage[n]]++;
    for (int k = 0, sum = 0; k < nstage; k++) {
        const int count = at[k];
        at[k] = sum;
        sum += count;
    }
    for (int n = 0; n < g->nnode; n++) {
        const int node = n < first ? n : first + forces[n - first];
        g->order[at[stage[node]]++] = node;
    }
}

static bool orderWith(const snModel* m, snPool* work, snSparseGraph* g)
{
    const size_t bodies = (size_t)m->nbody * sizeof(int), nodes = (size_t)(g->nnode + 1) * sizeof(int);
    const int nstage = PARTS * m->nbody;
    Clusters c = {sn_poolAlloc(work, bodies), sn_poolAlloc(work, bodies), sn_poolAlloc(work, bodies)};
    int *rank = sn_poolAlloc(work, 3 * bodies), *dofs = sn_poolAlloc(work, (size_t)(m->nv + 1) * sizeof(int)),
        *at = sn_poolAlloc(work, (size_t)nstage * sizeof(int)), first = 0;
    int *stage = sn_poolAlloc(work, nodes), *forces = sn_poolAlloc(work, nodes);
    if (!c.up || !c.top || !c.loops || !rank || !dofs || !stage || !at || !forces) return false;
    findClusters(m, g, &c, dofs);
    findStages(m, g, &c, rank, dofs, stage);
    while (first < g->nnode && !sn_isForce(g, first)) first++;
    if (first < g->nnode && !orderForces(work, g, stage, first, forces)) return false;
    sortStages(g, stage, nstage, forces, first, at);
    return true;
}

bool sn_sparseOrder(const snModel* m, snPool* pool, snSparseGraph* g)
{
    g->order = sn_poolAlloc(pool, (size_t)(g->nnode + 1) * sizeof(int));
    if (!g->order) return false;
    snPool work = {0};
    const bool ok = orderWith(m, &work, g);
    sn_clearPool(&work);
    return ok;
}
