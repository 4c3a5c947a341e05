// Wavefront OBJ as the peer reads it: all v, vt and vn of the file, and the faces of its first object or
// group that has any. Materials, smoothing groups, lines, points and words that nobody knows are passed over.
#include <limits.h>
#include "base/error.h"
#include "base/memory.h"
#include "format/mesh/polygon.h"
#include "format/mesh/reader.h"
#include "format/mesh/text.h"

enum { VERT, TEXCOORD, NORMAL, NINDEX };
enum { ABSENT = -1 };

// What each corner of a face points at, from 0; ABSENT: nothing.
typedef struct corner {
    int index[NINDEX];
} corner;

typedef struct polygon {
    int first, count, line;
} polygon;

typedef struct objReader {
    const snMeshSource* source;
    snMeshFile* mesh;
    locale_t locale;
    int line;
    int room[NINDEX]; // of the mesh's vert, texcoord, normal
    corner* corner;
    polygon* polygon;
    int ncorner, npolygon, cornerroom, polygonroom;
    int most;    // corners of the largest polygon
    bool closed; // the object that counts is over
} objReader;

static snStatus syntax(const objReader* r, const char* what, snTextSpan word)
{
    const long n = (long)(word.end - word.at);
    return sn_failAt(r->source->error, SN_STATUS_SYNTAX, r->source->name, r->line, "%s: '%.*s'", what,
                     (int)(n > 40 ? 40 : n), word.at);
}

// v x y z, vt u v, vn x y z: what follows the numbers that count, a colour or a weight, is passed over.
static snStatus readVector(objReader* r, snTextSpan line, int width, float** array, int* count, int* room)
{
    if (!sn_growMesh((void**)array, sizeof(float) * (size_t)width, *count, 1, room))
        return sn_meshNoMemory(r->source);
    float* row = *array + (size_t)width * (size_t)*count;
    for (int k = 0; k < width; k++) {
        snTextSpan word;
        row[k] = 0;
        if (!sn_textWord(&line, &word)) {
            if (width == 2 && k == 1) break; // a texture of one dimension
            return syntax(r, "a vertex or normal needs 3 numbers, a texture coordinate 1 or 2; too few",
                          line);
        }
        if (!sn_textFloat(word, r->locale, row + k)) return syntax(r, "not a finite number", word);
    }
    ++*count;
    return SN_STATUS_OK;
}

// One index of a corner, counted from 1 or, negative, from the end of what has been read. Leaves *at behind
// its digits.
static bool readIndex(const char** at, const char* end, int count, int* index)
{
    const char* c = *at;
    const bool negative = c < end && *c == '-';
    if (negative) c++;
    const char* digits = c;
    int64_t number = 0;
    for (; c < end && *c >= '0' && *c <= '9'; c++)
        if (number <= INT_MAX) number = 10 * number + (*c - '0');
    if (c == digits || number == 0) return false;
    number = negative ? count - number : number - 1;
    if (number < 0 || number >= INT_MAX) return false;
    *index = (int)number;
    *at = c;
    return true;
}

// v, v/vt, v//vn or v/vt/vn
static bool readCorner(const objReader* r, snTextSpan word, corner* c)
{
    const snMeshFile* mesh = r->mesh;
    const char* at = word.at;
    *c = (corner){{ABSENT, ABSENT, ABSENT}};
    if (!readIndex(&at, word.end, mesh->nvert, &c->index[VERT])) return false;
    if (at == word.end) return true;
    if (*at++ != '/' || at == word.end) return false;
    if (*at != '/' && !readIndex(&at, word.end, mesh->ntexcoord, &c->index[TEXCOORD])) return false;
    if (at == word.end) return true;
    if (*at++ != '/') return false;
    return readIndex(&at, word.end, mesh->nnormal, &c->index[NORMAL]) && at == word.end;
}

static snStatus readFace(objReader* r, snTextSpan line)
{
    const int first = r->ncorner;
    snTextSpan word;
    while (sn_textWord(&line, &word)) {
        if (!sn_growMesh((void**)&r->corner, sizeof(corner), r->ncorner, 1, &r->cornerroom))
            return sn_meshNoMemory(r->source);
        if (!readCorner(r, word, r->corner + r->ncorner))
            return syntax(r,
                          "a corner of a face is written v, v/vt, v//vn or v/vt/vn with indices from 1, or "
                          "negative ones no further back than the first element; it is",
                          word);
        r->ncorner++;
    }
    const int count = r->ncorner - first;
    if (count < 3 || r->closed) { // a point or a line is no surface
        r->ncorner = first;
        return SN_STATUS_OK;
    }
    if (!sn_growMesh((void**)&r->polygon, sizeof(polygon), r->npolygon, 1, &r->polygonroom))
        return sn_meshNoMemory(r->source);
    r->polygon[r->npolygon++] = (polygon){first, count, r->line};
    if (count > r->most) r->most = count;
    return SN_STATUS_OK;
}

