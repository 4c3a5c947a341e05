// A glTF file taken apart: its JSON, its buffers, and the numbers that its accessors say lie in them.
#ifndef SINEW_FORMAT_MESH_GLTF_FILE_H
#define SINEW_FORMAT_MESH_GLTF_FILE_H

#include <cjson/cJSON.h>
#include "base/pool.h"
#include "format/mesh/reader.h"

// The arrays of the file that others count into.
#define SN_GLTF_ARRAYS(X)                                                                                    \
    X(BUFFER, "buffers")                                                                                     \
    X(VIEW, "bufferViews")                                                                                   \
    X(ACCESSOR, "accessors")                                                                                 \
    X(MESH, "meshes")                                                                                        \
    X(NODE, "nodes")                                                                                         \
    X(SCENE, "scenes")                                                                                       \
    X(MATERIAL, "materials")
typedef enum snGltfArray {
#define X(name, key) SN_GLTF_##name,
    SN_GLTF_ARRAYS(X)
#undef X
        SN_GLTF_NARRAY,
} snGltfArray;

typedef struct snGltfItem {
    const cJSON* json;
    void* made; ///< what has been made of it, so that it is made once
} snGltfItem;

typedef struct snGltfBuffer {
    const char* data;
    size_t size;
    char* owned; ///< to free
} snGltfBuffer;

typedef enum snGltfType {
    SN_GLTF_BYTE = 5120,
    SN_GLTF_UBYTE,
    SN_GLTF_SHORT,
    SN_GLTF_USHORT,
    SN_GLTF_UINT = 5125,
    SN_GLTF_FLOAT,
} snGltfType;

/// Numbers in a buffer, all within it: item k at data + k * stride; with `sparse`, some of them are
/// elsewhere.
typedef struct snGltfAccessor {
    snGltfType type;
    int width; ///< numbers of an item
    int count;
    const char* data; ///< NULL: all are 0
    size_t stride;
    int nsparse;
    snGltfType sparse_type;
    const char *sparse_index, *sparse_data; ///< [nsparse] which items, in rising order; [nsparse] those
} snGltfAccessor;

typedef struct snGltf {
    const snMeshSource* source;
    snPool pool;
    cJSON* json;
    const char* chunk; ///< the buffer that a binary file holds; NULL: none
    size_t nchunk;
    size_t bytes; ///< of the file and of the buffers that have been read
    snGltfItem* item[SN_GLTF_NARRAY];
    int count[SN_GLTF_NARRAY];
} snGltf;

/// Reads the JSON of a file into *g, which is all zero. Free it with sn_freeGltf, also on failure.
snStatus sn_openGltf(const snMeshSource* source, snGltf* g);
void sn_freeGltf(snGltf* g);

/// A whole number from 0 to INT_MAX under a key of an item of an array, or of an object in that; `absent` if
/// there is none.
snStatus sn_gltfInt(const snGltf* g, snGltfArray array, int index, const cJSON* object, const char* key,
                    int absent, int* value);
/// The same where the number counts into the array `into`; -1: absent.
snStatus sn_gltfIndex(const snGltf* g, snGltfArray array, int index, const cJSON* object, const char* key,
                      snGltfArray into, int* value);
/// An error of an item: "meshes[3]: what".
snStatus sn_gltfFail(const snGltf* g, snStatus status, snGltfArray array, int index, const char* what);

/// An accessor, checked against its buffer.
snStatus sn_gltfAccessor(snGltf* g, int index, const snGltfAccessor** accessor);
/// Item k, 0 <= k < count, of an accessor of indices.
uint32_t sn_gltfIndexAt(const snGltfAccessor* a, int k);
/// Item k of an accessor of three floats.
void sn_gltfVectorAt(const snGltfAccessor* a, int k, float v[3]);

#endif
