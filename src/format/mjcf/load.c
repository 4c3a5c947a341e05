// A model file or text to a spec that has been read.
#include "format/mjcf/mjcf.h"
#include "base/error.h"
#include "base/platform/plain_locale.h"
#include "format/mjcf/expand.h"
#include "format/mjcf/physics.h"
#include "format/mjcf/read/reader.h"
#include "format/mjcf/tree/include.h"
#include "format/urdf/urdf.h"
#include <string.h>

// The compiler opens meshes and images among the assets too; their bytes stay the caller's.
static bool keepAssets(snSpec* spec, const snAsset* assets, int nassets)
{
    snAsset* kept = sn_poolAlloc(&spec->tree, (size_t)nassets * sizeof *kept);
    if (!kept) return false;
    for (int i = 0; i < nassets; i++)
        kept[i] = (snAsset){assets[i].name ? assets[i].name : "", assets[i].data, assets[i].size};
    spec->assets = kept;
    spec->nassets = nassets;
    return true;
}

bool sn_readSpec(snSpec* spec, const snLoadOptions* options, snError* error)
{
    if (!sn_choosePhysics(&(snReader){.spec = spec, .error = error, .options = options})) return false;
    if (spec->read) return true;
    const snLocale locale = sn_makeLocale();
    if (!locale || !sn_clearSpec(spec)) {
        sn_freeLocale(locale);
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
        return false;
    }
    snMistakes mistakes;
    sn_clearMistakes(&mistakes);
    spec->warned = false;
    snReader reader = {
        .spec = spec, .error = error, .locale = locale, .mistakes = &mistakes, .options = options};
    spec->modelname = "MuJoCo Model"; // what the peer calls a model without a name
    spec->read = sn_tellPhysics(&reader) && sn_takeCharacters(&reader) && sn_expandTree(&reader) &&
                 sn_readRoot(&reader, spec->root) && !mistakes.count;
    if (mistakes.count && !mistakes.over) sn_tellMistakes(&mistakes, spec->root, error);
    sn_freeLocale(locale);
    return spec->read;
}

snStatus sn_expandSpec(snSpec* spec, snError* error)
{
    snError own = {0};
    if (!error) error = &own;
    if (!sn_choosePhysics(&(snReader){.spec = spec, .error = error})) return error->status;
    const snLocale locale = sn_makeLocale();
    if (!locale) return sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    snMistakes mistakes;
    sn_clearMistakes(&mistakes);
    snReader reader = {.spec = spec, .error = error, .locale = locale, .mistakes = &mistakes};
    spec->read = false;
    const bool done = sn_expandTree(&reader) && !mistakes.count;
    if (mistakes.count && !mistakes.over) sn_tellMistakes(&mistakes, spec->root, error);
    sn_freeLocale(locale);
    return done ? SN_STATUS_OK : error->status;
}

static bool isUrdf(const snElement* root)
{
    return !strcmp(root->tag, "robot");
}

static bool keepWithin(snSpec* spec, const char* folder)
{
    if (folder) spec->within = sn_poolText(&spec->tree, folder, strlen(folder));
    return !folder || spec->within;
}

static snSpec* readModel(const char* path, const char* text, size_t size, const snAsset* assets, int nassets,
                         int nesting, const snUrdfOptions* urdf, const snLoadOptions* options, snError* error)
{
    snSpec* spec = sn_makeSpec();
    if (!spec || !keepAssets(spec, assets, assets ? nassets : 0)) {
        sn_deleteSpec(spec);
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    spec->anywhere = options && options->anywhere;
    spec->files_anywhere = options && options->files_anywhere;
    if (!keepWithin(spec, options ? options->within : NULL)) {
        sn_deleteSpec(spec);
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    spec->nesting = nesting;
    spec->loading = true;
    snReader reader = {.spec = spec, .error = error, .options = options};
    spec->root = sn_loadTree(&reader, path, text, size);
    if (spec->root && sn_choosePhysics(&reader) &&
        (!isUrdf(spec->root) || sn_importUrdf(spec, spec->root, urdf, options, error)) &&
        sn_readSpec(spec, options, error)) {
        spec->loading = false;
        spec->read &= !spec->warned; // the compiler reads again, to tell the warnings
        return spec;
    }
    sn_deleteSpec(spec);
    return NULL;
}

snSpec* sn_readNested(const char* path, const snAsset* assets, int nassets, int nesting,
                      const snLoadOptions* options, snError* error)
{
    return readModel(path, NULL, 0, assets, nassets, nesting, NULL, options, error);
}

snSpec* sn_readUrdf(const char* path, const snUrdfOptions* urdf, const snAsset* assets, int nassets,
                    const snLoadOptions* options, snError* error)
{
    return readModel(path, NULL, 0, assets, nassets, 0, urdf, options, error);
}

snSpec* sn_readMJCF(const char* path, const snAsset* assets, int nassets, const snLoadOptions* options,
                    snError* error)
{
    if (!path) {
        sn_fail(error, SN_STATUS_ARGUMENT, "no path given");
        return NULL;
    }
    return sn_readNested(path, assets, nassets, 0, options, error);
}

snSpec* sn_readMJCFText(const char* text, size_t size, const char* name, const snAsset* assets, int nassets,
                        const snLoadOptions* options, snError* error)
{
    if (!text && size > 0) {
        sn_fail(error, SN_STATUS_ARGUMENT, "no text given");
        return NULL;
    }
    return readModel(name ? name : "text", text ? text : "", size, assets, nassets, 0, NULL, options, error);
}
