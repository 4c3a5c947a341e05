#include "model/sensor_kind.h"
#include <string.h>
#include "model/kinds.h"

static const snSensorKind kinds[] = {
#define X(name, value, keyword, meaning, form, object, dim, datatype, stage, needs, lanes)                   \
    [value] = {SN_FORM_##form,   SN_ON_##object,    dim, SN_DATATYPE_##datatype, SN_STAGE_##stage,           \
               SN_NEEDS_##needs, SN_INLANES_##lanes},
    SN_SENSOR_TABLE(X)
#undef X
};
_Static_assert(sizeof kinds / sizeof *kinds <= 64, "sets of types are bits of 64");

const snSensorKind* sn_sensorKind(int type)
{
    static const snSensorKind unknown = {.form = SN_FORM_LATER, .on = SN_ON_LATER, .stage = SN_STAGE_ACC};
    return type >= 0 && type < (int)(sizeof kinds / sizeof *kinds) ? &kinds[type] : &unknown;
}

int sn_sensorType(const char* keyword)
{
#define X(name, value, word, ...)                                                                            \
    if (!strcmp(word, keyword)) return value;
    SN_SENSOR_TABLE(X)
#undef X
    return -1;
}

bool sn_hasFrame(int objtype)
{
    return objtype == SN_OBJ_BODY || objtype == SN_OBJ_XBODY || objtype == SN_OBJ_GEOM ||
           objtype == SN_OBJ_SITE || objtype == SN_OBJ_CAMERA;
}

bool sn_sensorReferenceFits(int type, int reftype, int refid)
{
    const bool part = refid >= 0 && (reftype == SN_OBJ_GEOM || reftype == SN_OBJ_BODY);
    switch (sn_sensorKind(type)->form) {
    case SN_FORM_CAMERA: return refid >= 0 && reftype == SN_OBJ_CAMERA;
    case SN_FORM_INSIDE: return refid >= 0 && reftype == SN_OBJ_SITE;
    case SN_FORM_DISTANCE: return part;
    case SN_FORM_TAXELS: return refid >= 0 && reftype == SN_OBJ_GEOM;
    case SN_FORM_CONTACT: return part || refid < 0 || reftype == SN_OBJ_XBODY;
    case SN_FORM_FRAME:
    case SN_FORM_FRAMEACC:
    case SN_FORM_SITE:
    case SN_FORM_RANGE:
    case SN_FORM_JOINT:
    case SN_FORM_TENDON:
    case SN_FORM_ACTUATOR:
    case SN_FORM_BODY:
    case SN_FORM_NONE:
    case SN_FORM_USER:
    case SN_FORM_PLUGIN:
    case SN_FORM_LATER: return true;
    }
    return true;
}

bool sn_loopSensorFits(const snModel* m, int loop, int dim)
{
    const int eq = loop - m->nloop;
    const bool coupling = eq >= 0 && !sn_equalityKind(m->eq_type[eq]).bodies;
    const bool single =
        eq < 0 && (m->loop_type[loop] == SN_LOOP_DISTANCE || m->loop_type[loop] == SN_LOOP_SPHERE_IN_PLANE);
    return dim == 1 ? coupling || single : !coupling && (dim == 3 || dim == 6);
}

// Numbers of what the bits of data ask for.
static int sizeOfBits(const int* size, int count, int data)
{
    int sum = 0;
    for (int i = 0; i < count; i++) sum += data >> i & 1 ? size[i] : 0;
    return sum;
}

int sn_contactSensorDim(int data, int num)
{
    static const int size[] = {1, 3, 3, 1, 3, 3, 3, 3, 3}; // of each bit of data
    return num * sizeOfBits(size, (int)(sizeof size / sizeof *size), data);
}

long long sn_rangeRays(int objtype, const int resolution[2])
{
    return objtype == SN_OBJ_CAMERA ? (long long)resolution[0] * resolution[1] : 1;
}

long long sn_rangeSensorDim(int data, long long rays)
{
    static const int size[] = {1, 3, 3, 3, 3, 1};
    return rays * sizeOfBits(size, (int)(sizeof size / sizeof *size), data ? data : SN_RANGE_DIST);
}
