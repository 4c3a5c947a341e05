// PLY, the polygon file format of Stanford: a header that says what follows, then rows of numbers, as text or
// binary. Vertices are kept as they are; faces and strips become triangles; all else is passed over.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "base/platform/plain_locale.h"
#include "format/mesh/ply_header.h"
#include "format/mesh/polygon.h"

typedef struct plyReader {
    const snMeshSource* source;
    snMeshFile* mesh;
    snLocale locale;
    snPlyHeader header;
    snTextSpan rest; // what has not been read; of a text: of the line
    snTextSpan text; // the lines behind that
    int line;
    bool taking;           // false: the rows are passed over
    float vertex[3];       // of this row
    int* corner;           // of this row
    int *triangle, *spare; // scratch of the cut
    int ncorner, cornerroom, triangleroom, spareroom, faceroom;
    int64_t work; // that may still be spent on cutting polygons
} plyReader;

static snStatus syntax(const plyReader* r, const char* what)
{
    if (r->header.format == SN_PLY_ASCII)
        return sn_failAt(r->source->error, SN_STATUS_SYNTAX, r->source->name, r->line, "%s", what);
    return sn_failAt(r->source->error, SN_STATUS_SYNTAX, r->source->name, 0, "byte %zu: %s",
                     (size_t)(r->rest.at - r->source->data), what);
}

// ---- numbers

static uint64_t readBits(const char* at, size_t n, bool big)
{
    uint64_t bits = 0;
    for (size_t k = 0; k < n; k++) bits |= (uint64_t)(unsigned char)at[big ? n - 1 - k : k] << 8 * k;
    return bits;
}

static double decode(const char* at, snPlyType type, bool big)
{
    const uint64_t bits = readBits(at, sn_plyBytes(type), big);
    const uint32_t low = (uint32_t)bits;
    float single;
    double number;
    switch (type) {
    case SN_PLY_INT8: return (int8_t)bits;
    case SN_PLY_INT16: return (int16_t)bits;
    case SN_PLY_INT32: return (int32_t)bits;
    case SN_PLY_UINT8:
    case SN_PLY_UINT16:
    case SN_PLY_UINT32: return (double)bits;
    case SN_PLY_FLOAT32: memcpy(&single, &low, sizeof single); return (double)single;
    case SN_PLY_FLOAT64: memcpy(&number, &bits, sizeof number); return number;
    }
    return NAN;
}

static snStatus nextNumber(plyReader* r, snPlyType type, double* number)
{
    if (r->header.format == SN_PLY_ASCII) {
        snTextSpan word;
        if (!sn_textToken(&r->rest, &word)) return syntax(r, "the row has too few numbers");
        if (!sn_textReal(word, r->locale, number)) return syntax(r, "not a finite number");
        return SN_STATUS_OK;
    }
    const size_t bytes = sn_plyBytes(type);
    if ((size_t)(r->rest.end - r->rest.at) < bytes)
        return syntax(r, "the file ends inside a row; is it cut short?");
    *number = decode(r->rest.at, type, r->header.format == SN_PLY_BIG);
    r->rest.at += bytes;
    return SN_STATUS_OK;
}

// Passes over n numbers: what nobody asks for may be anything, such as a normal of nan.
static snStatus skipNumbers(plyReader* r, snPlyType type, int64_t n)
{
    if (r->header.format == SN_PLY_ASCII) {
        snTextSpan word;
        for (; n > 0; n--)
            if (!sn_textToken(&r->rest, &word)) return syntax(r, "the row has too few numbers");
        return SN_STATUS_OK;
    }
    const int64_t bytes = n * (int64_t)sn_plyBytes(type);
    if (r->rest.end - r->rest.at < bytes) return syntax(r, "the file ends inside a row; is it cut short?");
    r->rest.at += bytes;
    return SN_STATUS_OK;
}

// ---- rows

static snStatus takeCorners(plyReader* r, snPlyType type, int n)
{
    // each is a byte of the file or more
    if (n > r->rest.end - r->rest.at) return syntax(r, "a list is longer than what is left of the file");
    if (!sn_growMesh((void**)&r->corner, sizeof(int), r->ncorner, n, &r->cornerroom))
        return sn_meshNoMemory(r->source);
    for (int k = 0; k < n; k++) {
        double number;
        const snStatus status = nextNumber(r, type, &number);
        if (status) return status;
        if (!(number >= -1 && number < (double)r->mesh->nvert && number == floor(number))) {
            char text[120];
            snprintf(text, sizeof text, "a corner names vertex %.10g, the file has 0 to %d", number,
                     r->mesh->nvert - 1);
            return syntax(r, text);
        }
        r->corner[r->ncorner++] = (int)number;
    }
    return SN_STATUS_OK;
}

