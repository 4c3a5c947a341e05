// Models from files, and their source.
#include "element.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/platform/files.h"
#include "base/platform/threads.h"

snLoadOptions loadOptions(const mjVFS* vfs, snWarnings* warnings)
{
    return (snLoadOptions){.silent = "3.3.7", .anywhere = vfs != NULL, .warnings = warnings};
}

// Warnings as lines, cut to the size; empties the list.
static void giveWarnings(snWarnings* warnings, char* to, int size)
{
    int used = 0;
    if (to && size > 0) *to = 0;
    for (int i = 0; to && i < warnings->count && used < size - 1; i++) {
        if (i) giveText("\n", to + used, size - used);
        used += (int)strlen(to + used);
        giveText(warnings->list[i].message, to + used, size - used);
        used += (int)strlen(to + used);
    }
    sn_freeWarnings(warnings);
}

// ---- the model that was loaded last

static snMutex last_mutex = SN_MUTEX_INIT;
static snSpec* last_spec;

static void setLast(snSpec* spec)
{
    sn_lock(&last_mutex);
    snSpec* before = last_spec;
    last_spec = spec;
    sn_unlock(&last_mutex);
    sn_deleteSpec(before);
}

void mj_freeLastXML(void)
{
    setLast(NULL);
}

mjModel* mj_loadXML(const char* filename, const mjVFS* vfs, char* error, int error_sz)
{
    int count;
    const snAsset* files = filesOf(vfs, &count);
    snWarnings warnings = {0};
    const snLoadOptions options = loadOptions(vfs, &warnings);
    snError e = {0};
    snSpec* spec = sn_loadSpec(filename ? filename : "", files, count, &options, &e);
    snModel* m = spec ? sn_compile(spec, &options, &e) : NULL;
    giveWarnings(&warnings, error, error_sz);
    if (m) {
        setLast(spec);
        return m;
    }
    giveText(e.message, error, error_sz);
    sn_deleteSpec(spec);
    return NULL;
}

// ---- specs

// Takes the spec, which may be NULL.
static mjSpec* wrap(snSpec* spec)
{
    mjSpec* s = spec ? calloc(1, sizeof *s) : NULL;
    if (s) s->source = calloc(1, sizeof *s->source);
    if (!s || !s->source) {
        sn_deleteSpec(spec);
        free(s);
        return NULL;
    }
    s->source->spec = spec;
    if (fillSettings(s)) return s;
    mj_deleteSpec(s);
    return NULL;
}

mjSpec* mj_makeSpec(void)
{
    return mj_parseXMLString("<mujoco/>", NULL, NULL, 0);
}

mjSpec* mj_parseXML(const char* filename, const mjVFS* vfs, char* error, int error_sz)
{
    int count;
    const snAsset* files = filesOf(vfs, &count);
    snWarnings warnings = {0};
    const snLoadOptions options = loadOptions(vfs, &warnings);
    snError e = {0};
    mjSpec* s = wrap(sn_loadSpec(filename ? filename : "", files, count, &options, &e));
    giveWarnings(&warnings, error, error_sz);
    if (!s) giveText(*e.message ? e.message : "out of memory", error, error_sz);
    return s;
}

mjSpec* mj_parseXMLString(const char* xml, const mjVFS* vfs, char* error, int error_sz)
{
    int count;
    const snAsset* files = filesOf(vfs, &count);
    snWarnings warnings = {0};
    const snLoadOptions options = loadOptions(vfs, &warnings);
    snError e = {0};
    mjSpec* s = wrap(sn_loadSpecText(xml, xml ? strlen(xml) : 0, files, count, &options, &e));
    giveWarnings(&warnings, error, error_sz);
    if (!s) giveText(*e.message ? e.message : "out of memory", error, error_sz);
    return s;
}

mjSpec* mj_copySpec(const mjSpec* s)
{
    return wrap(sn_copySpec(sinew_spec((mjSpec*)(size_t)s)));
}

void mj_deleteSpec(mjSpec* s)
{
    if (!s) return;
    freeElements(s);
    freeSettings(s);
    sn_deleteSpec(s->source->spec);
    free(s->source);
    free(s);
}

snSpec* sinew_spec(mjSpec* s)
{
    snError error = {0};
    if (!writeElements(s, &error)) mju_error("%s", error.message);
    return s->source->spec;
}

static bool addFiles(mjSpec* s, const mjVFS* vfs, snError* error)
{
    int count;
    const snAsset* files = filesOf(vfs, &count);
    for (int i = 0; i < count; i++)
        if (sn_addAsset(s->source->spec, files + i, error) != SN_STATUS_OK) return false;
    return true;
}

// What a compilation has to say.
static void tell(mjSpec* s, bool good, snWarnings* warnings, const snError* error)
{
    giveWarnings(warnings, s->source->told, sizeof s->source->told);
    s->source->is_warning = good && *s->source->told;
    if (!good) giveText(error->message, s->source->told, sizeof s->source->told);
}

mjModel* mj_compile(mjSpec* s, const mjVFS* vfs)
{
    snWarnings warnings = {0};
    const snLoadOptions options = loadOptions(vfs, &warnings);
    snError error = {0};
    snModel* m = writeElements(s, &error) && addFiles(s, vfs, &error)
                     ? sn_compile(s->source->spec, &options, &error)
                     : NULL;
    tell(s, m != NULL, &warnings, &error);
    return m;
}

