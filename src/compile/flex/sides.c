#include "compile/flex/topology.h"
#include <stdint.h>
#include <stdlib.h>
#include "base/memory.h"

// Sides met so far without another at their place, in an open hash table: a slot holds a side's number
// plus 1.
typedef struct {
    const int* element;
    int dim;
    int* slot;
    size_t nslots; // a power of 2, more than the sides, of which most are two at a place
} Table;

// Corner k of a side of an element.
static int cornerOf(int dim, int side, int k)
{
    static const int line[2][1] = {{0}, {1}};
    static const int triangle[3][2] = {{0, 1}, {1, 2}, {2, 0}};
    static const int tetrahedron[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    return dim == 1 ? line[side][k] : dim == 2 ? triangle[side][k] : tetrahedron[side][k];
}

static void exchangeIfAbove(int* a, int* b)
{
    const int low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low;
    *b = high;
}

// Vertices of a side, ascending.
static void sideVertices(const int* element, int dim, int side, int v[3])
{
    element += side / (dim + 1) * (dim + 1);
    for (int k = 0; k < 3; k++) v[k] = k < dim ? element[cornerOf(dim, side % (dim + 1), k)] : -1;
    if (dim > 1) exchangeIfAbove(v, v + 1);
    if (dim == 3) {
        exchangeIfAbove(v + 1, v + 2);
        exchangeIfAbove(v, v + 1);
    }
}

static size_t slotOf(const Table* t, const int v[3])
{
    uint64_t hash = 0;
    for (int k = 0; k < 3; k++) {
        hash = (hash ^ (uint32_t)v[k]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    for (size_t s = (size_t)hash & (t->nslots - 1);; s = (s + 1) & (t->nslots - 1)) {
        int w[3];
        if (!t->slot[s]) return s;
        sideVertices(t->element, t->dim, t->slot[s] - 1, w);
        if (v[0] == w[0] && v[1] == w[1] && v[2] == w[2]) return s;
    }
}

bool sn_flexBehind(const int* element, int nelem, int dim, int** behind)
{
    const int nside = nelem * (dim + 1);
    Table t = {element, dim, NULL, 64};
    while (t.nslots < (size_t)nside + (size_t)nside / 4) t.nslots *= 2;
    t.slot = sn_calloc(t.nslots * sizeof(int));
    *behind = sn_malloc((size_t)nside * sizeof(int));
    const bool good = t.slot && *behind;
    for (int side = 0; good && side < nside; side++) {
        int v[3];
        sideVertices(element, dim, side, v);
        const size_t slot = slotOf(&t, v);
        const int other = t.slot[slot] - 1;
        (*behind)[side] = other;
        if (other < 0)
            t.slot[slot] = side + 1;
        else if ((*behind)[other] < 0)
            (*behind)[other] = side;
    }
    sn_free(t.slot);
    if (good) return true;
    sn_free(*behind);
    *behind = NULL;
    return false;
}

typedef struct {
    int vertex[3], side;
} Shell;

static int byVertices(const void* a, const void* b)
{
    const Shell *s = a, *t = b;
    const int *x = s->vertex, *y = t->vertex;
    for (int k = 0; k < 3; k++)
        if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
    return (s->side > t->side) - (s->side < t->side); // C libraries leave equal ones in orders of their own
}

bool sn_flexShells(const int* element, int nelem, int dim, const int* behind, int nshell, int* shell)
{
    Shell* list = sn_malloc((size_t)nshell * sizeof *list);
    if (nshell && !list) return false;
    for (int side = 0, n = 0; side < nelem * (dim + 1); side++) {
        if (behind[side] >= 0) continue;
        list[n].side = side;
        sideVertices(element, dim, side, list[n++].vertex);
    }
    if (nshell) qsort(list, (size_t)nshell, sizeof *list, byVertices);
    for (int i = 0; i < nshell; i++) {
        const int side = list[i].side, *corner = element + side / (dim + 1) * (dim + 1);
        for (int k = 0; k < dim; k++) *shell++ = corner[cornerOf(dim, side % (dim + 1), k)];
    }
    sn_free(list);
    return true;
}

bool sn_flexLayers(int nelem, int dim, const int* behind, int* layer)
{
    int *queue = sn_malloc((size_t)nelem * sizeof *queue), end = 0;
    if (!queue) return false;
    for (int e = 0; e < nelem; e++) {
        layer[e] = -1;
        for (int k = 0; k <= dim && layer[e] < 0; k++)
            if (behind[e * (dim + 1) + k] < 0) layer[queue[end++] = e] = 0;
    }
    for (int next = 0; next < end; next++)
        for (int k = 0; k <= dim; k++) {
            const int e = behind[queue[next] * (dim + 1) + k] / (dim + 1);
            if (behind[queue[next] * (dim + 1) + k] < 0 || layer[e] >= 0) continue;
            layer[e] = layer[queue[next]] + 1;
            queue[end++] = e;
        }
    sn_free(queue);
    return true;
}
