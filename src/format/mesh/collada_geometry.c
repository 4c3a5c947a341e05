// <geometry>: <mesh> with <source>s of numbers, <vertices> that say which of them are positions, and lists of
// triangles, polygons, strips and fans that name vertices.
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "format/mesh/collada.h"
#include "format/mesh/polygon.h"

// A <float_array>, read.
typedef struct floatArray {
    int count;
    float value[];
} floatArray;

// What <vertices> calls positions: number k at value[offset + stride * k + axis[i]].
typedef struct positions {
    const floatArray* array;
    int count, offset, stride, axis[3];
} positions;

typedef struct geometryReader {
    snColladaTree* tree;
    snMeshFile* mesh;
    snColladaMesh* made;
    int vertroom, faceroom, colorroom, listroom;
    int64_t* work;
    int *triangle, *index, *spare; // scratch of the cut
    int triangleroom, indexroom, spareroom;
    // of the list that is being read:
    const positions* positions;
    int nindex, which; // a corner has nindex numbers; number `which` names its vertex
} geometryReader;

static snStatus syntaxAt(const geometryReader* r, const snColladaElement* e, const char* at, const char* what)
{
    const snMeshSource* source = r->tree->source;
    return sn_failAt(source->error, SN_STATUS_SYNTAX, source->name,
                     at ? sn_colladaLine(r->tree, e, at) : e->line, "<%s>: %s", sn_colladaTagName(e->tag),
                     what);
}

static snStatus syntax(const geometryReader* r, const snColladaElement* e, const char* what)
{
    return syntaxAt(r, e, NULL, what);
}

// ---- positions

static snStatus readArray(const geometryReader* r, snColladaElement* e)
{
    snTextSpan text = sn_colladaText(r->tree, e), word;
    const size_t most = e->ntext / 2 + 1; // a digit and a blank each
    floatArray* array = sn_poolAlloc(&r->tree->pool, sizeof *array + most * sizeof(float));
    if (!array) return sn_meshNoMemory(r->tree->source);
    for (; sn_textToken(&text, &word); array->count++)
        if (!sn_textFloat(word, r->tree->locale, array->value + array->count))
            return syntaxAt(r, e, word.at, "not a finite number");
    e->made = array;
    return SN_STATUS_OK;
}

// Which numbers of a row are X, Y and Z; where no parameter has these names, the first three. The last of
// them.
static int readAxes(const snColladaElement* accessor, int axis[3])
{
    int at = 0, found = 0, last = 2;
    for (const snColladaElement* e = accessor->first; e; e = e->next) {
        if (e->tag != SN_COLLADA_PARAM) continue;
        const char* name = sn_colladaWord(e, SN_COLLADA_WORD_NAME);
        if (name && *name >= 'X' && *name <= 'Z' && !name[1]) {
            axis[*name - 'X'] = at;
            found |= 1 << (*name - 'X');
            if (at > last) last = at;
        }
        at++;
    }
    for (int i = 0; i < 3 && found != 7; i++) axis[i] = i;
    return found == 7 ? last : 2;
}

static snStatus readAccessor(geometryReader* r, const snColladaElement* e, positions* p)
{
    snColladaElement* array;
    snStatus status = sn_colladaTarget(r->tree, e, SN_COLLADA_WORD_SOURCE, SN_COLLADA_FLOAT_ARRAY, &array);
    if (!status) status = sn_colladaInt(r->tree, e, SN_COLLADA_WORD_COUNT, 0, &p->count);
    if (!status) status = sn_colladaInt(r->tree, e, SN_COLLADA_WORD_OFFSET, 0, &p->offset);
    if (!status) status = sn_colladaInt(r->tree, e, SN_COLLADA_WORD_STRIDE, 1, &p->stride);
    if (!status && !array->made) status = readArray(r, array);
    if (status) return status;
    p->array = array->made;
    const int last = readAxes(e, p->axis);
    if (p->count == 0 || (int64_t)p->offset + (int64_t)p->stride * (p->count - 1) + last < p->array->count)
        return SN_STATUS_OK;
    char text[160];
    snprintf(text, sizeof text, "%d positions, %d numbers apart, do not fit into the %d numbers of the array",
             p->count, p->stride, p->array->count);
    return syntax(r, e, text);
}