// Ours makes another model and data, whose contents then change places with those of m and d.
int mj_recompile(mjSpec* s, const mjVFS* vfs, mjModel* m, mjData* d)
{
    snWarnings warnings = {0};
    const snLoadOptions options = loadOptions(vfs, &warnings);
    snError error = {.message = "out of memory"};
    snModel* model = sn_copyModel(m);
    snData* data = model ? mj_copyData(NULL, model, d) : NULL;
    if (data) data->callback.user = d->callback.user, data->pool = d->pool;
    const bool good = data && writeElements(s, &error) && addFiles(s, vfs, &error) &&
                      sn_recompile(s->source->spec, &model, &data, &options, &error) == SN_STATUS_OK;
    if (good) {
        const snModel new_model = *model;
        const snData new_data = *data;
        *model = *m, *data = *d;
        *m = new_model, *d = new_data;
        d->own_pool = data->own_pool, data->own_pool = NULL;
    }
    sn_deleteData(data);
    sn_deleteModel(model);
    tell(s, good, &warnings, &error);
    return good ? 0 : -1;
}

const char* mjs_getError(mjSpec* s)
{
    return s->source->told;
}

int mjs_isWarning(mjSpec* s)
{
    return s->source->is_warning;
}

// ---- writing

// MJCF of a spec whose files are named from where `filename` will be (NULL: the working directory).
static char* xmlOf(snSpec* spec, const char* filename, size_t* size, snError* error)
{
    const snLoadOptions options = loadOptions(NULL, NULL);
    const char* slash = filename ? sn_lastSlash(filename) : NULL;
    if (!slash) return sn_writeSpecClasses(spec, NULL, size, &options, error);
    const size_t length = (size_t)(slash - filename) + (slash == filename);
    char* folder = calloc(length + 1, 1);
    if (folder) memcpy(folder, filename, length);
    char* text = sn_writeSpecClasses(spec, folder, size, &options, error);
    free(folder);
    return text;
}

// Writes a spec to a file, NULL: to standard output; -1 with the error.
static int writeTo(snSpec* spec, const char* filename, char* error, int error_sz)
{
    snError e = {0};
    size_t size;
    char* text = xmlOf(spec, filename, &size, &e);
    FILE* file = text && filename ? sn_openStream(filename, "wb") : stdout;
    bool good = text && file && fwrite(text, 1, size, file) == size;
    if (file && file != stdout) good = fclose(file) == 0 && good;
    if (text && !good)
        snprintf(e.message, sizeof e.message, "cannot write '%s'", filename ? filename : "standard output");
    sn_freeText(text);
    giveText(good ? "" : e.message, error, error_sz);
    return good ? 0 : -1;
}

int mj_saveXML(const mjSpec* s, const char* filename, char* error, int error_sz)
{
    snError e = {0};
    const bool written = writeElements((mjSpec*)(size_t)s, &e);
    if (!written) giveText(e.message, error, error_sz);
    return written ? writeTo(s->source->spec, filename, error, error_sz) : -1;
}

int mj_saveXMLString(const mjSpec* s, char* xml, int xml_sz, char* error, int error_sz)
{
    snError e = {0};
    size_t size;
    char* text = writeElements((mjSpec*)(size_t)s, &e) ? xmlOf(s->source->spec, NULL, &size, &e) : NULL;
    giveText(e.message, error, error_sz);
    if (!text) return -1;
    const bool fits = xml_sz > 0 && size < (size_t)xml_sz;
    if (fits)
        memcpy(xml, text, size + 1);
    else
        giveText("the buffer is too small for the model", error, error_sz);
    sn_freeText(text);
    return fits ? 0 : (int)size + 1;
}

// Whether a model is what the spec compiles to.
static bool isFresh(snSpec* spec, const mjModel* m)
{
    const snLoadOptions options = loadOptions(NULL, NULL);
    snModel* fresh = sn_compile(spec, &options, NULL);
    const bool same = fresh && sn_compareModel(fresh, m) == -1;
    sn_deleteModel(fresh);
    return same;
}

int mj_saveLastXML(const char* filename, const mjModel* m, char* error, int error_sz)
{
    int result = -1;
    sn_lock(&last_mutex);
    if (!last_spec)
        giveText("no model was loaded by mj_loadXML", error, error_sz);
    else if (m && !isFresh(last_spec, m))
        giveText("the model has been changed since mj_loadXML, or another was loaded: change the source, or "
                 "give NULL for the model to write what was loaded",
                 error, error_sz);
    else
        result = writeTo(last_spec, filename, error, error_sz);
    sn_unlock(&last_mutex);
    return result == 0;
}

// ---- dependencies

// Paths that have been visited, one after the other, each with its closing 0.
typedef struct Visited {
    void (*visit)(void* user, const char* path);
    void* user;
    char* paths;
    size_t size;
    bool full;
} Visited;

static void visitOnce(void* user, const char* path)
{
    Visited* visited = user;
    for (size_t at = 0; at < visited->size; at += strlen(visited->paths + at) + 1)
        if (strcmp(visited->paths + at, path) == 0) return;
    const size_t size = strlen(path) + 1;
    char* paths = realloc(visited->paths, visited->size + size);
    visited->full |= !paths;
    if (!paths) return;
    memcpy(paths + visited->size, path, size);
    visited->paths = paths;
    visited->size += size;
    visited->visit(visited->user, path);
}

void sinew_eachDependency(const char* filename, void (*visit)(void* user, const char* path), void* user)
{
    Visited visited = {.visit = visit, .user = user};
    snError error = {0};
    const bool good = sn_visitDependencies(filename, visitOnce, &visited, &error) == SN_STATUS_OK;
    free(visited.paths);
    if (!good || visited.full)
        mju_error("mju_getXMLDependencies: %s", good ? "out of memory" : error.message);
}
