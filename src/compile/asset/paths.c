// m->paths: the names of the files of assets, one after the other, each closed by a 0. Height fields, meshes,
// skins, textures, in this order, which is the peer's.
#include "compile/asset/asset.h"
#include "compile/asset/texture.h"
#include "model/rules.h"

// Every list of assets that have a file, with its address field, but textures.
#define PATHS(X)                                                                                             \
    X(snSpecHfield, hfields, hfield_pathadr)                                                                 \
    X(snSpecMesh, meshes, mesh_pathadr)                                                                      \
    X(snSpecSkin, skins, skin_pathadr)

static bool isSlash(char c)
{
    return c == '/' || c == '\\';
}

// Drops the last folder of out[0 .. n-1], which ends with a slash or is empty; false: there is none to drop.
static bool dropFolder(const char* out, int* n, int root)
{
    int k = *n - 1;
    while (k > root && out[k - 1] != '/') k--;
    if (*n <= root || (*n - k == 3 && out[k] == '.' && out[k + 1] == '.')) return false;
    *n = k;
    return true;
}

// A path without "." and "x/.."; with strippath its last part alone. out has room for strlen(file) + 1.
// Returns the length of what it holds then, closed by a 0.
static int plainPath(const char* file, bool strip, char* out)
{
    const char* start = file;
    if (strip)
        for (const char* c = file; *c; c++)
            if (isSlash(*c)) start = c + 1;
    int n = 0;
    const int root = isSlash(*start);
    if (root) out[n++] = *start++;
    while (*start) {
        int length = 0;
        while (start[length] && !isSlash(start[length])) length++;
        const bool last = !start[length];
        const bool here = length == 1 && start[0] == '.';
        const bool up = length == 2 && start[0] == '.' && start[1] == '.';
        if (!here && !(up && dropFolder(out, &n, root))) {
            memcpy(out + n, start, (size_t)length);
            n += length;
            if (!last) out[n++] = '/';
        }
        start += length + !last;
    }
    out[n] = 0;
    return n;
}

// The file of a texture; by reference: where it was found. NULL: none.
static const char* textureFile(const snBuild* b, const snSpecTexture* t)
{
    const char* path = b->pixels[t->head.id].path;
    return path ? path : t->file && *t->file ? t->file : NULL;
}

// The media type that goes with it; NULL: none.
static const char* textureType(const snBuild* b, const snSpecTexture* t)
{
    return textureFile(b, t) && sn_means(b->spec->physics, SN_RULE_NEWER_NAMES) ? t->content_type : NULL;
}

int sn_buildPathSize(const snBuild* b)
{
    size_t size = 0;
#define X(type, list, field)                                                                                 \
    SN_EACH (type, e, b->spec->list) size += e->file && *e->file ? strlen(e->file) + 1 : 0;
    PATHS(X)
#undef X
    SN_EACH (snSpecTexture, t, b->spec->textures) {
        const char *file = textureFile(b, t), *type = textureType(b, t);
        size += (file ? strlen(file) + 1 : 0) + (type ? strlen(type) + 1 : 0);
    }
    return size < (1 << 30) ? (int)size + 1 : -1;
}

bool sn_buildPaths(snBuild* b)
{
    snModel* m = b->m;
    const bool strip = b->spec->compiler.strippath;
    int n = 0;
#define X(type, list, field)                                                                                 \
    SN_EACH (type, e, b->spec->list) {                                                                       \
        m->field[e->head.id] = -1;                                                                           \
        if (!e->file || !*e->file) continue;                                                                 \
        m->field[e->head.id] = n;                                                                            \
        n += plainPath(e->file, strip, m->paths + n) + 1;                                                    \
    }
    PATHS(X)
#undef X
    SN_EACH (snSpecTexture, t, b->spec->textures) {
        const int id = t->head.id;
        const char *file = textureFile(b, t), *content = textureType(b, t);
        m->tex_pathadr[id] = file ? n : -1;
        if (file) n += plainPath(file, strip && !b->pixels[id].path, m->paths + n) + 1;
        m->tex_contenttypeadr[id] = content ? n : -1;
        if (!content) continue;
        memcpy(m->paths + n, content, strlen(content) + 1);
        n += (int)strlen(content) + 1;
    }
    m->npaths = n ? n : 1; // as written they may have been longer
    return true;
}
