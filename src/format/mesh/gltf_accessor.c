#include <string.h>
#include "base/error.h"
#include "base/little_endian.h"
#include "format/mesh/gltf_buffer.h"

static size_t bytesOf(snGltfType type)
{
    switch (type) {
    case SN_GLTF_BYTE:
    case SN_GLTF_UBYTE: return 1;
    case SN_GLTF_SHORT:
    case SN_GLTF_USHORT: return 2;
    case SN_GLTF_UINT:
    case SN_GLTF_FLOAT: return 4;
    }
    return 0;
}

static snStatus fail(const snGltf* g, int index, const char* what)
{
    return sn_gltfFail(g, SN_STATUS_SYNTAX, SN_GLTF_ACCESSOR, index, what);
}

static snStatus readType(const snGltf* g, int index, const cJSON* object, snGltfType* type)
{
    int number;
    const snStatus status = sn_gltfInt(g, SN_GLTF_ACCESSOR, index, object, "componentType", 0, &number);
    *type = (snGltfType)number;
    if (status || bytesOf(*type)) return status;
    return fail(g, index, "componentType is none of 5120 to 5123, 5125 and 5126");
}

// Numbers of an item; only those of indices and positions are asked for.
static int widthOf(const cJSON* json)
{
    const char* type = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "type"));
    return !type ? 0 : !strcmp(type, "SCALAR") ? 1 : !strcmp(type, "VEC3") ? 3 : 0;
}

static snStatus readItems(snGltf* g, int index, const cJSON* object, int count, size_t width,
                          const char** data, size_t* stride)
{
    int view, offset;
    snStatus status = sn_gltfIndex(g, SN_GLTF_ACCESSOR, index, object, "bufferView", SN_GLTF_VIEW, &view);
    if (!status) status = sn_gltfInt(g, SN_GLTF_ACCESSOR, index, object, "byteOffset", 0, &offset);
    if (status || view < 0) return status;
    return sn_gltfViewItems(g, index, view, offset, count, width, data, stride);
}

static snStatus readSparse(snGltf* g, int index, const cJSON* sparse, snGltfAccessor* a)
{
    const cJSON *indices = cJSON_GetObjectItemCaseSensitive(sparse, "indices"),
                *values = cJSON_GetObjectItemCaseSensitive(sparse, "values");
    const size_t width = bytesOf(a->type) * (size_t)a->width;
    size_t stride = 0;
    snStatus status = sn_gltfInt(g, SN_GLTF_ACCESSOR, index, sparse, "count", 0, &a->nsparse);
    if (!status) status = readType(g, index, indices, &a->sparse_type);
    if (status) return status;
    const size_t bytes = bytesOf(a->sparse_type);
    status = readItems(g, index, indices, a->nsparse, bytes, &a->sparse_index, &stride);
    if (!status && (stride != bytes || a->sparse_type == SN_GLTF_FLOAT))
        return fail(g, index, "its sparse indices must be whole numbers next to each other in a bufferView");
    if (!status) status = readItems(g, index, values, a->nsparse, width, &a->sparse_data, &stride);
    if (!status && (stride != width || !a->sparse_data))
        return fail(g, index, "its sparse values must be next to each other in a bufferView");
    return status;
}

static snStatus readAccessor(snGltf* g, int index, snGltfAccessor* a)
{
    const cJSON* json = g->item[SN_GLTF_ACCESSOR][index].json;
    const cJSON* sparse = cJSON_GetObjectItemCaseSensitive(json, "sparse");
    snStatus status = readType(g, index, json, &a->type);
    if (!status) status = sn_gltfInt(g, SN_GLTF_ACCESSOR, index, json, "count", 0, &a->count);
    if (status) return status;
    a->width = widthOf(json);
    if (!a->width) return fail(g, index, "its type is neither SCALAR nor VEC3");
    const size_t width = bytesOf(a->type) * (size_t)a->width;
    status = readItems(g, index, json, a->count, width, &a->data, &a->stride);
    if (!status && sparse) status = readSparse(g, index, sparse, a);
    if (status) return status;
    if (!a->data && (size_t)a->count > g->bytes)
        return fail(g, index, "has no bufferView and more items than the file has bytes");
    return SN_STATUS_OK;
}

snStatus sn_gltfAccessor(snGltf* g, int index, const snGltfAccessor** accessor)
{
    snGltfItem* item = g->item[SN_GLTF_ACCESSOR] + index;
    *accessor = item->made;
    if (*accessor) return SN_STATUS_OK;
    snGltfAccessor* made = sn_poolAlloc(&g->pool, sizeof *made);
    if (!made) return sn_meshNoMemory(g->source);
    *accessor = item->made = made;
    return readAccessor(g, index, made);
}

static uint32_t indexAt(const char* data, snGltfType type, size_t k)
{
    const unsigned char* at = (const unsigned char*)data + k * bytesOf(type);
    return bytesOf(type) == 1   ? at[0]
           : bytesOf(type) == 2 ? (uint32_t)at[0] | (uint32_t)at[1] << 8
                                : sn_littleU32(at);
}

// Where item k is; NULL: nowhere, it is 0.
static const char* itemAt(const snGltfAccessor* a, int k)
{
    int low = 0, high = a->nsparse;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (indexAt(a->sparse_index, a->sparse_type, (size_t)middle) < (uint32_t)k)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < a->nsparse && indexAt(a->sparse_index, a->sparse_type, (size_t)low) == (uint32_t)k)
        return a->sparse_data + (size_t)low * bytesOf(a->type) * (size_t)a->width;
    return a->data ? a->data + (size_t)k * a->stride : NULL;
}

uint32_t sn_gltfIndexAt(const snGltfAccessor* a, int k)
{
    const char* at = itemAt(a, k);
    return at ? indexAt(at, a->type, 0) : 0;
}

void sn_gltfVectorAt(const snGltfAccessor* a, int k, float v[3])
{
    const char* at = itemAt(a, k);
    for (int i = 0; i < 3; i++) v[i] = at ? sn_littleFloat(at + 4 * (size_t)i) : 0;
}
