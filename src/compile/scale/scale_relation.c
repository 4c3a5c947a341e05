// What refers to scaled elements: contacts, tendons, equalities, sensors, and by scale_actuator.c actuators.
// Between two that are scaled otherwise the geometric mean counts, or the unit of each where it is known.
#include "compile/scale/scale.h"
#include "model/sensor_kind.h"

static double lengthOf(const snScale* scale)
{
    return scale ? scale->length : 1;
}

static double mean(double one, double other)
{
    return one == other ? one : sqrt(one * other);
}

snScaleUnit sn_scaleBetween(const snScale* one, const snScale* other, bool turns)
{
    const snScaleUnit a = sn_scaleUnit(one, turns), b = sn_scaleUnit(other, turns);
    return (snScaleUnit){mean(a.all, b.all), mean(a.unit, b.unit), mean(a.force, b.force),
                         mean(a.pressure, b.pressure)};
}

// ---- contacts

static void scalePair(const snBuild* b, snSpecPair* pair)
{
    const snScale *one = sn_scaleOf(b->spec, SN_OBJ_GEOM, pair->geom1),
                  *other = sn_scaleOf(b->spec, SN_OBJ_GEOM, pair->geom2);
    const snScaleUnit unit = sn_scaleBetween(one, other, false);
    sn_scaleNumbers(pair->friction + 2, 3, unit.all);
    pair->solimp[2] *= unit.all;
    pair->margin *= unit.all;
    pair->gap *= unit.all;
    pair->adhesion *= unit.force;
}

// ---- tendons

static bool isPulley(const snSpecWrap* wrap)
{
    return wrap->type == SN_WRAP_PULLEY;
}

static snObjType kindOf(const snSpecWrap* wrap)
{
    return wrap->type == SN_WRAP_JOINT  ? SN_OBJ_JOINT
           : wrap->type == SN_WRAP_SITE ? SN_OBJ_SITE
                                        : SN_OBJ_GEOM;
}

snScaleUnit sn_scaleOfTendon(const snBuild* b, const snSpecTendon* tendon, const snScale** scale)
{
    bool first = true, turns = true;
    *scale = NULL;
    SN_EACH (snSpecWrap, wrap, tendon->path) {
        if (isPulley(wrap)) continue;
        const snSpecHead* head = sn_findSpec(b->spec, kindOf(wrap), wrap->object);
        const snScale* own = head ? head->scale : NULL;
        turns &= head && wrap->type == SN_WRAP_JOINT && ((snSpecJoint*)head)->type != SN_JNT_SLIDE;
        *scale = first ? own : sn_sharedScale(*scale, own);
        first = false;
    }
    return sn_scaleUnit(*scale, turns);
}

// Coefficients of joints keep what they mean in the units of tendon and joint.
static void scalePath(const snBuild* b, snSpecTendon* tendon, double length)
{
    for (snSpecWrap* wrap = tendon->path.first; wrap; wrap = wrap->next) {
        if (wrap->type != SN_WRAP_JOINT) continue;
        const snSpecJoint* joint = (void*)sn_findSpec(b->spec, SN_OBJ_JOINT, wrap->object);
        const double own = joint ? sn_scaleOfJoint(joint).all : 1;
        if (own != length) wrap->prm *= length / own;
    }
}

static void scaleTendon(const snBuild* b, snSpecTendon* tendon)
{
    const snScale* scale;
    const snScaleUnit unit = sn_scaleOfTendon(b, tendon, &scale);
    scalePath(b, tendon, unit.all);
    if (!scale) return;
    sn_scalePolynomial(tendon->stiffness, unit);
    sn_scalePolynomial(tendon->damping, unit);
    tendon->frictionloss *= unit.force;
    tendon->armature *= unit.force / unit.unit;
    sn_scaleNumbers(tendon->actfrcrange, 2, unit.force);
    sn_scaleNumbers(tendon->range, 2, unit.all);
    if (tendon->springlength[0] != -1 || tendon->springlength[1] != -1)
        sn_scaleNumbers(tendon->springlength, 2, unit.all);
    tendon->margin *= unit.all;
    tendon->springyield *= unit.all;
    tendon->solimp_limit[2] *= unit.all;
    tendon->solimp_friction[2] *= unit.all;
    tendon->width *= scale->length;
}

