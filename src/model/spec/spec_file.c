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
