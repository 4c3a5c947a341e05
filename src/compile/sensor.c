// Sensors: what they are attached to, how many numbers they give, after which stage.
#include "compile/build.h"

typedef enum {
    ON_NOTHING,
    ON_SITE,
    ON_SCALAR,
    ON_BALL,
    ON_LIMITED,
    ON_ACTUATOR,
    ON_FRAME,
    ON_BODY,
    NOT_YET
} On;

typedef struct {
    On on;
    int dim, datatype, stage;
} Kind;

#define REAL SN_DATATYPE_REAL
#define POSITIVE SN_DATATYPE_POSITIVE
#define AXIS SN_DATATYPE_AXIS
#define QUATERNION SN_DATATYPE_QUATERNION
// clang-format off
static const Kind kinds[] = {
    [SN_SENS_TOUCH]         = {ON_SITE,     1, POSITIVE,   SN_STAGE_ACC},
    [SN_SENS_ACCELEROMETER] = {ON_SITE,     3, REAL,       SN_STAGE_ACC},
    [SN_SENS_VELOCIMETER]   = {ON_SITE,     3, REAL,       SN_STAGE_VEL},
    [SN_SENS_GYRO]          = {ON_SITE,     3, REAL,       SN_STAGE_VEL},
    [SN_SENS_FORCE]         = {ON_SITE,     3, REAL,       SN_STAGE_ACC},
    [SN_SENS_TORQUE]        = {ON_SITE,     3, REAL,       SN_STAGE_ACC},
    [SN_SENS_MAGNETOMETER]  = {ON_SITE,     3, REAL,       SN_STAGE_POS},
    [SN_SENS_RANGEFINDER]   = {NOT_YET,     1, POSITIVE,   SN_STAGE_POS},
    [SN_SENS_CAMPROJECTION] = {NOT_YET,     2, REAL,       SN_STAGE_POS},
    [SN_SENS_JOINTPOS]      = {ON_SCALAR,   1, REAL,       SN_STAGE_POS},
    [SN_SENS_JOINTVEL]      = {ON_SCALAR,   1, REAL,       SN_STAGE_VEL},
    [SN_SENS_TENDONPOS]     = {NOT_YET,     1, REAL,       SN_STAGE_POS},
    [SN_SENS_TENDONVEL]     = {NOT_YET,     1, REAL,       SN_STAGE_VEL},
    [SN_SENS_ACTUATORPOS]   = {ON_ACTUATOR, 1, REAL,       SN_STAGE_POS},
    [SN_SENS_ACTUATORVEL]   = {ON_ACTUATOR, 1, REAL,       SN_STAGE_VEL},
    [SN_SENS_ACTUATORFRC]   = {ON_ACTUATOR, 1, REAL,       SN_STAGE_ACC},
    [SN_SENS_JOINTACTFRC]   = {ON_SCALAR,   1, REAL,       SN_STAGE_ACC},
    [SN_SENS_TENDONACTFRC]  = {NOT_YET,     1, REAL,       SN_STAGE_ACC},
    [SN_SENS_BALLQUAT]      = {ON_BALL,     4, QUATERNION, SN_STAGE_POS},
    [SN_SENS_BALLANGVEL]    = {ON_BALL,     3, REAL,       SN_STAGE_VEL},
    [SN_SENS_JOINTLIMITPOS] = {ON_LIMITED,  1, REAL,       SN_STAGE_POS},
    [SN_SENS_JOINTLIMITVEL] = {ON_LIMITED,  1, REAL,       SN_STAGE_VEL},
    [SN_SENS_JOINTLIMITFRC] = {ON_LIMITED,  1, REAL,       SN_STAGE_ACC},
    [SN_SENS_TENDONLIMITPOS]= {NOT_YET,     1, REAL,       SN_STAGE_POS},
    [SN_SENS_TENDONLIMITVEL]= {NOT_YET,     1, REAL,       SN_STAGE_VEL},
    [SN_SENS_TENDONLIMITFRC]= {NOT_YET,     1, REAL,       SN_STAGE_ACC},
    [SN_SENS_FRAMEPOS]      = {ON_FRAME,    3, REAL,       SN_STAGE_POS},
    [SN_SENS_FRAMEQUAT]     = {ON_FRAME,    4, QUATERNION, SN_STAGE_POS},
    [SN_SENS_FRAMEXAXIS]    = {ON_FRAME,    3, AXIS,       SN_STAGE_POS},
    [SN_SENS_FRAMEYAXIS]    = {ON_FRAME,    3, AXIS,       SN_STAGE_POS},
    [SN_SENS_FRAMEZAXIS]    = {ON_FRAME,    3, AXIS,       SN_STAGE_POS},
    [SN_SENS_FRAMELINVEL]   = {ON_FRAME,    3, REAL,       SN_STAGE_VEL},
    [SN_SENS_FRAMEANGVEL]   = {ON_FRAME,    3, REAL,       SN_STAGE_VEL},
    [SN_SENS_FRAMELINACC]   = {ON_FRAME,    3, REAL,       SN_STAGE_ACC},
    [SN_SENS_FRAMEANGACC]   = {ON_FRAME,    3, REAL,       SN_STAGE_ACC},
    [SN_SENS_SUBTREECOM]    = {ON_BODY,     3, REAL,       SN_STAGE_POS},
    [SN_SENS_SUBTREELINVEL] = {ON_BODY,     3, REAL,       SN_STAGE_VEL},
    [SN_SENS_SUBTREEANGMOM] = {ON_BODY,     3, REAL,       SN_STAGE_VEL},
    [SN_SENS_INSIDESITE]    = {NOT_YET,     1, POSITIVE,   SN_STAGE_POS},
    [SN_SENS_GEOMDIST]      = {NOT_YET,     1, REAL,       SN_STAGE_POS},
    [SN_SENS_GEOMNORMAL]    = {NOT_YET,     3, AXIS,       SN_STAGE_POS},
    [SN_SENS_GEOMFROMTO]    = {NOT_YET,     6, REAL,       SN_STAGE_POS},
    [SN_SENS_CONTACT]       = {NOT_YET,     1, REAL,       SN_STAGE_ACC},
    [SN_SENS_E_POTENTIAL]   = {ON_NOTHING,  1, REAL,       SN_STAGE_POS},
    [SN_SENS_E_KINETIC]     = {ON_NOTHING,  1, REAL,       SN_STAGE_POS},
    [SN_SENS_CLOCK]         = {ON_NOTHING,  1, REAL,       SN_STAGE_POS},
    [SN_SENS_TACTILE]       = {NOT_YET,     1, REAL,       SN_STAGE_ACC},
    [SN_SENS_PLUGIN]        = {NOT_YET,     1, REAL,       SN_STAGE_ACC},
    [SN_SENS_USER]          = {NOT_YET,     1, REAL,       SN_STAGE_ACC},
};
// clang-format on

