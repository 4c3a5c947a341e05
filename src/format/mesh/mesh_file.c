// Which reader a mesh file is for, and what all readers share.
#include "format/mesh/mesh_file.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/platform/path.h"
#include "base/search.h"
#include "format/mesh/color.h"
#include "format/mesh/reader.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool sn_growMesh(void** array, size_t width, int count, int more, int* room)
{
    if (more > INT_MAX - count) return false;
    const int need = count + more;
    if (need <= *room) return true;
    const int next = *room > INT_MAX / 2 ? INT_MAX : 2 * *room, target = need > next ? need : next;
    void* grown = sn_realloc(*array, (size_t)count * width, (size_t)target * width);
    if (!grown) return false;
    *array = grown;
    *room = target;
    return true;
}

snStatus sn_meshNoMemory(const snMeshSource* source)
{
    return sn_failAt(source->error, SN_STATUS_NO_MEMORY, source->name, 0, "out of memory for a mesh");
}

typedef snStatus (*reader)(const snMeshSource*, snMeshFile*);

static const struct {
    const char *ending, *content_type;
    reader read;
} kinds[] = {
    {"obj", "model/obj", sn_readObj},
    {"stl", "model/stl", sn_readStl},
    {"msh", "model/vnd.mujoco.msh", sn_readMsh},
    {"msh", "application/vnd.mujoco.msh", sn_readMsh},
    {"dae", "model/vnd.collada+xml", sn_readCollada},
    {"ply", "model/ply", sn_readPly},
    {"glb", "model/gltf-binary", sn_readGltf},
    {"gltf", "model/gltf+json", sn_readGltf},
};
enum { NKINDS = sizeof kinds / sizeof kinds[0] };
#define FORMATS ".obj, .stl, .msh, .dae, .ply, .gltf, .glb"

// Media types are "application/sla", "model/x.stl-binary" and the like as well: the word behind the slash is
// searched for the format's own.
static int kindOfContent(const char* type)
{
    for (int i = 0; i < NKINDS; i++)
        if (sn_isSameWord(type, kinds[i].content_type)) return i;
    for (int i = 0; i < NKINDS; i++)
        if (sn_holdsWord(type, kinds[i].ending)) return i;
    return -1;
}

static int kindOfEnding(const char* ending)
{
    for (int i = 0; i < NKINDS; i++)
        if (sn_isSameWord(ending, kinds[i].ending)) return i;
    return -1;
}

// What stands behind the last dot of the last part of a path; "": none.
static const char* endingOf(const char* name)
{
    const char *dot = strrchr(name, '.'), *slash = sn_lastSlash(name);
    return dot && (!slash || dot > slash) ? dot + 1 : "";
}

const char* sn_meshContentType(const char* name)
{
    const int kind = kindOfEnding(endingOf(name));
    return kind < 0 ? NULL : kinds[kind].content_type;
}

static snStatus readKind(const snMeshSource* source, const char* content_type, snMeshFile* mesh)
{
    const char* ending = endingOf(source->name);
    const bool typed = content_type && *content_type;
    const int kind = typed ? kindOfContent(content_type) : kindOfEnding(ending);
    if (kind >= 0) return kinds[kind].read(source, mesh);
    if (typed)
        return sn_failAt(source->error, SN_STATUS_UNSUPPORTED, source->name, 0,
                         "content_type '%.60s' is not that of a mesh; known are model/obj, model/stl, "
                         "model/vnd.mujoco.msh, model/vnd.collada+xml, model/ply, model/gltf-binary and "
                         "model/gltf+json",
                         content_type);
    if (!*ending)
        return sn_failAt(source->error, SN_STATUS_UNSUPPORTED, source->name, 0,
                         "a mesh file's name must end in its format (" FORMATS "), or give its content_type");
    return sn_failAt(source->error, SN_STATUS_UNSUPPORTED, source->name, 0,
                     "'.%.20s' is no format of meshes that is read (" FORMATS "); save it as one of these",
                     ending);
}

// What "; color=K" behind a content_type says, which is left out of `type`; -1: nothing is there, -2: no
// number.
static int takeColor(const char* content_type, char* type, size_t size)
{
    static const char word[] = "; color=";
    const char* at = content_type ? strstr(content_type, word) : NULL;
    if (!at || (size_t)(at - content_type) >= size) return -1;
    memcpy(type, content_type, (size_t)(at - content_type));
    type[at - content_type] = 0;
    const char* digits = at + strlen(word);
    const size_t n = strspn(digits, "0123456789");
    return n == 0 || n > 4 || digits[n] ? -2 : atoi(digits);
}

static snStatus pickColor(const snMeshSource* source, int color, snMeshFile* mesh)
{
    if (color == -1) return SN_STATUS_OK;
    if (color < 0 || color >= mesh->ncolor)
        return sn_failAt(
            source->error, SN_STATUS_MODEL, source->name, 0,
            "content_type asks for one of its colours, \"; color=K\": there are %d, K is from 0 on",
            mesh->ncolor);
    return sn_keepColor(mesh, color) ? sn_meshNoMemory(source) : SN_STATUS_OK;
}

static snStatus readMesh(const snMeshSource* source, const char* content_type, snMeshFile* mesh)
{
    memset(mesh, 0, sizeof *mesh);
    char type[100];
    const int color = takeColor(content_type, type, sizeof type);
    snStatus status = readKind(source, color == -1 ? content_type : type, mesh);
    if (!status) status = pickColor(source, color, mesh);
    if (status) sn_freeMeshFile(mesh);
    return status;
}

snStatus sn_readMeshFile(const char* name, const char* content_type, const void* data, size_t size,
                         snBeside beside, snMeshFile* mesh, snError* error)
{
    const snMeshSource source = {.name = name, .data = data, .size = size, .beside = beside, .error = error};
    return readMesh(&source, content_type, mesh);
}

snStatus sn_readMeshForFlex(const char* name, const char* content_type, const void* data, size_t size,
                            snBeside beside, snMeshFile* mesh, snError* error)
{
    const snMeshSource source = {
        .name = name, .data = data, .size = size, .beside = beside, .flex = true, .error = error};
    return readMesh(&source, content_type, mesh);
}

void sn_freeMeshFile(snMeshFile* mesh)
{
    sn_free(mesh->vert);
    sn_free(mesh->normal);
    sn_free(mesh->texcoord);
    sn_free(mesh->face);
    sn_free(mesh->facenormal);
    sn_free(mesh->facetexcoord);
    sn_free(mesh->line);
    sn_free(mesh->color);
    sn_free(mesh->facecolor);
    memset(mesh, 0, sizeof *mesh);
}