static snStatus readPositions(geometryReader* r, const snColladaElement* vertices, positions* p)
{
    for (const snColladaElement* e = vertices->first; e; e = e->next) {
        const char* semantic = sn_colladaWord(e, SN_COLLADA_WORD_SEMANTIC);
        if (e->tag != SN_COLLADA_INPUT || !semantic || strcmp(semantic, "POSITION") != 0) continue;
        snColladaElement* from;
        const snStatus status =
            sn_colladaTarget(r->tree, e, SN_COLLADA_WORD_SOURCE, SN_COLLADA_SOURCE, &from);
        if (status) return status;
        const snColladaElement* technique = sn_colladaChild(from, SN_COLLADA_TECHNIQUE);
        const snColladaElement* accessor = technique ? sn_colladaChild(technique, SN_COLLADA_ACCESSOR) : NULL;
        if (!accessor) return syntax(r, from, "positions need <technique_common><accessor>");
        return readAccessor(r, accessor, p);
    }
    return syntax(r, vertices, "has no <input semantic=\"POSITION\">");
}

// Many lists may share one <vertices>.
static snStatus findPositions(geometryReader* r, snColladaElement* vertices)
{
    r->positions = vertices->made;
    if (r->positions) return SN_STATUS_OK;
    positions* p = sn_poolAlloc(&r->tree->pool, sizeof *p);
    if (!p) return sn_meshNoMemory(r->tree->source);
    r->positions = vertices->made = p;
    return readPositions(r, vertices, p);
}

// The <input>s of a list: how many numbers a corner has, and which one names its vertex.
static snStatus readInputs(geometryReader* r, const snColladaElement* list)
{
    const snColladaElement* found = NULL;
    r->nindex = 1;
    for (const snColladaElement* e = list->first; e; e = e->next) {
        const char* semantic = sn_colladaWord(e, SN_COLLADA_WORD_SEMANTIC);
        if (e->tag != SN_COLLADA_INPUT || !semantic) continue;
        int offset;
        const snStatus status = sn_colladaInt(r->tree, e, SN_COLLADA_WORD_OFFSET, 0, &offset);
        if (status) return status;
        if (offset >= 1000) return syntax(r, e, "offset must be below 1000");
        if (offset >= r->nindex) r->nindex = offset + 1;
        if (strcmp(semantic, "VERTEX") != 0) continue;
        found = e;
        r->which = offset;
    }
    if (!found) return syntax(r, list, "has no <input semantic=\"VERTEX\">");
    snColladaElement* vertices;
    const snStatus status =
        sn_colladaTarget(r->tree, found, SN_COLLADA_WORD_SOURCE, SN_COLLADA_VERTICES, &vertices);
    return status ? status : findPositions(r, vertices);
}

// ---- corners

static bool readIndex(snTextSpan word, int* index)
{
    int64_t number = 0;
    for (const char* c = word.at; c < word.end; c++) {
        if (*c < '0' || *c > '9' || number > INT_MAX) return false;
        number = 10 * number + (*c - '0');
    }
    *index = (int)number;
    return word.end > word.at && number <= INT_MAX;
}

static snStatus addVertex(geometryReader* r, const snColladaElement* e, snTextSpan word)
{
    int index;
    if (!readIndex(word, &index) || index >= r->positions->count) {
        char text[160];
        const ptrdiff_t n = word.end - word.at;
        snprintf(text, sizeof text, "a corner names vertex '%.*s', there are 0 to %d", (int)(n > 40 ? 40 : n),
                 word.at, r->positions->count - 1);
        return syntaxAt(r, e, word.at, text);
    }
    snMeshFile* mesh = r->mesh;
    if (!sn_growMesh((void**)&mesh->vert, 3 * sizeof(float), mesh->nvert, 1, &r->vertroom))
        return sn_meshNoMemory(r->tree->source);
    const positions* p = r->positions;
    const float* from = p->array->value + (size_t)p->offset + (size_t)p->stride * (size_t)index;
    float* to = mesh->vert + 3 * (size_t)mesh->nvert++;
    for (int i = 0; i < 3; i++) to[i] = from[p->axis[i]];
    return SN_STATUS_OK;
}

