// What a mesh is given as: the arrays of a file, of the model's text or of a built-in shape, checked.
#include "base/error.h"
#include "base/memory.h"
#include "base/search.h"
#include "compile/asset/asset_file.h"
#include "compile/mesh/mesh.h"
#include "format/mesh/beside.h"
#include "format/mesh/built_in.h"

static bool fail(snBuild* b, const snMesh* mesh, const char* text)
{
    return sn_buildFail(b, &mesh->spec->head, SN_STATUS_MODEL, "%s", text);
}

static bool noMemory(snBuild* b, const snMesh* mesh)
{
    return sn_buildFail(b, &mesh->spec->head, SN_STATUS_NO_MEMORY, "out of memory");
}

// A copy of `count` items. true with *copy NULL when there are none.
static bool copyItems(snBuild* b, const snMesh* mesh, const void* items, int count, size_t itemsize,
                      void* copy)
{
    if (!count) return true;
    void* block = sn_malloc((size_t)count * itemsize);
    if (!block) return noMemory(b, mesh);
    memcpy(block, items, (size_t)count * itemsize);
    memcpy(copy, &block, sizeof block);
    return true;
}

static bool copyVertices(snBuild* b, snMesh* mesh, const float* vert, int nvert)
{
    mesh->nvert = nvert;
    if (!nvert) return true;
    mesh->vert = sn_malloc(3 * (size_t)nvert * sizeof *mesh->vert);
    if (!mesh->vert) return noMemory(b, mesh);
    for (int i = 0; i < 3 * nvert; i++) {
        if (!isfinite(vert[i]))
            return sn_buildFail(b, &mesh->spec->head, SN_STATUS_MODEL, "vertex %d is not finite", i / 3);
        mesh->vert[i] = (double)vert[i];
    }
    return true;
}

// ---- files

static bool endsWith(const char* text, const char* end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && sn_isSameWord(text + n - m, end);
}

static bool isStl(const snSpecMesh* spec)
{
    return spec->content_type ? endsWith(spec->content_type, "stl") : endsWith(spec->file, ".stl");
}

// The arrays of the file move into the mesh.
static bool takeFile(snBuild* b, snMesh* mesh, snMeshFile* file)
{
    const snSpecMesh* spec = mesh->spec;
    const char* twice = file->nvert && spec->vertex.count         ? "vertex"
                        : file->nface && spec->face.count         ? "face"
                        : file->nnormal && spec->normal.count     ? "normal"
                        : file->ntexcoord && spec->texcoord.count ? "texcoord"
                                                                  : NULL;
    if (twice)
        return sn_buildFail(b, &spec->head, SN_STATUS_MODEL, "the file has %s already: leave out one of them",
                            twice);
    mesh->nface = file->nface;
    mesh->nnormal = file->nnormal;
    mesh->ntexcoord = file->ntexcoord;
#define TAKE(array) mesh->array = file->array, file->array = NULL
    TAKE(face);
    TAKE(normal);
    TAKE(texcoord);
    TAKE(facenormal);
    TAKE(facetexcoord);
#undef TAKE
    return copyVertices(b, mesh, file->vert, file->nvert);
}

static bool readFile(snBuild* b, snMesh* mesh)
{
    const snSpecMesh* spec = mesh->spec;
    snSpecFile bytes;
    if (!sn_openAsset(b, &spec->head, false, spec->file, &bytes)) return false;
    snMeshFile file = {0};
    snError why = {0};
    const snStatus status = sn_readMeshFile(bytes.name, spec->content_type, bytes.data, bytes.size,
                                            sn_besideMesh(b->spec, &bytes), &file, &why);
    sn_closeSpecFile(&bytes);
    if (status) return sn_buildFileFail(b, &spec->head, &why);
    bool good = (!file.warning.status || sn_buildWarn(b, &spec->head, "%.500s", file.warning.message)) &&
                (!isStl(spec) || sn_mergeMeshVertices(&file) || noMemory(b, mesh)) &&
                takeFile(b, mesh, &file);
    sn_freeMeshFile(&file);
    // before 4.0 triangles of the model's text, of a shape and of a hull stay as they are
    if (good && sn_isMirrored(spec) && !sn_means(b->spec->physics, SN_RULE_MIRRORED_MESH))
        sn_meshTurnOver(mesh);
    return good;
}