static snStatus readList(plyReader* r, const snPlyProperty* p)
{
    double length;
    const snStatus status = nextNumber(r, p->length, &length);
    if (status) return status;
    if (!(length >= 0 && length <= INT32_MAX && length == floor(length)))
        return syntax(r, "the length of a list is no whole number from 0 on");
    return r->taking && p->role == SN_PLY_CORNERS ? takeCorners(r, p->type, (int)length)
                                                  : skipNumbers(r, p->type, (int64_t)length);
}

static snStatus readCoordinate(plyReader* r, const snPlyProperty* p)
{
    double number;
    const snStatus status = nextNumber(r, p->type, &number);
    if (status) return status;
    r->vertex[p->role] = (float)number;
    return isfinite((float)number) ? SN_STATUS_OK : syntax(r, "a coordinate is not finite as a float");
}

static snStatus readRow(plyReader* r, const snPlyElement* e)
{
    const snPlyProperty* p = r->header.property + e->first;
    for (int k = 0; k < e->nproperty; k++, p++) {
        const snStatus status = p->list                                  ? readList(r, p)
                                : r->taking && p->role != SN_PLY_NOTHING ? readCoordinate(r, p)
                                                                         : skipNumbers(r, p->type, 1);
        if (status) return status;
    }
    return SN_STATUS_OK;
}

// A row of text is a line that is not blank.
static snStatus nextRow(plyReader* r)
{
    if (r->header.format != SN_PLY_ASCII) return SN_STATUS_OK;
    snTextSpan word;
    while (sn_textLine(&r->text, &r->rest)) {
        r->line++;
        snTextSpan line = r->rest;
        if (sn_textToken(&line, &word)) return SN_STATUS_OK;
    }
    return syntax(r, "the file has fewer rows than its header says; is it cut short?");
}

// ---- triangles

static snStatus addTriangle(plyReader* r, int a, int b, int c)
{
    snMeshFile* mesh = r->mesh;
    if (a < 0 || b < 0 || c < 0) return syntax(r, "a corner names vertex -1, which only ends a strip");
    if (!sn_growMesh((void**)&mesh->face, 3 * sizeof(int), mesh->nface, 1, &r->faceroom))
        return sn_meshNoMemory(r->source);
    int* face = mesh->face + 3 * (size_t)mesh->nface++;
    face[0] = a;
    face[1] = b;
    face[2] = c;
    return SN_STATUS_OK;
}

// Every second triangle of a strip has its first two corners in turn; -1 ends it, and another may follow.
static snStatus addStrip(plyReader* r)
{
    snStatus status = SN_STATUS_OK;
    for (int k = 0, n = 0; k < r->ncorner && !status; k++) {
        const int* c = r->corner + k;
        n = *c < 0 ? 0 : n + 1;
        if (n < 3) continue;
        status = n % 2 ? addTriangle(r, c[-2], c[-1], c[0]) : addTriangle(r, c[-1], c[-2], c[0]);
    }
    return status;
}

static snStatus addPolygon(plyReader* r)
{
    const int n = r->ncorner, *c = r->corner;
    if (n == 3) return addTriangle(r, c[0], c[1], c[2]);
    for (int k = 0; k < n; k++)
        if (c[k] < 0) return addTriangle(r, -1, -1, -1);
    if (!sn_growMesh((void**)&r->triangle, 3 * sizeof(int), 0, n, &r->triangleroom) ||
        !sn_growMesh((void**)&r->spare, sizeof(int), 0, n, &r->spareroom))
        return sn_meshNoMemory(r->source);
    const int count = sn_cutPolygon(r->mesh->vert, c, 1, n, r->triangle, r->spare, &r->work);
    if (count < 0) {
        char text[120];
        snprintf(text, sizeof text,
                 "a face of %d corners is too much to cut into triangles; triangulate the mesh where it was "
                 "made",
                 n);
        return syntax(r, text);
    }
    snStatus status = SN_STATUS_OK;
    for (int k = 0; k < count && !status; k++) {
        const int* pick = r->triangle + 3 * (size_t)k;
        status = addTriangle(r, c[pick[0]], c[pick[1]], c[pick[2]]);
    }
    return status;
}

