// Meshes of a model: which need a hull, their sizes, their arrays.
#include "base/memory.h"
#include "compile/build/field.h"
#include "compile/mesh/mesh.h"
#include <limits.h>
#include <stddef.h>
#include "shape/facts.h"
#include "sdf/field/sheet.h"
#include "shape/hull.h"

#define SIZE(name) sizes[offsetof(snModel, name) / sizeof(int)]

// ---- making

// The mesh that a geom names, or NULL.
static snSpecHead* meshOf(const snBuild* b, const snSpecGeom* geom)
{
    return geom->mesh ? sn_findSpec(b->spec, SN_OBJ_MESH, geom->mesh) : NULL;
}

// That of a site, which is a volume, so that its hull is needed.
static snSpecHead* meshOfSite(const snBuild* b, const snSpecSite* site)
{
    return site->mesh && sn_isMeshAsset(site->type) ? sn_findSpec(b->spec, SN_OBJ_MESH, site->mesh) : NULL;
}

// With discardvisual, meshes that no geom, site or sensor of the model uses leave the list, and their ids
// come behind those of the others; they are made all the same, because geoms that are left out give their
// mass.
static void discardMeshes(snBuild* b)
{
    snSpec* spec = b->spec;
    if (!spec->compiler.discardvisual) return;
    for (snSpecMesh* mesh = spec->meshes.first; mesh; mesh = mesh->next) mesh->head.id = -1;
    for (const snSpecBody* body = spec->world; body; body = sn_specNextBody(body))
        SN_EACH (snSpecGeom, geom, body->geoms) {
            snSpecHead* mesh = geom->shows ? NULL : meshOf(b, geom);
            if (mesh) mesh->id = 0;
        }
    for (const snSpecBody* body = spec->world; body; body = sn_specNextBody(body))
        SN_EACH (snSpecSite, site, body->sites) {
            snSpecHead* mesh = meshOfSite(b, site);
            if (mesh) mesh->id = 0;
        }
    SN_EACH (snSpecSensor, sensor, spec->sensors) {
        const bool named = sensor->objtype == SN_OBJ_MESH && sensor->objname;
        snSpecHead* mesh = named ? sn_findSpec(spec, SN_OBJ_MESH, sensor->objname) : NULL;
        if (mesh) mesh->id = 0;
    }
    int kept = 0, left_out = spec->meshes.count;
    snSpecMesh* mesh = spec->meshes.first;
    memset(&spec->meshes, 0, sizeof spec->meshes);
    for (snSpecMesh* next; mesh; mesh = next) {
        next = mesh->next;
        mesh->next = NULL;
        if (mesh->head.id < 0) {
            mesh->head.id = --left_out;
            continue;
        }
        mesh->head.id = kept++;
        SN_SPEC_APPEND(&spec->meshes, mesh);
    }
}

// Marks the mesh of a mesh geom.
static void markHull(const snBuild* b, const snSpecGeom* geom, snMeshNeeds* needs)
{
    const bool hulled = sn_isHulled(geom->type) || sn_hasDistances(geom->type); // planes touch hulls
    const snSpecHead* mesh = hulled ? meshOf(b, geom) : NULL;
    if (mesh) needs[mesh->id].hull = true;
}

// Those for which a text field asks; true, false: the field says so.
static bool markAsked(snBuild* b, snMeshNeeds* needs)
{
    SN_EACH (snSpecText, text, b->spec->texts) {
        const char *name, *data = sn_fieldData(text);
        if (!sn_buildSubject(b, text->head.name, SN_NEEDSDF_PREFIX, &name)) return false;
        if (!name) continue;
        const snSpecHead* mesh = sn_buildFind(b, &text->head, "MESH", SN_OBJ_MESH, name);
        if (!mesh) return false;
        if (strcmp(data, "true") != 0 && strcmp(data, "false") != 0)
            return sn_buildFail(b, &text->head, SN_STATUS_MODEL, "data is \"%.80s\", must be true or false",
                                data);
        needs[mesh->id].field |= !strcmp(data, "true");
    }
    return true;
}

