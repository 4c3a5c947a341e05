// Copies of whole specs and of files in memory.
#include "format/mjcf/tree/copy.h"
#include "base/error.h"
#include "base/memory.h"
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

bool sn_copyAssets(snSpec* spec, const snAsset* assets, int nassets)
{
    snAsset* own = sn_poolAlloc(&spec->tree, ((size_t)nassets + 1) * sizeof *own);
    if (!own) return false;
    for (int i = 0; i < nassets; i++)
        if (!copyAsset(spec, &assets[i], &own[i])) return false;
    spec->assets = own;
    spec->nassets = nassets;
    return true;
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

void sn_removeAsset(snSpec* spec, const char* name)
{
    snAsset* own = sn_poolAlloc(&spec->tree, ((size_t)spec->nassets + 1) * sizeof *own);
    if (!own) return; // it stays, which is no harm
    int count = 0;
    for (int i = 0; i < spec->nassets; i++)
        if (strcmp(spec->assets[i].name, name)) own[count++] = spec->assets[i];
    spec->assets = own;
    spec->nassets = count;
    spec->read = false;
}

void sn_lendAssets(snSpec* spec, const snAsset* assets, int nassets)
{
    spec->lent = assets;
    spec->nlent = nassets;
    spec->read = false;
}

// Copies of the origins, indexed as the originals; elements are turned to them.
static bool copyOrigins(snSpec* copy, const snSpec* spec)
{
    snOrigin** link = &copy->origins;
    for (const snOrigin* from = spec->origins; from; from = from->next) {
        snOrigin* to = sn_poolAlloc(&copy->tree, sizeof *to);
        if (!to) return false;
        to->index = from->index;
        to->file = sn_poolText(&copy->tree, from->file, strlen(from->file));
        to->folder = sn_poolText(&copy->tree, from->folder, strlen(from->folder));
        to->settings = sn_copyElement(&copy->tree, from->settings);
        if (!to->file || !to->folder || !to->settings) return false;
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
    copy->anywhere = spec->anywhere;
    copy->files_anywhere = spec->files_anywhere;
    copy->within = spec->within ? sn_poolText(&copy->tree, spec->within, strlen(spec->within)) : NULL;
    copy->nkeyed = spec->nkeyed;
    copy->asked = spec->asked;
    copy->silent = spec->silent;
    copy->physics = spec->physics;
    if (!copy->file || !copy->folder || (spec->within && !copy->within) || !copy->root ||
        !copyOrigins(copy, spec) || !sn_copyAssets(copy, spec->assets, spec->nassets))
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