static const Kind* kindOf(int type)
{
    static const Kind unknown = {NOT_YET, 0, REAL, SN_STAGE_ACC};
    return type >= 0 && type < (int)(sizeof kinds / sizeof *kinds) ? &kinds[type] : &unknown;
}

int sn_sensorDim(const snSpecSensor* sensor)
{
    return kindOf(sensor->type)->dim;
}

static bool isFrame(int objtype)
{
    return objtype == SN_OBJ_BODY || objtype == SN_OBJ_XBODY || objtype == SN_OBJ_GEOM ||
           objtype == SN_OBJ_SITE || objtype == SN_OBJ_CAMERA;
}

static bool checkObject(snBuild* b, const snSpecSensor* sensor, On on, int id)
{
    const snModel* m = b->m;
    const int jnt = sensor->objtype == SN_OBJ_JOINT ? m->jnt_type[id] : -1;
    const char* wrong = NULL;
    switch (on) {
    case ON_SCALAR:
        if (jnt != SN_JNT_HINGE && jnt != SN_JNT_SLIDE) wrong = "needs a hinge or slide joint";
        break;
    case ON_BALL:
        if (jnt != SN_JNT_BALL) wrong = "needs a ball joint";
        break;
    case ON_LIMITED:
        if (jnt < 0 || !m->jnt_limited[id]) wrong = "needs a joint with limits";
        break;
    case ON_SITE:
        if (sensor->objtype != SN_OBJ_SITE) wrong = "needs a site";
        break;
    case ON_BODY:
        if (sensor->objtype != SN_OBJ_BODY) wrong = "needs a body";
        break;
    case ON_ACTUATOR:
        if (sensor->objtype != SN_OBJ_ACTUATOR) wrong = "needs an actuator";
        break;
    case ON_FRAME:
        if (!isFrame(sensor->objtype)) wrong = "objtype must be body, xbody, geom, site or camera";
        break;
    default: break;
    }
    return !wrong || sn_buildFail(b, &sensor->head, SN_STATUS_MODEL, "%s", wrong);
}

static bool buildObject(snBuild* b, const snSpecSensor* sensor, const Kind* kind, int id)
{
    snModel* m = b->m;
    m->sensor_objtype[id] = sensor->objtype;
    m->sensor_objid[id] = -1;
    if (kind->on == ON_NOTHING) return true;
    const snSpecHead* object = sn_buildFind(b, &sensor->head, "its object", sensor->objtype, sensor->objname);
    if (!object) return false;
    m->sensor_objid[id] = object->id;
    return checkObject(b, sensor, kind->on, object->id);
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
    if (isFrame(sensor->reftype)) return true;
    return sn_buildFail(b, &sensor->head, SN_STATUS_MODEL,
                        "reftype must be body, xbody, geom, site or camera");
}

static bool buildSensor(snBuild* b, const snSpecSensor* sensor, int id, int* address)
{
    snModel* m = b->m;
    const Kind* kind = kindOf(sensor->type);
    if (kind->on == NOT_YET)
        return sn_buildFail(b, &sensor->head, SN_STATUS_UNSUPPORTED, "not supported yet: sensor %s",
                            sensor->head.tag);
    if (sensor->cutoff < 0 || sensor->noise < 0)
        return sn_buildFail(b, &sensor->head, SN_STATUS_MODEL, "%s is negative",
                            sensor->cutoff < 0 ? "cutoff" : "noise");
    if (sensor->cutoff > 0 && (kind->datatype == AXIS || kind->datatype == QUATERNION))
        return sn_buildFail(b, &sensor->head, SN_STATUS_MODEL,
                            "cutoff makes no sense for a unit vector or quaternion: leave it out");
    m->sensor_type[id] = sensor->type;
    m->sensor_datatype[id] = kind->datatype;
    m->sensor_needstage[id] = kind->stage;
    m->sensor_dim[id] = kind->dim;
    m->sensor_adr[id] = *address;
    *address += kind->dim;
    m->sensor_cutoff[id] = sensor->cutoff;
    m->sensor_noise[id] = sensor->noise;
    memcpy(m->sensor_intprm + SN_NSENS * id, sensor->intprm, sizeof sensor->intprm);
    sn_buildUser(m->sensor_user + (size_t)m->nuser_sensor * (size_t)id, m->nuser_sensor, sensor->user);
    return buildObject(b, sensor, kind, id) && buildReference(b, sensor, id);
}

bool sn_buildSensors(snBuild* b)
{
    int address = 0;
    SN_EACH (snSpecSensor, sensor, b->spec->sensors)
        if (!buildSensor(b, sensor, sensor->head.id, &address)) return false;
    return true;
}
