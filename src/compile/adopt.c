// sn_adoptInertial: a body's inertia as the compiler finds it becomes part of the source.
#include <sinew/spec.h>
#include "base/error.h"
#include "compile/operation.h"
#include "compile/source.h"
#include "format/mjcf/language/element.h"
#include "format/mjcf/mjcf.h"

snMassProperties sn_bodyMass(const snModel* m, int body)
{
    return (snMassProperties){m->body_mass[body],
                              {sn_v3Load(m->body_ipos + 3 * body), sn_quatLoad(m->body_iquat + 4 * body)},
                              sn_v3Load(m->body_inertia + 3 * body)};
}

static bool put(snSpec* spec, snElement* e, const char* attribute, const double* numbers, int n)
{
    return sn_setNumbers(spec, e, attribute, numbers, n, NULL) == SN_STATUS_OK;
}

bool sn_putInertialOf(snSpec* spec, snElement* body, snMassProperties p)
{
    double pos[3], quat[4], moments[3];
    sn_v3Store(pos, p.frame.pos);
    sn_quatStore(quat, p.frame.quat);
    sn_v3Store(moments, p.moments);
    sn_dropInertial(body);
    snElement* e = sn_addElement(spec, body, "inertial", NULL, NULL);
    if (!e) return false;
    if (body->first != e) {
        sn_unlinkElement(e);
        sn_linkElement(body, e, body->first);
    }
    return put(spec, e, "pos", pos, 3) && put(spec, e, "mass", &p.mass, 1) &&
           put(spec, e, "diaginertia", moments, 3) && (quat[0] == 1 || put(spec, e, "quat", quat, 4));
}

void sn_dropInertial(snElement* body)
{
    for (snElement *e = body->first, *next; e; e = next) {
        next = e->next;
        if (!strcmp(e->tag, "inertial")) sn_unlinkElement(e);
        if (!strcmp(e->tag, "frame")) sn_dropInertial(e); // as deep as files may be nested
    }
}

snStatus sn_checkAdopts(const snSpecCompiler* compiler, const snSpecHead* body, snError* error)
{
    if (compiler->inertiafromgeom != SN_TRUE) return SN_STATUS_OK;
    return sn_failAt(
        error, SN_STATUS_MODEL, body->place.file, body->place.line,
        "<body name=\"%.60s\">: inertiafromgeom=\"true\" weighs geoms whatever its inertial says, "
        "set it to \"auto\"",
        body->name ? body->name : "");
}

// Whether geoms give the body its mass.
static bool isInferred(const snSpec* spec, const snSpecBody* body)
{
    return sn_specCompiler(spec, &body->head)->inertiafromgeom == SN_AUTO && !body->inertial;
}

snStatus sn_adoptInertial(snSpec* spec, snElement* body, const snLoadOptions* options, snError* error)
{
    snError own;
    if (!error) error = &own;
    if (!sn_isStillInTree(body, spec->root, error)) return SN_STATUS_ARGUMENT;
    if (strcmp(body->tag, "body"))
        return sn_fail(error, SN_STATUS_ARGUMENT, "<%s> has no inertia of its own: give a body", body->tag);
    if (!sn_readSpec(spec, options, error)) return error->status;
    const snSpecBody* record = body->record;
    if (sn_checkAdopts(sn_specCompiler(spec, &record->head), &record->head, error)) return error->status;
    if (!isInferred(spec, record)) return SN_STATUS_OK;
    snKeptId* ids = sn_keepIds(spec);
    if (!ids) return sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    snModel* m = sn_compileBare(spec, options, error);
    const int id = body->id;
    sn_restoreIds(spec, ids);
    if (!m) return error->status;
    const snMassProperties mass = sn_bodyMass(m, id);
    sn_deleteModel(m);
    return sn_putInertialOf(spec, body, mass) ? SN_STATUS_OK
                                              : sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
}
