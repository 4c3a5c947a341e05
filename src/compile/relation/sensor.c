// Sensors: their objects, reference frames and addresses.
#include <limits.h>
#include "compile/mesh/mesh.h"
#include "compile/relation/relation.h"
#include "model/history.h"
#include "model/kinds.h"
#include "model/rules.h"
#include "model/sensor_kind.h"
#include "shape/facts.h"
#include "shape/kind.h"

// Rays of a rangefinder; 1 while its camera is not known, which is an error later on.
static long long rays(const snBuild* b, const snSpecSensor* sensor)
{
    const snSpecHead* object =
        sensor->objname ? sn_findSpec(b->spec, sensor->objtype, sensor->objname) : NULL;
    if (!object || sensor->objtype != SN_OBJ_CAMERA) return 1;
    return sn_rangeRays(SN_OBJ_CAMERA, ((const snSpecCamera*)(const void*)object)->resolution);
}

static int rangeDim(const snBuild* b, const snSpecSensor* sensor)
{
    const long long dim = sn_rangeSensorDim(sensor->intprm[0], rays(b, sensor));
    return dim < 0 ? 0 : dim < INT_MAX ? (int)dim : INT_MAX;
}

// One number for each force of the actuator; 1 while it is not known, which is an error later on.
static int actuatorDim(const snBuild* b, const snSpecSensor* sensor)
{
    const snSpecHead* object =
        sensor->objname ? sn_findSpec(b->spec, SN_OBJ_ACTUATOR, sensor->objname) : NULL;
    return object ? sn_actuatorOutputs((const snSpecActuator*)(const void*)object) : 1;
}

// So many numbers a vertex; no vertex while the mesh is not known, which is an error later on.
static int taxelsDim(const snBuild* b, const snSpecSensor* sensor, int dim)
{
    const snSpecHead* object = sn_findSpec(b->spec, SN_OBJ_MESH, sensor->objname);
    return object ? dim * b->mesh[object->id].nvert : 0;
}

int sn_sensorDim(const snBuild* b, const snSpecSensor* sensor)
{
    const snSensorKind* kind = sn_sensorKind(sensor->type);
    if (kind->on == SN_ON_CONTACT) return sn_contactSensorDim(sensor->intprm[0], sensor->intprm[2]);
    if (kind->on == SN_ON_RANGE) return rangeDim(b, sensor);
    if (kind->on == SN_ON_ACTUATOR) return actuatorDim(b, sensor);
    if (kind->on == SN_ON_TAXELS) return taxelsDim(b, sensor, kind->dim);
    return kind->on == SN_ON_ANYTHING ? sensor->dim : kind->dim;
}

// What is wrong with object `id` of a sensor; NULL: nothing
static const char* wrongObject(const snModel* m, const snSpecSensor* sensor, snSensorOn on, int id)
{
    const int type = sensor->objtype, jnt = type == SN_OBJ_JOINT ? m->jnt_type[id] : -1;
    switch (on) {
    case SN_ON_SCALAR: return sn_isScalarJoint(jnt) ? NULL : "needs a hinge or slide joint";
    case SN_ON_BALL: return jnt == SN_JNT_BALL ? NULL : "needs a ball joint";
    case SN_ON_LIMITED: return jnt >= 0 && m->jnt_limited[id] ? NULL : "needs a joint with limits";
    case SN_ON_TENDON: return type == SN_OBJ_TENDON ? NULL : "needs a tendon";
    case SN_ON_LIMITED_TENDON:
        return type == SN_OBJ_TENDON && m->tendon_limited[id] ? NULL : "needs a tendon with limits";
    case SN_ON_RANGE: return type == SN_OBJ_SITE || type == SN_OBJ_CAMERA ? NULL : "needs a site or a camera";
    case SN_ON_SITE:
    case SN_ON_LINK: return type == SN_OBJ_SITE ? NULL : "needs a site";
    case SN_ON_BODY: return type == SN_OBJ_BODY ? NULL : "needs a body";
    case SN_ON_ACTUATOR: return type == SN_OBJ_ACTUATOR ? NULL : "needs an actuator";
    case SN_ON_GEOMS:
        if (type != SN_OBJ_GEOM && type != SN_OBJ_BODY) return "needs a geom or body";
        return type == sensor->reftype && !strcmp(sensor->objname, sensor->refname)
                   ? "measures an object against itself: give two"
                   : NULL;
    case SN_ON_FRAME: return sn_hasFrame(type) ? NULL : "objtype must be body, xbody, geom, site or camera";
    case SN_ON_NOTHING:
    case SN_ON_TAXELS:
    case SN_ON_CONTACT: // the reader has asked
    case SN_ON_ANYTHING:
    case SN_ON_PLUGIN:
    case SN_ON_LATER: break;
    }
    return NULL;
}