// ---- equalities

// The scale of what an equality holds: a body, or the body of a site.
static const snScale* scaleOfEnd(const snBuild* b, const char* body, const char* site)
{
    return site ? sn_scaleOf(b->spec, SN_OBJ_SITE, site) : sn_scaleOf(b->spec, SN_OBJ_BODY, body);
}

static void scaleHeld(const snBuild* b, snSpecEquality* e)
{
    const snScale *one = scaleOfEnd(b, e->body1, e->site1), *other = scaleOfEnd(b, e->body2, e->site2);
    const double length = sn_scaleBetween(one, other, false).all;
    if (e->type == SN_EQ_CONNECT) {
        sn_scalePoint(one, e->anchor);
        e->solimp[2] *= lengthOf(one);
        return;
    }
    sn_scalePoint(other, e->anchor);
    sn_scalePoint(one, e->relpose);
    e->torquescale *= length;
    e->solimp[2] *= length;
}

static snScaleUnit unitOfJoint(const snBuild* b, const char* name)
{
    const snSpecJoint* joint = (void*)sn_findSpec(b->spec, SN_OBJ_JOINT, name);
    return joint ? sn_scaleOfJoint(joint) : sn_no_unit;
}

static snScaleUnit unitOfTendon(const snBuild* b, const char* name)
{
    const snScale* scale;
    const snSpecTendon* tendon = (void*)sn_findSpec(b->spec, SN_OBJ_TENDON, name);
    return tendon ? sn_scaleOfTendon(b, tendon, &scale) : sn_no_unit;
}

double sn_scaleOfEquality(const snBuild* b, const snSpecEquality* e)
{
    switch (e->type) {
    case SN_EQ_JOINT: return unitOfJoint(b, e->joint1).force;
    case SN_EQ_TENDON: return unitOfTendon(b, e->tendon1).force;
    case SN_EQ_FLEX: return sn_scaleUnit(sn_scaleOf(b->spec, SN_OBJ_FLEX, e->flex), false).force;
    default:
        return sn_scaleBetween(scaleOfEnd(b, e->body1, e->site1), scaleOfEnd(b, e->body2, e->site2), false)
            .force;
    }
}

// A polynomial of x2 that gives x1.
static void scaleCoupling(snSpecEquality* e, double one, double other)
{
    double factor = one;
    for (int k = 0; k < 5; k++) {
        e->polycoef[k] *= factor;
        factor /= other;
    }
    e->solimp[2] *= one;
}

static void scaleEquality(const snBuild* b, snSpecEquality* e)
{
    switch (e->type) {
    case SN_EQ_JOINT: scaleCoupling(e, unitOfJoint(b, e->joint1).all, unitOfJoint(b, e->joint2).all); break;
    case SN_EQ_TENDON:
        scaleCoupling(e, unitOfTendon(b, e->tendon1).all, unitOfTendon(b, e->tendon2).all);
        break;
    case SN_EQ_FLEX: e->solimp[2] *= lengthOf(sn_scaleOf(b->spec, SN_OBJ_FLEX, e->flex)); break;
    default: scaleHeld(b, e); break;
    }
}

// ---- sensors

