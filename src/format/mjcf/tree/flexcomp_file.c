// Points of a flexcomp out of a mesh: of a file, or of the assets. A surface stays one, or with dim 3 its
// triangles become tetrahedra with the origin; a file of Gmsh is of the dim of its elements.
#include "base/file.h"
#include "base/memory.h"
#include "format/mesh/beside.h"
#include "format/mesh/gmsh.h"
#include "format/mjcf/tree/flexcomp_points.h"
#include "format/mjcf/tree/inherit.h"
#include <string.h>
#include <strings.h>

// A triangle whose tetrahedron with the origin has no more than a sixth of this is left out, as in the peer.
#define NO_VOLUME SN_MINVAL

static bool openFile(snFlexcomp* f, const snElement* who, const char* file, snSpecFile* bytes)
{
    snSpec* spec = f->r->spec;
    const char* name = sn_attributeText(who, "name");
    const snSpecHead head = {.tag = who->tag, .name = name, .place = who->place};
    const snSpecCompiler* c = sn_specCompiler(spec, &head);
    snError why;
    return sn_openSpecFile(spec, &head, c->meshdir ? c->meshdir : c->assetdir, file, bytes, &why) ||
           sn_mjcfMistake(f->r, f->node, &why);
}

// ---- Gmsh

// The dim whose elements are taken: as asked for, else the largest that there is.
static bool chooseDim(snFlexcomp* f, const snGmsh* gmsh, const char* name)
{
    int largest = 3;
    while (largest > 0 && !gmsh->nelem[largest]) largest--;
    if (!sn_attributeText(f->node, "dim")) f->set.dim = largest ? largest : 2;
    if (gmsh->nelem[f->set.dim]) return true;
    if (!largest) return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "%s has no elements", name);
    return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "dim is %d, but %s is of dim %d", f->set.dim, name,
                       largest);
}

static bool takeGmsh(snFlexcomp* f, const char* name, snGmsh* gmsh)
{
    if (!chooseDim(f, gmsh, name)) return false;
    const int n = f->set.dim + 1;
    if (!sn_makeFlexPoints(f, gmsh->nnode, gmsh->nelem[f->set.dim])) return false;
    for (int i = 0; i < gmsh->nnode; i++) {
        const double* x = gmsh->node + 3 * (size_t)i;
        const bool surface = f->set.dim == 2; // of single precision, as other surfaces are
        sn_addFlexPoint(f, surface ? sn_v3((double)(float)x[0], (double)(float)x[1], (double)(float)x[2])
                                   : sn_v3Load(x));
    }
    for (int i = 0; i < gmsh->nelem[f->set.dim]; i++)
        sn_addFlexElement(f, gmsh->elem[f->set.dim] + (size_t)n * (size_t)i);
    return true;
}

static bool readGmsh(snFlexcomp* f, const snSpecFile* bytes)
{
    snGmsh gmsh;
    snError why;
    const snStatus status = sn_readGmsh(bytes->name, bytes->data, bytes->size, &gmsh, &why);
    if (status) return sn_mjcfFail(f->r, f->node, status, "%.400s", why.message);
    const bool done = takeGmsh(f, bytes->name, &gmsh);
    sn_freeGmsh(&gmsh);
    return done;
}

// ---- surfaces

// Whether the tetrahedron of a triangle with the origin is the right way round and has a volume.
static bool hasVolume(const snFlexcomp* f, const int* face, const float* vert)
{
    const snVec3 origin = sn_v3Load(f->set.origin);
    snVec3 side[3];
    for (int k = 0; k < 3; k++) {
        const float* v = vert + 3 * (size_t)face[k];
        side[k] = sn_v3Sub(sn_v3((double)v[0], (double)v[1], (double)v[2]), origin);
    }
    return sn_v3Dot(sn_v3Cross(side[0], side[1]), side[2]) >= NO_VOLUME;
}

static bool hasAllCorners(const snMeshFile* mesh)
{
    for (size_t i = 0; i < 3 * (size_t)mesh->nface; i++)
        if (mesh->facetexcoord && mesh->facetexcoord[i] < 0) return false;
    return true;
}