static bool buildObject(snBuild* b, const snSpecSensor* sensor, const snSensorKind* kind, int id)
{
    snModel* m = b->m;
    m->sensor_objtype[id] = sensor->objtype;
    m->sensor_objid[id] = -1;
    if (kind->on == SN_ON_NOTHING ||
        ((kind->on == SN_ON_ANYTHING || kind->on == SN_ON_PLUGIN || kind->on == SN_ON_CONTACT) &&
         !sensor->objname))
        return true;
    const snSpecHead* object = sn_buildFind(b, &sensor->head, "its object", sensor->objtype, sensor->objname);
    if (!object) return false;
    m->sensor_objid[id] = object->id;
    if (sensor->type == SN_SENS_TOUCH && m->site_dataid[object->id] >= 0)
        return sn_buildFail(
            b, &sensor->head, SN_STATUS_UNSUPPORTED,
            "not supported yet: touch on a site that is a mesh (use contact with site=\"%s\")",
            sensor->objname);
    const char* wrong = wrongObject(m, sensor, kind->on, object->id);
    return !wrong || sn_buildFail(b, &sensor->head, SN_STATUS_MODEL, "%s", wrong);
}

// Whether all geoms of the object of an insidesite sensor with `enclosed` have a volume that is convex.
static bool checkEnclosed(snBuild* b, const snSpecSensor* sensor, int id)
{
    const snModel* m = b->m;
    const int type = sensor->objtype, object = m->sensor_objid[id];
    int count = type == SN_OBJ_SITE;
    if (sensor->type != SN_SENS_INSIDESITE || !sensor->intprm[0]) return true;
    for (int g = 0; g < m->ngeom; g++) {
        int body = m->geom_bodyid[g];
        while (type == SN_OBJ_XBODY && body > object) body = m->body_parentid[body];
        const bool bodies = type == SN_OBJ_BODY || type == SN_OBJ_XBODY;
        if (type == SN_OBJ_GEOM ? g != object : !bodies || body != object) continue;
        if (!sn_isPrimitive(m->geom_type[g]) && !sn_isMeshAsset(m->geom_type[g]))
            return sn_buildFail(b, &sensor->head, SN_STATUS_MODEL,
                                "enclosed: a %s has no end, or is not convex; use spheres, capsules, "
                                "ellipsoids, cylinders, boxes and meshes",
                                sn_shapeWord(m->geom_type[g]));
        count++;
    }
    return count || sn_buildFail(b, &sensor->head, SN_STATUS_MODEL,
                                 "enclosed needs a site, a geom, or a body with geoms");
}

static bool buildReference(snBuild* b, const snSpecSensor* sensor, int id)
{
    snModel* m = b->m;
    m->sensor_reftype[id] = sensor->reftype;
    m->sensor_refid[id] = -1;
    if (!sensor->refname) return true;
    const snSpecHead* object = sn_buildFind(b, &sensor->head, "refname", sensor->reftype, sensor->refname);
    if (!object) return false;
    m->sensor_refid[id] = object->id;
    if (sn_hasFrame(sensor->reftype)) return true;
    return sn_buildFail(b, &sensor->head, SN_STATUS_MODEL,
                        "reftype must be body, xbody, geom, site or camera");
}

// By the contacts of a body a tactile sensor knows what to look at, so that its body needs a geom that
// collides.
static bool checkTaxels(snBuild* b, const snSpecSensor* sensor, int id)
{
    const snModel* m = b->m;
    if (sn_sensorKind(sensor->type)->on != SN_ON_TAXELS) return true;
    const int body = m->geom_bodyid[m->sensor_refid[id]], first = m->body_geomadr[body];
    for (int g = first; g < first + m->body_geomnum[body]; g++)
        if (m->geom_contype[g] || m->geom_conaffinity[g]) return true;
    return sn_buildFail(
        b, &sensor->head, SN_STATUS_MODEL,
        "needs a geom that collides on the body of geom \"%s\": what touches that body is felt",
        sensor->refname);
}

