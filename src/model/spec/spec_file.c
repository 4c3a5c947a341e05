#include "model/spec/spec_file.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

const snAsset* sn_specAsset(const snSpec* spec, const char* name)
{
    for (int i = 0; i < spec->nassets; i++)
        if (!strcmp(spec->assets[i].name, name)) return &spec->assets[i];
    return NULL;
}

const snAsset* sn_specAssetAnywhere(const snSpec* spec, const char* name)
{
    for (int i = 0; spec->anywhere && i < spec->nassets; i++)
        if (!strcasecmp(sn_baseName(spec->assets[i].name), sn_baseName(name))) return &spec->assets[i];
    return NULL;
}

// a + b with a slash between them; an absolute b stands alone. NULL: out of memory.
static const char* join(snSpec* spec, const char* a, const char* b)
{
    if (*b == '/') a = "";
    const size_t na = strlen(a), nb = strlen(b);
    char* path = sn_specAlloc(spec, na + nb + 2);
    if (path) snprintf(path, na + nb + 2, "%s%s%s", a, na && a[na - 1] != '/' ? "/" : "", b);
    return path;
}

static bool fromDisk(const char* path, const snSpecHead* element, snSpecFile* out, snError* error)
{
    char* data = NULL;
    snError why;
    const snStatus status = sn_readFile(path, &data, &out->size, &why);
    if (status) {
        sn_failAt(error, status, element->place.file, element->place.line, "<%s%s%.40s%s>: %s", element->tag,
                  element->name ? " name=\"" : "", element->name ? element->name : "",
                  element->name ? "\"" : "", why.message);
        return false;
    }
    out->data = out->owned = data;
    return true;
}

const char* sn_besideInclude(snSpec* spec, const snPlace* place, const char* main, const char* file)
{
    const size_t nmain = strlen(main),
                 nhere = place->file ? (size_t)(sn_baseName(place->file) - place->file) : 0;
    if (*file == '/' || nhere <= nmain || strncmp(place->file, main, nmain) != 0) return NULL;
    const size_t length = nhere - nmain, nfile = strlen(file);
    char* path = sn_specAlloc(spec, length + nfile + 1);
    if (!path) return NULL;
    memcpy(path, place->file + nmain, length);
    memcpy(path + length, file, nfile);
    return path;
}

// The asset of this name, or its path if it is a file; else NULL.
static const char* lookUp(snSpec* spec, const snSpecCompiler* compiler, const char* name,
                          const snAsset** asset)
{
    char byte;
    const char* path = join(spec, compiler->folder, name);
    *asset = sn_specAsset(spec, name);
    if (!*asset && path) *asset = sn_specAsset(spec, path);
    if (*asset) return (*asset)->name;
    return path && sn_peekFile(path, &byte, 1) ? path : NULL;
}

// Where the file is that an element of an included file names, if it is not at `path`: with the way to the
// included file's folder, below the element's, or alone, as the peer looks for it where the model's path is
// absolute. NULL: not there either.
static const char* besideInclude(snSpec* spec, const snSpecHead* element, const char* folder,
                                 const char* file, const char* path, const snAsset** asset)
{
    char byte;
    const snSpecCompiler* compiler = sn_specCompiler(spec, element);
    const char* from =
        compiler->strippath ? NULL : sn_besideInclude(spec, &element->place, compiler->folder, file);
    if (!from || sn_peekFile(path, &byte, 1)) return NULL;
    const char* below = folder ? join(spec, folder, from) : NULL;
    const char* found = below ? lookUp(spec, compiler, below, asset) : NULL;
    return found ? found : lookUp(spec, compiler, from, asset);
}

const char* sn_findSpecFile(snSpec* spec, const snSpecHead* element, const char* folder, const char* file,
                            const snAsset** asset)
{
    const snSpecCompiler* compiler = sn_specCompiler(spec, element);
    if (compiler->strippath) file = sn_baseName(file);
    const char* below = join(spec, folder ? folder : "", file);
    const char* path = below ? join(spec, compiler->folder, below) : NULL;
    if (!path) return NULL;
    *asset = sn_specAsset(spec, file);
    if (!*asset) *asset = sn_specAsset(spec, below);
    if (!*asset) *asset = sn_specAsset(spec, path);
    const char* beside = *asset ? NULL : besideInclude(spec, element, folder, file, path, asset);
    if (beside) return beside;
    if (!*asset) *asset = sn_specAssetAnywhere(spec, file);
    return *asset ? (*asset)->name : path;
}

bool sn_openSpecFile(snSpec* spec, const snSpecHead* element, const char* folder, const char* file,
                     snSpecFile* out, snError* error)
{
    memset(out, 0, sizeof *out);
    const snAsset* asset;
    out->name = sn_findSpecFile(spec, element, folder, file, &asset);
    if (!out->name) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
        return false;
    }
    if (!asset) return fromDisk(out->name, element, out, error);
    out->data = asset->data;
    out->size = asset->size;
    return true;
}

void sn_closeSpecFile(snSpecFile* file)
{
    sn_free(file->owned);
    *file = (snSpecFile){0};
}
