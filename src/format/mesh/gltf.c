// glTF 2.0: the triangles of all meshes that the nodes of the scene place, in one mesh. Vertices that no
// triangle uses are left out: the views of several meshes may lie in the same numbers.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "format/mesh/color.h"
#include "format/mesh/gltf_file.h"
#include "format/mesh/scene.h"
#include "math/elementary/elementary.h"

enum { TRIANGLES = 4, STRIP, FAN }; // modes of a primitive

typedef struct gltfReader {
    snGltf file;
    snScene scene;
    // of the mesh that is being read:
    snMeshFile* mesh;
    int vertroom, faceroom, colorroom, index;
    // of the primitive: vertex v of the accessor is number[v] of the mesh, if used[v] is `primitive`
    const snGltfAccessor *positions, *indices;
    int *number, *used, room, primitive;
} gltfReader;

static snStatus fail(const gltfReader* r, snStatus status, const char* what)
{
    return sn_gltfFail(&r->file, status, SN_GLTF_MESH, r->index, what);
}

// ---- primitives

static snStatus vertexOf(gltfReader* r, int corner, int* vertex)
{
    const uint32_t v = r->indices ? sn_gltfIndexAt(r->indices, corner) : (uint32_t)corner;
    if (v >= (uint32_t)r->positions->count) {
        char text[120];
        snprintf(text, sizeof text, "corner %d names vertex %u, there are %d", corner, v,
                 r->positions->count);
        return fail(r, SN_STATUS_SYNTAX, text);
    }
    if (r->used[v] == r->primitive) {
        *vertex = r->number[v];
        return SN_STATUS_OK;
    }
    snMeshFile* mesh = r->mesh;
    if (!sn_growMesh((void**)&mesh->vert, 3 * sizeof(float), mesh->nvert, 1, &r->vertroom))
        return sn_meshNoMemory(r->file.source);
    float* to = mesh->vert + 3 * (size_t)mesh->nvert;
    sn_gltfVectorAt(r->positions, (int)v, to);
    if (!isfinite(to[0]) || !isfinite(to[1]) || !isfinite(to[2])) {
        char text[120];
        snprintf(text, sizeof text, "vertex %u is not finite", v);
        return fail(r, SN_STATUS_SYNTAX, text);
    }
    r->used[v] = r->primitive;
    *vertex = r->number[v] = mesh->nvert++;
    return SN_STATUS_OK;
}

static snStatus addTriangle(gltfReader* r, int a, int b, int c)
{
    const int corner[3] = {a, b, c};
    snMeshFile* mesh = r->mesh;
    if (!sn_growMesh((void**)&mesh->face, 3 * sizeof(int), mesh->nface, 1, &r->faceroom))
        return sn_meshNoMemory(r->file.source);
    for (int k = 0; k < 3; k++) {
        const snStatus status = vertexOf(r, corner[k], mesh->face + 3 * (size_t)mesh->nface + k);
        if (status) return status;
    }
    mesh->nface++;
    return SN_STATUS_OK;
}

static snStatus addTriangles(gltfReader* r, int mode, int n)
{
    snStatus status = SN_STATUS_OK;
    if (mode == TRIANGLES)
        for (int k = 0; k + 2 < n && !status; k += 3) status = addTriangle(r, k, k + 1, k + 2);
    if (mode == STRIP) // every second one the other way round
        for (int k = 0; k + 2 < n && !status; k++) status = addTriangle(r, k + k % 2, k + 1 - k % 2, k + 2);
    if (mode == FAN)
        for (int k = 1; k + 1 < n && !status; k++) status = addTriangle(r, 0, k, k + 1);
    return status;
}

// The scratch is filled once, not for each primitive.
static bool growScratch(gltfReader* r, int n)
{
    if (n <= r->room) return true;
    int room = r->room;
    if (!sn_growMesh((void**)&r->number, sizeof(int), r->room, n - r->room, &room)) return false;
    room = r->room;
    if (!sn_growMesh((void**)&r->used, sizeof(int), r->room, n - r->room, &room)) return false;
    memset(r->used + r->room, 0, (size_t)(room - r->room) * sizeof(int));
    r->room = room;
    return true;
}

