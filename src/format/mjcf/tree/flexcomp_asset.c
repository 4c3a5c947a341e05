// Points of a flexcomp out of a mesh of the assets, in the frame in which geoms show it.
#include "base/file.h"
#include "base/memory.h"
#include "format/mesh/built_in.h"
#include "format/mjcf/tree/flexcomp_mesh.h"
#include "format/mjcf/tree/inherit.h"
#include "model/rules.h"
#include "shape/hull_graph.h"
#include <math.h>
#include <string.h>

// Whether a mesh without a name has that of its file.
static bool isCalled(const snElement* mesh, const char* name)
{
    const char *own = sn_attributeText(mesh, "name"), *file = sn_attributeText(mesh, "file");
    if (own && *own) return !strcmp(own, name);
    if (!file) return false;
    const char *base = sn_baseName(file), *dot = strrchr(base, '.');
    const size_t n = dot ? (size_t)(dot - base) : strlen(base);
    return strlen(name) == n && !strncmp(base, name, n);
}

static const snElement* findMesh(const snFlexcomp* f)
{
    for (const snElement* section = f->r->spec->root->first; section; section = section->next)
        for (const snElement* e = strcmp(section->tag, "asset") ? NULL : section->first; e; e = e->next)
            if (!strcmp(e->tag, "mesh") && isCalled(e, f->set.mesh)) return e;
    sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "mesh=\"%s\": there is no such mesh among the assets",
                sn_short(f->set.mesh).text);
    return NULL;
}

// What the element and its default classes say. Mistakes in it are told with the flexcomp's.
static bool readAsset(snFlexcomp* f, const snElement* node, snSpecMesh* mesh)
{
    snError why = {.status = SN_STATUS_OK};
    snReader quiet = *f->r;
    quiet.mistakes = NULL;
    quiet.error = &why;
    const snMjcfElement* type = sn_mjcfElement(SN_MJCF_MESH);
    const snClasses classes = sn_classesOf(quiet.spec, node);
    bool good = true;
    for (int i = classes.count - 1; i >= 0; i--)
        for (const snElement* e = classes.list[i]->first; e && good; e = e->next)
            if (!strcmp(e->tag, "mesh")) good = sn_readAttributes(&quiet, e, type, SN_IN_DEFAULT, mesh);
    good = good && sn_readAttributes(&quiet, node, type, SN_IN_ELEMENT, mesh);
    return good || sn_mjcfFailInside(f->r, f->node, &why);
}

// The mesh that an asset's text gives; the arrays are copies.
static bool readText(snFlexcomp* f, const snSpecMesh* asset, snMeshFile* mesh)
{
    const struct {
        const void* from;
        void** to;
        int count, each, *n;
    } lists[] = {
        {asset->vertex.values, (void**)&mesh->vert, asset->vertex.count, 3, &mesh->nvert},
        {asset->face.values, (void**)&mesh->face, asset->face.count, 3, &mesh->nface},
        {asset->texcoord.values, (void**)&mesh->texcoord, asset->texcoord.count, 2, &mesh->ntexcoord}};
    for (int i = 0; i < 3; i++) {
        *lists[i].n = lists[i].count / lists[i].each;
        *lists[i].to = sn_malloc((size_t)lists[i].count * 4 + 1);
        if (!*lists[i].to) return sn_mjcfNoMemory(f->r);
        if (lists[i].count) memcpy(*lists[i].to, lists[i].from, (size_t)lists[i].count * 4);
    }
    for (int i = 0; i < 3 * mesh->nface; i++)
        if (mesh->face[i] < 0 || mesh->face[i] >= mesh->nvert)
            return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL,
                               "face of mesh \"%s\" has vertex %d, there are %d", sn_short(f->set.mesh).text,
                               mesh->face[i], mesh->nvert);
    return mesh->ntexcoord == 0 || mesh->ntexcoord == mesh->nvert ||
           sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL,
                       "mesh \"%s\" has %d texture coordinates for %d vertices", sn_short(f->set.mesh).text,
                       mesh->ntexcoord, mesh->nvert);
}

// A point as a geom of the mesh shows it: less refpos, turned back by refquat, scaled.
static snVec3 placed(const snSpecMesh* asset, snVec3 p)
{
    const snQuat turn = sn_quatConj(sn_quatNormalize(sn_quatLoad(asset->refquat)));
    p = sn_quatRotate(turn, sn_v3Sub(p, sn_v3Load(asset->refpos)));
    return sn_v3(asset->scale[0] * p.x, asset->scale[1] * p.y, asset->scale[2] * p.z);
}

