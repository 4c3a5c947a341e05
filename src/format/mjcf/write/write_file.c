// Names of asset files: relative paths of those on disk; those in memory, and others if asked for, are
// collected under names of their own.
#include "base/file.h"
#include "base/memory.h"
#include "base/platform/files.h"
#include "base/search.h"
#include "format/mesh/beside.h"
#include "format/mjcf/read/reader.h"
#include "format/mjcf/write/writer.h"
#include "model/spec/allowed.h"
#include "model/spec/spec_file.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- collected files

void sn_clearFileSet(snFileSet* set)
{
    for (int i = 0; i < set->n; i++) sn_free(set->files[i].owned);
    sn_free(set->files);
    set->files = NULL;
    set->n = set->room = 0;
}

// The last part of a path as a name that any file system takes; the end of a long one, for its ending.
static void plainName(const char* path, char name[SN_FILE_NAME])
{
    enum { LONGEST = 100 };
    for (const char* c = path; *c; c++)
        if (*c == '/' || *c == '\\') path = c + 1;
    size_t n = strlen(path);
    while (n > LONGEST || (n && ((unsigned char)*path & 0xc0) == 0x80)) { // not inside a character of UTF-8
        path++;
        n--;
    }
    memcpy(name, path, n + 1);
    for (char* c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127) *c = '_';
    if (!*name || !strcmp(name, ".") || !strcmp(name, "..")) strcpy(name, "file");
}

// Some file systems do not tell small from capital letters.
static bool isTaken(const snFileSet* set, const char* name)
{
    for (int i = 0; i < set->n; i++)
        if (sn_isSameWord(set->files[i].name, name)) return true;
    return false;
}

// A name of its own for a path: the last part of it, with a number in front where that is taken.
static void chooseName(const snFileSet* set, const char* path, char name[SN_FILE_NAME])
{
    char plain[SN_FILE_NAME];
    plainName(path, plain);
    snprintf(name, SN_FILE_NAME, "%s", plain);
    for (int i = 1; isTaken(set, name); i++) snprintf(name, SN_FILE_NAME, "%d_%.100s", i, plain);
}

static snWrittenFile* addFile(snFileSet* set)
{
    if (set->n == set->room) {
        const int room = 2 * set->room + 16;
        void* files =
            sn_realloc(set->files, (size_t)set->n * sizeof *set->files, (size_t)room * sizeof *set->files);
        if (!files) return NULL;
        set->files = files;
        set->room = room;
    }
    snWrittenFile* file = &set->files[set->n];
    memset(file, 0, sizeof *file);
    return file;
}

// The collected file that was found under a name; NULL: it is not collected, as a file on disk is not unless
// asked for, or one that cannot be read, which the model did without. folder: of the model that names it.
static const snWrittenFile* collect(snWriter* w, const char* folder, const char* found, const snAsset* asset)
{
    snFileSet* set = w->files;
    if (!set || (!asset && !set->disk)) return NULL;
    for (int i = 0; i < set->n; i++)
        if (set->files[i].found && set->files[i].memory == (asset != NULL) &&
            !strcmp(set->files[i].found, found))
            return &set->files[i];
    snWrittenFile* file = addFile(set);
    if (!file) {
        w->failed = true;
        return NULL;
    }
    if (asset) {
        file->data = asset->data;
        file->size = asset->size;
    } else {
        char* data;
        if (!sn_allowFile(w->spec, folder, found, NULL)) return NULL;
        const snStatus status = sn_readFile(found, &data, &file->size, NULL);
        w->failed |= status == SN_STATUS_NO_MEMORY;
        if (status) return NULL;
        file->data = file->owned = data;
    }
    file->found = found;
    file->memory = asset != NULL;
    chooseName(set, found, file->name);
    set->n++;
    return file;
}

// A file on disk that stands in the folder of the collected ones keeps its name: one that has it already gets
// another, and the text has to be written again.
static void reserve(snWriter* w, const char* path)
{
    snFileSet* set = w->files;
    const size_t n = set && set->real ? strlen(set->real) : 0;
    if (!n || strncmp(path, set->real, n) || path[n] != '/' || strchr(path + n + 1, '/')) return;
    const char* name = path + n + 1;
    if (strlen(name) >= SN_FILE_NAME) return; // no collected file has so long a name
    for (int i = 0; i < set->n; i++) {
        snWrittenFile* other = &set->files[i];
        if (!sn_isSameWord(other->name, name)) continue;
        if (!other->found) return;
        char another[SN_FILE_NAME];
        chooseName(set, other->found, another);
        memcpy(other->name, another, sizeof another);
        set->again = true;
    }
    snWrittenFile* file = addFile(set);
    if (!file) {
        w->failed = true;
        return;
    }
    strcpy(file->name, name);
    set->n++;
}

