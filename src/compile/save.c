// A spec to MJCF text, by way of the model that it compiles to; text and model together as a compiled file.
#include "compile/save.h"
#include "compile/source.h"
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/platform/files.h"
#include "format/archive/archive.h"
#include "format/mjcf/language/field.h"
#include "format/mjcf/mjcf.h"
#include "format/mjcf/write/write.h"
#include "model/binary/binary.h"
#include "model/rules.h"

// The text, and the model that the spec compiles to if it is asked for; NULL on failure.
static char* writeText(snSpec* spec, const char* folder, snFileSet* files, bool classes, snModel** model,
                       size_t* size, const snLoadOptions* options, snError* error)
{
    char* text = NULL;
    *size = 0;
    if (spec->asked >= 0 && sn_setPhysics(spec, sn_physicsWord(spec->asked), error)) return NULL;
    if (!sn_readSpec(spec, options, error))
        return NULL; // expands what stands for others, so that elements stay
    const snNotation notation = model ? SN_NOTATION_COMPILED : sn_notationOf(spec);
    if (notation != SN_NOTATION_COMPILED && !spec->nkeyed && !spec->compiler.saveinertial) {
        sn_writeMJCF(spec, NULL, notation, folder, files, classes, &text, size, error);
        return text;
    }
    snKeptId* ids = sn_keepIds(spec);
    if (!ids) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    snModel *m = sn_compile(spec, options, error), *unscaled = m;
    if (m && spec->scales) unscaled = sn_compileUnscaled(spec, options, error);
    if (unscaled && sn_readSpec(spec, NULL, error))
        sn_writeMJCF(spec, unscaled, notation, folder, files, classes, &text, size, error);
    if (unscaled != m) sn_deleteModel(unscaled);
    sn_restoreIds(spec, ids);
    if (model && text)
        *model = m;
    else
        sn_deleteModel(m);
    return text;
}

char* sn_writeSpec(snSpec* spec, const char* folder, size_t* size, const snLoadOptions* options,
                   snError* error)
{
    size_t own;
    return writeText(spec, folder ? folder : "", NULL, false, NULL, size ? size : &own, options, error);
}

char* sn_writeSpecClasses(snSpec* spec, const char* folder, size_t* size, const snLoadOptions* options,
                          snError* error)
{
    size_t own;
    return writeText(spec, folder ? folder : "", NULL, true, NULL, size ? size : &own, options, error);
}

void sn_freeText(char* text)
{
    sn_free(text);
}

// ---- text with its files

// The places that belong to a path: its folder with the slash, and the folder of assets beside it.
typedef struct Places {
    char* folder;            ///< a block that holds this and the two that follow
    char* assets;            ///< path
    char* name;              ///< the last part of it, with a slash
    char real[SN_PATH_SIZE]; ///< real path of assets; "": it is not there
} Places;

static bool findPlaces(const char* path, Places* places)
{
    static const char end[] = "_assets";
    const size_t n = (size_t)(sn_baseName(path) - path);
    const char* dot = strrchr(path + n, '.');
    const size_t stem = dot && dot > path + n ? (size_t)(dot - path) : strlen(path);
    char* block = sn_calloc(n + 1 + 2 * (stem + sizeof end + 1));
    if (!block) return false;
    places->folder = block;
    memcpy(places->folder, path, n);
    places->assets = block + n + 1;
    memcpy(places->assets, path, stem);
    memcpy(places->assets + stem, end, sizeof end);
    places->name = places->assets + stem + sizeof end;
    memcpy(places->name, path + n, stem - n);
    memcpy(places->name + stem - n, end, sizeof end);
    strcat(places->name, "/");
    if (!sn_realPath(places->assets, places->real)) *places->real = 0;
    return true;
}

static snStatus writeFiles(const snFileSet* set, const char* folder, snError* error)
{
    const size_t n = strlen(folder) + SN_FILE_NAME + 2;
    char* path = sn_malloc(n);
    if (!path) return sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    snStatus status = SN_STATUS_OK;
    bool made = false;
    for (int i = 0; i < set->n && !status; i++) {
        const snWrittenFile* file = &set->files[i];
        if (!file->found) continue;
        if (!made) status = sn_makeFolder(folder, error);
        made = true;
        snprintf(path, n, "%s/%s", folder, file->name);
        if (!status) status = sn_writeFile(path, file->data, file->size, error);
    }
    sn_free(path);
    return status;
}

static bool endsWith(const char* text, const char* end)
{
    const size_t n = strlen(text), k = strlen(end);
    return n > k && !strcmp(text + n - k, end);
}

// ---- text and files in an archive

static const char model_name[] = "model.xml";