// Up to `most` corners off the text become vertices; *count: how many there were.
static snStatus readCorners(geometryReader* r, const snColladaElement* e, snTextSpan* text, int most,
                            int* count)
{
    for (*count = 0; *count < most; ++*count) {
        snTextSpan word, vertex = {NULL, NULL};
        int k = 0;
        for (; k < r->nindex && sn_textToken(text, &word); k++)
            if (k == r->which) vertex = word;
        if (k == 0) break;
        if (k < r->nindex) return syntaxAt(r, e, word.at, "the last corner has too few numbers");
        const snStatus status = addVertex(r, e, vertex);
        if (status) return status;
    }
    return SN_STATUS_OK;
}

// ---- triangles of corners, from the first on

static snStatus addTriangle(geometryReader* r, int a, int b, int c)
{
    snMeshFile* mesh = r->mesh;
    if (!sn_growMesh((void**)&mesh->face, 3 * sizeof(int), mesh->nface, 1, &r->faceroom))
        return sn_meshNoMemory(r->tree->source);
    int* face = mesh->face + 3 * (size_t)mesh->nface++;
    face[0] = a;
    face[1] = b;
    face[2] = c;
    return SN_STATUS_OK;
}

static snStatus addTriangles(geometryReader* r, const snColladaElement* e, int first, int n)
{
    if (n % 3) return syntax(r, e, "the number of corners is not three times that of the triangles");
    snStatus status = SN_STATUS_OK;
    for (int k = first; k < first + n && !status; k += 3) status = addTriangle(r, k, k + 1, k + 2);
    return status;
}

static snStatus addStrip(geometryReader* r, const snColladaElement* e, int first, int n)
{
    (void)e;
    snStatus status = SN_STATUS_OK;
    for (int k = 0; k + 2 < n && !status; k++)
        status = addTriangle(r, first + k + k % 2, first + k + 1 - k % 2, first + k + 2);
    return status;
}

static snStatus addFan(geometryReader* r, const snColladaElement* e, int first, int n)
{
    (void)e;
    snStatus status = SN_STATUS_OK;
    for (int k = 1; k + 1 < n && !status; k++) status = addTriangle(r, first, first + k, first + k + 1);
    return status;
}

static snStatus addPolygon(geometryReader* r, const snColladaElement* e, int first, int n)
{
    if (n < 3) { // a point or a line is no surface
        r->mesh->nvert = first;
        return SN_STATUS_OK;
    }
    if (n == 3) return addTriangle(r, first, first + 1, first + 2);
    if (!sn_growMesh((void**)&r->triangle, 3 * sizeof(int), 0, n, &r->triangleroom) ||
        !sn_growMesh((void**)&r->index, sizeof(int), 0, n, &r->indexroom) ||
        !sn_growMesh((void**)&r->spare, sizeof(int), 0, n, &r->spareroom))
        return sn_meshNoMemory(r->tree->source);
    for (int k = 0; k < n; k++) r->index[k] = first + k;
    const int count = sn_cutPolygon(r->mesh->vert, r->index, 1, n, r->triangle, r->spare, r->work);
    if (count < 0)
        return syntax(r, e,
                      "a polygon has too many corners to cut into triangles; triangulate the mesh where "
                      "it was made");
    snStatus status = SN_STATUS_OK;
    for (int k = 0; k < count && !status; k++) {
        const int* pick = r->triangle + 3 * (size_t)k;
        status = addTriangle(r, first + pick[0], first + pick[1], first + pick[2]);
    }
    return status;
}

// ---- lists

typedef snStatus (*addFaces)(geometryReader*, const snColladaElement*, int first, int n);

// Each <p> is of its own: one strip, one fan, one polygon.
static snStatus readPieces(geometryReader* r, const snColladaElement* list, addFaces add)
{
    for (const snColladaElement* e = list->first; e; e = e->next) {
        const snMeshSource* source = r->tree->source;
        if (e->tag == SN_COLLADA_PH)
            return sn_failAt(
                source->error, SN_STATUS_UNSUPPORTED, source->name, e->line,
                "<ph>: polygons with holes are not read; triangulate the mesh where it was made");
        if (e->tag != SN_COLLADA_P) continue;
        snTextSpan text = sn_colladaText(r->tree, e);
        const int first = r->mesh->nvert;
        int n;
        snStatus status = readCorners(r, e, &text, INT_MAX, &n);
        if (!status) status = add(r, e, first, n);
        if (status) return status;
    }
    return SN_STATUS_OK;
}