// ---- names in the text

// The way from one real folder to a real file, as short as it gets; false: it does not fit.
static bool relative(const char* folder, const char* path, char* result, size_t room)
{
    size_t common = 0; // up to behind the last slash that both have
    for (size_t i = 0; folder[i] && folder[i] == path[i]; i++)
        if (path[i] == '/') common = i + 1;
    if (!common) return false; // they are on different drives
    size_t used = 0;
    for (const char* at = folder + common; *at; at++) {
        if (*at != '/') continue;
        if (used + 4 > room) return false;
        memcpy(result + used, "../", 4);
        used += 3;
    }
    if (used + strlen(path + common) + 1 > room) return false;
    memcpy(result + used, path + common, strlen(path + common) + 1);
    return true;
}

// A mirrored scale turns the triangles of a file over, but not those of a text.
static void turnOver(snMeshFile* mesh)
{
    for (int i = 0; i < mesh->nface; i++) {
        int* corner = mesh->face + 3 * i;
        const int second = corner[1];
        corner[1] = corner[2];
        corner[2] = second;
    }
}

// Meshes in formats that MJCF does not know stand in the text itself. false: this file has a format that it
// knows, or cannot be read.
static bool putMesh(snWriter* w, const snSpecHead* head, const char* dir, const char* file)
{
    const char* end = strrchr(file, '.');
    if (end && (sn_isSameWord(end, ".stl") || sn_isSameWord(end, ".obj") || sn_isSameWord(end, ".msh")))
        return false;
    snSpecFile bytes;
    snMeshFile mesh;
    if (!sn_openSpecFile(w->spec, head, dir, file, &bytes, NULL)) return false;
    const char* type = ((const snSpecMesh*)head)->content_type;
    const bool read = !sn_readMeshFile(bytes.name, type, bytes.data, bytes.size,
                                       sn_besideMesh(w->spec, &bytes), &mesh, NULL);
    sn_closeSpecFile(&bytes);
    if (!read) return false;
    const bool same =
        !mesh.facenormal || !memcmp(mesh.facenormal, mesh.face, 3 * (size_t)mesh.nface * sizeof(int));
    const double* scale = ((const snSpecMesh*)head)->scale;
    if (scale[0] * scale[1] * scale[2] < 0) turnOver(&mesh);
    sn_putFloats(w, "vertex", mesh.vert, 3 * mesh.nvert);
    if (mesh.nnormal == mesh.nvert && same) sn_putFloats(w, "normal", mesh.normal, 3 * mesh.nnormal);
    sn_putInts(w, "face", mesh.face, 3 * mesh.nface);
    sn_freeMeshFile(&mesh);
    return true;
}

// The path of a file on disk as the text has it: relative to its folder where that can be told.
static void putPath(snWriter* w, const char* name, const char* found)
{
    char from[SN_PATH_SIZE], to[SN_PATH_SIZE + 1], result[2 * SN_PATH_SIZE];
    if (sn_realPath(found, from) && sn_realPath(*w->folder ? w->folder : ".", to)) {
        reserve(w, from);
        const size_t n = strlen(to);
        if (n && to[n - 1] != '/') memcpy(to + n, "/", 2);
        if (relative(to, from, result, sizeof result)) found = result;
    }
    sn_putText(w, name, found);
}

void sn_putFile(snWriter* w, const snElement* element, const char* name, const char* file)
{
    const snSpecHead* head = element->record;
    const snSpecCompiler* c = sn_specCompiler(w->spec, head);
    const bool texture = !strcmp(element->tag, "texture");
    const char* dir =
        texture ? (c->texturedir ? c->texturedir : c->assetdir) : (c->meshdir ? c->meshdir : c->assetdir);
    if (!strcmp(element->tag, "mesh") && putMesh(w, head, dir, file)) return;
    const snAsset* asset;
    const char* found = *file ? sn_findSpecFile(w->spec, head, dir, file, &asset) : NULL;
    if (!found) {
        w->failed |= *file != 0;
        sn_putText(w, name, file);
        return;
    }
    const snWrittenFile* collected = collect(w, c->folder, found, asset);
    if (collected) {
        char text[SN_PATH_SIZE + SN_FILE_NAME];
        snprintf(text, sizeof text, "%s%s", w->files->folder, collected->name);
        sn_putText(w, name, text);
    } else if (asset)
        sn_putText(w, name, found);
    else
        putPath(w, name, found);
}
