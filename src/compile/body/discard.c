// compiler/discardvisual: textures, materials and geoms that only show are left out. A geom only shows when
// it cannot collide (contype and conaffinity 0) and nothing names it; its mass stays with its body.
#include "compile/body/body.h"
#include "compile/build/reference.h"
#include "model/rules.h"

// By 4.0 a shape in a fluid does more than show.
bool sn_onlyShows(const snBuild* b, const snSpecGeom* geom)
{
    if (geom->fluidshape && sn_means(b->spec->physics, SN_RULE_DISCARDED_FLUID_SHAPES)) return false;
    return !geom->contype && !geom->conaffinity && geom->head.id != SN_REFERENCED;
}

// Before elements are numbered: textures, materials, and what uses them.
void sn_discardLooks(snBuild* b)
{
    snSpec* spec = b->spec;
    if (!spec->compiler.discardvisual) return;
    memset(&spec->textures, 0, sizeof spec->textures);
    memset(&spec->materials, 0, sizeof spec->materials);
    for (snSpecMesh* mesh = spec->meshes.first; mesh; mesh = mesh->next) mesh->material = NULL;
    for (snSpecBody* body = spec->world; body; body = sn_specNextBody(body)) {
        for (snSpecGeom* geom = body->geoms.first; geom; geom = geom->next) geom->material = NULL;
        for (snSpecSite* site = body->sites.first; site; site = site->next) site->material = NULL;
        for (snSpecLight* light = body->lights.first; light; light = light->next) light->texture = NULL;
    }
    for (snSpecTendon* tendon = spec->tendons.first; tendon; tendon = tendon->next) tendon->material = NULL;
    for (snSpecSkin* skin = spec->skins.first; skin; skin = skin->next) skin->material = NULL;
    sn_markReferences(spec);
    for (snSpecBody* body = spec->world; body; body = sn_specNextBody(body))
        for (snSpecGeom* geom = body->geoms.first; geom; geom = geom->next)
            geom->shows = sn_onlyShows(b, geom);
}

// Takes the geoms that only show out of the lists of their bodies.
static void unlinkGeoms(snSpecBody* body)
{
    snSpecGeom* geom = body->geoms.first;
    memset(&body->geoms, 0, sizeof body->geoms);
    for (snSpecGeom* next; geom; geom = next) {
        next = geom->next;
        geom->next = NULL;
        if (!geom->shows) SN_SPEC_APPEND(&body->geoms, geom);
    }
}

// Keeps the rows of a field whose geoms stay, in order.
static void keepRows(const snBuild* b, const snField* field, int columns)
{
    char* array = *(char**)((char*)b->m + field->offset);
    const size_t row = (size_t)columns * field->itemsize;
    size_t kept = 0;
    for (int i = 0; i < b->m->ngeom; i++)
        if (!b->geom[i]->shows) memmove(array + row * kept++, array + row * (size_t)i, row);
}

// The mass of a geom that goes stays with its body, by 4.0 but where geoms alone are to give it.
static bool checkMass(snBuild* b, int i)
{
    const snSpecBody* body = b->geom[i]->weighs ? b->geom[i]->weighs : b->body[b->m->geom_bodyid[i]];
    if (!b->geom[i]->shows || !(b->geom_mass[i] > SN_MINVAL) || !body->parent) return true;
    return sn_specCompiler(b->spec, &body->head)->inertiafromgeom != SN_TRUE ||
           sn_buildOutdated(
               b, &b->geom[i]->head,
               "discardvisual takes away what inertiafromgeom=\"true\" weighs, set it to \"auto\"");
}

// After bodies have their mass and before anything asks for the id of a geom.
bool sn_discardGeoms(snBuild* b)
{
    snModel* m = b->m;
    if (!b->spec->compiler.discardvisual) return true;
    int count;
    for (int i = 0; i < m->ngeom; i++)
        if (!checkMass(b, i)) return false;
    const snField* fields = sn_modelFields(&count);
    for (int i = 0; i < count; i++) {
        int rows, columns;
        sn_modelFieldShape(m, i, &rows, &columns);
        if (!strcmp(fields[i].rows, "ngeom")) keepRows(b, &fields[i], columns);
    }
    int kept = 0;
    for (int i = 0; i < m->nbody; i++) {
        unlinkGeoms(b->body[i]);
        m->body_geomnum[i] = b->body[i]->geoms.count;
        m->body_geomadr[i] = m->body_geomnum[i] ? kept : -1;
        for (snSpecGeom* geom = b->body[i]->geoms.first; geom; geom = geom->next) {
            geom->head.id = kept;
            b->geom[kept++] = geom;
        }
    }
    m->ngeom = kept;
    return true;
}
