// Specs for programs: from files, text, compiled models and files in memory.
#include <sinew/spec.h>
#include "format/archive/archive.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "format/mjcf/mjcf.h"
#include "format/mjcf/source.h"
#include "format/mjcf/tree/copy.h"
#include "model/binary/binary.h"
#include <string.h>

static snSpec* ownAssets(snSpec* spec, snError* error)
{
    if (!spec || sn_copyAssets(spec, spec->assets, spec->nassets)) return spec;
    sn_deleteSpec(spec);
    sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    return NULL;
}

// A compiled model on disk that holds its source.
static snSpec* loadSource(const char* path, const snAsset* assets, int nassets, const snLoadOptions* options,
                          snError* error)
{
    char* bytes;
    size_t size;
    if (sn_readFile(path, &bytes, &size, error)) return NULL;
    snSpec* spec = ownAssets(sn_readSource(bytes, size, path, assets, nassets, options, error), error);
    sn_free(bytes);
    return spec;
}

// An archive on disk: its members are files in memory, by names below its own; others come with it.
static snSpec* loadArchive(const char* path, const snAsset* assets, int nassets, const snLoadOptions* options,
                           snError* error)
{
    snArchive archive;
    snSpec* spec = NULL;
    const char* model = sn_readArchive(path, &archive, error) ? NULL : sn_archiveModel(&archive, path, error);
    snAsset* all = model ? sn_malloc((size_t)(archive.count + nassets + 1) * sizeof *all) : NULL;
    if (all) {
        if (nassets) memcpy(all, assets, (size_t)nassets * sizeof *all);
        memcpy(all + nassets, archive.files, (size_t)archive.count * sizeof *all);
        spec = ownAssets(sn_readMJCF(model, all, nassets + archive.count, options, error), error);
    } else if (model)
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    sn_free(all);
    sn_freeArchive(&archive);
    return spec;
}

static bool isAsset(const char* path, const snAsset* assets, int nassets)
{
    for (int i = 0; assets && i < nassets; i++)
        if (assets[i].name && !strcmp(assets[i].name, path)) return true;
    return false;
}

snSpec* sn_loadSpec(const char* path, const snAsset* assets, int nassets, const snLoadOptions* options,
                    snError* error)
{
    return sn_loadUrdf(path, NULL, assets, nassets, options, error);
}

snSpec* sn_loadUrdf(const char* path, const snUrdfOptions* urdf, const snAsset* assets, int nassets,
                    const snLoadOptions* options, snError* error)
{
    if (!path) {
        sn_fail(error, SN_STATUS_ARGUMENT, "no path given");
        return NULL;
    }
    if (!isAsset(path, assets, nassets) && sn_isBinaryFile(path))
        return loadSource(path, assets, nassets, options, error);
    if (!isAsset(path, assets, nassets) && sn_isArchiveFile(path))
        return loadArchive(path, assets, assets ? nassets : 0, options, error);
    return ownAssets(sn_readUrdf(path, urdf, assets, nassets, options, error), error);
}

snSpec* sn_loadSpecText(const char* text, size_t size, const snAsset* assets, int nassets,
                        const snLoadOptions* options, snError* error)
{
    if (text && sn_isBinary(text, size))
        return ownAssets(sn_readSource(text, size, NULL, assets, nassets, options, error), error);
    return ownAssets(sn_readMJCFText(text, size, NULL, assets, nassets, options, error), error);
}
