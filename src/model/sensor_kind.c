#include "model/sensor_kind.h"

#define REAL SN_DATATYPE_REAL
#define POSITIVE SN_DATATYPE_POSITIVE
#define AXIS SN_DATATYPE_AXIS
#define QUATERNION SN_DATATYPE_QUATERNION
// clang-format off
static const snSensorKind kinds[] = {
    [SN_SENS_TOUCH]         = {SN_ON_SITE,     1, POSITIVE,   SN_STAGE_ACC},
    [SN_SENS_ACCELEROMETER] = {SN_ON_SITE,     3, REAL,       SN_STAGE_ACC},
    [SN_SENS_VELOCIMETER]   = {SN_ON_SITE,     3, REAL,       SN_STAGE_VEL},
    [SN_SENS_GYRO]          = {SN_ON_SITE,     3, REAL,       SN_STAGE_VEL},
    [SN_SENS_FORCE]         = {SN_ON_SITE,     3, REAL,       SN_STAGE_ACC},
    [SN_SENS_TORQUE]        = {SN_ON_SITE,     3, REAL,       SN_STAGE_ACC},
    [SN_SENS_MAGNETOMETER]  = {SN_ON_SITE,     3, REAL,       SN_STAGE_POS},
    [SN_SENS_RANGEFINDER]   = {SN_ON_SITE,    1, POSITIVE,   SN_STAGE_POS},
    [SN_SENS_CAMPROJECTION] = {SN_ON_SITE,    2, REAL,       SN_STAGE_POS},
    [SN_SENS_JOINTPOS]      = {SN_ON_SCALAR,   1, REAL,       SN_STAGE_POS},
    [SN_SENS_JOINTVEL]      = {SN_ON_SCALAR,   1, REAL,       SN_STAGE_VEL},
    [SN_SENS_TENDONPOS]     = {SN_ON_TENDON,   1, REAL,       SN_STAGE_POS},
    [SN_SENS_TENDONVEL]     = {SN_ON_TENDON,   1, REAL,       SN_STAGE_VEL},
    [SN_SENS_ACTUATORPOS]   = {SN_ON_ACTUATOR, 1, REAL,       SN_STAGE_POS},
    [SN_SENS_ACTUATORVEL]   = {SN_ON_ACTUATOR, 1, REAL,       SN_STAGE_VEL},
    [SN_SENS_ACTUATORFRC]   = {SN_ON_ACTUATOR, 1, REAL,       SN_STAGE_ACC},
    [SN_SENS_JOINTACTFRC]   = {SN_ON_SCALAR,   1, REAL,       SN_STAGE_ACC},
    [SN_SENS_TENDONACTFRC]  = {SN_ON_TENDON,   1, REAL,       SN_STAGE_ACC},
    [SN_SENS_BALLQUAT]      = {SN_ON_BALL,     4, QUATERNION, SN_STAGE_POS},
    [SN_SENS_BALLANGVEL]    = {SN_ON_BALL,     3, REAL,       SN_STAGE_VEL},
    [SN_SENS_JOINTLIMITPOS] = {SN_ON_LIMITED,  1, REAL,       SN_STAGE_POS},
    [SN_SENS_JOINTLIMITVEL] = {SN_ON_LIMITED,  1, REAL,       SN_STAGE_VEL},
    [SN_SENS_JOINTLIMITFRC] = {SN_ON_LIMITED,  1, REAL,       SN_STAGE_ACC},
    [SN_SENS_TENDONLIMITPOS]= {SN_ON_LIMITED_TENDON, 1, REAL,       SN_STAGE_POS},
    [SN_SENS_TENDONLIMITVEL]= {SN_ON_LIMITED_TENDON, 1, REAL,       SN_STAGE_VEL},
    [SN_SENS_TENDONLIMITFRC]= {SN_ON_LIMITED_TENDON, 1, REAL,       SN_STAGE_ACC},
    [SN_SENS_FRAMEPOS]      = {SN_ON_FRAME,    3, REAL,       SN_STAGE_POS},
    [SN_SENS_FRAMEQUAT]     = {SN_ON_FRAME,    4, QUATERNION, SN_STAGE_POS},
    [SN_SENS_FRAMEXAXIS]    = {SN_ON_FRAME,    3, AXIS,       SN_STAGE_POS},
    [SN_SENS_FRAMEYAXIS]    = {SN_ON_FRAME,    3, AXIS,       SN_STAGE_POS},
    [SN_SENS_FRAMEZAXIS]    = {SN_ON_FRAME,    3, AXIS,       SN_STAGE_POS},
    [SN_SENS_FRAMELINVEL]   = {SN_ON_FRAME,    3, REAL,       SN_STAGE_VEL},
    [SN_SENS_FRAMEANGVEL]   = {SN_ON_FRAME,    3, REAL,       SN_STAGE_VEL},
    [SN_SENS_FRAMELINACC]   = {SN_ON_FRAME,    3, REAL,       SN_STAGE_ACC},
    [SN_SENS_FRAMEANGACC]   = {SN_ON_FRAME,    3, REAL,       SN_STAGE_ACC},
    [SN_SENS_SUBTREECOM]    = {SN_ON_BODY,     3, REAL,       SN_STAGE_POS},
    [SN_SENS_SUBTREELINVEL] = {SN_ON_BODY,     3, REAL,       SN_STAGE_VEL},
    [SN_SENS_SUBTREEANGMOM] = {SN_ON_BODY,     3, REAL,       SN_STAGE_VEL},
    [SN_SENS_INSIDESITE]    = {SN_ON_FRAME,    1, POSITIVE,   SN_STAGE_POS},
    [SN_SENS_GEOMDIST]      = {SN_ON_GEOMS,    1, REAL,       SN_STAGE_POS},
    [SN_SENS_GEOMNORMAL]    = {SN_ON_GEOMS,    3, AXIS,       SN_STAGE_POS},
    [SN_SENS_GEOMFROMTO]    = {SN_ON_GEOMS,    6, REAL,       SN_STAGE_POS},
    [SN_SENS_CONTACT]       = {SN_ON_CONTACT,    1, REAL,       SN_STAGE_ACC},
    [SN_SENS_E_POTENTIAL]   = {SN_ON_NOTHING,  1, REAL,       SN_STAGE_POS},
    [SN_SENS_E_KINETIC]     = {SN_ON_NOTHING,  1, REAL,       SN_STAGE_POS},
    [SN_SENS_CLOCK]         = {SN_ON_NOTHING,  1, REAL,       SN_STAGE_POS},
    [SN_SENS_TACTILE]       = {SN_ON_LATER,    1, REAL,       SN_STAGE_ACC},
    [SN_SENS_PLUGIN]        = {SN_ON_LATER,    1, REAL,       SN_STAGE_ACC},
    [SN_SENS_USER]          = {SN_ON_ANYTHING, 1, REAL,       SN_STAGE_ACC},
};
// clang-format on

