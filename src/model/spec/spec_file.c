#include "model/spec/spec_file.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/search.h"
#include "model/spec/allowed.h"
#include <stdio.h>
#include <string.h>

const snAsset* sn_specAsset(const snSpec* spec, const char* name)
{
    for (int i = 0; i < spec->nassets; i++)
        if (!strcmp(spec->assets[i].name, name)) return &spec->assets[i];
    for (int i = 0; i < spec->nlent; i++)
        if (!strcmp(spec->lent[i].name, name)) return &spec->lent[i];
    return NULL;
}

const snAsset* sn_specAssetAnywhere(const snSpec* spec, const char* name)
{
    for (int i = 0; spec->anywhere && i < spec->nassets; i++)
        if (sn_isSameWord(sn_baseName(spec->assets[i].name), sn_baseName(name))) return &spec->assets[i];
    for (int i = 0; i < spec->nlent; i++)
        if (sn_isSameWord(sn_baseName(spec->lent[i].name), sn_baseName(name))) return &spec->lent[i];
    return NULL;
}

// a + b with a slash between them; an absolute b stands alone. NULL: out of memory.
static const char* join(snSpec* spec, const char* a, const char* b)
{
    if (sn_rootSize(b)) a = "";
    const size_t na = strlen(a), nb = strlen(b);
    char* path = sn_specAlloc(spec, na + nb + 2);
    if (path) snprintf(path, na + nb + 2, "%s%s%s", a, na && !sn_isSlash(a[na - 1]) ? "/" : "", b);
    return path;
}

static bool fromDisk(snSpec* spec, const char* path, const snSpecHead* element, snSpecFile* out,
                     snError* error)
{
    char* data = NULL;
    snError why;
    const snStatus status = sn_allowFile(spec, sn_specCompiler(spec, element)->folder, path, &why)
                                ? sn_readFile(path, &data, &out->size, &why)
                                : why.status;
    if (status) {
        sn_failAt(error, status, element->place.file, element->place.line, "<%s%s%.40s%s>: %s", element->tag,
                  element->name ? " name=\"" : "", element->name ? element->name : "",
                  element->name ? "\"" : "", why.message);
        return false;
    }
    out->data = out->owned = data;
    return true;
}

// Names below the model's folder under which a file is looked for, in this order; absolute ones stand alone.
typedef struct Names {
    const char* name[4];
    int count; // 0: out of memory
} Names;

static void addName(snSpec* spec, const char* a, const char* b, const char* c, Names* names)
{
    const char* below = join(spec, b, c);
    const char* name = below ? join(spec, a, below) : NULL;
    for (int i = 0; i < names->count; i++)
        if (name && !strcmp(names->name[i], name)) return;
    if (name) names->name[names->count++] = name;
}

// The folder of an included file, with its slash; NULL: the place is in the model's own file, or in none.
static const char* includedFolder(snSpec* spec, const snPlace* place, const char* model)
{
    if (!place->file || !*place->file || !strcmp(place->file, model)) return NULL;
    const size_t n = (size_t)(sn_baseName(place->file) - place->file);
    char* folder = sn_specAlloc(spec, n + 1);
    return folder ? memcpy(folder, place->file, n) : NULL;
}

// As written, and if an included file names it: with the way to that file's folder as the peer has it, which
// with an absolute path leaves `dir` out; with the way from the model's folder below `dir`; with that alone.
static Names namesOf(snSpec* spec, const snSpecCompiler* compiler, const snPlace* place, const char* dir,
                     const char* file)
{
    Names names = {.count = 0};
    addName(spec, dir, "", file, &names);
    const char* here = compiler->strippath ? NULL : includedFolder(spec, place, compiler->file);
    if (!here || sn_rootSize(file) || !names.count) return names;
    const size_t nmain = strlen(compiler->folder);
    const char* way = strncmp(here, compiler->folder, nmain) != 0 ? here : here + nmain;
    addName(spec, dir, here, file, &names);
    addName(spec, dir, way, file, &names);
    addName(spec, "", way, file, &names);
    return names;
}

