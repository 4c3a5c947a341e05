#include "collision/broad/order.h"
#include <string.h>
#include "model/arena.h"

enum { FEW = 48 }; // sorted by comparing

// With bounding-volume trees on, as they are by default, the peer orders the contacts of two bodies by the
// geoms as they stand in the contact, lower type first; without, by the geom of the lower body.
static inline bool geomsBefore(const snCandidate* a, const snCandidate* b, bool by_body)
{
    if (a->pair != b->pair) return (unsigned)a->pair < (unsigned)b->pair; // none, -1, comes last
    const int i = by_body && a->swapped, j = by_body && b->swapped;
    if (a->geom[i] != b->geom[j]) return a->geom[i] < b->geom[j];
    return a->geom[1 - i] < b->geom[1 - j];
}

static inline bool before(const snCandidate* a, const snCandidate* b, bool by_body)
{
    if (a->body[0] != b->body[0]) return a->body[0] < b->body[0];
    if (a->body[1] != b->body[1]) return a->body[1] < b->body[1];
    return geomsBefore(a, b, by_body);
}

// Shell sort: short, needs no memory, and passes quickly over what is nearly in order. No two are equal.
static void sortByComparing(snCandidate* list, int count, bool by_body)
{
    int gap = 1;
    while (gap < count / 32) gap = 3 * gap + 1;
    for (; gap; gap /= 3)
        for (int k = gap; k < count; k++) {
            if (!before(&list[k], &list[k - gap], by_body)) continue;
            const snCandidate moved = list[k];
            int i = k;
            for (; i >= gap && before(&moved, &list[i - gap], by_body); i -= gap) list[i] = list[i - gap];
            list[i] = moved;
        }
}

// Puts candidates in the order of one of their bodies; those of equal ones stay as they are.
static void countInto(snCandidate* to, const snCandidate* from, int count, int side, int* counts, int nbody)
{
    memset(counts, 0, (size_t)(nbody + 1) * sizeof *counts);
    for (int i = 0; i < count; i++) counts[from[i].body[side] + 1]++;
    for (int b = 0; b < nbody; b++) counts[b + 1] += counts[b];
    for (int i = 0; i < count; i++) to[counts[from[i].body[side]]++] = from[i];
}

// Within the candidates of the same two bodies
static void sortRuns(snCandidate* list, int count, bool by_body)
{
    for (int start = 0, end; start < count; start = end) {
        const snCandidate* c = list + start;
        for (end = start + 1; end < count; end++)
            if (list[end].body[0] != c->body[0] || list[end].body[1] != c->body[1]) break;
        if (end > start + 1) sortByComparing(list + start, end - start, by_body);
    }
}

void sn_sortCandidates(const snModel* m, snData* d, snCandidate* list, int count)
{
    const bool by_body = m->opt.disableflags & SN_DSBL_MIDPHASE;
    const size_t mark = sn_scratchMark(d);
    snCandidate* other = count > FEW ? sn_scratchAlloc(d, (size_t)count * sizeof *other) : NULL;
    int* counts = other ? sn_scratchInt(d, m->nbody + 1) : NULL;
    if (counts) {
        countInto(other, list, count, 1, counts, m->nbody);
        countInto(list, other, count, 0, counts, m->nbody);
        sortRuns(list, count, by_body);
    } else
        sortByComparing(list, count, by_body);
    sn_scratchRelease(d, mark);
}