// ---- text

static bool readText(snBuild* b, snMesh* mesh)
{
    const snSpecMesh* spec = mesh->spec;
    if (spec->vertex.count % 3) return fail(b, mesh, "vertex needs three numbers for each vertex");
    if (spec->normal.count % 3) return fail(b, mesh, "normal needs three numbers for each normal");
    if (spec->texcoord.count % 2) return fail(b, mesh, "texcoord needs two numbers for each vertex");
    if (spec->face.count % 3) return fail(b, mesh, "face needs three vertices for each triangle");
    if (spec->vertex.count && !copyVertices(b, mesh, spec->vertex.values, spec->vertex.count / 3))
        return false;
    if (spec->normal.count) {
        mesh->nnormal = spec->normal.count / 3;
        if (!copyItems(b, mesh, spec->normal.values, spec->normal.count, sizeof(float), &mesh->normal))
            return false;
    }
    if (spec->texcoord.count) {
        mesh->ntexcoord = spec->texcoord.count / 2;
        if (!copyItems(b, mesh, spec->texcoord.values, spec->texcoord.count, sizeof(float), &mesh->texcoord))
            return false;
    }
    if (!spec->face.count) return true;
    mesh->nface = spec->face.count / 3;
    return copyItems(b, mesh, spec->face.values, spec->face.count, sizeof(int), &mesh->face);
}

// ---- built-in shapes

static bool makeShape(snBuild* b, snMesh* mesh)
{
    const snSpecMesh* spec = mesh->spec;
    snMeshFile made;
    snError why = {.status = SN_STATUS_OK};
    if (sn_makeMeshShape((int)spec->builtin, spec->params.values, spec->params.count, &made, &why))
        return sn_buildFail(b, &spec->head, why.status, "%s", why.message);
    const bool good = takeFile(b, mesh, &made);
    sn_freeMeshFile(&made);
    return good;
}

// ---- checks

// Corners hold numbers from `least` on; -1 stands for none.
static bool checkCorners(snBuild* b, const snMesh* mesh, const int* corners, int least, int count,
                         const char* what)
{
    if (!corners) return true;
    for (int i = 0; i < 3 * mesh->nface; i++)
        if (corners[i] < least || corners[i] >= count)
            return sn_buildFail(b, &mesh->spec->head, SN_STATUS_MODEL,
                                "triangle %d (from 0) uses %s %d, there are %d", i / 3, what, corners[i],
                                count);
    return true;
}

static bool checkSource(snBuild* b, const snMesh* mesh)
{
    if (mesh->nvert < 4)
        return sn_buildFail(b, &mesh->spec->head, SN_STATUS_MODEL, "has %d vertices, at least 4 are needed",
                            mesh->nvert);
    const double* q = mesh->spec->refquat;
    if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0))
        return fail(b, mesh, "refquat is zero, which is no orientation");
    if (mesh->ntexcoord && !mesh->facetexcoord && mesh->ntexcoord != mesh->nvert)
        return sn_buildFail(b, &mesh->spec->head, SN_STATUS_MODEL,
                            "has %d texture coordinates, needs one for each of %d vertices", mesh->ntexcoord,
                            mesh->nvert);
    return checkCorners(b, mesh, mesh->face, 0, mesh->nvert, "vertex") &&
           checkCorners(b, mesh, mesh->facenormal, -1, mesh->nnormal, "normal") &&
           checkCorners(b, mesh, mesh->facetexcoord, -1, mesh->ntexcoord, "texture coordinate");
}

bool sn_meshSource(snBuild* b, snMesh* mesh)
{
    const snSpecMesh* spec = mesh->spec;
    if (spec->file && !readFile(b, mesh)) return false;
    if (spec->builtin && !makeShape(b, mesh)) return false;
    if (spec->plug && !sn_meshContour(b, mesh)) return false;
    return readText(b, mesh) && checkSource(b, mesh);
}