static snStatus readAccessors(gltfReader* r, const cJSON* json, int position)
{
    int indices;
    snStatus status =
        sn_gltfIndex(&r->file, SN_GLTF_MESH, r->index, json, "indices", SN_GLTF_ACCESSOR, &indices);
    r->indices = NULL;
    if (!status) status = sn_gltfAccessor(&r->file, position, &r->positions);
    if (!status && indices >= 0) status = sn_gltfAccessor(&r->file, indices, &r->indices);
    if (status) return status;
    if (r->positions->type != SN_GLTF_FLOAT || r->positions->width != 3)
        return fail(r, SN_STATUS_UNSUPPORTED,
                    "POSITION is not three floats a vertex, as componentType 5126 and "
                    "type VEC3 are; save the mesh without quantization");
    const snGltfType type = r->indices ? r->indices->type : SN_GLTF_UINT;
    if ((r->indices && r->indices->width != 1) ||
        (type != SN_GLTF_UBYTE && type != SN_GLTF_USHORT && type != SN_GLTF_UINT))
        return fail(r, SN_STATUS_SYNTAX,
                    "indices must be of componentType 5121, 5123 or 5125 and type SCALAR");
    return growScratch(r, r->positions->count) ? SN_STATUS_OK : sn_meshNoMemory(r->file.source);
}

// Light is linear there, on screens it is not (sRGB, IEC 61966-2-1).
static float shown(double light)
{
    const double x = sn_min(sn_max(light, 0), 1);
    return (float)(x <= 0.0031308 ? 12.92 * x : 1.055 * sn_pow(x, 1 / 2.4) - 0.055);
}

// What the material of a primitive looks like; false: it has none, or a texture.
static bool readColor(const gltfReader* r, const cJSON* primitive, float rgba[4])
{
    const cJSON* index = cJSON_GetObjectItemCaseSensitive(primitive, "material");
    const double k = cJSON_IsNumber(index) ? index->valuedouble : -1;
    if (!(k >= 0 && k < r->file.count[SN_GLTF_MATERIAL])) return false;
    const cJSON* json = r->file.item[SN_GLTF_MATERIAL][(int)k].json;
    const cJSON* look = cJSON_GetObjectItemCaseSensitive(json, "pbrMetallicRoughness");
    if (cJSON_GetObjectItemCaseSensitive(look, "baseColorTexture")) return false;
    const cJSON* mode = cJSON_GetObjectItemCaseSensitive(json, "alphaMode");
    const bool clear = cJSON_IsString(mode) && !strcmp(mode->valuestring, "BLEND");
    const cJSON* factor = cJSON_GetObjectItemCaseSensitive(look, "baseColorFactor");
    const cJSON* item = factor ? factor->child : NULL;
    for (int i = 0; i < 4; i++, item = item ? item->next : NULL) {
        const double number = cJSON_IsNumber(item) ? item->valuedouble : 1;
        rgba[i] = i < 3 ? shown(number) : clear ? (float)sn_min(sn_max(number, 0), 1) : 1;
    }
    return true;
}

// The faces from `first` on are those of a primitive.
static snStatus addColor(gltfReader* r, const cJSON* primitive, int first)
{
    snMeshFile* mesh = r->mesh;
    float rgba[4];
    const bool there = mesh->nface > first && readColor(r, primitive, rgba);
    const int color = there ? sn_meshColor(r->scene.mesh, rgba) : -1;
    if ((there && color < 0) ||
        !sn_growMesh((void**)&mesh->facecolor, sizeof(int), first, mesh->nface - first, &r->colorroom))
        return sn_meshNoMemory(r->file.source);
    for (int f = first; f < mesh->nface; f++) mesh->facecolor[f] = color;
    return SN_STATUS_OK;
}