// Texture coordinates of the mesh; the origin of tetrahedra has one, too, the first.
static bool takeTexcoord(snFlexcomp* f, const snMeshFile* mesh)
{
    const int more = f->set.dim == 3;
    if (!mesh->ntexcoord) return true;
    if (!hasAllCorners(mesh))
        return sn_mjcfWarn(f->r, f->node,
                           "some corners of the mesh have no texture coordinates: those of the others are "
                           "passed over");
    if (f->set.texcoord.count &&
        !sn_mjcfWarn(f->r, f->node, "the mesh has texture coordinates: texcoord is passed over"))
        return false;
    const size_t size = 2 * (size_t)mesh->ntexcoord * sizeof *f->texcoord;
    f->texcoord = sn_calloc(size + 2 * sizeof *f->texcoord);
    f->elemtexcoord = sn_calloc(4 * ((size_t)mesh->nface + 1) * sizeof *f->elemtexcoord);
    if (!f->texcoord || !f->elemtexcoord) return sn_mjcfNoMemory(f->r);
    f->ntexcoord = mesh->ntexcoord + more;
    memcpy(f->texcoord + 2 * (size_t)more, mesh->texcoord, size);
    return true;
}

static void addTriangle(snFlexcomp* f, const snMeshFile* mesh, int i)
{
    const int *face = mesh->face + 3 * (size_t)i, solid = f->set.dim == 3;
    const int* corner = mesh->facetexcoord ? mesh->facetexcoord + 3 * (size_t)i : face;
    if (f->elemtexcoord) {
        int* to = f->elemtexcoord + (size_t)(f->set.dim + 1) * (size_t)f->nelement;
        for (int k = 0; k < 3; k++) to[k + solid] = corner[k] + solid;
    }
    if (solid)
        sn_addFlexElement(f, (const int[]){0, face[0] + 1, face[1] + 1, face[2] + 1});
    else
        sn_addFlexElement(f, face);
}

static void addVertices(snFlexcomp* f, const snMeshFile* mesh)
{
    for (int i = 0; i < mesh->nvert; i++) {
        const float* v = mesh->vert + 3 * (size_t)i;
        sn_addFlexPoint(f, sn_v3((double)v[0], (double)v[1], (double)v[2]));
    }
}

static bool takeLines(snFlexcomp* f, const snMeshFile* mesh)
{
    if (!mesh->nline)
        return sn_mjcfFail(
            f->r, f->node, SN_STATUS_MODEL,
            "dim is 1, and the mesh has no lines, as an OBJ may have: it is of dim 2, or with 'origin' "
            "of dim 3");
    if (!sn_makeFlexPoints(f, mesh->nvert, mesh->nline)) return false;
    addVertices(f, mesh);
    for (int i = 0; i < mesh->nline; i++) sn_addFlexElement(f, mesh->line + 2 * (size_t)i);
    return true;
}

static bool takeMesh(snFlexcomp* f, const snMeshFile* mesh)
{
    const int solid = f->set.dim == 3;
    if (f->set.dim == 1) return takeLines(f, mesh);
    if (!mesh->nface)
        return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "the mesh has no triangles, give it faces");
    if (solid && !sn_attributeText(f->node, "origin"))
        return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL,
                           "a surface of dim 3 needs 'origin', a point that its triangles are joined to");
    if (!sn_makeFlexPoints(f, (double)mesh->nvert + solid, mesh->nface) || !takeTexcoord(f, mesh))
        return false;
    if (solid) sn_addFlexPoint(f, sn_v3Load(f->set.origin));
    addVertices(f, mesh);
    for (int i = 0; i < mesh->nface; i++)
        if (!solid || hasVolume(f, mesh->face + 3 * (size_t)i, mesh->vert)) addTriangle(f, mesh, i);
    if (f->nelement) return true;
    return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL,
                       "no triangle looks away from the origin: move it inside of the surface");
}

static bool isMsh(const char* name, const char* content_type)
{
    if (content_type) return strstr(content_type, "msh") != NULL;
    const size_t n = strlen(name);
    return n >= 4 && !strcasecmp(name + n - 4, ".msh");
}

