// Wavefront OBJ as the peer reads it: all v, vt and vn of the file, and the faces of its first object or
// group that has any; if an object of lines or points comes before it, none. Materials, smoothing groups and
// words that nobody knows are passed over.
#include <limits.h>
#include <string.h>
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
    snLocale locale;
    int line;
    int room[NINDEX]; // of the mesh's vert, texcoord, normal
    int lineroom;
    corner* corner;
    polygon* polygon;
    int ncorner, npolygon, cornerroom, polygonroom;
    int most;    // corners of the largest polygon
    bool closed; // the object that counts is over
    bool drawn;  // the one at hand has lines or points
} objReader;

static snStatus syntax(const objReader* r, const char* what, snTextSpan word)
{
    const ptrdiff_t n = word.end - word.at;
    return sn_failAt(r->source->error, SN_STATUS_SYNTAX, r->source->name, r->line, "%s: '%.*s'", what,
                     (int)(n > 40 ? 40 : n), word.at);
}

// Tells, once a file, what is taken otherwise than it stands there.
static void warn(const objReader* r, int line, const char* what, snTextSpan word)
{
    const ptrdiff_t n = word.end - word.at;
    if (r->mesh->warning.status) return;
    sn_failAt(&r->mesh->warning, SN_STATUS_SYNTAX, r->source->name, line, "%s%s%.*s%s", what, n ? ": '" : "",
              (int)(n > 40 ? 40 : n), word.at, n ? "'" : "");
}

// A number; of a word that is none what it begins with, which may be nothing.
static snStatus readNumber(const objReader* r, snTextSpan word, float* number)
{
    if (sn_textFloat(word, r->locale, number)) return SN_STATUS_OK;
    if (!sn_textBeginning(word, r->locale, number)) return syntax(r, "not a finite number", word);
    warn(r, r->line, "not a number, taken as what it begins with, or 0", word);
    return SN_STATUS_OK;
}