const snSensorKind* sn_sensorKind(int type)
{
    static const snSensorKind unknown = {SN_ON_LATER, 0, REAL, SN_STAGE_ACC};
    return type >= 0 && type < (int)(sizeof kinds / sizeof *kinds) ? &kinds[type] : &unknown;
}

bool sn_hasFrame(int objtype)
{
    return objtype == SN_OBJ_BODY || objtype == SN_OBJ_XBODY || objtype == SN_OBJ_GEOM ||
           objtype == SN_OBJ_SITE || objtype == SN_OBJ_CAMERA;
}

bool sn_sensorReferenceFits(int type, int reftype, int refid)
{
    const bool part = refid >= 0 && (reftype == SN_OBJ_GEOM || reftype == SN_OBJ_BODY);
    switch (type) {
    case SN_SENS_CAMPROJECTION: return refid >= 0 && reftype == SN_OBJ_CAMERA;
    case SN_SENS_INSIDESITE: return refid >= 0 && reftype == SN_OBJ_SITE;
    case SN_SENS_GEOMDIST:
    case SN_SENS_GEOMNORMAL:
    case SN_SENS_GEOMFROMTO: return part;
    case SN_SENS_CONTACT: return part || refid < 0 || reftype == SN_OBJ_XBODY;
    default: return true;
    }
}

bool sn_loopSensorFits(const snModel* m, int loop, int dim)
{
    const int eq = loop - m->nloop;
    const bool coupling = eq >= 0 && (m->eq_type[eq] == SN_EQ_JOINT || m->eq_type[eq] == SN_EQ_TENDON);
    const bool single =
        eq < 0 && (m->loop_type[loop] == SN_LOOP_DISTANCE || m->loop_type[loop] == SN_LOOP_SPHERE_IN_PLANE);
    return dim == 1 ? coupling || single : !coupling && (dim == 3 || dim == 6);
}

int sn_contactSensorDim(int data, int num)
{
    static const int size[] = {1, 3, 3, 1, 3, 3, 3}; // of each bit of data
    int sum = 0;
    for (int i = 0; i < 7; i++) sum += data >> i & 1 ? size[i] : 0;
    return num * sum;
}