// A copy without "." and without folders that ".." leaves again; NULL: out of memory.
static const char* shorten(snSpec* spec, const char* path)
{
    char* text = sn_specAlloc(spec, strlen(path) + 1);
    if (!text) return NULL;
    size_t used = sn_rootSize(path),
           kept = used; // kept: of the beginning, which nothing leaves: "/" and "../"
    memcpy(text, path, used);
    path += used;
    for (size_t n; *path; path += n + sn_isSlash(path[n])) {
        n = strcspn(path, SN_SLASHES);
        const bool up = n == 2 && !memcmp(path, "..", 2);
        if (n == 0 || (n == 1 && *path == '.')) continue;
        if (up && used > kept) {
            while (used > kept && text[used - 1] == '/') used--;
            while (used > kept && text[used - 1] != '/') used--;
            continue;
        }
        memcpy(text + used, path, n);
        used += n;
        if (sn_isSlash(path[n])) text[used++] = '/';
        if (up) kept = used;
    }
    text[used] = 0;
    return text;
}

static const snAsset* shortened(snSpec* spec, const char* path)
{
    const char* text = path && strstr(path, "..") ? shorten(spec, path) : NULL;
    return text ? sn_specAsset(spec, text) : NULL;
}

// The asset in memory of one of the names, with or without the model's folder, or of any folder; else NULL.
static const snAsset* inMemory(snSpec* spec, const snSpecCompiler* compiler, const Names* names,
                               const char* file)
{
    const snAsset* asset = sn_specAsset(spec, file);
    for (int i = 0; spec->nassets + spec->nlent && i < names->count && !asset; i++) {
        const char* path = join(spec, compiler->folder, names->name[i]);
        asset = sn_specAsset(spec, names->name[i]);
        if (!asset && path) asset = sn_specAsset(spec, path);
        if (!asset) asset = shortened(spec, names->name[i]);
        if (!asset) asset = shortened(spec, path);
    }
    return asset ? asset : sn_specAssetAnywhere(spec, file);
}

// The path of the first of the names that is a file; none is: of the first.
static const char* onDisk(snSpec* spec, const snSpecCompiler* compiler, const Names* names)
{
    char byte;
    const char* first = names->count ? join(spec, compiler->folder, names->name[0]) : NULL;
    for (int i = 0; names->count > 1 && i < names->count; i++) {
        const char* path = i ? join(spec, compiler->folder, names->name[i]) : first;
        if (path && sn_peekFile(path, &byte, 1)) return path;
    }
    return first;
}

const char* sn_findSpecFile(snSpec* spec, const snSpecHead* element, const char* folder, const char* file,
                            const snAsset** asset)
{
    const snSpecCompiler* compiler = sn_specCompiler(spec, element);
    if (compiler->strippath) file = sn_baseName(file);
    const Names names = namesOf(spec, compiler, &element->place, folder ? folder : "", file);
    *asset = inMemory(spec, compiler, &names, file);
    return *asset ? (*asset)->name : onDisk(spec, compiler, &names);
}

const char* sn_findModelFile(snSpec* spec, const snPlace* place, const char* file)
{
    const snSpecCompiler compiler = {.file = spec->file, .folder = spec->folder};
    Names names = namesOf(spec, &compiler, place, "", file);
    const snAsset* asset = inMemory(spec, &compiler, &names, file);
    if (asset) return asset->name;
    if (*spec->folder && names.count > 1) {
        const char* here = names.name[0];
        for (int i = 1; i < names.count; i++) names.name[i - 1] = names.name[i];
        names.name[names.count - 1] = here;
    }
    return onDisk(spec, &compiler, &names);
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
    if (!asset) return fromDisk(spec, out->name, element, out, error);
    out->data = asset->data;
    out->size = asset->size;
    return true;
}

void sn_closeSpecFile(snSpecFile* file)
{
    sn_free(file->owned);
    *file = (snSpecFile){0};
}
