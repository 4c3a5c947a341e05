#include "format/mjcf/source.h"
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "format/mjcf/language/field.h"
#include "format/mjcf/mjcf.h"
#include "model/binary/binary.h"
#include "model/rules.h"

// What a source means that does not say it, by the section of a file.
static const char* meaningOf(const snBinary* binary)
{
    int count;
    snSection section;
    const char* const* words = sn_physicsWords(&count);
    if (!sn_findSection(binary, SN_BINARY_MEANING, &section)) return "3.3.7";
    for (int i = 0; i < count; i++)
        if (strlen(words[i]) == section.size && !memcmp(words[i], section.data, section.size))
            return words[i];
    return NULL;
}

// Says what a source means where it says nothing itself, and a text of its would mean something else: it is
// kept by what is written of it.
static bool sayMeaning(snSpec* spec, const char* meaning, const snLoadOptions* options, snError* error)
{
    const char* usual = options && options->silent ? options->silent : sn_physicsWord(SN_PHYSICS_V4_0);
    const bool given = options && options->physics;
    if (given || !strcmp(meaning, usual) || sn_findElement(spec, SN_OBJ_TEXT, SN_PHYSICS_NAME)) return true;
    return sn_setPhysics(spec, meaning, error) == SN_STATUS_OK;
}

// The text with these files, which come after the assets given.
static snSpec* readText(const snSection* text, const char* meaning, const char* file, const snAsset* files,
                        int nfiles, const snAsset* assets, int nassets, const snLoadOptions* options,
                        snError* error)
{
    snAsset* all = sn_calloc(((size_t)nfiles + (size_t)nassets + 1) * sizeof *all);
    if (!all) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    if (nassets) memcpy(all, assets, (size_t)nassets * sizeof *all);
    if (nfiles) memcpy(all + nassets, files, (size_t)nfiles * sizeof *all);
    snLoadOptions with = options ? *options : (snLoadOptions){0};
    with.silent = meaning;
    snSpec* spec = sn_readMJCFText(text->data, text->size, file, all, nassets + nfiles, &with, error);
    sn_free(all);
    if (!spec || sayMeaning(spec, meaning, options, error)) return spec;
    sn_deleteSpec(spec);
    return NULL;
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
    const char* meaning = meaningOf(&binary);
    if (!meaning) {
        sn_failAt(error, SN_STATUS_UNSUPPORTED, binary.file, 0,
                  "the source of this compiled model means other rules than this Sinew knows; use the one "
                  "that wrote it");
        return NULL;
    }
    if (sn_findSection(&binary, SN_BINARY_FILES, &section) &&
        sn_unpackFilesSection(&section, binary.file, &files, &nfiles, error))
        return NULL;
    snSpec* spec =
        readText(&text, meaning, file, files, nfiles, assets, assets ? nassets : 0, options, error);
    sn_free(files);
    return spec;
}
