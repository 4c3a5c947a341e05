// Collada, PLY, glTF and the rest, through the C interface of assimp: all triangles of a scene, placed by its
// nodes, in one mesh. The unit of a Collada file is applied and its up axis is not, as readers of URDF do.
#include "base/error.h"
#include "format/mesh/reader.h"

#ifndef SINEW_ASSIMP

snStatus sn_readSceneMesh(const snMeshSource* source, const char* hint, snMeshFile* mesh)
{
    (void)mesh;
    return sn_failAt(
        source->error, SN_STATUS_UNSUPPORTED, source->name, 0,
        "a mesh of the format '%.20s' needs a build with assimp (cmake -DSINEW_ASSIMP=ON), this one "
        "has none; or save it as .obj or .stl",
        hint);
}

#else

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "base/file.h"
#include "base/memory.h"

enum { MOST_VERTICES = 1 << 24, MOST_DEPTH = 1000 }; // what a small file may not blow up to

// ---- files: assimp reads the scene from memory, and what the scene names beside it (buffers of glTF) from
// disk

typedef struct sceneFile {
    const char *name, *data;
    size_t size, at;
    char* owned;
} sceneFile;

static size_t readBytes(struct aiFile* file, char* buffer, size_t width, size_t count)
{
    sceneFile* f = (sceneFile*)file->UserData;
    if (!width) return 0;
    const size_t left = (f->size - f->at) / width;
    if (count > left) count = left;
    memcpy(buffer, f->data + f->at, width * count);
    f->at += width * count;
    return count;
}

static size_t writeBytes(struct aiFile* file, const char* buffer, size_t width, size_t count)
{
    (void)file, (void)buffer, (void)width, (void)count;
    return 0;
}

static size_t tellAt(struct aiFile* file)
{
    return ((sceneFile*)file->UserData)->at;
}

static size_t tellSize(struct aiFile* file)
{
    return ((sceneFile*)file->UserData)->size;
}

static aiReturn seekTo(struct aiFile* file, size_t offset, enum aiOrigin origin)
{
    sceneFile* f = (sceneFile*)file->UserData;
    const size_t from = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? f->at : f->size;
    const size_t target = origin == aiOrigin_END ? from - offset : from + offset;
    if (target > f->size) return aiReturn_FAILURE;
    f->at = target;
    return aiReturn_SUCCESS;
}

static void flushFile(struct aiFile* file)
{
    (void)file;
}

static struct aiFile* openFile(struct aiFileIO* io, const char* name, const char* mode)
{
    const sceneFile* scene = (const sceneFile*)io->UserData;
    if (strchr(mode, 'w') || strchr(mode, 'a')) return NULL;
    sceneFile* f = sn_calloc(sizeof *f);
    struct aiFile* file = sn_calloc(sizeof *file);
    if (!f || !file) goto fail;
    if (!strcmp(name, scene->name)) {
        *f = (sceneFile){.name = name, .data = scene->data, .size = scene->size};
    } else {
        if (sn_readFile(name, &f->owned, &f->size, NULL)) goto fail;
        f->data = f->owned;
    }
    *file = (struct aiFile){.ReadProc = readBytes,
                            .WriteProc = writeBytes,
                            .TellProc = tellAt,
                            .FileSizeProc = tellSize,
                            .SeekProc = seekTo,
                            .FlushProc = flushFile,
                            .UserData = (char*)f};
    return file;
fail:
    sn_free(f);
    sn_free(file);
    return NULL;
}

static void closeFile(struct aiFileIO* io, struct aiFile* file)
{
    (void)io;
    sceneFile* f = (sceneFile*)file->UserData;
    sn_free(f->owned);
    sn_free(f);
    sn_free(file);
}

// ---- from a scene to a mesh

typedef struct sceneReader {
    const snMeshSource* source;
    const struct aiScene* scene;
    snMeshFile* mesh; // its arrays are NULL while the sizes are counted
    int nvert, nface; // so far
} sceneReader;