// The unit of the position of what a sensor is on.
static snScaleUnit unitOfObject(const snBuild* b, const snSpecSensor* sensor)
{
    const snScale* scale;
    const snSpecHead* head = sn_findSpec(b->spec, (snObjType)sensor->objtype, sensor->objname);
    if (!head) return sn_no_unit;
    switch (sensor->objtype) {
    case SN_OBJ_JOINT: return sn_scaleOfJoint((const snSpecJoint*)head);
    case SN_OBJ_TENDON: return sn_scaleOfTendon(b, (const snSpecTendon*)head, &scale);
    case SN_OBJ_ACTUATOR: return sn_scaleOfActuator(b, (const snSpecActuator*)head);
    default: return sn_no_unit;
    }
}

// The factor of what a sensor gives.
static double sensorFactor(const snBuild* b, const snSpecSensor* sensor)
{
    const snScale* scale = sn_scaleOf(b->spec, (snObjType)sensor->objtype, sensor->objname);
    switch ((snSensorType)sensor->type) {
    case SN_SENS_TOUCH:
    case SN_SENS_FORCE: return sn_scaleUnit(scale, false).force;
    case SN_SENS_TORQUE:
    case SN_SENS_SUBTREEANGMOM: return sn_scaleUnit(scale, true).force;
    case SN_SENS_ACCELEROMETER:
    case SN_SENS_VELOCIMETER:
    case SN_SENS_RANGEFINDER:
    case SN_SENS_FRAMEPOS:
    case SN_SENS_FRAMELINVEL:
    case SN_SENS_FRAMELINACC:
    case SN_SENS_SUBTREECOM:
    case SN_SENS_SUBTREELINVEL: return lengthOf(scale);
    case SN_SENS_JOINTPOS:
    case SN_SENS_JOINTVEL:
    case SN_SENS_JOINTLIMITPOS:
    case SN_SENS_JOINTLIMITVEL:
    case SN_SENS_TENDONPOS:
    case SN_SENS_TENDONVEL:
    case SN_SENS_TENDONLIMITPOS:
    case SN_SENS_TENDONLIMITVEL:
    case SN_SENS_ACTUATORPOS:
    case SN_SENS_ACTUATORVEL: return unitOfObject(b, sensor).all;
    case SN_SENS_JOINTACTFRC:
    case SN_SENS_JOINTLIMITFRC:
    case SN_SENS_TENDONACTFRC:
    case SN_SENS_TENDONLIMITFRC:
    case SN_SENS_ACTUATORFRC: return unitOfObject(b, sensor).force;
    case SN_SENS_GEOMDIST:
    case SN_SENS_GEOMNORMAL:
    case SN_SENS_GEOMFROMTO:
        return sn_scaleBetween(scale, sn_scaleOf(b->spec, (snObjType)sensor->reftype, sensor->refname), false)
            .all;
    default: return 1;
    }
}

static bool scaleSensor(snBuild* b, snSpecSensor* sensor)
{
    if (sensor->type == SN_SENS_TACTILE && sn_scaleOf(b->spec, SN_OBJ_GEOM, sensor->refname))
        return sn_buildFail(b, &sensor->head, SN_STATUS_MODEL,
                            "cannot be scaled: put geom \"%s\" outside of frames with a scale",
                            sensor->refname);
    const double factor = sensorFactor(b, sensor);
    sensor->cutoff *= factor;
    if (sensor->type != SN_SENS_GEOMNORMAL) sensor->noise *= factor; // its cutoff is a distance
    return true;
}

bool sn_scaleRelations(snBuild* b)
{
    snSpec* spec = b->spec;
    for (snSpecPair* e = spec->pairs.first; e; e = e->next) scalePair(b, e);
    for (snSpecTendon* e = spec->tendons.first; e; e = e->next) scaleTendon(b, e);
    for (snSpecEquality* e = spec->equalities.first; e; e = e->next) scaleEquality(b, e);
    for (snSpecSensor* e = spec->sensors.first; e; e = e->next)
        if (!scaleSensor(b, e)) return false;
    for (snSpecActuator* e = spec->actuators.first; e; e = e->next)
        if (!sn_scaleActuator(b, e)) return false;
    return true;
}