// A sensor of the user that is called sinew_loop_NAME shows the force of that loop.
static bool buildLoopSensor(snBuild* b, const snSpecSensor* sensor, int id)
{
    snModel* m = b->m;
    m->sensor_loopid[id] = -1;
    if (sn_sensorKind(sensor->type)->on != SN_ON_ANYTHING) return true;
    int loop;
    if (!sn_findLoop(b, &sensor->head, &loop)) return false;
    m->sensor_loopid[id] = loop;
    if (loop < 0) return true;
    if (m->sensor_needstage[id] != SN_STAGE_ACC || m->sensor_datatype[id] != SN_DATATYPE_REAL)
        return sn_buildFail(b, &sensor->head, SN_STATUS_MODEL,
                            "shows the force of a loop: needstage must be acc and datatype real");
    if (sn_loopSensorFits(m, loop, m->sensor_dim[id])) return true;
    const char* name = b->loop_name[loop];
    return sn_buildFail(
        b, &sensor->head, SN_STATUS_MODEL,
        sn_loopSensorFits(m, loop, 6)
            ? "dim is %d: the force of loop \"%.60s\" has 6 numbers (torque, force) or 3 "
              "(force)%s"
            : "dim is %d: the force of loop \"%.60s\" is 1 number%s",
        m->sensor_dim[id], name,
        sn_loopSensorFits(m, loop, 1) && sn_loopSensorFits(m, loop, 6) ? ", or 1 along its row" : "");
}

// By 4.0 a range finder may report more than the distance, which may be -1: bits say what.
static bool reportsBits(const snBuild* b, int type)
{
    return type == SN_SENS_RANGEFINDER && sn_means(b->spec->physics, SN_RULE_RANGEFINDER_CUTOFF);
}

static int datatypeOf(const snBuild* b, const snSpecSensor* sensor)
{
    const snSensorKind* kind = sn_sensorKind(sensor->type);
    const bool enclosed = sensor->type == SN_SENS_INSIDESITE && sensor->intprm[0];
    if (enclosed || reportsBits(b, sensor->type)) return SN_DATATYPE_REAL;
    return kind->on == SN_ON_ANYTHING ? sensor->datatype : (int)kind->datatype;
}

static int stageOf(const snBuild* b, const snSensorKind* kind)
{
    const bool late = kind->on == SN_ON_TAXELS && !sn_means(b->spec->physics, SN_RULE_TACTILE_DEPTH);
    return late ? SN_STAGE_ACC : (int)kind->stage;
}

static bool buildSensor(snBuild* b, const snSpecSensor* sensor, int id, int* address)
{
    snModel* m = b->m;
    const snSensorKind* kind = sn_sensorKind(sensor->type);
    if (kind->on == SN_ON_LATER)
        return sn_buildFail(b, &sensor->head, SN_STATUS_UNSUPPORTED, "not supported yet: sensor %s",
                            sensor->head.tag);
    if (sensor->cutoff < 0 || sensor->noise < 0)
        return sn_buildFail(b, &sensor->head, SN_STATUS_MODEL, "%s is negative",
                            sensor->cutoff < 0 ? "cutoff" : "noise");
    const bool user = kind->on == SN_ON_ANYTHING;
    const int dim = sn_sensorDim(b, sensor), datatype = datatypeOf(b, sensor);
    const bool radius = kind->on == SN_ON_GEOMS; // how far is looked
    if (sensor->cutoff > 0 && !radius && (datatype == SN_DATATYPE_AXIS || datatype == SN_DATATYPE_QUATERNION))
        return sn_buildFail(b, &sensor->head, SN_STATUS_MODEL,
                            "cutoff makes no sense for a unit vector or quaternion: leave it out");
    m->sensor_type[id] = sensor->type;
    m->sensor_datatype[id] = datatype;
    m->sensor_needstage[id] = user ? sensor->needstage : stageOf(b, kind);
    m->sensor_dim[id] = dim;
    m->sensor_adr[id] = *address;
    *address += dim;
    m->sensor_cutoff[id] = sensor->cutoff;
    m->sensor_noise[id] = sensor->noise;
    memcpy(m->sensor_intprm + SN_NSENS * id, sensor->intprm, sizeof sensor->intprm);
    if (reportsBits(b, sensor->type) && !sensor->intprm[0]) m->sensor_intprm[SN_NSENS * id] = SN_RANGE_DIST;
    sn_buildUser(m->sensor_user + (size_t)m->nuser_sensor * (size_t)id, m->nuser_sensor, sensor->user);
    return buildObject(b, sensor, kind, id) && checkEnclosed(b, sensor, id) &&
           buildReference(b, sensor, id) && checkTaxels(b, sensor, id) && buildLoopSensor(b, sensor, id);
}

bool sn_buildSensors(snBuild* b)
{
    int address = 0, samples = 0;
    SN_EACH (snSpecActuator, actuator, b->spec->actuators)
        samples += (int)sn_historySize(actuator->nsample, sn_actuatorControls(actuator));
    SN_EACH (snSpecSensor, sensor, b->spec->sensors)
        if (!buildSensor(b, sensor, sensor->head.id, &address) ||
            !sn_buildSensorHistory(b, sensor, sensor->head.id, &samples))
            return false;
    return true;
}
