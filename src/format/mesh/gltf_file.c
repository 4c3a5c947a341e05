// The JSON of a glTF file, text or in a binary container.
#include "format/mesh/gltf_file.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/little_endian.h"
#include "base/memory.h"
#include "base/platform/plain_locale.h"
#include "base/platform/threads.h"

// Each value of a JSON text becomes some 80 bytes, though it may be written in two.
enum { MOST_VALUES = 1 << 20 };

static const char* const keys[] = {
#define X(name, key) key,
    SN_GLTF_ARRAYS(X)
#undef X
};

static snStatus syntax(const snGltf* g, const char* what)
{
    return sn_failAt(g->source->error, SN_STATUS_SYNTAX, g->source->name, 0, "%s", what);
}

snStatus sn_gltfFail(const snGltf* g, snStatus status, snGltfArray array, int index, const char* what)
{
    return sn_failAt(g->source->error, status, g->source->name, 0, "%s[%d]: %s", keys[array], index, what);
}

// ---- numbers

snStatus sn_gltfInt(const snGltf* g, snGltfArray array, int index, const cJSON* object, const char* key,
                    int absent, int* value)
{
    const cJSON* item = cJSON_GetObjectItemCaseSensitive(object, key);
    *value = absent;
    if (!item) return SN_STATUS_OK;
    const double number = cJSON_IsNumber(item) ? item->valuedouble : -1;
    if (number >= 0 && number <= INT_MAX && number == (int)number) {
        *value = (int)number;
        return SN_STATUS_OK;
    }
    char text[120];
    snprintf(text, sizeof text, "'%s' is no whole number from 0 on", key);
    return sn_gltfFail(g, SN_STATUS_SYNTAX, array, index, text);
}

snStatus sn_gltfIndex(const snGltf* g, snGltfArray array, int index, const cJSON* object, const char* key,
                      snGltfArray into, int* value)
{
    const snStatus status = sn_gltfInt(g, array, index, object, key, -1, value);
    if (status || *value < g->count[into]) return status;
    char text[120];
    snprintf(text, sizeof text, "'%s' is %d, the file has %d %s", key, *value, g->count[into], keys[into]);
    return sn_gltfFail(g, SN_STATUS_SYNTAX, array, index, text);
}

// ---- the text

static bool hasManyValues(const char* text, size_t size)
{
    bool quoted = false;
    int count = 0;
    for (size_t k = 0; k < size && count <= MOST_VALUES; k++) {
        if (text[k] == '"') quoted = !quoted;
        if (quoted && text[k] == '\\') k++;
        if (!quoted && (text[k] == ',' || text[k] == '[' || text[k] == '{')) count++;
    }
    return count > MOST_VALUES;
}

static snStatus malformed(const snGltf* g, const char* text, const char* at)
{
    int line = 1;
    for (const char* c = text; c < at; c++) line += *c == '\n';
    return sn_failAt(g->source->error, SN_STATUS_SYNTAX, g->source->name, line,
                     "not the JSON of a glTF file here");
}

// cJSON reads numbers as the locale of the thread writes them, and keeps the place of the last error in a
// global variable, so only one thread at a time may use it.
static cJSON* parseJson(const char* text, size_t size, snLocale locale, const char** end)
{
    static snMutex one_at_a_time = SN_MUTEX_INIT;
    sn_lock(&one_at_a_time);
    const snThreadLocale entered = sn_enterLocale(locale);
    cJSON* json = cJSON_ParseWithLengthOpts(text, size, end, false);
    sn_leaveLocale(entered);
    sn_unlock(&one_at_a_time);
    return json;
}

// text [size bytes] ends in a 0, which is not counted.
static snStatus parseText(snGltf* g, const char* text, size_t size)
{
    if (hasManyValues(text, size))
        return syntax(g, "the JSON has more than a million values, far more than a mesh needs");
    const snLocale locale = sn_makeLocale();
    if (!locale) return sn_meshNoMemory(g->source);
    const char* end = text;
    g->json = parseJson(text, size + 1, locale, &end);
    sn_freeLocale(locale);
    if (!g->json) return malformed(g, text, end);
    while (end < text + size && strchr(" \t\r\n", *end)) end++; // and the zeros that pad a chunk
    if (end < text + size || !cJSON_IsObject(g->json)) return malformed(g, text, end);
    return SN_STATUS_OK;
}

// ---- the container: a header of 12 bytes, then chunks, each with its length, its kind and its bytes

static bool isBinary(const snMeshSource* source)
{
    return source->size >= 4 && !memcmp(source->data, "glTF", 4);
}

