#include "format/mesh/scene.h"
#include <math.h>
#include "base/error.h"
#include "format/mesh/color.h"

// What a small file may not blow up to: a robot's link has some ten thousand vertices and a hundred nodes.
enum { MOST_VISITS = 1 << 22, MOST_VERTICES = 1 << 24, VERTICES_A_BYTE = 16, ANY_FILE = 4096 };

snAffine sn_mulAffine(snAffine a, snAffine b)
{
    snAffine c;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            c.at[i][k] = a.at[i][0] * b.at[0][k] + a.at[i][1] * b.at[1][k] + a.at[i][2] * b.at[2][k] +
                         (k == 3 ? a.at[i][3] : 0);
    return c;
}

snStatus sn_visitNode(snScene* scene, int depth, int line)
{
    const char* what = depth > SN_SCENE_DEPTH ? "nodes are nested deeper than 1000; does one contain itself?"
                       : ++scene->nvisit > MOST_VISITS
                           ? "the scene has more than 4 million nodes, those that stand for others counted"
                           : NULL;
    return what ? sn_failAt(scene->source->error, SN_STATUS_SYNTAX, scene->source->name, line, "%s", what)
                : SN_STATUS_OK;
}

snStatus sn_checkRoom(const snScene* scene, int64_t nvert, int64_t nface, int line)
{
    const int64_t allowed = ANY_FILE + VERTICES_A_BYTE * (int64_t)scene->bytes;
    const int64_t most = allowed < MOST_VERTICES ? allowed : MOST_VERTICES;
    if (nvert <= most && nface <= most) return SN_STATUS_OK;
    return sn_failAt(scene->source->error, SN_STATUS_SYNTAX, scene->source->name, line,
                     "the scene has more than %d vertices or triangles, %s; use fewer copies of its parts",
                     (int)most, most < MOST_VERTICES ? "far more than its file" : "too many for a mesh");
}

static snStatus makeRoom(snScene* scene, const snMeshFile* part, int line)
{
    snMeshFile* mesh = scene->mesh;
    const snStatus status =
        sn_checkRoom(scene, mesh->nvert + (int64_t)part->nvert, mesh->nface + (int64_t)part->nface, line);
    if (status) return status;
    if (!sn_growMesh((void**)&mesh->vert, 3 * sizeof(float), mesh->nvert, part->nvert, &scene->vertroom) ||
        !sn_growMesh((void**)&mesh->face, 3 * sizeof(int), mesh->nface, part->nface, &scene->faceroom) ||
        !sn_growMesh((void**)&mesh->facecolor, sizeof(int), mesh->nface, part->nface, &scene->colorroom))
        return sn_meshNoMemory(scene->source);
    return SN_STATUS_OK;
}

static bool mirrors(const snAffine* t)
{
    const double(*a)[4] = t->at;
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
               a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
               a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]) <
           0;
}

static bool placeVertices(const snMeshFile* part, const snAffine* t, float* to)
{
    bool finite = true;
    for (int k = 0; k < part->nvert; k++, to += 3) {
        const float* v = part->vert + 3 * (size_t)k;
        for (int i = 0; i < 3; i++) {
            const double* a = t->at[i];
            to[i] = (float)(a[0] * (double)v[0] + a[1] * (double)v[1] + a[2] * (double)v[2] + a[3]);
            finite = finite && isfinite(to[i]);
        }
    }
    return finite;
}

static void placeColors(const snMeshFile* part, const int* color, int* to)
{
    for (int f = 0; f < part->nface; f++) {
        const int k = part->facecolor ? part->facecolor[f] : -1;
        to[f] = k >= 0 && color ? color[k] : k;
    }
}

snStatus sn_placePart(snScene* scene, const snMeshFile* part, const snAffine* t, const int* color, int line)
{
    if (!part->nface) return SN_STATUS_OK;
    const snStatus status = makeRoom(scene, part, line);
    if (status) return status;
    snMeshFile* mesh = scene->mesh;
    if (!placeVertices(part, t, mesh->vert + 3 * (size_t)mesh->nvert))
        return sn_failAt(scene->source->error, SN_STATUS_SYNTAX, scene->source->name, line,
                         "a vertex is not finite where its node places it");
    placeColors(part, color, mesh->facecolor + mesh->nface);
    const bool mirrored = mirrors(t);
    int* face = mesh->face + 3 * (size_t)mesh->nface;
    for (int f = 0; f < part->nface; f++, face += 3)
        for (int k = 0; k < 3; k++)
            face[k] = mesh->nvert + part->face[3 * (size_t)f + (size_t)(mirrored ? 2 - k : k)];
    mesh->nvert += part->nvert;
    mesh->nface += part->nface;
    return SN_STATUS_OK;
}

snStatus sn_endScene(const snScene* scene)
{
    if (sn_settleColors(scene->mesh)) return sn_meshNoMemory(scene->source);
    if (scene->mesh->nface) return SN_STATUS_OK;
    return sn_failAt(scene->source->error, SN_STATUS_SYNTAX, scene->source->name, 0,
                     "the scene has no triangles");
}