// Fields are for geoms that are given by distances, and for meshes that are to have one.
static bool markFields(snBuild* b, snMeshNeeds* needs)
{
    for (const snSpecBody* body = b->spec->world; body; body = sn_specNextBody(body))
        SN_EACH (snSpecGeom, geom, body->geoms) {
            const bool sampled = sn_hasDistances(geom->type) && !geom->plug;
            const snSpecHead* mesh = sampled ? meshOf(b, geom) : NULL;
            if (mesh) needs[mesh->id].field = true;
        }
    return markAsked(b, needs);
}

// Hulls are for sites, and for contacts: of mesh geoms that may collide, and of those in predefined pairs.
static void markHulls(const snBuild* b, snMeshNeeds* needs)
{
    for (const snSpecBody* body = b->spec->world; body; body = sn_specNextBody(body))
        SN_EACH (snSpecGeom, geom, body->geoms)
            if (geom->contype || geom->conaffinity) markHull(b, geom, needs);
    for (const snSpecBody* body = b->spec->world; body; body = sn_specNextBody(body))
        SN_EACH (snSpecSite, site, body->sites) {
            const snSpecHead* mesh = meshOfSite(b, site);
            if (mesh) needs[mesh->id].hull = true;
        }
    SN_EACH (snSpecPair, pair, b->spec->pairs) {
        const char* const names[2] = {pair->geom1, pair->geom2};
        for (int k = 0; k < 2; k++) {
            const snSpecHead* geom = names[k] ? sn_findSpec(b->spec, SN_OBJ_GEOM, names[k]) : NULL;
            if (geom) markHull(b, (const snSpecGeom*)geom, needs);
        }
    }
}

void sn_freeMeshes(snBuild* b)
{
    for (int i = 0; i < b->nmesh; i++) sn_freeMesh(&b->mesh[i]);
    sn_free(b->mesh);
    b->mesh = NULL;
    b->nmesh = 0;
}

static bool addSizes(snBuild* b, int sizes[])
{
    int64_t vert = 0, face = 0, normal = 0, texcoord = 0, graph = 0, poly = 0, polyvert = 0, block = 0;
    int64_t node = 0, sheet = 0;
    for (int i = 0; i < b->spec->meshes.count; i++) {
        const snMesh* mesh = &b->mesh[i];
        vert += mesh->nvert;
        face += mesh->nface;
        normal += mesh->nnormal;
        texcoord += mesh->ntexcoord;
        graph += mesh->ngraph;
        poly += mesh->npoly;
        polyvert += mesh->npolyvert;
        block += mesh->nhullblock;
        node += mesh->field.nnode;
        sheet += mesh->field.nsheet;
    }
    const int64_t most = INT_MAX / 4;
    if (vert > most || face > most || normal > most || texcoord > most || graph > most || polyvert > most ||
        block > most / SN_HULLBLOCK || node > most || sheet > most / SN_SHEET)
        return sn_buildFail(b, NULL, SN_STATUS_MODEL, "the meshes are too large in all");
    SIZE(nmesh) = b->spec->meshes.count;
    SIZE(nmeshvert) = (int)vert;
    SIZE(nmeshface) = (int)face;
    SIZE(nmeshnormal) = (int)normal;
    SIZE(nmeshtexcoord) = (int)texcoord;
    SIZE(nmeshgraph) = (int)graph;
    SIZE(nmeshpoly) = (int)poly;
    SIZE(nmeshpolyvert) = SIZE(nmeshpolymap) = (int)polyvert;
    SIZE(nhullblock) = (int)block;
    SIZE(nsdfnode) = (int)node;
    SIZE(nsdfsheet) = (int)sheet;
    return true;
}