static snStatus findChunks(snGltf* g, const char** text, size_t* size)
{
    const char *data = g->source->data, *end = data + g->source->size;
    *text = NULL;
    if (g->source->size < 20 || sn_littleU32(data + 8) > g->source->size)
        return syntax(g, "byte 8: the file is shorter than it says; is it cut short?");
    if (sn_littleU32(data + 4) != 2)
        return sn_failAt(g->source->error, SN_STATUS_UNSUPPORTED, g->source->name, 0,
                         "byte 4: version %u of glTF; only 2 is read, save the mesh in that",
                         sn_littleU32(data + 4));
    for (data += 12; end - data >= 8;) {
        const size_t length = sn_littleU32(data);
        if (length > (size_t)(end - data) - 8)
            return sn_failAt(g->source->error, SN_STATUS_SYNTAX, g->source->name, 0,
                             "byte %zu: a chunk of %zu bytes, the file has %zu more; is it cut short?",
                             (size_t)(data - g->source->data), length, (size_t)(end - data) - 8);
        if (!*text && !memcmp(data + 4, "JSON", 4)) *text = data + 8, *size = length;
        if (!g->chunk && !memcmp(data + 4, "BIN\0", 4)) g->chunk = data + 8, g->nchunk = length;
        data += 8 + length;
    }
    return *text ? SN_STATUS_OK : syntax(g, "byte 12: there is no chunk of JSON");
}

// ---- the file

static snStatus listItems(snGltf* g, snGltfArray array)
{
    const cJSON* list = cJSON_GetObjectItemCaseSensitive(g->json, keys[array]);
    const int n = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
    g->item[array] = sn_poolAlloc(&g->pool, (size_t)n * sizeof(snGltfItem));
    if (!g->item[array]) return sn_meshNoMemory(g->source);
    const cJSON* json = n ? list->child : NULL;
    for (int i = 0; i < n; i++, json = json->next) {
        g->count[array] = i + 1;
        g->item[array][i].json = json;
        if (!cJSON_IsObject(json)) return sn_gltfFail(g, SN_STATUS_SYNTAX, array, i, "must be an object");
    }
    return SN_STATUS_OK;
}

// Extensions of how things look change no triangle.
static bool isKnownExtension(const char* name)
{
    static const char* const looks[] = {"KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_"};
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++)
        if (!strncmp(name, looks[i], strlen(looks[i]))) return true;
    return false;
}

static snStatus checkVersion(const snGltf* g)
{
    const cJSON* asset = cJSON_GetObjectItemCaseSensitive(g->json, "asset");
    const char* version = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(asset, "version"));
    if (!version) return syntax(g, "the file has no \"asset\": {\"version\": \"2.0\"}; is it a glTF file?");
    if (strncmp(version, "2.", 2) != 0)
        return sn_failAt(g->source->error, SN_STATUS_UNSUPPORTED, g->source->name, 0,
                         "version %.20s of glTF; only 2.0 is read, save the mesh in that", version);
    const cJSON *required = cJSON_GetObjectItemCaseSensitive(g->json, "extensionsRequired"), *name;
    cJSON_ArrayForEach(
        name,
        required) if (!cJSON_IsString(name) ||
                      !isKnownExtension(
                          name->valuestring)) return sn_failAt(g->source->error, SN_STATUS_UNSUPPORTED,
                                                               g->source->name, 0,
                                                               "the file requires the extension '%.60s', "
                                                               "which is not read; save the mesh without it",
                                                               cJSON_IsString(name) ? name->valuestring : "");
    return SN_STATUS_OK;
}

snStatus sn_openGltf(const snMeshSource* source, snGltf* g)
{
    g->source = source;
    g->bytes = source->size;
    const char* text = source->data;
    size_t size = source->size;
    snStatus status = isBinary(source) ? findChunks(g, &text, &size) : SN_STATUS_OK;
    if (status) return status;
    char* copy = sn_malloc(size + 1);
    if (!copy) return sn_meshNoMemory(source);
    if (size) memcpy(copy, text, size);
    copy[size] = 0;
    status = parseText(g, copy, size);
    sn_free(copy);
    if (!status) status = checkVersion(g);
    for (int i = 0; i < SN_GLTF_NARRAY && !status; i++) status = listItems(g, (snGltfArray)i);
    return status;
}

void sn_freeGltf(snGltf* g)
{
    for (int i = 0; i < g->count[SN_GLTF_BUFFER]; i++) {
        const snGltfBuffer* buffer = g->item[SN_GLTF_BUFFER][i].made;
        if (buffer) sn_free(buffer->owned);
    }
    cJSON_Delete(g->json);
    sn_clearPool(&g->pool);
}
