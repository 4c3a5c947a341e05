// Kinds of elements and their members, from the tables of mjelement.h.
#include "element.h"
#include <string.h>

// Codes of members by their types.
// clang-format off
enum {
    CODE_double = 'd', CODE_mjtNum = 'd', CODE_float = 'f', CODE_int = 'i', CODE_mjtByte = 'b', CODE_mjtJoint = 'i',
    CODE_mjtGeom = 'i', CODE_mjtGeomInertia = 'i', CODE_mjtCamLight = 'i', CODE_mjtLightType = 'i', CODE_mjtMeshInertia = 'i',
    CODE_mjtTexture = 'i', CODE_mjtColorSpace = 'i', CODE_mjtEq = 'i', CODE_mjtObj = 'i', CODE_mjtGain = 'i',
    CODE_mjtBias = 'i', CODE_mjtDyn = 'i', CODE_mjtTrn = 'i', CODE_mjtSensor = 'i', CODE_mjtDataType = 'i',
    CODE_mjtStage = 'i', CODE_mjsOrientation = 'o', CODE_mjString = 's', CODE_mjDoubleVec = 'D', CODE_mjFloatVec = 'F',
    CODE_mjIntVec = 'I', CODE_sinew_names = 'N',
};
// clang-format on

#define ONE(type, name) {#name, (char)CODE_##type, offsetof(RECORD, name), 1},
#define ROW(type, name, count) {#name, (char)CODE_##type, offsetof(RECORD, name), count},
#define MEMBERS(members) SINEW_##members(ONE, ROW, ONE)
#define END                                                                                                  \
    {                                                                                                        \
        NULL, 0, 0, 0                                                                                        \
    }
#define RECORD mjsBody
static const Member body[] = {MEMBERS(BODY) END};
#undef RECORD
#define RECORD mjsFrame
static const Member frame[] = {MEMBERS(FRAME) END};
#undef RECORD
#define RECORD mjsJoint
static const Member joint[] = {MEMBERS(JOINT) END};
#undef RECORD
#define RECORD mjsGeom
static const Member geom[] = {MEMBERS(GEOM) END};
#undef RECORD
#define RECORD mjsSite
static const Member site[] = {MEMBERS(SITE) END};
#undef RECORD
#define RECORD mjsCamera
static const Member camera[] = {MEMBERS(CAMERA) END};
#undef RECORD
#define RECORD mjsLight
static const Member light[] = {MEMBERS(LIGHT) END};
#undef RECORD
#define RECORD mjsMesh
static const Member mesh[] = {MEMBERS(MESH) END};
#undef RECORD
#define RECORD mjsTexture
static const Member texture[] = {MEMBERS(TEXTURE) END};
#undef RECORD
#define RECORD mjsMaterial
static const Member material[] = {MEMBERS(MATERIAL) END};
#undef RECORD
#define RECORD mjsPair
static const Member pair[] = {MEMBERS(PAIR) END};
#undef RECORD
#define RECORD mjsExclude
static const Member exclude[] = {MEMBERS(EXCLUDE) END};
#undef RECORD
#define RECORD mjsEquality
static const Member equality[] = {MEMBERS(EQUALITY) END};
#undef RECORD
#define RECORD mjsTendon
static const Member tendon[] = {MEMBERS(TENDON) END};
#undef RECORD
#define RECORD mjsActuator
static const Member actuator[] = {MEMBERS(ACTUATOR) END};
#undef RECORD
#define RECORD mjsSensor
static const Member sensor[] = {MEMBERS(SENSOR) END};
#undef RECORD
#define RECORD mjsNumeric
static const Member numeric[] = {MEMBERS(NUMERIC) END};
#undef RECORD
#define RECORD mjsText
static const Member text[] = {MEMBERS(TEXT) END};
#undef RECORD
#define RECORD mjsKey
static const Member key[] = {MEMBERS(KEY) END};
#undef RECORD

#define ARRAY_Body body
#define ARRAY_Frame frame
#define ARRAY_Joint joint
#define ARRAY_Geom geom
#define ARRAY_Site site
#define ARRAY_Camera camera
#define ARRAY_Light light
#define ARRAY_Mesh mesh
#define ARRAY_Texture texture
#define ARRAY_Material material
#define ARRAY_Pair pair
#define ARRAY_Exclude exclude
#define ARRAY_Equality equality
#define ARRAY_Tendon tendon
#define ARRAY_Actuator actuator
#define ARRAY_Sensor sensor
#define ARRAY_Numeric numeric
#define ARRAY_Text text
#define ARRAY_Key key
#define X(name, members, object, section, tag)                                                               \
    {tag, section, mjOBJ_##object, sizeof(mjs##name), ARRAY_##name},
static const Kind kinds[] = {SINEW_ELEMENTS(X)};
#undef X
enum { NKINDS = sizeof kinds / sizeof kinds[0] };

static const Kind* ofType(mjtObj type)
{
    for (int i = 0; i < NKINDS; i++)
        if (kinds[i].type == type) return kinds + i;
    return NULL;
}

static const Kind* ofTag(const char* tag)
{
    if (!strcmp(tag, "worldbody")) return ofType(mjOBJ_BODY);
    if (!strcmp(tag, "freejoint")) return ofType(mjOBJ_JOINT);
    for (int i = 0; i < NKINDS; i++)
        if (!strcmp(kinds[i].tag, tag)) return kinds + i;
    return NULL;
}

// In these sections, and of these kinds in default classes, tags are many.
static const Kind* ofSection(const char* section)
{
    static const mjtObj types[] = {mjOBJ_ACTUATOR, mjOBJ_SENSOR, mjOBJ_EQUALITY, mjOBJ_TENDON};
    static const char* const names[] = {"actuator", "sensor", "equality", "tendon"};
    for (int i = 0; i < 4; i++)
        if (!strcmp(names[i], section)) return ofType(types[i]);
    return NULL;
}

const Kind* kindOf(const snElement* source)
{
    const char* tag = sn_elementTag(source);
    const snElement* parent = sn_elementParent(source);
    const char* above = parent ? sn_elementTag(parent) : "";
    if (!strcmp(tag, "default") || !strcmp(above, "spatial") || !strcmp(above, "fixed") ||
        !strcmp(above, "composite"))
        return NULL;
    const Kind* kind = ofSection(above);
    if (!kind && !strcmp(above, "default")) {
        kind = ofSection(tag);
        if (!kind) kind = ofTag(tag);
        return kind ? kind : ofType(mjOBJ_ACTUATOR);
    }
    return kind ? kind : ofTag(tag);
}

const Member* memberOf(const Kind* kind, const char* name)
{
    for (const Member* m = kind->members; m->name; m++)
        if (!strcmp(m->name, name)) return m;
    return NULL;
}
