// Points of a flexcomp out of a mesh: of a file, or of the assets. A surface stays one, or with dim 3 its
// triangles become tetrahedra with the origin; a file of Gmsh is of the dim of its elements.
#include "base/memory.h"
#include "base/search.h"
#include "format/mesh/beside.h"
#include "format/mesh/gmsh.h"
#include "format/mjcf/tree/flexcomp_mesh.h"
#include <string.h>

// A triangle whose tetrahedron with the origin has no more than a sixth of this is left out, as in the peer.
#define NO_VOLUME SN_MINVAL

bool sn_openFlexFile(snFlexcomp* f, const snElement* who, const char* file, snSpecFile* bytes)
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

bool sn_takeFlexMesh(snFlexcomp* f, const snMeshFile* mesh)
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
    return n >= 4 && sn_isSameWord(name + n - 4, ".msh");
}

bool sn_readFlexSurface(snFlexcomp* f, const snSpecFile* bytes, const char* content_type, bool merge,
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
    if (!sn_openFlexFile(f, f->node, f->set.file, &bytes)) return false;
    const bool done = sn_isGmsh(bytes.data, bytes.size)
                          ? readGmsh(f, &bytes)
                          : sn_readFlexSurface(f, &bytes, NULL, true, &mesh) && sn_takeFlexMesh(f, &mesh);
    sn_closeSpecFile(&bytes);
    sn_freeMeshFile(&mesh);
    return done;
}

bool sn_flexFile(snFlexcomp* f)
{
    if (f->set.file && f->set.mesh)
        return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "'file' and 'mesh' exclude each other");
    if (f->set.mesh) return sn_flexAsset(f);
    if (f->set.file) return readFile(f);
    return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL,
                       "type=\"%s\" needs 'file', or 'mesh', one of the assets",
                       sn_attributeText(f->node, "type"));
}
