// Whole specs: loading, copying, files in memory.
#include <sinew/spec.h>
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "format/mjcf/mjcf.h"
#include "format/mjcf/source.h"
#include "model/binary/binary.h"
#include <string.h>

// Copies an asset's name and bytes into the spec; false: out of memory.
static bool copyAsset(snSpec* spec, const snAsset* from, snAsset* to)
{
    const char* name = sn_poolText(&spec->tree, from->name, strlen(from->name));
    void* data = sn_poolAlloc(&spec->tree, from->size);
    if (!name || !data) return false;
    if (from->size) memcpy(data, from->data, from->size);
    *to = (snAsset){name, data, from->size};
    return true;
}

// Gives the spec copies of these assets, with room for one more.
static bool copyAssets(snSpec* spec, const snAsset* assets, int nassets)
{
    snAsset* own = sn_poolAlloc(&spec->tree, ((size_t)nassets + 1) * sizeof *own);
    if (!own) return false;
    for (int i = 0; i < nassets; i++)
        if (!copyAsset(spec, &assets[i], &own[i])) return false;
    spec->assets = own;
    spec->nassets = nassets;
    return true;
}

static snSpec* ownAssets(snSpec* spec, snError* error)
{
    if (!spec || copyAssets(spec, spec->assets, spec->nassets)) return spec;
    sn_deleteSpec(spec);
    sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    return NULL;
}

// A compiled model on disk that holds its source.
static snSpec* loadSource(const char* path, const snAsset* assets, int nassets, snError* error)
{
    char* bytes;
    size_t size;
    if (sn_readFile(path, &bytes, &size, error)) return NULL;
    snSpec* spec = ownAssets(sn_readSource(bytes, size, path, assets, nassets, error), error);
    sn_free(bytes);
    return spec;
}

static bool isAsset(const char* path, const snAsset* assets, int nassets)
{
    for (int i = 0; assets && i < nassets; i++)
        if (assets[i].name && !strcmp(assets[i].name, path)) return true;
    return false;
}

snSpec* sn_loadSpec(const char* path, const snAsset* assets, int nassets, snError* error)
{
    return sn_loadUrdf(path, NULL, assets, nassets, error);
}

snSpec* sn_loadUrdf(const char* path, const snUrdfOptions* options, const snAsset* assets, int nassets,
                    snError* error)
{
    if (!path) {
        sn_fail(error, SN_STATUS_ARGUMENT, "no path given");
        return NULL;
    }
    if (!isAsset(path, assets, nassets) && sn_isBinaryFile(path))
        return loadSource(path, assets, nassets, error);
    return ownAssets(sn_readUrdf(path, options, assets, nassets, error), error);
}

snSpec* sn_loadSpecText(const char* text, size_t size, const snAsset* assets, int nassets, snError* error)
{
    if (text && sn_isBinary(text, size))
        return ownAssets(sn_readSource(text, size, NULL, assets, nassets, error), error);
    return ownAssets(sn_readMJCFText(text, size, NULL, assets, nassets, error), error);
}

snStatus sn_addAsset(snSpec* spec, const snAsset* asset, snError* error)
{
    if (!asset->name || !*asset->name || (asset->size && !asset->data))
        return sn_fail(error, SN_STATUS_ARGUMENT, "an asset needs a name and its bytes");
    const snAsset given = {asset->name, asset->data, asset->size};
    snAsset* own = sn_poolAlloc(&spec->tree, ((size_t)spec->nassets + 1) * sizeof *own);
    snAsset copy;
    if (!own || !copyAsset(spec, &given, &copy)) return sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    int count = 0;
    for (int i = 0; i < spec->nassets; i++)
        if (strcmp(spec->assets[i].name, copy.name)) own[count++] = spec->assets[i];
    own[count++] = copy;
    spec->assets = own;
    spec->nassets = count;
    spec->read = false;
    return SN_STATUS_OK;
}

// Copies of the origins, indexed as the originals; elements are turned to them.
static bool copyOrigins(snSpec* copy, const snSpec* spec)
{
    snOrigin** link = &copy->origins;
    for (const snOrigin* from = spec->origins; from; from = from->next) {
        snOrigin* to = sn_poolAlloc(&copy->tree, sizeof *to);
        if (!to) return false;
        to->index = from->index;
        to->folder = sn_poolText(&copy->tree, from->folder, strlen(from->folder));
        to->settings = sn_copyElement(&copy->tree, from->settings);
        if (!to->folder || !to->settings) return false;
        *link = to;
        link = &to->next;
    }
    return true;
}

static snOrigin* originOf(const snSpec* spec, const snOrigin* other)
{
    snOrigin* origin = spec->origins;
    while (origin && other && origin->index != other->index) origin = origin->next;
    return other ? origin : NULL;
}

// Elements copied from another spec turn to the origins and file names of their own; false: out of memory.
static bool adopt(snSpec* spec, snElement* root)
{
    if (!sn_ownPlaces(&spec->tree, root)) return false;
    for (snElement* e = root; e; e = sn_nextInTree(root, e)) e->origin = originOf(spec, e->origin);
    return true;
}

static bool copySource(snSpec* copy, const snSpec* spec)
{
    copy->file = sn_poolText(&copy->tree, spec->file, strlen(spec->file));
    copy->folder = sn_poolText(&copy->tree, spec->folder, strlen(spec->folder));
    copy->root = sn_copyElement(&copy->tree, spec->root);
    if (!copy->file || !copy->folder || !copy->root || !copyOrigins(copy, spec) ||
        !copyAssets(copy, spec->assets, spec->nassets))
        return false;
    for (snOrigin* origin = copy->origins; origin; origin = origin->next)
        if (!adopt(copy, origin->settings)) return false;
    return adopt(copy, copy->root);
}

snSpec* sn_copySpec(const snSpec* spec)
{
    snSpec* copy = sn_makeSpec();
    if (copy && copySource(copy, spec)) return copy;
    sn_deleteSpec(copy);
    return NULL;
}
