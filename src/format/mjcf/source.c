#include "format/mjcf/source.h"
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "format/mjcf/mjcf.h"
#include "model/binary/binary.h"

// The text with these files, which come after the assets given.
static snSpec* readText(const snSection* text, const char* file, const snAsset* files, int nfiles,
                        const snAsset* assets, int nassets, const snLoadOptions* options, snError* error)
{
    snAsset* all = sn_calloc(((size_t)nfiles + (size_t)nassets + 1) * sizeof *all);
    if (!all) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    if (nassets) memcpy(all, assets, (size_t)nassets * sizeof *all);
    if (nfiles) memcpy(all + nassets, files, (size_t)nfiles * sizeof *all);
    snLoadOptions with = options ? *options : (snLoadOptions){0};
    with.silent = "3.3.7"; // sources are written with the field of another meaning
    snSpec* spec = sn_readMJCFText(text->data, text->size, file, all, nassets + nfiles, &with, error);
    sn_free(all);
    return spec;
}

snSpec* sn_readSource(const void* bytes, size_t size, const char* file, const snAsset* assets, int nassets,
                      const snLoadOptions* options, snError* error)
{
    snBinary binary;
    snSection text, section;
    snAsset* files = NULL;
    int nfiles = 0;
    if (sn_openBinary(bytes, size, file, &binary, error)) return NULL;
    if (!sn_findSection(&binary, SN_BINARY_SOURCE, &text)) {
        sn_failAt(error, SN_STATUS_UNSUPPORTED, binary.file, 0,
                  "this compiled model holds no source to edit or to write as MJCF; use the file that it was "
                  "converted from");
        return NULL;
    }
    if (sn_findSection(&binary, SN_BINARY_FILES, &section) &&
        sn_unpackFilesSection(&section, binary.file, &files, &nfiles, error))
        return NULL;
    snSpec* spec = readText(&text, file, files, nfiles, assets, assets ? nassets : 0, options, error);
    sn_free(files);
    return spec;
}
