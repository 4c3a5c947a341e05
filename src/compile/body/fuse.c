// compiler/fusestatic: a body without joints becomes part of its parent. Its mass goes to the parent (not to
// the world), its geoms, sites, cameras and lights move behind the parent's own, its children take its place.
// What moves keeps its pose through a frame that stands where the body stood.
//
// Left alone: bodies with fuse="false", mocap bodies, bodies that anything names, bodies with the site of a
// force or torque sensor, and those that a moving parent, by 4.0 any but the world, could not do the same as
// alone: with another gravity compensation and, by 4.0, in a fluid.
#include "compile/body/body.h"
#include "compile/build/reference.h"
#include "model/rules.h"

// Puts the outermost frame of a chain into `outer`; no frame at all becomes `outer`.
static void wrap(const snSpecFrame** frame, const snSpecFrame* outer)
{
    if (!*frame) {
        *frame = outer;
        return;
    }
    const snSpecFrame* top = *frame;
    while (top->parent && top != outer) top = top->parent;
    if (top != outer) ((snSpecFrame*)top)->parent = outer; // the compiler owns the records
}

// Appends the list `from` to `to`, all its elements inside `outer`.
#define MOVE(type, from, to, outer)                                                                          \
    do {                                                                                                     \
        for (type* e = (from).first; e; e = e->next) wrap(&e->frame, outer);                                 \
        if ((from).first) {                                                                                  \
            if ((to).last)                                                                                   \
                (to).last->next = (from).first;                                                              \
            else                                                                                             \
                (to).first = (from).first;                                                                   \
            (to).last = (from).last;                                                                         \
            (to).count += (from).count;                                                                      \
        }                                                                                                    \
    } while (0)

static bool carriesForceSensor(const snSpecBody* body)
{
    SN_EACH (snSpecSite, site, body->sites)
        if (site->head.id == SN_REFERENCED) return true;
    return false;
}

static bool canFuse(const snSpecBody* body)
{
    return body->parent && body->fuse != SN_FALSE && !body->joints.count && !body->mocap &&
           body->head.id != SN_REFERENCED && !carriesForceSensor(body);
}

// Whether a body moves with any joint.
static bool moves(const snSpecBody* body)
{
    for (; body; body = body->parent)
        if (body->joints.count || body->mocap) return true;
    return false;
}

// Whether a body will have mass, its own or of its geoms, as far as its description tells.
static bool hasMass(const snBuild* b, const snSpecBody* body)
{
    const snSpecCompiler* compiler = sn_specCompiler(b->spec, &body->head);
    const int* range = compiler->inertiagrouprange;
    if (compiler->boundmass > 0) return true;
    if (compiler->inertiafromgeom == SN_FALSE || (compiler->inertiafromgeom == SN_AUTO && body->inertial))
        return body->inertial && body->inertial->mass > 0;
    SN_EACH (snSpecGeom, geom, body->geoms) {
        const bool counts = geom->group >= range[0] && geom->group <= range[1];
        if (counts && (isnan(geom->mass) ? geom->density : geom->mass) > 0) return true;
    }
    return false;
}

static bool isInFluid(const snBuild* b, const snSpecBody* body)
{
    if (!(b->spec->option.density > 0) && !(b->spec->option.viscosity > 0)) return false;
    SN_EACH (snSpecGeom, geom, body->geoms)
        if (geom->fluidshape) return true;
    return hasMass(b, body);
}

// Whether forces on it would be others as a part of its parent.
static bool feelsOtherForces(const snBuild* b, const snSpecBody* body)
{
    const bool lighter = body->gravcomp != body->parent->gravcomp;
    if (!sn_means(b->spec->physics, SN_RULE_FUSED_FORCES)) return lighter && moves(body->parent);
    if (!body->parent->parent) return false; // in the world, by 4.0 not in other bodies that stand still
    return (lighter && hasMass(b, body)) || isInFluid(b, body);
}

// Its children, in its place among the children of its parent.
static void spliceChildren(snSpecBody* body, const snSpecFrame* outer)
{
    snSpecBody *parent = body->parent, *before = body->prev, *after = body->next;
    snSpecBody *first = body->bodies.first, *last = body->bodies.last;
    for (snSpecBody* child = first; child; child = child->next) {
        wrap(&child->frame, outer);
        child->parent = parent;
    }
    snSpecBody *head = first ? first : after, *tail = last ? last : before;
    *(before ? &before->next : &parent->bodies.first) = head;
    if (head) head->prev = before;
    if (last) last->next = after;
    if (after)
        after->prev = tail;
    else
        parent->bodies.last = tail;
    parent->bodies.count += body->bodies.count - 1;
}

// Parents go before their children, so that a body that is taken in has taken in none itself.
static bool fuse(snBuild* b, snSpecBody* body)
{
    snSpecBody* parent = body->parent;
    snSpecFrame* frame = sn_specAlloc(b->spec, sizeof *frame);
    if (!frame) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory");
    frame->head = body->head;
    frame->parent = body->frame;
    memcpy(frame->pos, body->pos, sizeof frame->pos);
    frame->orient = body->orient;
    frame->scale[0] = frame->scale[1] = frame->scale[2] = 1;
    frame->scaled = true; // as its body was
    for (snSpecGeom* geom = body->geoms.first; geom; geom = geom->next) geom->weighs = body;
    MOVE(snSpecGeom, body->geoms, parent->geoms, frame);
    MOVE(snSpecSite, body->sites, parent->sites, frame);
    MOVE(snSpecCamera, body->cameras, parent->cameras, frame);
    MOVE(snSpecLight, body->lights, parent->lights, frame);
    spliceChildren(body, frame);
    body->frame = frame; // where it stood
    SN_SPEC_APPEND(&parent->fused, body);
    body->next = NULL;
    return true;
}

static void linkBack(snSpec* spec)
{
    for (snSpecBody* body = spec->world; body; body = sn_specNextBody(body)) {
        snSpecBody* before = NULL;
        for (snSpecBody* child = body->bodies.first; child; before = child, child = child->next)
            child->prev = before;
    }
}

static void setDepths(snSpec* spec)
{
    for (snSpecBody* body = spec->world; body; body = sn_specNextBody(body))
        body->depth = body->parent ? body->parent->depth + 1 : 0;
}

bool sn_buildFuse(snBuild* b)
{
    return !b->spec->compiler.fusestatic || b->spec->bare || sn_fuseBodies(b, NULL);
}

bool sn_fuseBodies(snBuild* b, bool (*stays)(const snBuild* b, const snSpecBody* body))
{
    sn_markReferences(b->spec);
    linkBack(b->spec);
    // The next body in order is a child of this one if it has any, and those take its place.
    for (snSpecBody *body = b->spec->world, *next; body; body = next) {
        next = sn_specNextBody(body);
        if (!canFuse(body) || feelsOtherForces(b, body) || (stays && stays(b, body))) continue;
        if (!fuse(b, body)) return false;
    }
    setDepths(b->spec);
    return true;
}
