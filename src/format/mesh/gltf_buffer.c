#include "format/mesh/gltf_buffer.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/platform/files.h"

static snStatus fail(const snGltf* g, snStatus status, int buffer, const char* what)
{
    return sn_gltfFail(g, status, SN_GLTF_BUFFER, buffer, what);
}

// ---- data:...;base64,

static int sextet(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+' || c == '-' ? 62
           : c == '/' || c == '_' ? 63
                                  : -1;
}

static snStatus decodeText(const snGltf* g, int index, const char* uri, snGltfBuffer* buffer)
{
    const char* text = strstr(uri, ";base64,");
    if (!text) return fail(g, SN_STATUS_UNSUPPORTED, index, "a data URI is read as ';base64,' only");
    text += 8;
    const size_t n = strlen(text);
    buffer->owned = sn_malloc(n / 4 * 3 + 3);
    if (!buffer->owned) return sn_meshNoMemory(g->source);
    buffer->data = buffer->owned;
    uint32_t bits = 0;
    for (size_t k = 0; k < n && text[k] != '='; k++) {
        const int value = sextet(text[k]);
        if (value < 0) return fail(g, SN_STATUS_SYNTAX, index, "the data URI is not base64");
        bits = bits << 6 | (uint32_t)value;
        // each four letters make three bytes: one is whole behind each letter but the first
        if (k % 4) buffer->owned[buffer->size++] = (char)(bits >> (6 - 2 * (k % 4)));
    }
    return SN_STATUS_OK;
}

// ---- files

static int hexDigit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

// The path of a file that a URI names, from the folder of the mesh on; %20 and the like stand for bytes.
static char* pathOf(const snGltf* g, const char* uri)
{
    const char* name = g->source->name;
    const size_t folder = (size_t)(sn_baseName(name) - name);
    char* path = sn_malloc(folder + strlen(uri) + 1);
    if (!path) return NULL;
    memcpy(path, name, folder);
    char* to = path + folder;
    for (const char* c = uri; *c; c++) {
        const int high = *c == '%' ? hexDigit(c[1]) : -1, low = high < 0 ? -1 : hexDigit(c[2]);
        *to++ = low < 0 ? *c : (char)(16 * high + low);
        if (low >= 0) c += 2;
    }
    *to = 0;
    return path;
}

// Whether a path leads upwards, to the root, or through what other systems take for a slash or a drive.
static bool leadsOut(const char* path)
{
    if (*path == '/' || strpbrk(path, "\\:")) return true;
    for (const char* part = path; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (!strncmp(part, "..", 2) && (!part[2] || part[2] == '/')) return true;
    }
    return false;
}

// Whether the file, links followed, is below the folder of the mesh, and of one in memory below the working
// folder, too. One that is not there is.
static bool isBeside(const snGltf* g, const char* path, size_t nfolder)
{
    char real[SN_PATH_SIZE], folder[SN_PATH_SIZE];
    if (!sn_realPath(path, real)) return true;
    if (nfolder >= sizeof folder) return false;
    memcpy(folder, path, nfolder);
    folder[nfolder] = 0;
    return sn_isBelow(folder, real) && (g->source->beside == SN_BESIDE_FILE || sn_isBelow("", real));
}

static snStatus readBeside(const snGltf* g, int index, const char* uri, snGltfBuffer* buffer)
{
    const bool anything = g->source->beside == SN_BESIDE_ANYTHING;
    const size_t nfolder = (size_t)(sn_baseName(g->source->name) - g->source->name);
    if (*uri == '/' || strcspn(uri, ":") < strcspn(uri, "/"))
        return fail(g, SN_STATUS_UNSUPPORTED, index,
                    "its uri must be the path of a file from the folder of this one on, or data");
    char* path = pathOf(g, uri);
    if (!path) return sn_meshNoMemory(g->source);
    snStatus status;
    if (!anything && (leadsOut(path + nfolder) || !isBeside(g, path, nfolder)))
        status =
            fail(g, SN_STATUS_FILE, index,
                 "its file is outside of the folder of this one: it is not read; put it there, or allow it "
                 "(--anywhere, anywhere=True)");
    else
        status = sn_readFile(path, &buffer->owned, &buffer->size, g->source->error);
    buffer->data = buffer->owned;
    sn_free(path);
    return status;
}

// ---- buffers