static void placeAsset(const snSpecMesh* asset, snMeshFile* mesh)
{
    const double* s = asset->scale;
    for (int i = 0; i < mesh->nvert; i++) {
        float* v = mesh->vert + 3 * (size_t)i;
        const snVec3 p = placed(asset, sn_v3((double)v[0], (double)v[1], (double)v[2]));
        v[0] = (float)p.x;
        v[1] = (float)p.y;
        v[2] = (float)p.z;
    }
    if (s[0] * s[1] * s[2] > 0) return;
    for (int i = 0; i < mesh->nface; i++) { // turned inside out
        int *face = mesh->face + 3 * (size_t)i, second = face[1];
        face[1] = face[2];
        face[2] = second;
        int* corner = mesh->facetexcoord ? mesh->facetexcoord + 3 * (size_t)i : NULL;
        if (!corner) continue;
        second = corner[1];
        corner[1] = corner[2];
        corner[2] = second;
    }
}

static bool isStl(const snSpecFile* bytes, const char* content_type)
{
    const char* type = content_type ? content_type : sn_meshContentType(bytes->name);
    return type && strstr(type, "stl") != NULL;
}

static bool readAssetFile(snFlexcomp* f, const snElement* node, const snSpecMesh* asset, snMeshFile* mesh)
{
    snSpecFile bytes;
    if (!sn_openFlexFile(f, node, asset->file, &bytes)) return false;
    const bool merge = isStl(&bytes, asset->content_type); // as the mesh itself is read
    const bool done = sn_readFlexSurface(f, &bytes, asset->content_type, merge, mesh);
    sn_closeSpecFile(&bytes);
    return done;
}

// ---- built-in shapes, of which those on lattices are those of flexcomps

_Static_assert(SN_MESHSHAPE_DISC - SN_MESHSHAPE_GRID == SN_FLEXCOMP_DISC - SN_FLEXCOMP_GRID, "in one order");

// Its parameters are three counts, three spacings and, 3 where it is not there, the dim.
static bool readLattice(snFlexcomp* f, const snSpecMesh* asset)
{
    const double* x = asset->params.values;
    const int n = asset->params.count, type = asset->builtin - SN_MESHSHAPE_GRID + SN_FLEXCOMP_GRID;
    for (int k = 0; k < n; k++)
        if (n < 6 || n > 7 || !(fabs(x[k]) < SN_FLEXCOMP_POINTS))
            return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL,
                               "mesh=\"%s\": its params are three counts and three spacings",
                               sn_short(f->set.mesh).text);
    const bool flat = type == SN_FLEXCOMP_SQUARE || type == SN_FLEXCOMP_DISC;
    f->set.type = type;
    f->set.dim = flat ? 2 : n == 7 ? (int)x[6] : 3;
    for (int k = 0; k < 3; k++) {
        f->set.count[k] = (int)x[k];
        f->set.spacing[k] = x[k + 3];
    }
    return true;
}

// Triangles of a lattice as those of a mesh, which have single precision.
static bool takeLattice(const snFlexcomp* lattice, snMeshFile* mesh)
{
    const size_t nvert = 3 * (size_t)lattice->npoint, nface = 3 * (size_t)lattice->nelement;
    mesh->nvert = lattice->npoint;
    mesh->nface = lattice->nelement;
    mesh->vert = sn_malloc(nvert * sizeof *mesh->vert + 1);
    mesh->face = sn_malloc(nface * sizeof *mesh->face + 1);
    if (!mesh->vert || !mesh->face) return sn_mjcfNoMemory(lattice->r);
    for (size_t i = 0; i < nvert; i++) mesh->vert[i] = (float)lattice->point[i];
    memcpy(mesh->face, lattice->element, nface * sizeof *mesh->face);
    return true;
}