// Makes all, by the order of the list, into the places of their ids.
static bool makeAll(snBuild* b, snMeshOrder* orders, snMeshNeeds* needs)
{
    int n = 0;
    SN_EACH (snSpecMesh, spec, b->spec->meshes) orders[n++].spec = spec;
    discardMeshes(b);
    markHulls(b, needs);
    if (!markFields(b, needs)) return false;
    for (int i = 0; i < n; i++) {
        const int id = orders[i].spec->head.id;
        orders[i].mesh = b->mesh + id;
        orders[i].needs = needs[id];
        orders[i].needs.field &= id < b->spec->meshes.count; // what is left out gives its mass alone
    }
    return sn_makeMeshList(b, orders, n);
}

bool sn_makeMeshes(snBuild* b, int sizes[])
{
    const size_t nmesh = (size_t)b->spec->meshes.count;
    if (!nmesh) return true;
    b->mesh = sn_calloc(nmesh * sizeof *b->mesh);
    snMeshOrder* orders = sn_calloc(nmesh * sizeof *orders);
    snMeshNeeds* needs = sn_calloc(nmesh * sizeof *needs);
    bool good = b->mesh && orders && needs;
    if (good) {
        b->nmesh = (int)nmesh;
        good = makeAll(b, orders, needs) && addSizes(b, sizes);
    } else
        sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory");
    sn_free(orders);
    sn_free(needs);
    return good;
}

// ---- filling

// Where the next mesh goes in each array.
typedef struct {
    int vert, face, normal, texcoord, graph, poly, polyvert, block, node, sheet;
} Next;

static void copyVertices(snModel* m, const snMesh* mesh, int id, const Next* next)
{
    m->mesh_vertadr[id] = next->vert;
    m->mesh_vertnum[id] = mesh->nvert;
    float* vert = m->mesh_vert + 3 * (size_t)next->vert;
    for (int i = 0; i < 3 * mesh->nvert; i++) vert[i] = (float)mesh->vert[i];
    m->mesh_normaladr[id] = next->normal;
    m->mesh_normalnum[id] = mesh->nnormal;
    memcpy(m->mesh_normal + 3 * (size_t)next->normal, mesh->normal,
           3 * (size_t)mesh->nnormal * sizeof *mesh->normal);
    m->mesh_texcoordadr[id] = mesh->ntexcoord ? next->texcoord : -1;
    m->mesh_texcoordnum[id] = mesh->ntexcoord;
    if (mesh->ntexcoord)
        memcpy(m->mesh_texcoord + 2 * (size_t)next->texcoord, mesh->texcoord,
               2 * (size_t)mesh->ntexcoord * sizeof *mesh->texcoord);
}

static void copyTriangles(snModel* m, const snMesh* mesh, int id, const Next* next)
{
    const size_t at = 3 * (size_t)next->face, size = 3 * (size_t)mesh->nface * sizeof(int);
    m->mesh_faceadr[id] = next->face;
    m->mesh_facenum[id] = mesh->nface;
    memcpy(m->mesh_face + at, mesh->face, size);
    memcpy(m->mesh_facenormal + at, mesh->facenormal, size);
    if (mesh->facetexcoord) memcpy(m->mesh_facetexcoord + at, mesh->facetexcoord, size);
    m->mesh_graphadr[id] = mesh->graph ? next->graph : -1;
    if (mesh->graph) memcpy(m->mesh_graph + next->graph, mesh->graph, (size_t)mesh->ngraph * sizeof(int));
}

