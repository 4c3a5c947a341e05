// MuJoCo's legacy binary MSH: the numbers of vertices, normals, texture coordinates and triangles, then
// vertices, normals, texture coordinates and triangles. Normals and texture coordinates, if any, are one a
// vertex.
#include <math.h>
#include "base/error.h"
#include "base/little_endian.h"
#include "base/memory.h"
#include "format/mesh/reader.h"

enum { HEADER = 16 };

static snStatus syntax(const snMeshSource* source, const char* what)
{
    return sn_failAt(source->error, SN_STATUS_SYNTAX, source->name, 0, "%s", what);
}

static snStatus readFloats(const snMeshSource* source, size_t* at, int rows, int columns, float** array)
{
    const size_t n = (size_t)rows * (size_t)columns;
    if (!n) return SN_STATUS_OK;
    *array = sn_malloc(n * sizeof(float));
    if (!*array) return sn_meshNoMemory(source);
    for (size_t k = 0; k < n; k++, *at += 4) {
        (*array)[k] = sn_littleFloat(source->data + *at);
        if (!isfinite((*array)[k]))
            return sn_failAt(source->error, SN_STATUS_SYNTAX, source->name, 0,
                             "byte %zu: a coordinate is %g, must be finite", *at, (double)(*array)[k]);
    }
    return SN_STATUS_OK;
}

static snStatus readFaces(const snMeshSource* source, size_t at, snMeshFile* mesh)
{
    const size_t n = 3 * (size_t)mesh->nface, bytes = n * sizeof(int);
    if (!n) return SN_STATUS_OK;
    mesh->face = sn_malloc(bytes);
    if (mesh->nnormal) mesh->facenormal = sn_malloc(bytes);
    if (mesh->ntexcoord) mesh->facetexcoord = sn_malloc(bytes);
    if (!mesh->face || (mesh->nnormal && !mesh->facenormal) || (mesh->ntexcoord && !mesh->facetexcoord))
        return sn_meshNoMemory(source);
    for (size_t k = 0; k < n; k++, at += 4) {
        const int index = sn_littleI32(source->data + at);
        if (index < 0 || index >= mesh->nvert)
            return sn_failAt(source->error, SN_STATUS_SYNTAX, source->name, 0,
                             "byte %zu: triangle %zu names vertex %d, the file has 0 to %d", at, k / 3, index,
                             mesh->nvert - 1);
        mesh->face[k] = index;
        if (mesh->facenormal) mesh->facenormal[k] = index;
        if (mesh->facetexcoord) mesh->facetexcoord[k] = index;
    }
    return SN_STATUS_OK;
}

snStatus sn_readMsh(const snMeshSource* source, snMeshFile* mesh)
{
    if (source->size < HEADER)
        return syntax(source, "an MSH file begins with four numbers, 16 bytes; it is shorter");
    const int nvert = sn_littleI32(source->data), nnormal = sn_littleI32(source->data + 4),
              ntexcoord = sn_littleI32(source->data + 8), nface = sn_littleI32(source->data + 12);
    if (nvert < 1 || nface < 0)
        return sn_failAt(source->error, SN_STATUS_SYNTAX, source->name, 0,
                         "bytes 0 and 12: %d vertices and %d triangles; is this an MSH file?", nvert, nface);
    if ((nnormal != 0 && nnormal != nvert) || (ntexcoord != 0 && ntexcoord != nvert))
        return sn_failAt(
            source->error, SN_STATUS_SYNTAX, source->name, 0,
            "bytes 4 and 8: %d normals and %d texture coordinates; an MSH file has none or one for "
            "each of its %d vertices",
            nnormal, ntexcoord, nvert);
    const uint64_t size = HEADER + 12 * (uint64_t)nvert + 12 * (uint64_t)nnormal + 8 * (uint64_t)ntexcoord +
                          12 * (uint64_t)nface;
    if (source->size != size)
        return sn_failAt(
            source->error, SN_STATUS_SYNTAX, source->name, 0,
            "%d vertices, %d normals, %d texture coordinates and %d triangles make %llu bytes, but "
            "the file has %zu; is it cut short?",
            nvert, nnormal, ntexcoord, nface, (unsigned long long)size, source->size);
    size_t at = HEADER;
    mesh->nvert = nvert;
    mesh->nnormal = nnormal;
    mesh->ntexcoord = ntexcoord;
    mesh->nface = nface;
    snStatus status = readFloats(source, &at, nvert, 3, &mesh->vert);
    if (!status) status = readFloats(source, &at, nnormal, 3, &mesh->normal);
    if (!status) status = readFloats(source, &at, ntexcoord, 2, &mesh->texcoord);
    if (!status) status = readFaces(source, at, mesh);
    return status;
}
