#include "compile/build/reference.h"
#include "model/sensor_kind.h"

static void mark(const snSpec* spec, snObjType kind, const char* name)
{
    if (kind != SN_OBJ_BODY && kind != SN_OBJ_XBODY && kind != SN_OBJ_GEOM && kind != SN_OBJ_SITE) return;
    snSpecHead* head = sn_findSpec(spec, kind, name);
    if (head) head->id = SN_REFERENCED;
}

static void markTargets(const snSpec* spec)
{
    for (const snSpecBody* body = spec->world; body; body = sn_specNextBody(body)) {
        SN_EACH (snSpecCamera, camera, body->cameras) mark(spec, SN_OBJ_BODY, camera->target);
        SN_EACH (snSpecLight, light, body->lights) mark(spec, SN_OBJ_BODY, light->target);
    }
}

static void markSensors(const snSpec* spec)
{
    SN_EACH (snSpecSensor, sensor, spec->sensors) {
        const bool across = sn_sensorKind(sensor->type)->on == SN_ON_LINK;
        if (across || sensor->objtype != SN_OBJ_SITE) mark(spec, (snObjType)sensor->objtype, sensor->objname);
        if (sensor->reftype != SN_OBJ_SITE) mark(spec, (snObjType)sensor->reftype, sensor->refname);
    }
}

void sn_markReferences(snSpec* spec)
{
    markTargets(spec);
    markSensors(spec);
    SN_EACH (snSpecPair, pair, spec->pairs) {
        mark(spec, SN_OBJ_GEOM, pair->geom1);
        mark(spec, SN_OBJ_GEOM, pair->geom2);
    }
    SN_EACH (snSpecExclude, exclude, spec->excludes) {
        mark(spec, SN_OBJ_BODY, exclude->body1);
        mark(spec, SN_OBJ_BODY, exclude->body2);
    }
    SN_EACH (snSpecEquality, equality, spec->equalities) {
        mark(spec, SN_OBJ_BODY, equality->body1);
        mark(spec, SN_OBJ_BODY, equality->body2);
    }
    SN_EACH (snSpecTendon, tendon, spec->tendons) {
        SN_EACH (snSpecWrap, wrap, tendon->path)
            if (wrap->type == SN_WRAP_SPHERE || wrap->type == SN_WRAP_CYLINDER)
                mark(spec, SN_OBJ_GEOM, wrap->object);
    }
    SN_EACH (snSpecActuator, actuator, spec->actuators) mark(spec, SN_OBJ_BODY, actuator->body);
    SN_EACH (snSpecTuple, tuple, spec->tuples) {
        SN_EACH (snSpecTupleElement, element, tuple->elements)
            if (element->objtype != SN_OBJ_SITE) mark(spec, (snObjType)element->objtype, element->objname);
    }
}
