#include "solver/order.h"
#include <assert.h>
#include <limits.h>
#include <string.h>
#include "math/least_degree.h"
#include "model/arena.h"

// AMD works on a copy of the graph that has some room at its end.
static bool order(snData* d, const snGraph* graph, int* out)
{
    const int n = graph->n, edges = graph->adr[n];
    assert(n >= 0 && edges >= 0 && edges % 2 == 0); // both directions of each
    if (edges > INT_MAX / 2 - n) return false;
    const int room = edges + edges / 5 + n;
    int *start = sn_scratchInt(d, n), *list = sn_scratchInt(d, room), *length = sn_scratchInt(d, n);
    int* work[6];
    bool ok = start && list && length;
    for (int k = 0; k < 6; k++) ok = (work[k] = sn_scratchInt(d, n)) && ok;
    if (!ok) return false;
    memcpy(list, graph->adj, (size_t)edges * sizeof(int));
    for (int i = 0; i < n; i++) {
        start[i] = graph->adr[i];
        length[i] = graph->adr[i + 1] - graph->adr[i];
    }
    sn_leastDegree(n, start, list, length, room, edges, work, out);
    return true;
}

bool sn_orderNodes(snData* d, const snGraph* graph, int* out)
{
    if (!sn_hasLeastDegree()) return sn_dissectNodes(d, graph, out);
    const size_t mark = sn_scratchMark(d);
    const bool ok = order(d, graph, out);
    sn_scratchRelease(d, mark);
    return ok;
}