static snStatus packText(const snFileSet* set, const char* text, size_t length, char** bytes, size_t* size,
                         snError* error)
{
    snAsset* files = sn_malloc(((size_t)set->n + 1) * sizeof *files);
    if (!files) return sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    int n = 0;
    files[n++] = (snAsset){model_name, text, length};
    for (int i = 0; i < set->n; i++)
        if (set->files[i].found)
            files[n++] = (snAsset){set->files[i].name, set->files[i].data, set->files[i].size};
    const snStatus status = sn_packArchive(files, n, bytes, size, error);
    sn_free(files);
    return status;
}

static snStatus saveArchive(snSpec* spec, const char* path, const snLoadOptions* options, snError* error)
{
    size_t length, size;
    snFileSet files = {
        .folder = "", .disk = true, .files = sn_calloc(sizeof *files.files), .n = 1, .room = 1};
    if (!files.files) return sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    snprintf(files.files->name, SN_FILE_NAME, "%s", model_name); // no file can have it
    char *text = writeText(spec, "", &files, false, NULL, &length, options, error), *bytes = NULL;
    snStatus status = text ? packText(&files, text, length, &bytes, &size, error) : error->status;
    if (!status) status = sn_writeFile(path, bytes, size, error);
    sn_free(bytes);
    sn_free(text);
    sn_clearFileSet(&files);
    return status;
}

snStatus sn_saveSpec(snSpec* spec, const char* path, const snLoadOptions* options, snError* error)
{
    snError own;
    Places places;
    if (!error) error = &own;
    if (!path) return sn_fail(error, SN_STATUS_ARGUMENT, "no path given");
    if (endsWith(path, ".snb")) return sn_saveSpecBinary(spec, path, options, error);
    if (endsWith(path, ".mjz") || endsWith(path, ".zip")) return saveArchive(spec, path, options, error);
    if (!findPlaces(path, &places)) return sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    snFileSet files = {.folder = places.name, .real = *places.real ? places.real : NULL};
    size_t size;
    char* text = writeText(spec, places.folder, &files, false, NULL, &size, options, error);
    snStatus status = text ? writeFiles(&files, places.assets, error) : error->status;
    if (!status) status = sn_writeFile(path, text, size, error); // last: it never names what is not there
    sn_free(text);
    sn_clearFileSet(&files);
    sn_free(places.folder);
    return status;
}

// ---- model, text and files in one

static snStatus pack(const snModel* m, const char* text, size_t length, const snFileSet* set, char** bytes,
                     size_t* size, snError* error)
{
    const char* meaning = sn_physicsWord(m->physics);
    if (set->n > (int)SN_BINARY_FILE_LIMIT)
        return sn_fail(error, SN_STATUS_MODEL, "the model refers to %d files, a compiled one holds up to %u",
                       set->n, SN_BINARY_FILE_LIMIT);
    snAsset* files = sn_calloc(((size_t)set->n + 1) * sizeof *files);
    for (int i = 0; files && i < set->n; i++)
        files[i] = (snAsset){set->files[i].name, set->files[i].data, set->files[i].size};
    const size_t room = files ? sn_filesSectionSize(files, set->n) : 0;
    char* section = files ? sn_malloc(room) : NULL;
    if (section) sn_packFilesSection(files, set->n, section);
    const snSection sections[] = {{SN_BINARY_SOURCE, text, length},
                                  {SN_BINARY_FILES, section, room},
                                  {SN_BINARY_MEANING, meaning, strlen(meaning)}};
    *size = sn_binarySize(m, sections, 3);
    *bytes = section && *size <= SN_FILE_LIMIT ? sn_malloc(*size) : NULL;
    if (*bytes) sn_packBinary(m, sections, 3, *bytes);
    sn_free(section);
    sn_free(files);
    if (*bytes) return SN_STATUS_OK;
    if (section && *size > SN_FILE_LIMIT)
        return sn_fail(error, SN_STATUS_FILE,
                       "the model with its source has %zu bytes, more than the " SN_FILE_LIMIT_TEXT
                       " that can be read; leave the source out",
                       *size);
    return sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
}

snStatus sn_packSpec(snSpec* spec, char** bytes, size_t* size, const snLoadOptions* options, snError* error)
{
    snError own;
    if (!error) error = &own;
    snModel* m = NULL;
    snFileSet files = {.folder = "", .disk = true};
    size_t length;
    *bytes = NULL;
    char* text = writeText(spec, "", &files, false, &m, &length, options, error);
    const snStatus status = text ? pack(m, text, length, &files, bytes, size, error) : error->status;
    sn_free(text);
    sn_clearFileSet(&files);
    sn_deleteModel(m);
    return status;
}

snStatus sn_saveSpecBinary(snSpec* spec, const char* path, const snLoadOptions* options, snError* error)
{
    char* bytes;
    size_t size;
    if (!path) return sn_fail(error, SN_STATUS_ARGUMENT, "no path given");
    snStatus status = sn_packSpec(spec, &bytes, &size, options, error);
    if (!status) status = sn_writeFile(path, bytes, size, error);
    sn_free(bytes);
    return status;
}