// Textures of OBJ count v upwards from the bottom of an image, those of a mesh downwards from the top.
static snStatus readTexcoord(objReader* r, snTextSpan line)
{
    snMeshFile* mesh = r->mesh;
    const snStatus status = readVector(r, line, 2, &mesh->texcoord, &mesh->ntexcoord, &r->room[TEXCOORD]);
    if (!status) {
        float* v = mesh->texcoord + 2 * (size_t)mesh->ntexcoord - 1;
        *v = 1 - *v;
    }
    return status;
}

static snStatus readLine(objReader* r, snTextSpan line)
{
    snMeshFile* mesh = r->mesh;
    snTextSpan word;
    if (!sn_textWord(&line, &word)) return SN_STATUS_OK;
    if (sn_textIs(word, "v")) return readVector(r, line, 3, &mesh->vert, &mesh->nvert, &r->room[VERT]);
    if (sn_textIs(word, "vn")) return readVector(r, line, 3, &mesh->normal, &mesh->nnormal, &r->room[NORMAL]);
    if (sn_textIs(word, "vt")) return readTexcoord(r, line);
    if (sn_textIs(word, "f")) return readFace(r, line);
    if (sn_textIs(word, "o") || sn_textIs(word, "g")) r->closed = r->npolygon > 0;
    return SN_STATUS_OK;
}

static snStatus readLines(objReader* r)
{
    snTextSpan text = {r->source->data, r->source->data + r->source->size}, line;
    while (sn_textLine(&text, &line)) {
        r->line++;
        const snStatus status = readLine(r, line);
        if (status) return status;
    }
    return SN_STATUS_OK;
}

static snStatus checkCorners(objReader* r)
{
    static const char* const what[NINDEX] = {"vertex", "texture coordinate", "normal"};
    const int count[NINDEX] = {r->mesh->nvert, r->mesh->ntexcoord, r->mesh->nnormal};
    for (int p = 0; p < r->npolygon; p++)
        for (int k = 0; k < r->polygon[p].count; k++)
            for (int i = 0; i < NINDEX; i++) {
                const int index = r->corner[r->polygon[p].first + k].index[i];
                if (index >= count[i])
                    return sn_failAt(r->source->error, SN_STATUS_SYNTAX, r->source->name, r->polygon[p].line,
                                     "the face names %s %d, the file has %d", what[i], index + 1, count[i]);
            }
    return SN_STATUS_OK;
}

static bool allocateFaces(objReader* r, int** triangle, int** rest)
{
    snMeshFile* mesh = r->mesh;
    // count corners make count - 2 triangles
    const size_t n = (size_t)r->ncorner - 2 * (size_t)r->npolygon, bytes = 3 * n * sizeof(int);
    mesh->face = sn_malloc(bytes);
    if (mesh->nnormal) mesh->facenormal = sn_malloc(bytes);
    if (mesh->ntexcoord) mesh->facetexcoord = sn_malloc(bytes);
    *triangle = sn_malloc(3 * (size_t)r->most * sizeof(int));
    *rest = sn_malloc((size_t)r->most * sizeof(int));
    return mesh->face && (mesh->facenormal || !mesh->nnormal) && (mesh->facetexcoord || !mesh->ntexcoord) &&
           *triangle && *rest;
}

static void addTriangle(const objReader* r, const corner* corners, const int pick[3])
{
    snMeshFile* mesh = r->mesh;
    const size_t row = 3 * (size_t)mesh->nface++;
    for (size_t k = 0; k < 3; k++) {
        const corner* c = corners + pick[k];
        mesh->face[row + k] = c->index[VERT];
        if (mesh->facenormal) mesh->facenormal[row + k] = c->index[NORMAL];
        if (mesh->facetexcoord) mesh->facetexcoord[row + k] = c->index[TEXCOORD];
    }
}

static snStatus cutFaces(objReader* r, int* triangle, int* rest)
{
    int64_t work = sn_polygonWork(r->source->size);
    for (int p = 0; p < r->npolygon; p++) {
        const polygon* face = r->polygon + p;
        const corner* corners = r->corner + face->first;
        const int n =
            sn_cutPolygon(r->mesh->vert, corners->index, NINDEX, face->count, triangle, rest, &work);
        if (n < 0)
            return sn_failAt(r->source->error, SN_STATUS_SYNTAX, r->source->name, face->line,
                             "a face of %d corners is too much to cut into triangles; triangulate the mesh "
                             "where it was made",
                             face->count);
        for (int k = 0; k < n; k++) addTriangle(r, corners, triangle + 3 * (size_t)k);
    }
    return SN_STATUS_OK;
}

static snStatus makeFaces(objReader* r)
{
    snStatus status = checkCorners(r);
    if (status || !r->npolygon) return status;
    int *triangle = NULL, *rest = NULL;
    status = allocateFaces(r, &triangle, &rest) ? cutFaces(r, triangle, rest) : sn_meshNoMemory(r->source);
    sn_free(triangle);
    sn_free(rest);
    return status;
}

snStatus sn_readObj(const snMeshSource* source, snMeshFile* mesh)
{
    objReader r = {.source = source, .mesh = mesh, .locale = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    if (!r.locale) return sn_meshNoMemory(source);
    snStatus status = readLines(&r);
    if (!status) status = makeFaces(&r);
    freelocale(r.locale);
    sn_free(r.corner);
    sn_free(r.polygon);
    return status;
}
