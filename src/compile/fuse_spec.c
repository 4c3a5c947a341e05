// sn_fuseStatic: bodies that the compiler would fuse become frames of the source.
#include <sinew/spec.h>
#include "base/error.h"
#include "base/memory.h"
#include "compile/asset/asset.h"
#include "compile/body/body.h"
#include "compile/operation.h"
#include "compile/source.h"
#include "format/mjcf/language/element.h"
#include "format/mjcf/mjcf.h"
#include "math/eig3.h"

// A body that becomes a frame of another.
typedef struct Fused {
    snElement *body, *parent;
} Fused;

// A body that others become part of.
typedef struct Whole {
    snElement* body;
    bool given; // its inertia has to stand in the source
    snMassProperties mass;
} Whole;

typedef struct Fusion {
    int nfused, nwhole;
    Fused* fused;
    Whole* whole;
} Fusion;

// ---- which

static bool isBounded(const snSpecCompiler* c)
{
    return c->boundmass > 0 || c->boundinertia > 0 || c->balanceinertia;
}

static bool isScaled(const snSpecFrame* frame)
{
    for (; frame; frame = frame->parent)
        if (frame->scale[0] != 1 || frame->scale[1] != 1 || frame->scale[2] != 1 || frame->massscale != 0)
            return true;
    return false;
}

// Geoms of both in one body would not weigh what the two bodies do, and nothing could say so; or what a
// frame scales would have to be told in the units outside of it.
static bool stays(const snBuild* b, const snSpecBody* body)
{
    const snSpecCompiler *own = sn_specCompiler(b->spec, &body->head),
                         *parent = sn_specCompiler(b->spec, &body->parent->head);
    if (!body->parent->parent) return false;
    return isScaled(body->frame) || (own->inertiafromgeom == SN_TRUE && isBounded(own)) ||
           (parent->inertiafromgeom == SN_TRUE && (isBounded(parent) || own != parent));
}

// Whether the mass of a body and of what becomes part of it can go on to come from geoms.
static bool mustBeGiven(const snSpec* spec, const snSpecBody* body, const snSpecBody* part)
{
    const snSpecCompiler *own = sn_specCompiler(spec, &body->head),
                         *other = sn_specCompiler(spec, &part->head);
    if (own->inertiafromgeom == SN_TRUE) return false;
    return own != other || isBounded(own) || body->inertial || part->inertial ||
           own->inertiafromgeom == SN_FALSE;
}

static bool gather(snSpec* spec, Fusion* f)
{
    int bodies = 0;
    for (snSpecBody* body = spec->world; body; body = sn_specNextBody(body)) {
        bodies++;
        f->nfused += body->fused.count;
    }
    f->fused = sn_calloc((size_t)f->nfused * sizeof *f->fused + 1);
    f->whole = sn_calloc((size_t)bodies * sizeof *f->whole);
    if (!f->fused || !f->whole) return false;
    f->nfused = 0;
    for (snSpecBody* body = spec->world; body; body = sn_specNextBody(body)) {
        if (!body->fused.count) continue;
        Whole* whole = &f->whole[f->nwhole++];
        whole->body = body->head.node;
        SN_EACH (snSpecBody, part, body->fused) {
            f->fused[f->nfused++] = (Fused){part->head.node, body->head.node};
            whole->given |= body->parent && mustBeGiven(spec, body, part);
        }
    }
    return true;
}

// What the compiler would fuse; false: as sn_compile fails.
static bool findFused(snSpec* spec, const snLoadOptions* options, Fusion* f, snError* error)
{
    snLoadOptions quiet = options ? *options : (snLoadOptions){0};
    quiet.warnings = NULL;
    snBuild b = {.spec = spec, .options = &quiet, .error = error};
    const bool good = sn_readSpec(spec, options, error) && sn_loadSkins(&b) && sn_fuseBodies(&b, stays);
    sn_freeSkins(&b);
    spec->read = false; // its records have been worked on
    if (!good) return false;
    if (gather(spec, f)) return true;
    sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    return false;
}

// ---- masses