static snStatus readPrimitive(gltfReader* r, const cJSON* json)
{
    int mode, position;
    const cJSON* attributes = cJSON_GetObjectItemCaseSensitive(json, "attributes");
    snStatus status = sn_gltfInt(&r->file, SN_GLTF_MESH, r->index, json, "mode", TRIANGLES, &mode);
    if (!status)
        status = sn_gltfIndex(&r->file, SN_GLTF_MESH, r->index, attributes, "POSITION", SN_GLTF_ACCESSOR,
                              &position);
    // points and lines are no surface
    if (status || position < 0 || mode < TRIANGLES || mode > FAN) return status;
    status = readAccessors(r, json, position);
    if (status) return status;
    const int n = r->indices ? r->indices->count : r->positions->count;
    const int nface = mode == TRIANGLES ? n / 3 : n < 3 ? 0 : n - 2;
    r->scene.bytes = r->file.bytes;
    r->primitive++;
    status = sn_checkRoom(&r->scene, r->mesh->nvert, r->mesh->nface + (int64_t)nface, 0);
    const int first = r->mesh->nface;
    if (!status) status = addTriangles(r, mode, n);
    return status ? status : addColor(r, json, first);
}

// ---- meshes

static snStatus getMesh(gltfReader* r, int index, const snMeshFile** made)
{
    snGltfItem* item = r->file.item[SN_GLTF_MESH] + index;
    *made = item->made;
    if (*made) return SN_STATUS_OK;
    r->mesh = sn_poolAlloc(&r->file.pool, sizeof *r->mesh);
    if (!r->mesh) return sn_meshNoMemory(r->file.source);
    *made = item->made = r->mesh;
    r->vertroom = r->faceroom = r->colorroom = 0;
    r->index = index;
    const cJSON *primitives = cJSON_GetObjectItemCaseSensitive(item->json, "primitives"), *json;
    snStatus status = SN_STATUS_OK;
    cJSON_ArrayForEach(json, primitives)
    {
        status = readPrimitive(r, json);
        if (status) return status;
    }
    return SN_STATUS_OK;
}

// ---- nodes

// An array of n finite numbers under a key. *found: there is one.
static snStatus readNumbers(const gltfReader* r, int node, const char* key, int n, double* number,
                            bool* found)
{
    const cJSON* array = cJSON_GetObjectItemCaseSensitive(r->file.item[SN_GLTF_NODE][node].json, key);
    const cJSON* item = array ? array->child : NULL;
    *found = array;
    int k = 0;
    for (; k < n && cJSON_IsNumber(item) && isfinite(item->valuedouble); k++, item = item->next)
        number[k] = item->valuedouble;
    if (!array || (k == n && !item)) return SN_STATUS_OK;
    char text[80];
    snprintf(text, sizeof text, "%s must be %d finite numbers", key, n);
    return sn_gltfFail(&r->file, SN_STATUS_SYNTAX, SN_GLTF_NODE, node, text);
}

// Of a quaternion x y z w, brought to length 1.
static bool rotation(const double q[4], double a[3][4])
{
    const double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], s = 2 / n;
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double m[3][3] = {{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                            {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
                            {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}};
    for (int i = 0; i < 3; i++) memcpy(a[i], m[i], sizeof m[i]);
    return n > 0 && isfinite(s);
}

static snStatus nodeTransform(const gltfReader* r, int node, snAffine* t)
{
    double matrix[16], translation[3], quaternion[4], scale[3];
    bool whole, moved, turned, scaled;
    snStatus status = readNumbers(r, node, "matrix", 16, matrix, &whole);
    if (!status) status = readNumbers(r, node, "translation", 3, translation, &moved);
    if (!status) status = readNumbers(r, node, "rotation", 4, quaternion, &turned);
    if (!status) status = readNumbers(r, node, "scale", 3, scale, &scaled);
    if (status) return status;
    *t = sn_identityAffine();
    if (turned && !rotation(quaternion, t->at))
        return sn_gltfFail(&r->file, SN_STATUS_SYNTAX, SN_GLTF_NODE, node, "rotation is zero");
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3 && scaled; k++) t->at[i][k] *= scale[k];
        if (moved) t->at[i][3] = translation[i];
        for (int k = 0; k < 4 && whole; k++) t->at[i][k] = matrix[4 * k + i]; // columns first
    }
    return SN_STATUS_OK;
}

