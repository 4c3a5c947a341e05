// Nested dissection by levels: breadth first from an end of the graph, a thin level in the middle parts it.
// Source: George and Liu 1978 (automatic nested dissection).
#include <string.h>
#include "model/arena.h"
#include "solver/order.h"

// Parts of so few nodes go as they are.
enum { LEAF = 40, TRIES = 4 };

typedef struct Part {
    int first, end; // of list
} Part;

typedef struct Work {
    const snGraph* graph;
    int* list;   // [n] the order; parts that are not cut yet stand together
    int* of;     // [n] which part a node is in, by a number of its own; -1: it has been placed
    int* seen;   // [n] the last search that came by a node
    int* queue;  // [n] nodes of a search, by levels
    int* level;  // [n + 1] where levels begin
    Part* stack; // [n] parts to cut
    int nstack, nparts, nsearches;
} Work;

// Levels from a node within its part; returns how many there are, *count nodes in all.
static int search(Work* w, int from, int* count)
{
    const snGraph* g = w->graph;
    const int part = w->of[from], stamp = ++w->nsearches;
    int end = 1, levels = 0;
    w->queue[0] = from;
    w->seen[from] = stamp;
    w->level[0] = 0;
    for (int next = 0; next < end;) {
        const int last = end;
        for (; next < last; next++)
            for (int k = g->adr[w->queue[next]]; k < g->adr[w->queue[next] + 1]; k++) {
                const int other = g->adj[k];
                if (w->of[other] != part || w->seen[other] == stamp) continue;
                w->seen[other] = stamp;
                w->queue[end++] = other;
            }
        w->level[++levels] = last;
    }
    *count = end;
    return levels;
}

// A node of fewest neighbours in the last level.
static int lonely(const Work* w, int levels)
{
    const int* adr = w->graph->adr;
    int best = w->queue[w->level[levels - 1]];
    for (int k = w->level[levels - 1]; k < w->level[levels]; k++) {
        const int node = w->queue[k];
        if (adr[node + 1] - adr[node] < adr[best + 1] - adr[best]) best = node;
    }
    return best;
}

// Levels from one end of a part to the other.
static int longest(Work* w, int from, int* count)
{
    int levels = search(w, from, count);
    for (int round = 0; round < TRIES; round++) {
        const int start = lonely(w, levels), further = search(w, start, count);
        if (further <= levels) return further;
        levels = further;
    }
    return levels;
}

// The smallest level among those that leave three tenths on either side; else the middle one.
static int thinnest(const Work* w, int levels, int count)
{
    int best = levels / 2, least = count;
    for (int k = 1; k + 1 < levels; k++) {
        const int before = w->level[k + 1], size = w->level[k + 1] - w->level[k];
        if (10 * before <= 3 * count || 10 * before >= 7 * count || size >= least) continue;
        least = size;
        best = k;
    }
    return best;
}

static bool touches(const Work* w, int node, int stamp)
{
    for (int k = w->graph->adr[node]; k < w->graph->adr[node + 1]; k++)
        if (w->seen[w->graph->adj[k]] == stamp) return true;
    return false;
}

static void push(Work* w, int first, int end)
{
    if (end - first <= LEAF) return;
    const int part = ++w->nparts;
    for (int k = first; k < end; k++) w->of[w->list[k]] = part;
    w->stack[w->nstack++] = (Part){first, end};
}

// Nodes that a search has not reached come behind those that it has.
static void split(Work* w, Part part, int count)
{
    int rest = count;
    for (int k = part.first; k < part.end; k++)
        if (w->seen[w->list[k]] != w->nsearches) w->queue[rest++] = w->list[k];
    memcpy(w->list + part.first, w->queue, (size_t)rest * sizeof(int));
    push(w, part.first, part.first + count);
    push(w, part.first + count, part.end);
}

// Both sides of level k, then what of it meets the other side.
static void cut(Work* w, Part part, int levels, int k)
{
    const int count = part.end - part.first, stamp = ++w->nsearches;
    const int begin = w->level[k], end = w->level[k + 1];
    for (int i = end; i < count && k + 1 < levels; i++) w->seen[w->queue[i]] = stamp;
    int left = part.first, last = part.end;
    for (int i = 0; i < begin; i++) w->list[left++] = w->queue[i];
    for (int i = begin; i < end; i++) {
        const int node = w->queue[i];
        if (touches(w, node, stamp)) {
            w->list[--last] = node;
            w->of[node] = -1;
        } else {
            w->list[left++] = node;
        }
    }
    memcpy(w->list + left, w->queue + end, (size_t)(count - end) * sizeof(int));
    push(w, part.first, left);
    push(w, left, last);
}

static void dissect(Work* w, Part part)
{
    int count;
    const int levels = longest(w, w->list[part.first], &count);
    if (count < part.end - part.first)
        split(w, part, count);
    else if (levels >= 3)
        cut(w, part, levels, thinnest(w, levels, count));
}

static bool allocate(snData* d, const snGraph* graph, Work* w)
{
    const int n = graph->n;
    *w = (Work){.graph = graph,
                .of = sn_scratchInt(d, n),
                .seen = sn_scratchInt(d, n),
                .queue = sn_scratchInt(d, n),
                .level = sn_scratchInt(d, n + 1),
                .stack = sn_scratchAlloc(d, (size_t)n * sizeof(Part))};
    return w->of && w->seen && w->queue && w->level && w->stack;
}

bool sn_dissectNodes(snData* d, const snGraph* graph, int* order)
{
    Work w;
    const size_t mark = sn_scratchMark(d);
    const bool room = allocate(d, graph, &w);
    if (room) {
        w.list = order;
        for (int i = 0; i < graph->n; i++) order[i] = i;
        memset(w.of, 0, (size_t)graph->n * sizeof(int));
        memset(w.seen, 0, (size_t)graph->n * sizeof(int));
        push(&w, 0, graph->n);
        while (w.nstack) dissect(&w, w.stack[--w.nstack]);
    }
    sn_scratchRelease(d, mark);
    return room;
}
