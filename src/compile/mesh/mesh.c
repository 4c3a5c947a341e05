#include "compile/mesh/mesh.h"
#include "format/mesh/built_in.h"
#include "base/memory.h"
#include "base/platform/clock.h"
#include "compile/build/timing.h"
#include <stdlib.h>

void sn_freeMesh(snMesh* mesh)
{
    sn_free(mesh->vert);
    sn_free(mesh->normal);
    sn_free(mesh->texcoord);
    sn_free(mesh->face);
    sn_free(mesh->facenormal);
    sn_free(mesh->facetexcoord);
    sn_free(mesh->graph);
    sn_free(mesh->hullcell);
    sn_free(mesh->hullblock);
    sn_free(mesh->polyadr);
    sn_free(mesh->polyvert);
    sn_freeField(&mesh->field);
    *mesh = (snMesh){0};
}

static bool copyFaces(snBuild* b, const snMesh* mesh, int** copy)
{
    const size_t size = 3 * (size_t)mesh->nface * sizeof **copy;
    *copy = sn_malloc(size);
    if (!*copy) return sn_buildFail(b, &mesh->spec->head, SN_STATUS_NO_MEMORY, "out of memory");
    memcpy(*copy, mesh->face, size);
    return true;
}

static bool hullAsFaces(snBuild* b, snMesh* mesh)
{
    const int* faces = sn_meshHullFaces(mesh, &mesh->nface);
    mesh->face = (int*)faces; // for copyFaces
    int* copy;
    const bool good = copyFaces(b, mesh, &copy);
    mesh->face = good ? copy : NULL;
    return good;
}

typedef struct {
    int from, to;
} HalfEdge;