// a b, both affine
static struct aiMatrix4x4 product(const struct aiMatrix4x4* a, const struct aiMatrix4x4* b)
{
    struct aiMatrix4x4 c = *a;
    aiMultiplyMatrix4(&c, b);
    return c;
}

static bool fits(const sceneReader* r, const struct aiMesh* part)
{
    return part->mNumVertices <= (unsigned)(MOST_VERTICES - r->nvert) &&
           part->mNumFaces <= (unsigned)(MOST_VERTICES - r->nface);
}

static void placeVertices(const sceneReader* r, const struct aiMesh* part, const struct aiMatrix4x4* t)
{
    float* vert = r->mesh->vert + 3 * (size_t)r->nvert;
    for (unsigned k = 0; k < part->mNumVertices; k++, vert += 3) {
        struct aiVector3D v = part->mVertices[k];
        aiTransformVecByMatrix4(&v, t);
        vert[0] = (float)v.x;
        vert[1] = (float)v.y;
        vert[2] = (float)v.z;
    }
}

// A node that mirrors turns its triangles inside out, unless their corners change places.
static bool mirrors(const struct aiMatrix4x4* t)
{
    return t->a1 * (t->b2 * t->c3 - t->b3 * t->c2) - t->a2 * (t->b1 * t->c3 - t->b3 * t->c1) +
               t->a3 * (t->b1 * t->c2 - t->b2 * t->c1) <
           0;
}

static int placeFaces(const sceneReader* r, const struct aiMesh* part, bool mirrored)
{
    int count = 0, *face = r->mesh->face + 3 * (size_t)r->nface;
    for (unsigned f = 0; f < part->mNumFaces; f++) {
        const struct aiFace* from = part->mFaces + f;
        if (from->mNumIndices != 3) continue;
        for (int k = 0; k < 3; k++) {
            const unsigned index = from->mIndices[mirrored ? 2 - k : k];
            if (index >= part->mNumVertices) return -1;
            face[k] = r->nvert + (int)index;
        }
        face += 3;
        count++;
    }
    return count;
}

static snStatus tooLarge(const sceneReader* r)
{
    return sn_failAt(r->source->error, SN_STATUS_SYNTAX, r->source->name, 0,
                     "the scene has more than %d vertices, or nodes nested deeper than %d", MOST_VERTICES,
                     MOST_DEPTH);
}

// All parts of a node and of what hangs on it; above: the transform to the scene's frame of its parent.
// Counts only while the mesh has no arrays.
static snStatus walk(sceneReader* r, const struct aiNode* node, const struct aiMatrix4x4* above, int depth)
{
    if (depth > MOST_DEPTH) return tooLarge(r);
    const struct aiMatrix4x4 t = product(above, &node->mTransformation);
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        if (node->mMeshes[i] >= r->scene->mNumMeshes) continue;
        const struct aiMesh* part = r->scene->mMeshes[node->mMeshes[i]];
        if (!(part->mPrimitiveTypes & aiPrimitiveType_TRIANGLE)) continue;
        if (!fits(r, part)) return tooLarge(r);
        int nface = (int)part->mNumFaces;
        if (r->mesh->vert) {
            placeVertices(r, part, &t);
            nface = placeFaces(r, part, mirrors(&t));
            if (nface < 0)
                return sn_failAt(r->source->error, SN_STATUS_SYNTAX, r->source->name, 0,
                                 "a triangle names a vertex that is not there");
        }
        r->nvert += (int)part->mNumVertices;
        r->nface += nface;
    }
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        const snStatus status = walk(r, node->mChildren[i], &t, depth + 1);
        if (status) return status;
    }
    return SN_STATUS_OK;
}

