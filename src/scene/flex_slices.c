#include "scene/flex_slices.h"
#include <string.h>
#include "model/arena.h"

static bool hasOne(const int* matid, int nelem)
{
    for (int e = 1; e < nelem; e++)
        if (matid[e] != matid[0]) return false;
    return true;
}

snvFlexSlices snv_flexSlices(const snModel* m, snData* d, int flex)
{
    const int nelem = m->flex_elemnum[flex], *matid = m->flex_matid + m->flex_elemadr[flex];
    snvFlexSlices out = {.count = 1};
    if (hasOne(matid, nelem)) return out;
    const int most = nelem < m->nmat + 1 ? nelem : m->nmat + 1;
    int *slice = sn_scratchInt(d, nelem), *material = sn_scratchInt(d, most);
    int* known = sn_scratchInt(d, m->nmat + 1); // slices of materials, that of none at first; -1: not yet
    if (!slice || !material || !known) return out;
    memset(known, -1, ((size_t)m->nmat + 1) * sizeof *known);
    out.count = 0;
    for (int e = 0; e < nelem; e++) {
        int* of = known + matid[e] + 1;
        if (*of < 0) material[*of = out.count++] = matid[e];
        slice[e] = *of;
    }
    out.material = material;
    out.slice = slice;
    return out;
}

// n things by their slices, each slice in their order.
static bool sort(snData* d, const int* slice, int n, int count, snvSliced* sliced)
{
    int *order = sn_scratchInt(d, n), *start = sn_scratchInt(d, count + 2);
    if (!order || !start) return false;
    memset(start, 0, ((size_t)count + 2) * sizeof *start);
    for (int i = 0; i < n; i++) start[slice[i] + 2]++;
    for (int s = 2; s < count + 2; s++) start[s] += start[s - 1];
    for (int i = 0; i < n; i++) order[start[slice[i] + 1]++] = i; // which leaves starts where ends were
    *sliced = (snvSliced){order, start};
    return true;
}

bool snv_slicedElements(const snModel* m, snData* d, int flex, const snvFlexSlices* slices, snvSliced* sliced)
{
    return sort(d, slices->slice, m->flex_elemnum[flex], slices->count, sliced);
}

// Elements at each vertex: those of v are element[start[v]] to element[start[v + 1] - 1].
typedef struct Star {
    const int *start, *element;
} Star;

static bool elementsAtVertices(const snModel* m, snData* d, int flex, Star* star)
{
    const int corners = m->flex_dim[flex] + 1, n = corners * m->flex_elemnum[flex];
    snvSliced by;
    if (!sort(d, m->flex_elem + m->flex_elemdataadr[flex], n, m->flex_vertnum[flex], &by)) return false;
    int* element = sn_scratchInt(d, n);
    if (!element) return false;
    for (int k = 0; k < n; k++) element[k] = by.order[k] / corners;
    *star = (Star){by.start, element};
    return true;
}

static bool has(const int* element, int corners, const int* side)
{
    int found = 0;
    for (int k = 0; k < corners - 1; k++)
        for (int c = 0; c < corners; c++) found += element[c] == side[k];
    return found >= corners - 1;
}

// The element that a shell is a side of; 0: none.
static int ownerOf(const snModel* m, int flex, const Star* star, const int* shell)
{
    const int corners = m->flex_dim[flex] + 1;
    for (int k = star->start[shell[0]]; k < star->start[shell[0] + 1]; k++) {
        const int e = star->element[k];
        if (has(m->flex_elem + m->flex_elemdataadr[flex] + corners * e, corners, shell)) return e;
    }
    return 0;
}

bool snv_slicedShells(const snModel* m, snData* d, int flex, const snvFlexSlices* slices, snvSliced* sliced)
{
    const int n = m->flex_shellnum[flex], dim = m->flex_dim[flex];
    const int* shell = m->flex_shell + m->flex_shelldataadr[flex];
    int* slice = sn_scratchInt(d, n);
    Star star;
    if (!slice || !elementsAtVertices(m, d, flex, &star)) return false;
    for (int s = 0; s < n; s++) slice[s] = slices->slice[ownerOf(m, flex, &star, shell + dim * s)];
    return sort(d, slice, n, slices->count, sliced);
}

void snv_flexPartSlices(const snModel* m, int flex, const snvFlexSlices* slices, int* edge, int* vertex)
{
    const int corners = m->flex_dim[flex] + 1, edges = corners * (corners - 1) / 2;
    const int *elem = m->flex_elem + m->flex_elemdataadr[flex],
              *elemedge = m->flex_elemedge + m->flex_elemedgeadr[flex];
    memset(edge, 0, (size_t)m->flex_edgenum[flex] * sizeof *edge);
    memset(vertex, 0, (size_t)m->flex_vertnum[flex] * sizeof *vertex);
    for (int e = m->flex_elemnum[flex] - 1; e >= 0; e--) {
        for (int k = 0; k < edges; k++) edge[elemedge[edges * e + k]] = slices->slice[e];
        for (int k = 0; k < corners; k++) vertex[elem[corners * e + k]] = slices->slice[e];
    }
}
