#include "compile/flex/topology.h"
#include <stdint.h>
#include <string.h>
#include "base/memory.h"
#include "model/flex.h"

// Edges met so far, and an open hash table of them: a slot holds an edge's number plus 1.
typedef struct {
    int *edge, *slot;
    int nedge;
    size_t nslots; // a power of 2, at least twice as many as there are edges
} Table;

// Slot of an edge, or the empty one where it would stand.
static size_t slotOf(const Table* t, int low, int high)
{
    const uint64_t key = (uint64_t)(uint32_t)low << 32 | (uint32_t)high;
    const uint64_t mixed = (key ^ key >> 29) * 0x9e3779b97f4a7c15u;
    for (size_t s = (size_t)(mixed >> 20) & (t->nslots - 1);; s = (s + 1) & (t->nslots - 1)) {
        if (!t->slot[s]) return s;
        const int* ends = t->edge + 2 * (size_t)(t->slot[s] - 1);
        if (ends[0] == low && ends[1] == high) return s;
    }
}

static bool grow(Table* t)
{
    const size_t nslots = t->nslots ? 2 * t->nslots : 64;
    int* edge = sn_realloc(t->edge, 2 * (size_t)t->nedge * sizeof(int), nslots * sizeof(int));
    if (edge) t->edge = edge;
    int* slot = edge ? sn_calloc(nslots * sizeof(int)) : NULL;
    if (!slot) return false;
    sn_free(t->slot);
    t->slot = slot;
    t->nslots = nslots;
    for (int e = 0; e < t->nedge; e++) slot[slotOf(t, edge[2 * (size_t)e], edge[2 * (size_t)e + 1])] = e + 1;
    return true;
}

// Number of an edge, a new one where it has none; -1: out of memory.
static int enter(Table* t, int a, int b)
{
    const int low = a < b ? a : b, high = a < b ? b : a;
    if (2 * (size_t)t->nedge >= t->nslots && !grow(t)) return -1;
    const size_t slot = slotOf(t, low, high);
    if (!t->slot[slot]) {
        t->edge[2 * (size_t)t->nedge] = low;
        t->edge[2 * (size_t)t->nedge + 1] = high;
        t->slot[slot] = ++t->nedge;
    }
    return t->slot[slot] - 1;
}

bool sn_flexEdges(const int* element, int nelem, int dim, int** edge, int* nedge, int* elemedge)
{
    Table t = {0};
    const int each = sn_flexElementEdges(dim);
    bool good = true;
    for (int e = 0; good && e < nelem; e++, element += dim + 1)
        for (int k = 0; good && k < each; k++) {
            const int* corner = sn_flexElementEdge(dim, k);
            const int id = enter(&t, element[corner[0]], element[corner[1]]);
            good = id >= 0;
            if (elemedge) elemedge[(size_t)e * (size_t)each + (size_t)k] = id;
        }
    sn_free(t.slot);
    *edge = t.edge;
    *nedge = t.nedge;
    if (good) return true;
    sn_free(t.edge);
    *edge = NULL;
    return false;
}
