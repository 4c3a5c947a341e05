// Textures by reference: what the model says of one, as a description of it alone that is compiled.
#include <limits.h>
#include <sinew/load.h>
#include <sinew/spec.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "model/layout.h"
#include "model/spec/spec.h"

static const char* wordOf(const char* type, int value)
{
    int count;
    const snEnum* enums = sn_enums(&count);
    for (int i = 0; i < count; i++)
        for (int k = 0; !strcmp(enums[i].type, type) && k < enums[i].count; k++)
            if (enums[i].items[k].value == value) return enums[i].items[k].keyword;
    return NULL;
}

static const char* pathOf(const snModel* m, int address)
{
    return address >= 0 && address < m->npaths ? m->paths + address : NULL;
}

static bool describe(snSpec* spec, const snModel* m, int id, snError* error)
{
    const char *file = pathOf(m, m->tex_pathadr[id]), *type = wordOf("snTextureType", m->tex_type[id]);
    const char *content_type = pathOf(m, m->tex_contenttypeadr[id]),
               *colorspace = wordOf("snColorSpace", m->tex_colorspace[id]);
    if (!file || !type || !colorspace) {
        sn_fail(error, SN_STATUS_MODEL, "it has neither pixels nor a file");
        return false;
    }
    snElement* asset = sn_section(spec, "asset", error);
    snElement* e = asset ? sn_addElement(spec, asset, "texture", "texture", error) : NULL;
    const double nchannel = m->tex_nchannel[id];
    return e && !sn_setText(spec, e, "file", file, error) && !sn_setText(spec, e, "type", type, error) &&
           !sn_setText(spec, e, "content_type", content_type, error) &&
           !sn_setText(spec, e, "colorspace", colorspace, error) &&
           !sn_setNumbers(spec, e, "nchannel", &nchannel, 1, error);
}

// A model of one texture of another, with its pixels.
static snModel* compileTexture(const snModel* m, int id, snError* error)
{
    snSpec* spec = sn_makeSpec();
    if (!spec) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    spec->files_anywhere = true; // whether it may be read was asked when the model was compiled
    snModel* texture = describe(spec, m, id, error) ? sn_compile(spec, NULL, error) : NULL;
    sn_deleteSpec(spec);
    return texture;
}

static size_t sizeOf(const snModel* m, int id)
{
    return (size_t)m->tex_width[id] * (size_t)m->tex_height[id] * (size_t)m->tex_nchannel[id];
}

snStatus sn_loadTexture(const snModel* m, int id, uint8_t** data, int* width, int* height, int* colorspace,
                        snError* error)
{
    *data = NULL;
    if (id < 0 || id >= m->ntex)
        return sn_fail(error, SN_STATUS_ARGUMENT, "texture id %d out of range, the model has %d", id,
                       m->ntex);
    snError why = {0};
    const bool byref = m->tex_adr[id] < 0;
    snModel* loaded = byref ? compileTexture(m, id, &why) : NULL;
    if (byref && !loaded) return sn_fail(error, why.status, "texture %d: %s", id, why.message);
    const snModel* from = byref ? loaded : m;
    const int at = byref ? 0 : id;
    const size_t size = sizeOf(from, at);
    *data = sn_malloc(size ? size : 1);
    if (*data) memcpy(*data, from->tex_data + from->tex_adr[at], size);
    *width = from->tex_width[at];
    *height = from->tex_height[at];
    *colorspace = from->tex_colorspace[at];
    sn_deleteModel(loaded);
    return *data ? SN_STATUS_OK : sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory for a texture");
}

void sn_freeTexture(uint8_t* data)
{
    sn_free(data);
}

// ---- whole models

// Compiles those by reference; *bytes receives the size of all pixels.
static bool loadAll(const snModel* m, snModel** loaded, size_t* bytes, snError* error)
{
    *bytes = 0;
    for (int i = 0; i < m->ntex; i++) {
        snError why = {0};
        if (m->tex_adr[i] < 0 && !(loaded[i] = compileTexture(m, i, &why))) {
            sn_fail(error, why.status, "texture %d: %s", i, why.message);
            return false;
        }
        *bytes += loaded[i] ? sizeOf(loaded[i], 0) : sizeOf(m, i);
        if (*bytes > INT_MAX) {
            sn_fail(error, SN_STATUS_MODEL, "texture %d: the textures together are more than 2 GiB", i);
            return false;
        }
    }
    return true;
}

// A copy with room for other pixels; they are left open.
static snModel* copyBeside(const snModel* m, int ntexdata, snError* error)
{
    int nfields;
    snModel sizes = *m;
    sizes.ntexdata = ntexdata;
    snModel* copy = sn_makeLike(m, (const int*)&sizes, error);
    if (!copy) return NULL;
    const snField* fields = sn_modelFields(&nfields);
    for (int f = 0; f < nfields; f++) {
        int rows, columns;
        if (!strcmp(fields[f].name, "tex_data")) continue;
        sn_modelFieldShape(m, f, &rows, &columns);
        memcpy(*(void**)((char*)copy + fields[f].offset), *(void* const*)((const char*)m + fields[f].offset),
               (size_t)rows * (size_t)columns * fields[f].itemsize);
    }
    return copy;
}

static void putPixels(const snModel* m, snModel* const* loaded, snModel* copy)
{
    size_t at = 0;
    for (int i = 0; i < m->ntex; i++) {
        const snModel* from = loaded[i] ? loaded[i] : m;
        const int id = loaded[i] ? 0 : i;
        const size_t size = sizeOf(from, id);
        memcpy(copy->tex_data + at, from->tex_data + from->tex_adr[id], size);
        copy->tex_adr[i] = (int)at;
        copy->tex_width[i] = from->tex_width[id];
        copy->tex_height[i] = from->tex_height[id];
        copy->tex_colorspace[i] = from->tex_colorspace[id];
        at += size;
    }
}

snModel* sn_embedAssets(const snModel* m, snError* error)
{
    snModel** loaded = sn_calloc(((size_t)m->ntex + 1) * sizeof *loaded);
    snModel* copy = NULL;
    size_t bytes;
    if (!loaded) sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    if (loaded && loadAll(m, loaded, &bytes, error)) copy = copyBeside(m, (int)bytes, error);
    if (copy) putPixels(m, loaded, copy);
    for (int i = 0; loaded && i < m->ntex; i++) sn_deleteModel(loaded[i]);
    sn_free(loaded);
    return copy;
}