// Reads the bytes of a surface; merges vertices at one place if told to.
static bool readSurface(snFlexcomp* f, const snSpecFile* bytes, const char* content_type, bool merge,
                        snMeshFile* mesh)
{
    snError why;
    if (isMsh(bytes->name, content_type))
        return sn_mjcfFail(
            f->r, f->node, SN_STATUS_UNSUPPORTED,
            "%s is an MSH file of MuJoCo's, which flexcomp does not read: save it as OBJ or STL",
            bytes->name);
    const snStatus status = sn_readMeshForFlex(bytes->name, content_type, bytes->data, bytes->size,
                                               sn_besideMesh(f->r->spec, bytes), mesh, &why);
    if (status) return sn_mjcfFail(f->r, f->node, status, "%.400s", why.message);
    if (mesh->warning.status && !sn_mjcfWarn(f->r, f->node, "%.400s", mesh->warning.message)) return false;
    return !merge || sn_mergeMeshVertices(mesh) || sn_mjcfNoMemory(f->r);
}

static bool readFile(snFlexcomp* f)
{
    snSpecFile bytes;
    snMeshFile mesh = {.nvert = 0};
    if (!openFile(f, f->node, f->set.file, &bytes)) return false;
    const bool done = sn_isGmsh(bytes.data, bytes.size)
                          ? readGmsh(f, &bytes)
                          : readSurface(f, &bytes, NULL, true, &mesh) && takeMesh(f, &mesh);
    sn_closeSpecFile(&bytes);
    sn_freeMeshFile(&mesh);
    return done;
}

// ---- meshes of the assets

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

// Vertices as a geom of the mesh shows them: less refpos, turned back by refquat, scaled.
static void placeAsset(const snSpecMesh* asset, snMeshFile* mesh)
{
    const snQuat turn = sn_quatConj(sn_quatNormalize(sn_quatLoad(asset->refquat)));
    const double* s = asset->scale;
    for (int i = 0; i < mesh->nvert; i++) {
        float* v = mesh->vert + 3 * (size_t)i;
        const snVec3 from = sn_v3((double)v[0], (double)v[1], (double)v[2]);
        const snVec3 p = sn_quatRotate(turn, sn_v3Sub(from, sn_v3Load(asset->refpos)));
        v[0] = (float)(s[0] * p.x);
        v[1] = (float)(s[1] * p.y);
        v[2] = (float)(s[2] * p.z);
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
    if (!openFile(f, node, asset->file, &bytes)) return false;
    const bool merge = isStl(&bytes, asset->content_type); // as the mesh itself is read
    const bool done = readSurface(f, &bytes, asset->content_type, merge, mesh);
    sn_closeSpecFile(&bytes);
    return done;
}

static bool readMeshAsset(snFlexcomp* f)
{
    snSpecMesh asset = {.scale = {1, 1, 1}, .refquat = {1, 0, 0, 0}};
    snMeshFile mesh = {.nvert = 0};
    const snElement* node = findMesh(f);
    if (!node || !readAsset(f, node, &asset)) return false;
    if (asset.builtin != SN_MESHSHAPE_NONE)
        return sn_mjcfFail(f->r, f->node, SN_STATUS_UNSUPPORTED,
                           "mesh=\"%s\" is a built-in shape, which is not supported yet: give a mesh with "
                           "vertices and faces",
                           sn_short(f->set.mesh).text);
    bool done = asset.file ? readAssetFile(f, node, &asset, &mesh) : readText(f, &asset, &mesh);
    if (done) placeAsset(&asset, &mesh);
    done = done && takeMesh(f, &mesh);
    sn_freeMeshFile(&mesh);
    return done;
}

bool sn_flexFile(snFlexcomp* f)
{
    if (f->set.file && f->set.mesh)
        return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "'file' and 'mesh' exclude each other");
    if (f->set.mesh) return readMeshAsset(f);
    if (f->set.file) return readFile(f);
    return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL,
                       "type=\"%s\" needs 'file', or 'mesh', one of the assets",
                       sn_attributeText(f->node, "type"));
}
