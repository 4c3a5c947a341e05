// What the fuzzers of files share. Nothing may crash, leak or hang on any bytes, and what fails must say why.
#ifndef SINEW_TESTS_FUZZ_FILE_H
#define SINEW_TESTS_FUZZ_FILE_H

#include <sinew/sinew.h>
#include <stdlib.h>
#include <string.h>
#include "format/mesh/mesh_file.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

static inline void require(int condition)
{
    if (!condition) abort();
}

static inline void requireReason(snStatus status, const snError* error)
{
    require(error->status == status && status != SN_STATUS_OK);
    require(error->message[0] && memchr(error->message, 0, sizeof error->message) != NULL);
}

static inline void requireIndices(const int* index, int n, int least, int count)
{
    for (int k = 0; index && k < n; k++) require(index[k] >= least && index[k] < count);
}

/// Reads a mesh file of this name; what it holds must be in range.
static inline void tryMesh(const char* name, const uint8_t* bytes, size_t size)
{
    snMeshFile mesh;
    snError error = {.status = SN_STATUS_OK};
    const snStatus status = sn_readMeshFile(name, NULL, bytes, size, SN_BESIDE_MEMORY, &mesh, &error);
    if (status) {
        requireReason(status, &error);
        require(!mesh.vert && !mesh.face);
        return;
    }
    for (int k = 0; k < 3 * mesh.nvert; k++) require(__builtin_isfinite(mesh.vert[k]));
    requireIndices(mesh.face, 3 * mesh.nface, 0, mesh.nvert);
    requireIndices(mesh.facenormal, 3 * mesh.nface, -1, mesh.nnormal);
    requireIndices(mesh.facetexcoord, 3 * mesh.nface, -1, mesh.ntexcoord);
    sn_freeMeshFile(&mesh);
}

/// Loads a model text that refers to the bytes as a file of this name.
static inline void tryModel(const char* text, const char* name, const uint8_t* bytes, size_t size)
{
    const snAsset asset = {name, bytes, size};
    snError error = {.status = SN_STATUS_OK};
    snModel* m = sn_loadModelText(text, strlen(text), &asset, 1, NULL, &error);
    if (!m) {
        requireReason((snStatus)error.status, &error);
        return;
    }
    require(sn_validateModel(m, &error) == SN_STATUS_OK);
    sn_deleteModel(m);
}

/// A copy of the bytes to mend, of n bytes at least, the rest 0; to free.
static inline uint8_t* copyOf(const uint8_t* bytes, size_t size, size_t n)
{
    uint8_t* copy = calloc(1, n > size ? n : size + 1);
    require(copy != NULL);
    if (size) memcpy(copy, bytes, size);
    return copy;
}

static inline void putLittle(uint8_t* at, uint32_t value)
{
    for (int k = 0; k < 4; k++) at[k] = (uint8_t)(value >> 8 * k);
}

#endif