static snStatus openBuffer(snGltf* g, int index, snGltfBuffer* buffer)
{
    const cJSON* uri = cJSON_GetObjectItemCaseSensitive(g->item[SN_GLTF_BUFFER][index].json, "uri");
    if (cJSON_IsString(uri))
        return strncmp(uri->valuestring, "data:", 5) ? readBeside(g, index, uri->valuestring, buffer)
                                                     : decodeText(g, index, uri->valuestring, buffer);
    if (index > 0 || !g->chunk)
        return fail(g, SN_STATUS_SYNTAX, index,
                    "has no uri, which only the first buffer of a binary file (.glb) may lack");
    buffer->data = g->chunk;
    buffer->size = g->nchunk;
    return SN_STATUS_OK;
}

static snStatus getBuffer(snGltf* g, int index, const snGltfBuffer** made)
{
    snGltfItem* item = g->item[SN_GLTF_BUFFER] + index;
    *made = item->made;
    if (*made) return SN_STATUS_OK;
    snGltfBuffer* buffer = sn_poolAlloc(&g->pool, sizeof *buffer);
    if (!buffer) return sn_meshNoMemory(g->source);
    *made = item->made = buffer;
    int length;
    snStatus status = openBuffer(g, index, buffer);
    if (!status) status = sn_gltfInt(g, SN_GLTF_BUFFER, index, item->json, "byteLength", -1, &length);
    if (status) return status;
    if (buffer->owned) g->bytes += buffer->size;
    if (g->bytes > SN_FILE_LIMIT + g->source->size)
        return fail(g, SN_STATUS_SYNTAX, index, "the buffers have more than " SN_FILE_LIMIT_TEXT);
    if (length < 0 || (size_t)length > buffer->size) {
        char text[120];
        snprintf(text, sizeof text, "byteLength is %d, there are %zu bytes; is it cut short?", length,
                 buffer->size);
        return fail(g, SN_STATUS_SYNTAX, index, length < 0 ? "has no byteLength" : text);
    }
    buffer->size = (size_t)length;
    return SN_STATUS_OK;
}

typedef struct view {
    const char* data;
    size_t size, stride; // stride 0: items are next to each other
} view;

static snStatus readView(snGltf* g, int index, view* v)
{
    const cJSON* json = g->item[SN_GLTF_VIEW][index].json;
    int at, offset, length, stride;
    const snGltfBuffer* buffer;
    snStatus status = sn_gltfIndex(g, SN_GLTF_VIEW, index, json, "buffer", SN_GLTF_BUFFER, &at);
    if (!status) status = sn_gltfInt(g, SN_GLTF_VIEW, index, json, "byteOffset", 0, &offset);
    if (!status) status = sn_gltfInt(g, SN_GLTF_VIEW, index, json, "byteLength", -1, &length);
    if (!status) status = sn_gltfInt(g, SN_GLTF_VIEW, index, json, "byteStride", 0, &stride);
    if (status) return status;
    if (at < 0 || length < 0)
        return sn_gltfFail(g, SN_STATUS_SYNTAX, SN_GLTF_VIEW, index, "needs 'buffer' and 'byteLength'");
    status = getBuffer(g, at, &buffer);
    if (status) return status;
    if ((size_t)offset > buffer->size || (size_t)length > buffer->size - (size_t)offset)
        return sn_gltfFail(g, SN_STATUS_SYNTAX, SN_GLTF_VIEW, index, "does not fit into its buffer");
    *v = (view){buffer->data + offset, (size_t)length, (size_t)stride};
    return SN_STATUS_OK;
}

static snStatus getView(snGltf* g, int index, const view** made)
{
    snGltfItem* item = g->item[SN_GLTF_VIEW] + index;
    *made = item->made;
    if (*made) return SN_STATUS_OK;
    view* v = sn_poolAlloc(&g->pool, sizeof *v);
    if (!v) return sn_meshNoMemory(g->source);
    *made = item->made = v;
    return readView(g, index, v);
}

snStatus sn_gltfViewItems(snGltf* g, int index, int at, int offset, int count, size_t width,
                          const char** data, size_t* stride)
{
    const view* v;
    const snStatus status = getView(g, at, &v);
    if (status) return status;
    *stride = v->stride ? v->stride : width;
    if (*stride < width)
        return sn_gltfFail(g, SN_STATUS_SYNTAX, SN_GLTF_VIEW, at, "byteStride is shorter than an item");
    const size_t from = (size_t)offset;
    if (count > 0 &&
        (from > v->size || v->size - from < width || (size_t)count - 1 > (v->size - from - width) / *stride))
        return sn_gltfFail(g, SN_STATUS_SYNTAX, SN_GLTF_ACCESSOR, index, "does not fit into its bufferView");
    *data = count > 0 ? v->data + from : v->data;
    return SN_STATUS_OK;
}