static snStatus checkVertices(const sceneReader* r)
{
    for (size_t k = 0; k < 3 * (size_t)r->nvert; k++)
        if (!__builtin_isfinite(r->mesh->vert[k]))
            return sn_failAt(r->source->error, SN_STATUS_SYNTAX, r->source->name, 0,
                             "vertex %zu is not finite", k / 3);
    return SN_STATUS_OK;
}

static snStatus mergeScene(const snMeshSource* source, const struct aiScene* scene, snMeshFile* mesh)
{
    sceneReader r = {.source = source, .scene = scene, .mesh = mesh};
    struct aiMatrix4x4 identity;
    aiIdentityMatrix4(&identity);
    snStatus status = walk(&r, scene->mRootNode, &identity, 0);
    if (status) return status;
    if (!r.nvert || !r.nface)
        return sn_failAt(source->error, SN_STATUS_SYNTAX, source->name, 0, "the scene has no triangles");
    mesh->vert = sn_malloc(sizeof(float) * 3 * (size_t)r.nvert);
    mesh->face = sn_malloc(sizeof(int) * 3 * (size_t)r.nface);
    if (!mesh->vert || !mesh->face) return sn_meshNoMemory(source);
    r.nvert = r.nface = 0;
    status = walk(&r, scene->mRootNode, &identity, 0);
    mesh->nvert = r.nvert;
    mesh->nface = r.nface;
    return status ? status : checkVertices(&r);
}

static const struct aiScene* importScene(const char* name, struct aiFileIO* io)
{
    struct aiPropertyStore* settings = aiCreatePropertyStore();
    if (!settings) return NULL;
    aiSetImportPropertyInteger(settings, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
    aiSetImportPropertyInteger(settings, AI_CONFIG_PP_SBP_REMOVE,
                               aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    const unsigned steps = aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_ValidateDataStructure;
    const struct aiScene* scene = aiImportFileExWithProperties(name, steps, io, settings);
    aiReleasePropertyStore(settings);
    return scene;
}

// Without this assimp looks into a file of unknown ending, and may take it for anything.
static bool isKnown(const char* hint)
{
    char ending[32];
    snprintf(ending, sizeof ending, ".%s", hint);
    return aiIsExtensionSupported(ending) == AI_TRUE;
}

// assimp keeps the text of the last error in a global variable, so only one thread at a time may use it.
static pthread_mutex_t oneAtATime = PTHREAD_MUTEX_INITIALIZER;

snStatus sn_readSceneMesh(const snMeshSource* source, const char* hint, snMeshFile* mesh)
{
    if (!isKnown(hint))
        return sn_failAt(source->error, SN_STATUS_UNSUPPORTED, source->name, 0,
                         "'.%.20s' is no format of meshes that is known; save it as .obj or .stl", hint);
    // assimp chooses the format by the ending of the name
    const size_t n = strlen(source->name), nhint = strlen(hint);
    const bool ends = n >= nhint && !strcmp(source->name + n - nhint, hint);
    char* name = sn_malloc(n + nhint + 2);
    if (!name) return sn_meshNoMemory(source);
    snprintf(name, n + nhint + 2, "%s%s%s", source->name, ends ? "" : ".", ends ? "" : hint);
    sceneFile file = {.name = name, .data = source->data, .size = source->size};
    struct aiFileIO io = {.OpenProc = openFile, .CloseProc = closeFile, .UserData = (char*)&file};
    pthread_mutex_lock(&oneAtATime);
    const struct aiScene* scene = importScene(name, &io);
    snStatus status;
    if (!scene || !scene->mRootNode || (scene->mFlags & AI_SCENE_FLAGS_INCOMPLETE))
        status = sn_failAt(source->error, SN_STATUS_SYNTAX, source->name, 0, "%.300s",
                           scene ? "the file holds no scene" : aiGetErrorString());
    else
        status = mergeScene(source, scene, mesh);
    aiReleaseImport(scene);
    pthread_mutex_unlock(&oneAtATime);
    sn_free(name);
    return status;
}

#endif