// v x y z, vt u v, vn x y z: what follows the numbers that count, a colour or a weight, is passed over; those
// that are missing are 0. No comment begins among them.
static snStatus readVector(objReader* r, snTextSpan line, int width, float** array, int* count, int* room)
{
    const snTextSpan whole = line;
    if (line.at == line.end) {
        warn(r, r->line, "no number follows, passed over", line);
        return SN_STATUS_OK;
    }
    if (!sn_growMesh((void**)array, sizeof(float) * (size_t)width, *count, 1, room))
        return sn_meshNoMemory(r->source);
    float* row = *array + (size_t)width * (size_t)*count;
    for (int k = 0; k < width; k++) {
        snTextSpan word;
        row[k] = 0;
        if (sn_textToken(&line, &word)) {
            const snStatus status = readNumber(r, word, row + k);
            if (status) return status;
        } else if (width == 3 || k == 0) { // a texture may have one dimension
            warn(r, r->line, "too few numbers, the others are 0", whole);
        }
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
    const snTextSpan whole = line;
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
    if (count >= 3 && r->closed && !r->npolygon)
        warn(r, r->line, "passed over, since the first object has lines or points and no faces", whole);
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

// Segments of a polygonal line, as far as vertices are named well.
static snStatus readSegments(objReader* r, snTextSpan line)
{
    snMeshFile* mesh = r->mesh;
    snTextSpan word;
    corner last = {{ABSENT, ABSENT, ABSENT}}, next;
    for (; sn_textWord(&line, &word); last = next) {
        if (!readCorner(r, word, &next))
            return syntax(
                r, "a point of a line is written v or v/vt with indices from 1, or negative ones; it is",
                word);
        if (last.index[VERT] == ABSENT) continue;
        if (!sn_growMesh((void**)&mesh->line, 2 * sizeof(int), mesh->nline, 1, &r->lineroom))
            return sn_meshNoMemory(r->source);
        int* ends = mesh->line + 2 * (size_t)mesh->nline++;
        ends[0] = last.index[VERT];
        ends[1] = next.index[VERT];
    }
    return SN_STATUS_OK;
}

// Textures of OBJ count v upwards from the bottom of an image, those of a mesh downwards from the top.
static snStatus readTexcoord(objReader* r, snTextSpan line)
{
    snMeshFile* mesh = r->mesh;
    const int before = mesh->ntexcoord;
    const snStatus status = readVector(r, line, 2, &mesh->texcoord, &mesh->ntexcoord, &r->room[TEXCOORD]);
    if (!status && mesh->ntexcoord > before) {
        float* v = mesh->texcoord + 2 * (size_t)mesh->ntexcoord - 1;
        *v = 1 - *v;
    }
    return status;
}

// Lines and points make an object that counts, but not a group.
static void beginObject(objReader* r, bool object)
{
    r->closed |= r->npolygon > 0 || (object && r->drawn);
    r->drawn = false;
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
    if (sn_textIs(word, "l") && r->source->flex && !r->closed) {
        const snStatus status = readSegments(r, line);
        if (status) return status;
    }
    if (sn_textIs(word, "l") || sn_textIs(word, "p"))
        r->drawn |= sn_textWord(&line, &word);
    else if (sn_textIs(word, "o") || sn_textIs(word, "g"))
        beginObject(r, sn_textIs(word, "o"));
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
                const int index = r->corner[r->polygon[p].first + k].index[i], line = r->polygon[p].line;
                if (index >= count[i] && (count[i] || i == VERT))
                    return sn_failAt(r->source->error, SN_STATUS_SYNTAX, r->source->name, line,
                                     "the face names %s %d, the file has %d", what[i], index + 1, count[i]);
                if (index >= count[i])
                    warn(r, line, "passed over, the file has none",
                         (snTextSpan){what[i], what[i] + strlen(what[i])});
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

// Two triangles of a square along its shorter diagonal, of two equal ones the second.
static int cutSquare(const objReader* r, const corner* corners, int* triangle)
{
    static const int cuts[2][6] = {{0, 1, 3, 1, 2, 3}, {0, 1, 2, 0, 2, 3}};
    float square[2] = {0, 0};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) {
            const float d = r->mesh->vert[3 * (size_t)corners[i + 2].index[0] + (size_t)k] -
                            r->mesh->vert[3 * (size_t)corners[i].index[0] + (size_t)k];
            square[i] += d * d;
        }
    memcpy(triangle, cuts[square[0] < square[1]], sizeof cuts[0]);
    return 2;
}

static int cutFace(const objReader* r, const polygon* face, int* triangle, int* rest, int64_t* work)
{
    const corner* corners = r->corner + face->first;
    if (r->source->flex && face->count == 4) return cutSquare(r, corners, triangle);
    return sn_cutPolygon(r->mesh->vert, corners->index, NINDEX, face->count, triangle, rest, work);
}

static snStatus cutFaces(objReader* r, int* triangle, int* rest)
{
    int64_t work = sn_polygonWork(r->source->size);
    for (int p = 0; p < r->npolygon; p++) {
        const polygon* face = r->polygon + p;
        const corner* corners = r->corner + face->first;
        const int n = cutFace(r, face, triangle, rest, &work);
        if (n < 0)
            return sn_failAt(r->source->error, SN_STATUS_SYNTAX, r->source->name, face->line,
                             "a face of %d corners is too much to cut into triangles; triangulate the mesh "
                             "where it was made",
                             face->count);
        for (int k = 0; k < n; k++) addTriangle(r, corners, triangle + 3 * (size_t)k);
    }
    return SN_STATUS_OK;
}

static snStatus checkSegments(const objReader* r)
{
    for (int i = 0; i < 2 * r->mesh->nline; i++)
        if (r->mesh->line[i] >= r->mesh->nvert)
            return sn_failAt(r->source->error, SN_STATUS_SYNTAX, r->source->name, 0,
                             "a line names vertex %d, the file has %d", r->mesh->line[i] + 1, r->mesh->nvert);
    return SN_STATUS_OK;
}

static snStatus makeFaces(objReader* r)
{
    snStatus status = checkSegments(r);
    if (!status) status = checkCorners(r);
    if (status || !r->npolygon) return status;
    int *triangle = NULL, *rest = NULL;
    status = allocateFaces(r, &triangle, &rest) ? cutFaces(r, triangle, rest) : sn_meshNoMemory(r->source);
    sn_free(triangle);
    sn_free(rest);
    return status;
}

snStatus sn_readObj(const snMeshSource* source, snMeshFile* mesh)
{
    objReader r = {.source = source, .mesh = mesh, .locale = sn_makeLocale()};
    if (!r.locale) return sn_meshNoMemory(source);
    snStatus status = readLines(&r);
    if (!status) status = makeFaces(&r);
    sn_freeLocale(r.locale);
    sn_free(r.corner);
    sn_free(r.polygon);
    return status;
}