// Tetrahedra of a lattice, which are in no mesh but in its flexes.
static bool takeSolid(snFlexcomp* f, const snSpecMesh* asset, const snFlexcomp* lattice)
{
    if (sn_attributeText(f->node, "dim") && f->set.dim != 3)
        return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "dim is %d, but mesh=\"%s\" is of dim 3",
                           f->set.dim, sn_short(f->set.mesh).text);
    f->set.dim = 3;
    if (!sn_makeFlexPoints(f, lattice->npoint, lattice->nelement)) return false;
    for (int i = 0; i < lattice->npoint; i++)
        sn_addFlexPoint(f, placed(asset, sn_v3Load(lattice->point + 3 * (size_t)i)));
    for (int i = 0; i < lattice->nelement; i++) sn_addFlexElement(f, lattice->element + 4 * (size_t)i);
    return true;
}

static bool makeLattice(snFlexcomp* f, const snSpecMesh* asset, snMeshFile* mesh)
{
    snFlexcomp lattice = {.r = f->r, .node = f->node, .set = f->set};
    bool done = readLattice(&lattice, asset) && sn_flexShape(&lattice);
    if (done) f->r->spec->nflexpoint -= lattice.npoint; // they count once
    if (done && lattice.set.dim == 2) done = takeLattice(&lattice, mesh);
    if (done && lattice.set.dim == 3) done = takeSolid(f, asset, &lattice);
    sn_freeFlexPoints(&lattice);
    return done;
}

// What is wrong with the mesh.
static bool failAsset(const snFlexcomp* f, const snError* why, const char* mend)
{
    return sn_mjcfFail(f->r, f->node, why->status, "mesh=\"%s\": %.400s%s", sn_short(f->set.mesh).text,
                       why->message, mend);
}

static bool makeShape(snFlexcomp* f, const snSpecMesh* asset, snMeshFile* mesh)
{
    if (asset->builtin >= SN_MESHSHAPE_GRID) return makeLattice(f, asset, mesh);
    snError why = {.status = SN_STATUS_OK};
    return !sn_makeMeshShape((int)asset->builtin, asset->params.values, asset->params.count, mesh, &why) ||
           failAsset(f, &why, "");
}

static bool areFinite(const snMeshFile* mesh)
{
    for (int i = 0; i < 3 * mesh->nvert; i++)
        if (!isfinite(mesh->vert[i])) return false;
    return true;
}

// Triangles of the hull, where a mesh has none.
static bool addHull(snFlexcomp* f, const snSpecMesh* asset, snMeshFile* mesh)
{
    if (!areFinite(mesh))
        return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "mesh=\"%s\" has a vertex that is not finite",
                           sn_short(f->set.mesh).text);
    double* point = sn_malloc(3 * (size_t)mesh->nvert * sizeof *point);
    if (!point) return sn_mjcfNoMemory(f->r);
    for (int i = 0; i < 3 * mesh->nvert; i++) point[i] = (double)mesh->vert[i];
    snError why = {.status = SN_STATUS_OK};
    const snHullWish wish = {.point = point,
                             .count = mesh->nvert,
                             .most = asset->maxhullvert,
                             .farthest_first = sn_means(f->r->spec->physics, SN_RULE_HULL_VERTICES)};
    int size, *graph = sn_makeHullGraph(&wish, &size, &why);
    sn_free(point);
    if (!graph) return failAsset(f, &why, "; give it faces");
    const int* face = sn_hullGraphFaces(graph, &mesh->nface);
    const size_t bytes = 3 * (size_t)mesh->nface * sizeof *face;
    sn_free(mesh->face); // of no triangles
    if ((mesh->face = sn_malloc(bytes))) memcpy(mesh->face, face, bytes);
    sn_free(graph);
    return mesh->face || sn_mjcfNoMemory(f->r);
}

bool sn_flexAsset(snFlexcomp* f)
{
    snSpecMesh asset = {.scale = {1, 1, 1}, .refquat = {1, 0, 0, 0}};
    snMeshFile mesh = {.nvert = 0};
    const snElement* node = findMesh(f);
    if (!node || !readAsset(f, node, &asset)) return false;
    bool done = asset.builtin != SN_MESHSHAPE_NONE ? makeShape(f, &asset, &mesh)
                : asset.file                       ? readAssetFile(f, node, &asset, &mesh)
                                                   : readText(f, &asset, &mesh);
    if (done && !f->nelement && !mesh.nface && mesh.nvert >= 4 && f->set.dim != 1)
        done = addHull(f, &asset, &mesh);
    if (done && !f->nelement) {
        placeAsset(&asset, &mesh);
        done = sn_takeFlexMesh(f, &mesh);
    }
    sn_freeMeshFile(&mesh);
    return done;
}
