// STL: a list of triangles, each with its own three corners. Which vertices are the same is for the compiler
// to find out. The normals of the file say nothing that the corners do not, and are often zero; they are left
// alone, as the peer leaves them.
#include <math.h>
#include "base/error.h"
#include "base/little_endian.h"
#include "base/memory.h"
#include "base/search.h"
#include "format/mesh/reader.h"
#include "format/mesh/text.h"

enum { HEADER = 80, FIRST = 84, RECORD = 50 };
#define LARGEST 1073741824.0f // of a coordinate, as the peer has it: beyond it binary data are no numbers

static snStatus allocate(const snMeshSource* source, int nface, snMeshFile* mesh)
{
    mesh->vert = sn_malloc(sizeof(float) * 9 * (size_t)nface);
    mesh->face = sn_malloc(sizeof(int) * 3 * (size_t)nface);
    if (!mesh->vert || !mesh->face) return sn_meshNoMemory(source);
    mesh->nvert = 3 * nface;
    mesh->nface = nface;
    for (int k = 0; k < 3 * nface; k++) mesh->face[k] = k;
    return SN_STATUS_OK;
}

// Header (80 bytes), number of triangles, and for each its normal, three corners and two bytes of attributes.
static snStatus readBinary(const snMeshSource* source, int nface, snMeshFile* mesh)
{
    const snStatus status = allocate(source, nface, mesh);
    if (status) return status;
    for (int f = 0; f < nface; f++) {
        const size_t at = FIRST + RECORD * (size_t)f + 12;
        float* vert = mesh->vert + 9 * (size_t)f;
        for (size_t k = 0; k < 9; k++) {
            vert[k] = sn_littleFloat(source->data + at + 4 * k);
            if (!(fabsf(vert[k]) <= LARGEST))
                return sn_failAt(source->error, SN_STATUS_SYNTAX, source->name, 0,
                                 "byte %zu: a coordinate of triangle %d is %g, must be finite and at most "
                                 "2^30; is the file damaged?",
                                 at + 4 * k, f, (double)vert[k]);
        }
    }
    return SN_STATUS_OK;
}

static bool isWord(snTextSpan word, const char* name)
{
    const size_t n = (size_t)(word.end - word.at);
    return strlen(name) == n && sn_beginsSame(word.at, name, n);
}

typedef struct asciiReader {
    const snMeshSource* source;
    snMeshFile* mesh;
    snLocale locale;
    int line, room;
    int corner; // of the facet that is open: 0, 1, 2; 3: complete; -1: no facet is open
} asciiReader;

static snStatus syntax(const asciiReader* r, const char* what)
{
    return sn_failAt(r->source->error, SN_STATUS_SYNTAX, r->source->name, r->line, "%s", what);
}

static snStatus readVertex(asciiReader* r, snTextSpan line)
{
    snMeshFile* mesh = r->mesh;
    if (r->corner < 0 || r->corner > 2)
        return syntax(r, "a facet of an STL file has three vertices between 'outer loop' and 'endloop'");
    if (!sn_growMesh((void**)&mesh->vert, 3 * sizeof(float), mesh->nvert, 1, &r->room))
        return sn_meshNoMemory(r->source);
    float* vert = mesh->vert + 3 * (size_t)mesh->nvert;
    for (int k = 0; k < 3; k++) {
        snTextSpan word;
        if (!sn_textWord(&line, &word) || !sn_textFloat(word, r->locale, vert + k))
            return syntax(r, "a vertex needs three finite numbers");
    }
    mesh->nvert++;
    r->corner++;
    return SN_STATUS_OK;
}

// solid NAME, { facet normal X Y Z, outer loop, 3 vertex X Y Z, endloop, endfacet }, endsolid; several solids
// make one mesh.
static snStatus readLine(asciiReader* r, snTextSpan line)
{
    snTextSpan word;
    if (!sn_textWord(&line, &word)) return SN_STATUS_OK;
    if (isWord(word, "vertex")) return readVertex(r, line);
    if (isWord(word, "outer")) {
        if (r->corner != -1) return syntax(r, "'outer loop' inside an open loop; 'endloop' is missing");
        r->corner = 0;
    } else if (isWord(word, "endloop")) {
        if (r->corner != 3) return syntax(r, "a facet of an STL file has three vertices before 'endloop'");
        r->corner = -1;
    } else if (!isWord(word, "solid") && !isWord(word, "endsolid") && !isWord(word, "facet") &&
               !isWord(word, "endfacet")) {
        return syntax(r, "not a line of an ASCII STL file (solid, facet normal, outer loop, vertex, endloop, "
                         "endfacet, endsolid)");
    }
    return SN_STATUS_OK;
}

static snStatus readLines(asciiReader* r)
{
    snTextSpan text = {r->source->data, r->source->data + r->source->size}, line;
    while (sn_textLine(&text, &line)) {
        r->line++;
        const snStatus status = readLine(r, line);
        if (status) return status;
    }
    if (r->corner != -1) return syntax(r, "the file ends inside a facet");
    if (!r->mesh->nvert) return syntax(r, "the file has no facets");
    return SN_STATUS_OK;
}

static snStatus readAscii(const snMeshSource* source, snMeshFile* mesh)
{
    asciiReader r = {.source = source, .mesh = mesh, .corner = -1, .locale = sn_makeLocale()};
    if (!r.locale) return sn_meshNoMemory(source);
    const snStatus status = readLines(&r);
    sn_freeLocale(r.locale);
    if (status) return status;
    mesh->face = sn_malloc(sizeof(int) * (size_t)mesh->nvert);
    if (!mesh->face) return sn_meshNoMemory(source);
    mesh->nface = mesh->nvert / 3;
    for (int k = 0; k < mesh->nvert; k++) mesh->face[k] = k;
    return SN_STATUS_OK;
}

// Whether a file whose length is not that of a binary one is text: it begins with "solid", and there are no
// zero bytes near its beginning, as binary facets have them.
static bool isText(const char* data, size_t size)
{
    size_t blanks = 0;
    while (blanks < size && data[blanks] && strchr(" \t\r\n", data[blanks])) blanks++;
    return size - blanks >= 5 && sn_beginsSame(data + blanks, "solid", 5) &&
           !memchr(data, 0, size < 512 ? size : 512);
}

// A binary file may begin with "solid" as well, so its length decides.
snStatus sn_readStl(const snMeshSource* source, snMeshFile* mesh)
{
    const size_t size = source->size;
    const uint32_t nface = size >= FIRST ? sn_littleU32(source->data + HEADER) : 0;
    if (size >= FIRST && size - FIRST == RECORD * (size_t)nface && nface > 0)
        return readBinary(source, (int)nface, mesh);
    if (isText(source->data, size)) return readAscii(source, mesh);
    if (size < FIRST)
        return sn_failAt(
            source->error, SN_STATUS_SYNTAX, source->name, 0,
            "a binary STL file has at least %d bytes, an ASCII one begins with 'solid'; this one "
            "has %zu bytes",
            FIRST + RECORD, size);
    return sn_failAt(source->error, SN_STATUS_SYNTAX, source->name, 0,
                     "byte %d: %u triangles, which makes %zu bytes, but the file has %zu; is it cut short?",
                     HEADER, nface, FIRST + RECORD * (size_t)nface, size);
}
