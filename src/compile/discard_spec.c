// sn_discardVisual: what is only seen leaves the source.
#include <sinew/spec.h>
#include "base/error.h"
#include "base/memory.h"
#include "compile/body/body.h"
#include "compile/build/reference.h"
#include "compile/operation.h"
#include "compile/source.h"
#include "format/mjcf/language/element.h"
#include "format/mjcf/mjcf.h"
#include "format/mjcf/tree/edit.h"

// Elements that go, and bodies whose mass must be told before.
typedef struct Discard {
    snSpec* spec;
    snElement** gone;
    int ngone, room;
    bool failed;
} Discard;

static void add(Discard* d, snElement* element)
{
    if (d->ngone == d->room) {
        const int room = 2 * d->room + 64;
        void* more = sn_realloc(d->gone, (size_t)d->room * sizeof *d->gone, (size_t)room * sizeof *d->gone);
        d->failed |= !more;
        if (!more) return;
        d->gone = more;
        d->room = room;
    }
    d->gone[d->ngone++] = element;
}

// Whether a sensor or a tuple names an element.
static bool isTold(const snSpec* spec, int kind, const snSpecHead* head)
{
    if (!head->name) return false;
    SN_EACH (snSpecSensor, sensor, spec->sensors) {
        if (sensor->objtype == kind && sensor->objname && !strcmp(sensor->objname, head->name)) return true;
        if (sensor->reftype == kind && sensor->refname && !strcmp(sensor->refname, head->name)) return true;
    }
    SN_EACH (snSpecTuple, tuple, spec->tuples)
        SN_EACH (snSpecTupleElement, e, tuple->elements)
            if (e->objtype == kind && e->objname && !strcmp(e->objname, head->name)) return true;
    return false;
}

static bool isUsed(const snSpec* spec, const snSpecMesh* mesh)
{
    for (const snSpecBody* body = spec->world; body; body = sn_specNextBody(body)) {
        SN_EACH (snSpecGeom, geom, body->geoms)
            if (!geom->shows && geom->mesh && mesh->head.name && !strcmp(geom->mesh, mesh->head.name))
                return true;
        SN_EACH (snSpecSite, site, body->sites)
            if (site->mesh && mesh->head.name && !strcmp(site->mesh, mesh->head.name)) return true;
    }
    return isTold(spec, SN_OBJ_MESH, &mesh->head);
}

static void gather(Discard* d)
{
    const snSpec* spec = d->spec;
    SN_EACH (snSpecTexture, texture, spec->textures)
        if (!isTold(spec, SN_OBJ_TEXTURE, &texture->head)) add(d, texture->head.node);
    SN_EACH (snSpecMaterial, material, spec->materials)
        if (!isTold(spec, SN_OBJ_MATERIAL, &material->head)) add(d, material->head.node);
    for (const snSpecBody* body = spec->world; body; body = sn_specNextBody(body))
        SN_EACH (snSpecGeom, geom, body->geoms)
            if (geom->shows) add(d, geom->head.node);
    SN_EACH (snSpecMesh, mesh, spec->meshes)
        if (!isUsed(spec, mesh)) add(d, mesh->head.node);
}

// A body that loses a geom which may give it mass.
static bool losesMass(const snSpec* spec, const snSpecBody* body)
{
    const snSpecCompiler* compiler = sn_specCompiler(spec, &body->head);
    if (!body->parent || compiler->inertiafromgeom == SN_FALSE ||
        (compiler->inertiafromgeom == SN_AUTO && body->inertial))
        return false;
    SN_EACH (snSpecGeom, geom, body->geoms) {
        const bool counts =
            geom->group >= compiler->inertiagrouprange[0] && geom->group <= compiler->inertiagrouprange[1];
        if (geom->shows && counts && (isnan(geom->mass) ? geom->density != 0 : geom->mass != 0)) return true;
    }
    return false;
}

// A body with the mass that it keeps.
typedef struct Kept {
    snElement* body;
    snMassProperties mass;
} Kept;

// The bodies whose mass must be told, [*n]; NULL: none, or the error is filled.
static Kept* findKept(snSpec* spec, int* n, snError* error)
{
    Kept* kept = NULL;
    for (int pass = 0; pass < 2; pass++) {
        *n = 0;
        for (const snSpecBody* body = spec->world; body; body = sn_specNextBody(body)) {
            if (!losesMass(spec, body)) continue;
            if (sn_checkAdopts(sn_specCompiler(spec, &body->head), &body->head, error)) return NULL;
            if (kept) kept[*n].body = body->head.node;
            ++*n;
        }
        if (!*n) return NULL;
        if (!kept) kept = sn_calloc((size_t)*n * sizeof *kept);
        if (!kept) {
            sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
            return NULL;
        }
    }
    return kept;
}

// Their masses, in the units of their frames.
static bool weigh(snSpec* spec, Kept* kept, int n, const snLoadOptions* options, snError* error)
{
    snKeptId* ids = sn_keepIds(spec);
    if (!ids) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
        return false;
    }
    snModel* m = sn_compileBare(spec, options, error);
    for (int i = 0; m && i < n; i++) kept[i].mass = sn_bodyMass(m, kept[i].body->id);
    sn_restoreIds(spec, ids);
    const bool good = m;
    sn_deleteModel(m);
    return good;
}

static bool apply(Discard* d, const Kept* kept, int n)
{
    for (int i = 0; i < n; i++)
        if (kept[i].mass.mass > 0 && !sn_putInertialOf(d->spec, kept[i].body, kept[i].mass)) return false;
    for (int i = 0; i < d->ngone; i++) sn_dropElement(d->spec, d->gone[i]);
    d->spec->read = false;
    return true;
}

static void markGeoms(snSpec* spec)
{
    const snBuild b = {.spec = spec};
    sn_markReferences(spec);
    for (snSpecBody* body = spec->world; body; body = sn_specNextBody(body))
        for (snSpecGeom* geom = body->geoms.first; geom; geom = geom->next)
            geom->shows = sn_onlyShows(&b, geom);
    spec->read = false; // its records have been worked on
}

int sn_discardVisual(snSpec* spec, const snLoadOptions* options, snError* error)
{
    snError own;
    Discard d = {.spec = spec};
    if (!error) error = &own;
    memset(error, 0, sizeof *error);
    if (!sn_readSpec(spec, options, error)) return -1;
    markGeoms(spec);
    gather(&d);
    int n = 0;
    Kept* kept = findKept(spec, &n, error);
    bool good = !error->status && !d.failed;
    good = good && (!kept || weigh(spec, kept, n, options, error));
    const bool done = good && apply(&d, kept, kept ? n : 0);
    if (d.failed || (good && !done)) sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    sn_free(kept);
    sn_free(d.gone);
    return done ? d.ngone : -1;
}