// <vcount> has the number of corners of each polygon, <p> the corners of all of them.
static snStatus readPolylist(geometryReader* r, const snColladaElement* list)
{
    const snColladaElement *counts = sn_colladaChild(list, SN_COLLADA_VCOUNT),
                           *p = sn_colladaChild(list, SN_COLLADA_P);
    if (!counts || !p) return SN_STATUS_OK; // an empty list
    snTextSpan numbers = sn_colladaText(r->tree, counts), corners = sn_colladaText(r->tree, p), word;
    while (sn_textToken(&numbers, &word)) {
        const int first = r->mesh->nvert;
        int most, n;
        if (!readIndex(word, &most)) return syntaxAt(r, counts, word.at, "not a whole number from 0 on");
        snStatus status = readCorners(r, p, &corners, most, &n);
        if (!status && n < most) return syntax(r, p, "has fewer corners than <vcount> says");
        if (!status) status = addPolygon(r, p, first, n);
        if (status) return status;
    }
    return sn_textToken(&corners, &word) ? syntax(r, p, "has more corners than <vcount> says") : SN_STATUS_OK;
}

static snStatus readList(geometryReader* r, const snColladaElement* list)
{
    const bool kind = list->tag == SN_COLLADA_TRIANGLES || list->tag == SN_COLLADA_POLYLIST ||
                      list->tag == SN_COLLADA_POLYGONS || list->tag == SN_COLLADA_TRISTRIPS ||
                      list->tag == SN_COLLADA_TRIFANS;
    if (!kind || (!sn_colladaChild(list, SN_COLLADA_P) && !sn_colladaChild(list, SN_COLLADA_PH)))
        return SN_STATUS_OK; // empty lists often lack their inputs
    const snStatus status = readInputs(r, list);
    if (status) return status;
    switch (list->tag) {
    case SN_COLLADA_POLYLIST: return readPolylist(r, list);
    case SN_COLLADA_POLYGONS: return readPieces(r, list, addPolygon);
    case SN_COLLADA_TRISTRIPS: return readPieces(r, list, addStrip);
    case SN_COLLADA_TRIFANS: return readPieces(r, list, addFan);
    default: return readPieces(r, list, addTriangles);
    }
}

// The faces from `first` on are those of a list.
static snStatus addList(geometryReader* r, const snColladaElement* list, int first)
{
    snMeshFile* mesh = r->mesh;
    if (mesh->nface == first) return SN_STATUS_OK;
    if (!sn_growMesh((void**)&mesh->facecolor, sizeof(int), first, mesh->nface - first, &r->colorroom) ||
        !sn_growMesh((void**)&r->made->material, sizeof(char*), r->made->nlist, 1, &r->listroom))
        return sn_meshNoMemory(r->tree->source);
    for (int f = first; f < mesh->nface; f++) mesh->facecolor[f] = r->made->nlist;
    r->made->material[r->made->nlist++] = sn_colladaWord(list, SN_COLLADA_WORD_MATERIAL);
    return SN_STATUS_OK;
}

static snStatus readLists(geometryReader* r, const snColladaElement* geometry)
{
    const snColladaElement* mesh = sn_colladaChild(geometry, SN_COLLADA_MESH);
    snStatus status = SN_STATUS_OK;
    for (const snColladaElement* e = mesh ? mesh->first : NULL; e && !status; e = e->next) {
        const int first = r->mesh->nface;
        status = readList(r, e);
        if (!status) status = addList(r, e, first);
    }
    return status;
}

snStatus sn_colladaGeometry(snColladaTree* tree, snColladaElement* geometry, int64_t* work,
                            const snColladaMesh** mesh)
{
    *mesh = geometry->made;
    if (*mesh) return SN_STATUS_OK;
    geometryReader r = {.tree = tree, .made = sn_poolAlloc(&tree->pool, sizeof *r.made), .work = work};
    if (!r.made) return sn_meshNoMemory(tree->source);
    geometry->made = r.made;
    r.mesh = &r.made->mesh;
    const snStatus status = readLists(&r, geometry);
    sn_free(r.triangle);
    sn_free(r.index);
    sn_free(r.spare);
    *mesh = r.made;
    return status;
}

void sn_freeColladaGeometries(snColladaTree* tree)
{
    for (int i = 0; i < tree->nnamed; i++) {
        snColladaMesh* made = tree->named[i]->tag == SN_COLLADA_GEOMETRY ? tree->named[i]->made : NULL;
        if (!made) continue;
        sn_freeMeshFile(&made->mesh);
        sn_free(made->material);
    }
}