// Where a body stands in one above it.
static snPose poseIn(const snModel* m, int body, int above)
{
    snPose pose = {{0, 0, 0}, {1, 0, 0, 0}};
    for (; body != above; body = m->body_parentid[body])
        pose = sn_poseMul((snPose){sn_v3Load(m->body_pos + 3 * body), sn_quatLoad(m->body_quat + 4 * body)},
                          pose);
    return pose;
}

static snMassProperties sumOf(const snModel* m, const Fusion* f, const Whole* whole, snMassProperties* parts)
{
    int n = 0;
    parts[n++] = sn_bodyMass(m, whole->body->id);
    for (int i = 0; i < f->nfused; i++) {
        if (f->fused[i].parent != whole->body) continue;
        snMassProperties* part = &parts[n];
        *part = sn_bodyMass(m, f->fused[i].body->id);
        part->frame = sn_poseMul(poseIn(m, f->fused[i].body->id, whole->body->id), part->frame);
        if (part->mass > 0) n++;
    }
    if (n > 1 && !(parts[0].mass > 0)) parts[0] = parts[--n];
    return sn_mergeMass(parts, n, sn_exactEig3);
}

// Sums of what becomes one body, where they must be told.
static bool weigh(snSpec* spec, const snLoadOptions* options, Fusion* f, snError* error)
{
    bool any = false;
    for (int i = 0; i < f->nwhole; i++) any |= f->whole[i].given;
    if (!any) return true;
    snKeptId* ids = sn_keepIds(spec);
    snMassProperties* parts = sn_calloc((size_t)(f->nfused + 1) * sizeof *parts);
    snModel* m = ids && parts ? sn_compileBare(spec, options, error) : NULL;
    if (!ids || !parts) sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    for (int i = 0; m && i < f->nwhole; i++)
        if (f->whole[i].given) f->whole[i].mass = sumOf(m, f, &f->whole[i], parts);
    if (ids) sn_restoreIds(spec, ids);
    sn_free(parts);
    const bool good = m;
    sn_deleteModel(m);
    return good;
}

// ---- the source

static bool holdsBody(const snElement* element)
{
    for (const snElement* e = element; e; e = sn_nextInTree(element, e))
        if (!strcmp(e->tag, "body")) return true;
    return false;
}

// The compiler lists what a fused body carries behind all that its parent has of the kind.
static void moveBehind(snElement* frame)
{
    snElement* parent = frame->parent;
    for (snElement *e = frame->next, *next; e; e = next) {
        next = e->next;
        if (holdsBody(e)) continue;
        sn_unlinkElement(e);
        sn_linkElement(parent, e, frame);
    }
}

static bool becomeFrame(snSpec* spec, snElement* body)
{
    const snMjcfElement* frame = sn_mjcfElement(SN_MJCF_FRAME);
    sn_dropInertial(body);
    body->tag = sn_poolText(&spec->tree, "frame", 5);
    if (!body->tag) return false;
    for (int i = body->nattributes - 1; i >= 0; i--) {
        const char* name = body->attributes[i].name;
        if (!strcmp(name, "name") || !sn_mjcfAttribute(frame, SN_IN_ELEMENT, name))
            sn_putAttribute(&spec->tree, body, name, NULL);
    }
    body->id = body->oldid = -1;
    moveBehind(body);
    return true;
}

static bool apply(snSpec* spec, const Fusion* f)
{
    for (int i = 0; i < f->nfused; i++)
        if (!becomeFrame(spec, f->fused[i].body)) return false;
    for (int i = 0; i < f->nwhole; i++)
        if (f->whole[i].given && !sn_putInertialOf(spec, f->whole[i].body, f->whole[i].mass)) return false;
    spec->read = false;
    return true;
}

int sn_fuseStatic(snSpec* spec, const snLoadOptions* options, snError* error)
{
    snError own;
    Fusion f = {0};
    if (!error) error = &own;
    int fused = -1;
    if (findFused(spec, options, &f, error) && weigh(spec, options, &f, error)) {
        if (apply(spec, &f))
            fused = f.nfused;
        else
            sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    }
    sn_free(f.fused);
    sn_free(f.whole);
    return fused;
}