static int byEnds(const void* a, const void* b)
{
    const HalfEdge *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

// The half edges of the triangles that are larger than rounding; the count.
static int listHalfEdges(const snMesh* mesh, HalfEdge* edges)
{
    int n = 0;
    for (int i = 0; i < mesh->nface; i++) {
        const int* f = mesh->face + 3 * (size_t)i;
        const snVec3 v0 = sn_meshVert(mesh, f[0]);
        const snVec3 cross =
            sn_v3Cross(sn_v3Sub(sn_meshVert(mesh, f[1]), v0), sn_v3Sub(sn_meshVert(mesh, f[2]), v0));
        if (!(0.5 * sn_v3Norm(cross) > sqrt(SN_MINVAL))) continue;
        for (int k = 0; k < 3; k++) edges[n++] = (HalfEdge){f[k], f[(k + 1) % 3]};
    }
    return n;
}

// A solid has each edge once in each direction; an edge that stands twice in one direction is between
// triangles of which one is turned over.
static bool checkOrientation(snBuild* b, const snMesh* mesh)
{
    HalfEdge* edges = sn_malloc(3 * (size_t)mesh->nface * sizeof *edges);
    if (!edges) return sn_buildFail(b, &mesh->spec->head, SN_STATUS_NO_MEMORY, "out of memory");
    const int n = listHalfEdges(mesh, edges);
    if (n) qsort(edges, (size_t)n, sizeof *edges, byEnds);
    const HalfEdge* twice = NULL;
    for (int i = 1; i < n && !twice; i++)
        if (!byEnds(&edges[i - 1], &edges[i])) twice = &edges[i];
    const HalfEdge found = twice ? *twice : (HalfEdge){0, 0};
    const bool good = !twice;
    sn_free(edges);
    return good ||
           sn_buildFail(b, &mesh->spec->head, SN_STATUS_MODEL,
                        "two triangles at the edge of vertices %d and %d (from 0) are turned against each "
                        "other: turn one, or set inertia=\"convex\"",
                        found.from, found.to);
}

static void turnNormals(snMesh* mesh, snMat3 R)
{
    for (int i = 0; i < mesh->nnormal; i++) {
        float* n = mesh->normal + 3 * (size_t)i;
        const snVec3 turned = sn_m3Mul(R, sn_v3((double)n[0], (double)n[1], (double)n[2]));
        n[0] = (float)turned.x;
        n[1] = (float)turned.y;
        n[2] = (float)turned.z;
    }
}

// Normals stay square to the surface under the rule MESH_NORMALS; before, they are stretched like vertices.
static void scaleNormals(snMesh* mesh, const double scale[3], bool square_to_surface)
{
    for (int i = 0; i < mesh->nnormal; i++) {
        float* n = mesh->normal + 3 * (size_t)i;
        for (int k = 0; k < 3; k++)
            n[k] = (float)(square_to_surface ? (double)n[k] / scale[k] : (double)n[k] * scale[k]);
        const float square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        if ((double)square > SN_MINVAL) {
            const float factor = 1 / sqrtf(square);
            for (int k = 0; k < 3; k++) n[k] *= factor;
        } else {
            n[0] = n[1] = 0;
            n[2] = 1;
        }
    }
}

static void swapCorners(int* corners, int nface)
{
    if (!corners) return;
    for (int i = 0; i < nface; i++) {
        int* c = corners + 3 * (size_t)i;
        const int second = c[1];
        c[1] = c[2];
        c[2] = second;
    }
}

void sn_meshTurnOver(snMesh* mesh)
{
    swapCorners(mesh->face, mesh->nface);
    swapCorners(mesh->facenormal, mesh->nface);
    swapCorners(mesh->facetexcoord, mesh->nface);
    if (!mesh->graph) return;
    int count;
    int* hull = sn_meshHullFaces(mesh, &count);
    swapCorners(hull, count);
}

// A frame's scale that no factors along the axes can say, which mirrors nothing.
static void stretch(snMesh* mesh, snMat3 map)
{
    for (int i = 0; i < mesh->nvert; i++)
        sn_v3Store(mesh->vert + 3 * (size_t)i, sn_m3Mul(map, sn_v3Load(mesh->vert + 3 * (size_t)i)));
    const snVec3 x = sn_m3Col(map, 0), y = sn_m3Col(map, 1), z = sn_m3Col(map, 2);
    const snVec3 rows[3] = {sn_v3Cross(y, z), sn_v3Cross(z, x), sn_v3Cross(x, y)}; // det map^-1
    for (int i = 0; i < mesh->nnormal; i++) { // which are square to the surface by map^-T
        float* n = mesh->normal + 3 * (size_t)i;
        snVec3 sum = {0, 0, 0};
        for (int k = 0; k < 3; k++) sum = sn_v3AddScaled(sum, (double)n[k], rows[k]);
        sum = sn_v3Normalize(sum);
        n[0] = (float)sum.x;
        n[1] = (float)sum.y;
        n[2] = (float)sum.z;
    }
}

// v becomes scale R' (v - refpos).
static void applyReference(const snBuild* b, snMesh* mesh)
{
    const snSpecMesh* spec = mesh->spec;
    const snMat3 back = sn_m3Transpose(sn_quatToMat(sn_quatNormalize(sn_quatLoad(spec->refquat))));
    const snVec3 pos = sn_v3Load(spec->refpos);
    const bool turned =
        spec->refquat[0] != 1 || spec->refquat[1] != 0 || spec->refquat[2] != 0 || spec->refquat[3] != 0;
    for (int i = 0; i < mesh->nvert; i++) {
        double* v = mesh->vert + 3 * (size_t)i;
        snVec3 moved = sn_v3Sub(sn_v3Load(v), pos);
        if (turned) moved = sn_m3Mul(back, moved);
        sn_v3Store(v, moved);
        for (int k = 0; k < 3; k++) v[k] *= spec->scale[k];
    }
    if (turned) turnNormals(mesh, back);
    scaleNormals(mesh, spec->scale, sn_means(b->spec->physics, SN_RULE_MESH_NORMALS));
    if (sn_isMirrored(spec) && sn_means(b->spec->physics, SN_RULE_MIRRORED_MESH)) sn_meshTurnOver(mesh);
    if (spec->stretch[0] != 0) stretch(mesh, sn_m3Load(spec->stretch));
}

// Vertices and normals in the frame of the mass, and the bounds that they then have.
static void applyFrame(snMesh* mesh)
{
    const snMat3 back = sn_quatToMat(sn_quatConj(mesh->frame.quat));
    for (int k = 0; k < 3; k++) {
        mesh->low[k] = HUGE_VAL;
        mesh->high[k] = -HUGE_VAL;
    }
    for (int i = 0; i < mesh->nvert; i++) {
        double* v = mesh->vert + 3 * (size_t)i;
        sn_v3Store(v, sn_m3Mul(back, sn_v3Sub(sn_v3Load(v), mesh->frame.pos)));
        for (int k = 0; k < 3; k++) {
            mesh->low[k] = sn_min(v[k], mesh->low[k]);
            mesh->high[k] = sn_max(v[k], mesh->high[k]);
        }
    }
    turnNormals(mesh, back);
}

// Normals without corners of their own: those of the vertices; of several for each vertex, the first.
static bool normalsOfVertices(snBuild* b, snMesh* mesh)
{
    if (!copyFaces(b, mesh, &mesh->facenormal)) return false;
    const int each = mesh->nnormal / mesh->nvert;
    for (int i = 0; i < 3 * mesh->nface; i++) mesh->facenormal[i] *= each;
    return true;
}

static bool makePolygons(snBuild* b, snMesh* mesh)
{
    const double start = sn_monotonicTime();
    const bool good = sn_meshPolygons(b, mesh);
    sn_timeStage(b, SN_CTIMER_MESH_POLYGON, start);
    return good;
}

bool sn_processMesh(snBuild* b, snMesh* mesh)
{
    double at = sn_monotonicTime();
    if (mesh->inertia == SN_MESH_EXACT && !checkOrientation(b, mesh)) return false;
    if ((mesh->needs_hull || !mesh->nface) && !sn_meshMakeHull(b, mesh)) return false;
    sn_timeStage(b, SN_CTIMER_MESH_HULL, at);
    if (!mesh->nface && !hullAsFaces(b, mesh)) return false;
    if (!mesh->nnormal && !sn_meshNormals(b, mesh)) return false;
    if (!mesh->facenormal && !normalsOfVertices(b, mesh)) return false;
    if (mesh->ntexcoord && !mesh->facetexcoord && !copyFaces(b, mesh, &mesh->facetexcoord)) return false;
    const bool last = sn_means(b->spec->physics, SN_RULE_MESH_POLYGONS); // and of hulls alone
    if (!last && !makePolygons(b, mesh)) return false;
    applyReference(b, mesh);
    at = sn_monotonicTime();
    if (!sn_meshMass(b, mesh)) return false;
    sn_timeStage(b, SN_CTIMER_MESH_INERTIA, at);
    applyFrame(mesh);
    if (last && mesh->graph && !makePolygons(b, mesh)) return false;
    return sn_meshCells(b, mesh) && sn_meshField(b, mesh);
}

bool sn_loadMesh(snBuild* b, const snSpecMesh* spec, snMeshNeeds needs, snMesh* mesh)
{
    *mesh = (snMesh){.spec = spec, .inertia = (snMeshInertia)spec->inertia};
    if (spec->builtin == SN_MESHSHAPE_PLATE) mesh->inertia = SN_MESH_SHELL;
    if (mesh->inertia == SN_MESH_LEGACY &&
        sn_isOpenShape((int)spec->builtin, spec->params.values, spec->params.count))
        mesh->inertia = SN_MESH_SHELL;
    mesh->needs_field = needs.field;
    mesh->needs_hull = needs.hull || mesh->inertia == SN_MESH_CONVEX;
    const double start = sn_monotonicTime();
    const bool good = sn_meshSource(b, mesh);
    sn_timeStage(b, SN_CTIMER_MESH_LOAD, start);
    return good;
}