static void copyPolygons(snModel* m, const snMesh* mesh, int id, const Next* next)
{
    m->mesh_polyadr[id] = next->poly;
    m->mesh_polynum[id] = mesh->npoly;
    if (mesh->npolyvert)
        memcpy(m->mesh_polyvert + next->polyvert, mesh->polyvert, (size_t)mesh->npolyvert * sizeof(int));
    const bool whole = sn_means(m->physics, SN_RULE_MESH_POLYGONS);
    int *const adr = m->mesh_polymapadr + next->vert, *const num = m->mesh_polymapnum + next->vert;
    for (int p = 0; p < mesh->npoly; p++) {
        const int i = next->poly + p, begin = mesh->polyadr[p], end = mesh->polyadr[p + 1];
        m->mesh_polyvertadr[i] = next->polyvert + begin;
        m->mesh_polyvertnum[i] = end - begin;
        sn_v3Store(m->mesh_polynormal + 3 * (size_t)i, sn_meshPolygonNormal(mesh, p, whole));
        for (int k = begin; k < end; k++) num[mesh->polyvert[k]]++;
    }
    // the polygons of each vertex, by number: first where each list starts, then its entries one by one
    int at = next->polyvert;
    for (int v = 0; v < mesh->nvert; v++) {
        adr[v] = at;
        at += num[v];
        num[v] = 0;
    }
    for (int p = 0; p < mesh->npoly; p++)
        for (int k = mesh->polyadr[p]; k < mesh->polyadr[p + 1]; k++) {
            const int v = mesh->polyvert[k];
            m->mesh_polymap[adr[v] + num[v]++] = p;
        }
}

static void copyCells(snModel* m, const snMesh* mesh, int id, const Next* next)
{
    if (!mesh->hullcell) return;
    m->mesh_hullinner[id] = mesh->hullinner;
    int* cell = m->mesh_hullcell + 2 * SN_NHULLDIR * (size_t)id;
    for (int i = 0; i < SN_NHULLDIR; i++) {
        cell[2 * i] = next->block + mesh->hullcell[2 * i];
        cell[2 * i + 1] = mesh->hullcell[2 * i + 1];
    }
    memcpy(m->mesh_hullblock + SN_HULLBLOCK * (size_t)next->block, mesh->hullblock,
           SN_HULLBLOCK * (size_t)mesh->nhullblock * sizeof *mesh->hullblock);
}

static void copyField(snModel* m, const snMesh* mesh, int id, const Next* next)
{
    const snDistanceField* field = &mesh->field;
    m->mesh_sdfadr[id] = field->nnode ? next->node : -1;
    m->mesh_sheetadr[id] = field->nnode ? next->sheet : -1;
    m->mesh_sdfnum[id] = field->nnode;
    m->mesh_sheetnum[id] = field->nsheet;
    if (!field->nnode) return;
    memcpy(m->sdf_child + next->node, field->child, (size_t)field->nnode * sizeof *field->child);
    memcpy(m->sdf_sheet + SN_SHEET * (size_t)next->sheet, field->sheet,
           SN_SHEET * (size_t)field->nsheet * sizeof *field->sheet);
    memcpy(m->mesh_sdfbox + 6 * (size_t)id, field->box, sizeof field->box);
    m->mesh_sdferror[id] = field->error;
}

bool sn_buildMeshes(snBuild* b)
{
    snModel* m = b->m;
    Next next = {0};
    for (int id = 0; id < m->nmesh; id++) {
        const snMesh* mesh = &b->mesh[id];
        copyVertices(m, mesh, id, &next);
        copyTriangles(m, mesh, id, &next);
        copyPolygons(m, mesh, id, &next);
        copyCells(m, mesh, id, &next);
        copyField(m, mesh, id, &next);
        memcpy(m->mesh_scale + 3 * (size_t)id, mesh->spec->scale, sizeof mesh->spec->scale);
        sn_v3Store(m->mesh_pos + 3 * (size_t)id, mesh->frame.pos);
        sn_quatStore(m->mesh_quat + 4 * (size_t)id, mesh->frame.quat);
        next.vert += mesh->nvert;
        next.face += mesh->nface;
        next.normal += mesh->nnormal;
        next.texcoord += mesh->ntexcoord;
        next.graph += mesh->ngraph;
        next.poly += mesh->npoly;
        next.polyvert += mesh->npolyvert;
        next.block += mesh->nhullblock;
        next.node += mesh->field.nnode;
        next.sheet += mesh->field.nsheet;
    }
    return true;
}