static snStatus takeRow(plyReader* r, snPlyKind kind, int row)
{
    if (kind == SN_PLY_VERTEX) {
        memcpy(r->mesh->vert + 3 * (size_t)row, r->vertex, sizeof r->vertex);
        return SN_STATUS_OK;
    }
    if (kind == SN_PLY_STRIPS) return addStrip(r);
    return r->ncorner < 3 ? SN_STATUS_OK : addPolygon(r); // a point or a line is no surface
}

// ---- elements

// The least number of bytes that a row of an element can have.
static int64_t leastBytes(const plyReader* r, const snPlyElement* e)
{
    int64_t bytes = 0;
    const snPlyProperty* p = r->header.property + e->first;
    for (int k = 0; k < e->nproperty; k++, p++)
        bytes += r->header.format == SN_PLY_ASCII ? 2 // a digit and what ends it
                                                  : (int64_t)sn_plyBytes(p->list ? p->length : p->type);
    return bytes;
}

static snStatus startElement(plyReader* r, const snPlyElement* e)
{
    const bool ascii = r->header.format == SN_PLY_ASCII; // where nothing may end the last row
    const int64_t left = ascii ? r->text.end - r->text.at + 1 : r->rest.end - r->rest.at;
    if (e->count > left / leastBytes(r, e)) {
        char text[160];
        snprintf(text, sizeof text,
                 "%lld rows of %d properties do not fit into the %lld bytes that are left; is the file cut "
                 "short?",
                 (long long)e->count, e->nproperty, (long long)left - ascii);
        return syntax(r, text);
    }
    if (!r->taking || e->kind != SN_PLY_VERTEX || !e->count) return SN_STATUS_OK;
    if (e->count > INT32_MAX / 3) return syntax(r, "too many vertices");
    r->mesh->vert = sn_malloc(3 * sizeof(float) * (size_t)e->count);
    r->mesh->nvert = (int)e->count;
    return r->mesh->vert ? SN_STATUS_OK : sn_meshNoMemory(r->source);
}

static snStatus readElement(plyReader* r, const snPlyElement* e)
{
    if (!e->nproperty) return SN_STATUS_OK; // however many there are, they leave no trace
    snStatus status = startElement(r, e);
    for (int64_t row = 0; row < e->count && !status; row++) {
        r->ncorner = 0;
        status = nextRow(r);
        if (!status) status = readRow(r, e);
        if (!status && r->taking) status = takeRow(r, e->kind, (int)row);
    }
    return status;
}

// Faces may stand before the vertices that they name, so the rows are gone through twice.
static snStatus readElements(plyReader* r, snTextSpan body, bool vertices)
{
    r->rest = r->text = body;
    r->line = r->header.line;
    for (int i = 0; i < r->header.nelement; i++) {
        const snPlyElement* e = r->header.element + i;
        r->taking = vertices ? e->kind == SN_PLY_VERTEX : e->kind == SN_PLY_FACE || e->kind == SN_PLY_STRIPS;
        const snStatus status = readElement(r, e);
        if (status || (vertices && r->taking)) return status;
    }
    return SN_STATUS_OK;
}

static snStatus readAll(plyReader* r)
{
    snTextSpan body = {r->source->data, r->source->data + r->source->size};
    snStatus status = sn_readPlyHeader(r->source, &body, &r->header);
    if (!status) status = readElements(r, body, true);
    if (!status) status = readElements(r, body, false);
    if (!status && !r->mesh->nface)
        return sn_failAt(r->source->error, SN_STATUS_SYNTAX, r->source->name, 0, "the file has no triangles");
    return status;
}

snStatus sn_readPly(const snMeshSource* source, snMeshFile* mesh)
{
    plyReader r = {
        .source = source, .mesh = mesh, .locale = sn_makeLocale(), .work = sn_polygonWork(source->size)};
    if (!r.locale) return sn_meshNoMemory(source);
    const snStatus status = readAll(&r);
    sn_freeLocale(r.locale);
    sn_freePlyHeader(&r.header);
    sn_free(r.corner);
    sn_free(r.triangle);
    sn_free(r.spare);
    return status;
}