static snStatus walk(gltfReader* r, int node, const snAffine* above, int depth);

// Nodes that an array of an item counts up.
static snStatus walkAll(gltfReader* r, snGltfArray array, int index, const char* key, const snAffine* above,
                        int depth)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(r->file.item[array][index].json, key), *item;
    cJSON_ArrayForEach(item, list)
    {
        const double number = cJSON_IsNumber(item) ? item->valuedouble : -1;
        if (!(number >= 0 && number < r->file.count[SN_GLTF_NODE] && number == floor(number))) {
            char text[80];
            snprintf(text, sizeof text, "'%s' names a node that is not there", key);
            return sn_gltfFail(&r->file, SN_STATUS_SYNTAX, array, index, text);
        }
        const snStatus status = walk(r, (int)number, above, depth);
        if (status) return status;
    }
    return SN_STATUS_OK;
}

// A node and what hangs on it; above: from its parent's frame to that of the scene.
static snStatus walk(gltfReader* r, int node, const snAffine* above, int depth)
{
    snGltfItem* item = r->file.item[SN_GLTF_NODE] + node;
    snStatus status = sn_visitNode(&r->scene, depth, 0);
    if (status) return status;
    if (item->made)
        return sn_gltfFail(&r->file, SN_STATUS_SYNTAX, SN_GLTF_NODE, node,
                           "hangs on two nodes, or on itself; a node has one parent");
    item->made = item;
    int mesh;
    snAffine t;
    status = nodeTransform(r, node, &t);
    if (!status) status = sn_gltfIndex(&r->file, SN_GLTF_NODE, node, item->json, "mesh", SN_GLTF_MESH, &mesh);
    if (status) return status;
    t = sn_mulAffine(*above, t);
    if (mesh >= 0) {
        const snMeshFile* part;
        status = getMesh(r, mesh, &part);
        r->scene.bytes = r->file.bytes;
        if (!status) status = sn_placePart(&r->scene, part, &t, NULL, 0);
    }
    return status ? status : walkAll(r, SN_GLTF_NODE, node, "children", &t, depth + 1);
}

// The scene that the file names, or its first one.
static snStatus readScene(gltfReader* r)
{
    const cJSON* scene = cJSON_GetObjectItemCaseSensitive(r->file.json, "scene");
    const double number = cJSON_IsNumber(scene) ? scene->valuedouble : scene ? -1 : 0;
    if (!(number >= 0 && number < r->file.count[SN_GLTF_SCENE] && number == floor(number)))
        return sn_failAt(r->file.source->error, SN_STATUS_SYNTAX, r->file.source->name, 0,
                         "\"scene\" names a scene that is not there; the file has %d",
                         r->file.count[SN_GLTF_SCENE]);
    const snAffine identity = sn_identityAffine();
    const snStatus status = walkAll(r, SN_GLTF_SCENE, (int)number, "nodes", &identity, 0);
    return status ? status : sn_endScene(&r->scene);
}

static void freeMeshes(gltfReader* r)
{
    for (int i = 0; i < r->file.count[SN_GLTF_MESH]; i++)
        if (r->file.item[SN_GLTF_MESH][i].made) sn_freeMeshFile(r->file.item[SN_GLTF_MESH][i].made);
    sn_free(r->number);
    sn_free(r->used);
}

snStatus sn_readGltf(const snMeshSource* source, snMeshFile* mesh)
{
    gltfReader r = {.scene = {.source = source, .mesh = mesh}};
    snStatus status = sn_openGltf(source, &r.file);
    if (!status) status = readScene(&r);
    freeMeshes(&r);
    sn_freeGltf(&r.file);
    return status;
}
