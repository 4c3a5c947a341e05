// Meshes of shapes: which file, at which scale, and the colours that the file has.
#include "format/mesh/mesh_file.h"
#include "base/file.h"
#include "base/memory.h"
#include "format/mesh/beside.h"
#include "format/urdf/import.h"
#include "model/spec/allowed.h"
#include "model/spec/spec_file.h"
#include <stdio.h>
#include <string.h>

// The scale of a mesh; false: it is not three numbers.
static bool readScale(const snUrdf* u, const snElement* node, double scale[3])
{
    for (int k = 0; k < 3; k++) scale[k] = 1;
    return sn_urdfNumbers(u, node, "scale", scale, 3);
}

static const snElement* findMesh(const snUrdf* u, const char* name)
{
    const snElement* e = u->asset->first;
    while (e && strcmp(sn_attributeText(e, "name"), name)) e = e->next;
    return e;
}

// A mesh of its own for a file and a scale, or for a part of the file, which its content_type says. One whose
// name is taken, by another scale or a file of another folder, gets a number behind it, as the peer counts.
static const char* addMesh(const snUrdf* u, const snElement* node, const char* file, const char* type)
{
    const char* base = sn_baseName(file);
    const char* dot = strrchr(base, '.');
    const int n = (int)(dot ? (size_t)(dot - base) : strlen(base));
    char name[300];
    snprintf(name, sizeof name, "%.*s", n < 250 ? n : 250, base);
    for (int k = 1; findMesh(u, name); k++) snprintf(name, sizeof name, "%.*s%d", n < 250 ? n : 250, base, k);
    snElement* mesh = sn_urdfAdd(u, u->asset, "mesh", node);
    if (!mesh || !sn_urdfPut(u, mesh, "name", name) || !sn_urdfPut(u, mesh, "file", file) ||
        !sn_urdfPut(u, mesh, "scale", sn_attributeText(node, "scale")) ||
        !sn_urdfPut(u, mesh, "content_type", type))
        return NULL;
    return sn_attributeText(mesh, "name");
}

static bool sameText(const char* a, const char* b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

// How a part of a file is called; NULL: all of it.
static const char* partType(const char* file, int part, char text[100])
{
    const char* type = part < 0 ? NULL : sn_meshContentType(file);
    if (!type) return NULL;
    snprintf(text, 100, "%.60s; color=%d", type, part);
    return text;
}

const char* sn_urdfMesh(const snUrdf* u, const snElement* node, int part)
{
    const char* uri = sn_attributeText(node, "filename");
    double scale[3], other[3];
    char text[100];
    if (!uri || !*uri) {
        sn_urdfFail(u, node, SN_STATUS_MODEL, "attribute 'filename' is missing");
        return NULL;
    }
    const char* file = readScale(u, node, scale) ? sn_urdfFind(u, node, uri) : NULL;
    if (!file) return NULL;
    const char* type = partType(file, part, text);
    for (const snElement* e = u->asset->first; e; e = e->next) {
        if (strcmp(sn_attributeText(e, "file"), file) || !sameText(sn_attributeText(e, "content_type"), type))
            continue;
        if (!readScale(u, e, other)) return NULL;
        if (scale[0] == other[0] && scale[1] == other[1] && scale[2] == other[2])
            return sn_attributeText(e, "name");
    }
    const char* name = addMesh(u, node, file, type);
    if (!name) sn_urdfNoMemory(u);
    return name;
}

bool sn_urdfPutMesh(const snUrdf* u, const snElement* node, int part, snElement* geom)
{
    const char* name = sn_urdfMesh(u, node, part);
    return name && sn_urdfPut(u, geom, "type", "mesh") && sn_urdfPut(u, geom, "mesh", name);
}

// ---- colours of files

// Those of a file; none where it cannot be read: the compiler, which needs its triangles, says why.
static bool readColors(const snUrdf* u, const char* file, snUrdfColors* colors)
{
    const snAsset* asset = sn_specAsset(u->spec, file);
    char* bytes = NULL;
    size_t size = 0;
    snMeshFile mesh;
    if (!asset && !sn_allowFile(u->spec, u->spec->folder, file, NULL)) return true;
    snStatus status = asset ? SN_STATUS_OK : sn_readFile(file, &bytes, &size, NULL);
    const snSpecFile found = {.name = file, .owned = bytes};
    if (!status)
        status = sn_readMeshFile(file, NULL, asset ? asset->data : bytes, asset ? asset->size : size,
                                 sn_besideMesh(u->spec, &found), &mesh, NULL);
    sn_free(bytes);
    if (status) return status != SN_STATUS_NO_MEMORY || sn_urdfNoMemory(u);
    colors->n = mesh.ncolor;
    colors->rgba = sn_poolAlloc(&u->spec->tree, ((size_t)mesh.ncolor * 4 + 1) * sizeof(float));
    if (colors->rgba && mesh.ncolor)
        memcpy(colors->rgba, mesh.color, (size_t)mesh.ncolor * 4 * sizeof(float));
    sn_freeMeshFile(&mesh);
    return colors->rgba || sn_urdfNoMemory(u);
}

bool sn_urdfMeshColors(const snUrdf* u, const snElement* node, const snUrdfColors** colors)
{
    const char* uri = sn_attributeText(node, "filename");
    const char* file = uri && *uri ? sn_urdfFind(u, node, uri) : NULL;
    *colors = NULL;
    if (!file) return uri && *uri ? false : true; // the mesh itself says what is missing
    snUrdfColors* known = *u->colors;
    while (known && strcmp(known->file, file)) known = known->next;
    if (!known) {
        known = sn_poolAlloc(&u->spec->tree, sizeof *known);
        if (!known) return sn_urdfNoMemory(u);
        *known = (snUrdfColors){.next = *u->colors, .file = file};
        *u->colors = known;
        if (!readColors(u, file, known)) return false;
    }
    *colors = known->n ? known : NULL;
    return true;
}
