#include "format/mjcf/language/table.h"
#include <stdlib.h>
#include <string.h>

// One row of an attribute table a row of the X-macro; the record is named by RECORD.
#define E SN_IN_ELEMENT
#define D SN_IN_DEFAULT
#define B (SN_IN_ELEMENT | SN_IN_DEFAULT)
#define R (SN_IN_ELEMENT | SN_REQUIRED)

#define ROW(member, kind, attribute, offset, min, max, words, where, meaning, ...)                           \
    {#attribute, SN_ATTR_##kind, offset, min, max, #words, where, meaning, #__VA_ARGS__, member},
#define PLAIN(...) ROW(__VA_ARGS__)
#define ROW_REAL(m, k, a, ...) PLAIN(#m, k, a, offsetof(RECORD, m), __VA_ARGS__)
#define ROW_VEC ROW_REAL
#define ROW_FLOAT ROW_REAL
#define ROW_FVEC ROW_REAL
#define ROW_INT ROW_REAL
#define ROW_IVEC ROW_REAL
#define ROW_BOOL ROW_REAL
#define ROW_WORD ROW_REAL
#define ROW_TEXT ROW_REAL
#define ROW_REF ROW_REAL
#define ROW_NAMES ROW_REAL
#define ROW_LIST ROW_REAL
#define ROW_FLIST ROW_REAL
#define ROW_ILIST ROW_REAL
#define ROW_NAME(m, k, a, ...) PLAIN(NULL, k, a, 0, __VA_ARGS__)
#define ROW_CLASS ROW_NAME
#define ROW_CHILDCLASS ROW_NAME
#define ROW_LATER ROW_NAME
#define ROW_ORIENT(m, k, a, min, max, words, where, meaning, init)                                           \
    ROW(NULL, QUAT, quat, offsetof(RECORD, m), 4, 4, 0, where, "orientation: quaternion w x y z", 1, 0, 0,   \
        0)                                                                                                   \
    ROW(NULL, AXISANGLE, axisangle, offsetof(RECORD, m), 4, 4, 0, where, "orientation: axis and angle", )    \
    ROW(NULL, XYAXES, xyaxes, offsetof(RECORD, m), 6, 6, 0, where, "orientation: x and y axis", )            \
    ROW(NULL, ZAXIS, zaxis, offsetof(RECORD, m), 3, 3, 0, where, "orientation: z axis, least rotation", )    \
    ROW(NULL, EULER, euler, offsetof(RECORD, m), 3, 3, 0, where, "orientation: three angles, see eulerseq", )
#define X(kind, attribute, member, ...) ROW_##kind(member, kind, attribute, __VA_ARGS__)

#define RECORD snSpecCompiler
static const snAttribute compiler[] = {SN_SPEC_COMPILER(X)};
#undef RECORD
#define RECORD snLengthRange
static const snAttribute lengthrange[] = {SN_SPEC_LENGTHRANGE(X)};
#undef RECORD
#define RECORD snOption
static const snAttribute option[] = {SN_SPEC_OPTION(X){"actuatorgroupdisable", SN_ATTR_LIST, 0, 0, 0, "0", E,
                                                       "groups of actuators that are off", "", NULL}};
#define DISABLE(name, bit, keyword, meaning)                                                                 \
    {keyword,  SN_ATTR_FLAG, offsetof(snOption, disableflags), 1 << (bit), 0, "ENABLE", E, meaning,          \
     "enable", NULL},
#define ENABLE(name, bit, keyword, meaning)                                                                  \
    {keyword,   SN_ATTR_FLAG, offsetof(snOption, enableflags), 1 << (bit), 1, "ENABLE", E, meaning,          \
     "disable", NULL},
static const snAttribute flag[] = {SN_DSBL_TABLE(DISABLE) SN_ENBL_TABLE(ENABLE)};
#undef RECORD
#define RECORD snSpecSize
static const snAttribute size[] = {SN_SPEC_SIZE(X)};
#undef RECORD
#define RECORD snSpecStatistic
static const snAttribute statistic[] = {SN_SPEC_STATISTIC(X)};
#undef RECORD
#define VISUAL_int SN_ATTR_INT
#define VISUAL_float SN_ATTR_FLOAT
#define SINGLE(group, type, name, meaning, init)                                                             \
    {#name, VISUAL_##type, offsetof(snVisual, group.name), 1, 1, "0", E, meaning, #init, NULL},
#define BOOLEAN(group, type, name, meaning, init)                                                            \
    {#name, SN_ATTR_BOOL, offsetof(snVisual, group.name), 1, 1, "0", E, meaning, #init, NULL},
#define VECTOR(group, name, count, meaning, ...)                                                             \
    {#name, SN_ATTR_FVEC, offsetof(snVisual, group.name), count, count, "0", E, meaning, #__VA_ARGS__, NULL},
#define GROUP(group, table) static const snAttribute visual_##group[] = {table(SINGLE, BOOLEAN, VECTOR)};
SN_VISUAL_GROUPS(GROUP)
#undef GROUP
#undef SINGLE
#undef BOOLEAN
#undef VECTOR
#define RECORD snSpecNumeric
static const snAttribute numeric[] = {SN_SPEC_NUMERIC(X)};
#undef RECORD
#define RECORD snSpecText
static const snAttribute text[] = {SN_SPEC_TEXT(X)};
#undef RECORD
#define RECORD snSpecTuple
static const snAttribute tuple[] = {SN_SPEC_TUPLE(X)};
#undef RECORD
#define RECORD snSpecTupleElement
static const snAttribute tuple_element[] = {SN_SPEC_TUPLE_ELEMENT(X)};
#undef RECORD
#define RECORD snSpecTexture
static const snAttribute texture[] = {SN_SPEC_TEXTURE(X)};
#undef RECORD
#define RECORD snSpecHfield
static const snAttribute hfield[] = {SN_SPEC_HFIELD(X)};
#undef RECORD
#define RECORD snSpecSkin
static const snAttribute skin[] = {SN_SPEC_SKIN(X)};
#undef RECORD
#define RECORD snSpecFlex
static const snAttribute flex[] = {SN_SPEC_FLEX(X)};
static const snAttribute flex_contact[] = {SN_SPEC_FLEX_CONTACT(X)};
static const snAttribute flex_edge[] = {SN_SPEC_FLEX_EDGE(X)};
static const snAttribute flex_elasticity[] = {SN_SPEC_FLEX_ELASTICITY(X)};
#undef RECORD
#define RECORD snSpecBone
static const snAttribute bone[] = {SN_SPEC_BONE(X)};
#undef RECORD
#define RECORD snSpecMaterial
static const snAttribute material[] = {SN_SPEC_MATERIAL(X)};
#undef RECORD
#define RECORD snLayerText
static const snAttribute layer[] = {SN_SPEC_LAYER(X)};
#undef RECORD
#define RECORD snSpecMesh
static const snAttribute mesh[] = {SN_SPEC_MESH(X)};
#undef RECORD
#define RECORD snSpecBody
static const snAttribute body[] = {SN_SPEC_BODY(X)};
#undef RECORD
#define RECORD snSpecFrame
static const snAttribute frame[] = {SN_SPEC_FRAME(X)};
#undef RECORD
#define RECORD snSpecComposite
static const snAttribute composite[] = {SN_SPEC_COMPOSITE(X)};
#undef RECORD
#define RECORD snSpecFlexcomp
static const snAttribute flexcomp[] = {SN_SPEC_FLEXCOMP(X)};
static const snAttribute flexcomp_edge[] = {SN_SPEC_FLEXCOMP_EDGE(X)};
#undef RECORD
#define RECORD snSpecPin
static const snAttribute flexcomp_pin[] = {SN_SPEC_FLEXCOMP_PIN(X)};
#undef RECORD
#define RECORD snSpecReplicate
static const snAttribute replicate[] = {SN_SPEC_REPLICATE(X)};
#undef RECORD
#define RECORD snSpecAttach
static const snAttribute attach[] = {SN_SPEC_ATTACH(X)};
#undef RECORD
#define RECORD snSpecModel
static const snAttribute model[] = {SN_SPEC_MODEL(X)};
#undef RECORD
#define RECORD snSpecInertial
static const snAttribute inertial[] = {SN_SPEC_INERTIAL(X)};
#undef RECORD
#define RECORD snSpecJoint
static const snAttribute joint[] = {SN_SPEC_JOINT(X)};
static const snAttribute freejoint[] = {SN_SPEC_FREEJOINT(X)};
#undef RECORD
#define RECORD snSpecGeom
static const snAttribute geom[] = {SN_SPEC_GEOM(X)};
#undef RECORD
#define RECORD snSpecSite
static const snAttribute site[] = {SN_SPEC_SITE(X)};
#undef RECORD
#define RECORD snSpecCamera
static const snAttribute camera[] = {
    SN_SPEC_CAMERA(X){"projection", SN_ATTR_WORD, offsetof(snSpecCamera, orthographic), 1, 1, "snProjection",
                      B, "4.0: perspective, or orthographic: in parallel", "0", NULL}};
#undef RECORD
#define RECORD snSpecLight
static const snAttribute light[] = {SN_SPEC_LIGHT(X)};
#undef RECORD
#define RECORD snSpecPair
static const snAttribute pair[] = {SN_SPEC_PAIR(X)};
#undef RECORD
#define RECORD snSpecExclude
static const snAttribute exclude[] = {SN_SPEC_EXCLUDE(X)};
#undef RECORD
#define RECORD snSpecTendon
static const snAttribute fixed[] = {SN_SPEC_TENDON(X)};
static const snAttribute spatial[] = {SN_SPEC_TENDON(X) SN_SPEC_TENDON_SPATIAL(X)};
#undef RECORD
#define RECORD snSpecWrap
static const snAttribute wrap_joint[] = {SN_SPEC_WRAP_JOINT(X)};
static const snAttribute wrap_site[] = {SN_SPEC_WRAP_SITE(X)};
static const snAttribute wrap_geom[] = {SN_SPEC_WRAP_GEOM(X)};
static const snAttribute wrap_pulley[] = {SN_SPEC_WRAP_PULLEY(X)};
#undef RECORD
#define RECORD snSpecEquality
#define BETWEEN_BODIES SN_SPEC_EQUALITY(X) SN_SPEC_EQUALITY_BODY(X)
static const snAttribute connect[] = {BETWEEN_BODIES SN_SPEC_EQUALITY_CONNECT(X)};
static const snAttribute weld[] = {BETWEEN_BODIES SN_SPEC_EQUALITY_WELD(X)};
static const snAttribute equality_joint[] = {SN_SPEC_EQUALITY(X) SN_SPEC_EQUALITY_JOINT(X)
                                                 SN_SPEC_EQUALITY_POLYCOEF(X)};
static const snAttribute equality_tendon[] = {SN_SPEC_EQUALITY(X) SN_SPEC_EQUALITY_TENDON(X)
                                                  SN_SPEC_EQUALITY_POLYCOEF(X)};
static const snAttribute equality_flex[] = {SN_SPEC_EQUALITY(X) SN_SPEC_EQUALITY_FLEX(X)};
static const snAttribute equality_default[] = {SN_SPEC_EQUALITY(X)};
#undef RECORD
#define RECORD snSpecActuator
#define DRIVEN SN_SPEC_ACTUATOR(X) SN_SPEC_ACTUATOR_LENGTH(X)
#define CONTROLLED DRIVEN SN_SPEC_ACTUATOR_SITE(X) SN_SPEC_ACTUATOR_CONTROL(X)
static const snAttribute general[] = {CONTROLLED SN_SPEC_ACTUATOR_BODY(X) SN_SPEC_ACTUATOR_ACTRANGE(X)
                                          SN_SPEC_ACTUATOR_GENERAL(X) SN_SPEC_ACTUATOR_INHERIT(X)
                                              SN_SPEC_ACTUATOR_INPUT(X) SN_SPEC_ACTUATOR_RANGES(X)};
static const snAttribute motor[] = {CONTROLLED};
static const snAttribute position[] = {CONTROLLED SN_SPEC_ACTUATOR_SERVO(X) SN_SPEC_ACTUATOR_INHERIT(X)
                                           SN_SPEC_ACTUATOR_FILTER(X)};
static const snAttribute velocity[] = {CONTROLLED SN_SPEC_ACTUATOR_VELOCITY(X)};
static const snAttribute intvelocity[] = {CONTROLLED SN_SPEC_ACTUATOR_ACTRANGE(X) SN_SPEC_ACTUATOR_SERVO(X)
                                              SN_SPEC_ACTUATOR_INHERIT(X)};
static const snAttribute damper[] = {DRIVEN SN_SPEC_ACTUATOR_SITE(X) SN_SPEC_ACTUATOR_VELOCITY(X)};
static const snAttribute cylinder[] = {CONTROLLED SN_SPEC_ACTUATOR_FILTER(X) SN_SPEC_ACTUATOR_CYLINDER(X)};
static const snAttribute muscle[] = {DRIVEN SN_SPEC_ACTUATOR_CONTROL(X) SN_SPEC_ACTUATOR_MUSCLE(X)};
static const snAttribute adhesion[] = {SN_SPEC_ACTUATOR(X) SN_SPEC_ACTUATOR_BODY(X)
                                           SN_SPEC_ACTUATOR_ADHESION(X)};
static const snAttribute pid[] = {CONTROLLED SN_SPEC_ACTUATOR_SERVO(X) SN_SPEC_ACTUATOR_INHERIT(
    X) SN_SPEC_ACTUATOR_INPUT(X) SN_SPEC_ACTUATOR_RANGES(X) SN_SPEC_ACTUATOR_PID(X)};
static const snAttribute dcmotor[] = {SN_SPEC_ACTUATOR_NAME(X) SN_SPEC_ACTUATOR_CTRLRANGE(X)
                                          SN_SPEC_ACTUATOR_HISTORY(X) SN_SPEC_ACTUATOR_LENGTH(X)
                                              SN_SPEC_ACTUATOR_SITE(X) SN_SPEC_ACTUATOR_CONTROL(X)
                                                  SN_SPEC_ACTUATOR_INPUT(X) SN_SPEC_ACTUATOR_MOTOR(X)};
static const snAttribute actuator_plugin[] = {
    SN_SPEC_PLUGIN(X) DRIVEN SN_SPEC_ACTUATOR_AT(X) SN_SPEC_ACTUATOR_CONTROL(X) SN_SPEC_ACTUATOR_ACTRANGE(X)
        SN_SPEC_ACTUATOR_DYNAMICS(X) SN_SPEC_ACTUATOR_DYNPRM(X) SN_SPEC_ACTUATOR_EARLY(X)};
static const snAttribute orientation[] = {SN_SPEC_ACTUATOR(X) SN_SPEC_ACTUATOR_JOINT(X) SN_SPEC_ACTUATOR_SITE(
    X) SN_SPEC_ACTUATOR_SERVO(X) SN_SPEC_ACTUATOR_INPUT(X)};
#undef RECORD
#define RECORD snSpecKey
static const snAttribute key[] = {SN_SPEC_KEY(X)};
#undef RECORD
#define RECORD snSpecPlugin
static const snAttribute plugin[] = {SN_SPEC_PLUGIN(X)};
static const snAttribute instance[] = {SN_SPEC_INSTANCE(X)};
#undef RECORD
#define RECORD snSpecExtension
static const snAttribute extension_plugin[] = {SN_SPEC_EXTENSION(X)};
#undef RECORD
#define RECORD snSpecConfig
static const snAttribute config[] = {SN_SPEC_CONFIG(X)};
#undef RECORD
#define RECORD snSensorText
#define MEASURED SN_SPEC_SENSOR(X) SN_SPEC_SENSOR_HISTORY(X)
static const snAttribute sensor_site[] = {MEASURED SN_SPEC_SENSOR_SITE(X)};
static const snAttribute sensor_joint[] = {MEASURED SN_SPEC_SENSOR_JOINT(X)};
static const snAttribute sensor_tendon[] = {MEASURED SN_SPEC_SENSOR_TENDON(X)};
static const snAttribute sensor_actuator[] = {MEASURED SN_SPEC_SENSOR_ACTUATOR(X)};
static const snAttribute sensor_body[] = {MEASURED SN_SPEC_SENSOR_BODY(X)};
static const snAttribute sensor_frame[] = {MEASURED SN_SPEC_SENSOR_FRAME(X)};
static const snAttribute sensor_frameacc[] = {MEASURED SN_SPEC_SENSOR_FRAMEACC(X)};
static const snAttribute sensor_camera[] = {MEASURED SN_SPEC_SENSOR_CAMERA(X)};
static const snAttribute sensor_range[] = {MEASURED SN_SPEC_SENSOR_RANGE(X)};
static const snAttribute sensor_inside[] = {MEASURED SN_SPEC_SENSOR_INSIDE(X)};
static const snAttribute sensor_distance[] = {MEASURED SN_SPEC_SENSOR_DISTANCE(X)};
static const snAttribute sensor_contact[] = {SN_SPEC_SENSOR_CONTACT(X) SN_SPEC_SENSOR_HISTORY(X)};
static const snAttribute sensor_taxels[] = {SN_SPEC_SENSOR_TAXELS(X) SN_SPEC_SENSOR_HISTORY(X)};
static const snAttribute sensor_none[] = {MEASURED};
static const snAttribute sensor_plugin[] = {SN_SPEC_PLUGIN(X) SN_SPEC_SENSOR_PLUGIN(X)
                                                SN_SPEC_SENSOR_HISTORY(X)};
static const snAttribute sensor_user[] = {SN_SPEC_SENSOR(X) SN_SPEC_SENSOR_USER(X)};
#undef RECORD

#define ELEMENT(path, tag, attributes)                                                                       \
    {                                                                                                        \
        path, tag, (int)(sizeof(attributes) / sizeof((attributes)[0])), attributes                           \
    }
static const snMjcfElement elements[SN_MJCF_COUNT] = {
    [SN_MJCF_COMPILER] = ELEMENT("compiler", "compiler", compiler),
    [SN_MJCF_LENGTHRANGE] = ELEMENT("compiler/lengthrange", "lengthrange", lengthrange),
    [SN_MJCF_OPTION] = ELEMENT("option", "option", option),
    [SN_MJCF_FLAG] = ELEMENT("option/flag", "flag", flag),
    [SN_MJCF_SIZE] = ELEMENT("size", "size", size),
    [SN_MJCF_STATISTIC] = ELEMENT("statistic", "statistic", statistic),
    [SN_MJCF_VISUAL_GLOBAL] = ELEMENT("visual/global", "global", visual_global),
    [SN_MJCF_VISUAL_QUALITY] = ELEMENT("visual/quality", "quality", visual_quality),
    [SN_MJCF_VISUAL_HEADLIGHT] = ELEMENT("visual/headlight", "headlight", visual_headlight),
    [SN_MJCF_VISUAL_MAP] = ELEMENT("visual/map", "map", visual_map),
    [SN_MJCF_VISUAL_SCALE] = ELEMENT("visual/scale", "scale", visual_scale),
    [SN_MJCF_VISUAL_RGBA] = ELEMENT("visual/rgba", "rgba", visual_rgba),
    [SN_MJCF_NUMERIC] = ELEMENT("custom/numeric", "numeric", numeric),
    [SN_MJCF_TEXT] = ELEMENT("custom/text", "text", text),
    [SN_MJCF_TUPLE] = ELEMENT("custom/tuple", "tuple", tuple),
    [SN_MJCF_TUPLE_ELEMENT] = ELEMENT("custom/tuple/element", "element", tuple_element),
    [SN_MJCF_TEXTURE] = ELEMENT("asset/texture", "texture", texture),
    [SN_MJCF_HFIELD] = ELEMENT("asset/hfield", "hfield", hfield),
    [SN_MJCF_SKIN] = ELEMENT("asset/skin", "skin", skin),
    [SN_MJCF_DEFORMABLE_SKIN] = ELEMENT("deformable/skin", "skin", skin),
    [SN_MJCF_BONE] = ELEMENT("deformable/skin/bone", "bone", bone),
    [SN_MJCF_FLEX] = ELEMENT("deformable/flex", "flex", flex),
    [SN_MJCF_FLEX_CONTACT] = ELEMENT("deformable/flex/contact", "contact", flex_contact),
    [SN_MJCF_FLEX_EDGE] = ELEMENT("deformable/flex/edge", "edge", flex_edge),
    [SN_MJCF_FLEX_ELASTICITY] = ELEMENT("deformable/flex/elasticity", "elasticity", flex_elasticity),
    [SN_MJCF_MATERIAL] = ELEMENT("asset/material", "material", material),
    [SN_MJCF_LAYER] = ELEMENT("asset/material/layer", "layer", layer),
    [SN_MJCF_MESH] = ELEMENT("asset/mesh", "mesh", mesh),
    [SN_MJCF_BODY] = ELEMENT("body", "body", body),
    [SN_MJCF_FRAME] = ELEMENT("frame", "frame", frame),
    [SN_MJCF_COMPOSITE] = ELEMENT("body/composite", "composite", composite),
    [SN_MJCF_FLEXCOMP] = ELEMENT("body/flexcomp", "flexcomp", flexcomp),
    [SN_MJCF_FLEXCOMP_CONTACT] = ELEMENT("body/flexcomp/contact", "contact", flex_contact),
    [SN_MJCF_FLEXCOMP_EDGE] = ELEMENT("body/flexcomp/edge", "edge", flexcomp_edge),
    [SN_MJCF_FLEXCOMP_ELASTICITY] = ELEMENT("body/flexcomp/elasticity", "elasticity", flex_elasticity),
    [SN_MJCF_FLEXCOMP_PIN] = ELEMENT("body/flexcomp/pin", "pin", flexcomp_pin),
    [SN_MJCF_REPLICATE] = ELEMENT("body/replicate", "replicate", replicate),
    [SN_MJCF_ATTACH] = ELEMENT("body/attach", "attach", attach),
    [SN_MJCF_MODEL] = ELEMENT("asset/model", "model", model),
    [SN_MJCF_INERTIAL] = ELEMENT("body/inertial", "inertial", inertial),
    [SN_MJCF_JOINT] = ELEMENT("body/joint", "joint", joint),
    [SN_MJCF_FREEJOINT] = ELEMENT("body/freejoint", "freejoint", freejoint),
    [SN_MJCF_GEOM] = ELEMENT("body/geom", "geom", geom),
    [SN_MJCF_SITE] = ELEMENT("body/site", "site", site),
    [SN_MJCF_CAMERA] = ELEMENT("body/camera", "camera", camera),
    [SN_MJCF_LIGHT] = ELEMENT("body/light", "light", light),
    [SN_MJCF_PAIR] = ELEMENT("contact/pair", "pair", pair),
    [SN_MJCF_EXCLUDE] = ELEMENT("contact/exclude", "exclude", exclude),
    [SN_MJCF_FIXED] = ELEMENT("tendon/fixed", "fixed", fixed),
    [SN_MJCF_SPATIAL] = ELEMENT("tendon/spatial", "spatial", spatial),
    [SN_MJCF_TENDON_DEFAULT] = ELEMENT("default/tendon", "tendon", spatial),
    [SN_MJCF_WRAP_JOINT] = ELEMENT("tendon/fixed/joint", "joint", wrap_joint),
    [SN_MJCF_WRAP_SITE] = ELEMENT("tendon/spatial/site", "site", wrap_site),
    [SN_MJCF_WRAP_GEOM] = ELEMENT("tendon/spatial/geom", "geom", wrap_geom),
    [SN_MJCF_WRAP_PULLEY] = ELEMENT("tendon/spatial/pulley", "pulley", wrap_pulley),
    [SN_MJCF_CONNECT] = ELEMENT("equality/connect", "connect", connect),
    [SN_MJCF_WELD] = ELEMENT("equality/weld", "weld", weld),
    [SN_MJCF_EQUALITY_JOINT] = ELEMENT("equality/joint", "joint", equality_joint),
    [SN_MJCF_EQUALITY_TENDON] = ELEMENT("equality/tendon", "tendon", equality_tendon),
    [SN_MJCF_EQUALITY_FLEX] = ELEMENT("equality/flex", "flex", equality_flex),
    [SN_MJCF_EQUALITY_DEFAULT] = ELEMENT("default/equality", "equality", equality_default),
    [SN_MJCF_GENERAL] = ELEMENT("actuator/general", "general", general),
    [SN_MJCF_MOTOR] = ELEMENT("actuator/motor", "motor", motor),
    [SN_MJCF_POSITION] = ELEMENT("actuator/position", "position", position),
    [SN_MJCF_VELOCITY] = ELEMENT("actuator/velocity", "velocity", velocity),
    [SN_MJCF_INTVELOCITY] = ELEMENT("actuator/intvelocity", "intvelocity", intvelocity),
    [SN_MJCF_DAMPER] = ELEMENT("actuator/damper", "damper", damper),
    [SN_MJCF_CYLINDER] = ELEMENT("actuator/cylinder", "cylinder", cylinder),
    [SN_MJCF_MUSCLE] = ELEMENT("actuator/muscle", "muscle", muscle),
    [SN_MJCF_ADHESION] = ELEMENT("actuator/adhesion", "adhesion", adhesion),
    [SN_MJCF_PID] = ELEMENT("actuator/pid", "pid", pid),
    [SN_MJCF_DCMOTOR] = ELEMENT("actuator/dcmotor", "dcmotor", dcmotor),
    [SN_MJCF_ORIENTATION] = ELEMENT("actuator/orientation", "orientation", orientation),
    [SN_MJCF_ACTUATOR_PLUGIN] = ELEMENT("actuator/plugin", "plugin", actuator_plugin),
    [SN_MJCF_KEY] = ELEMENT("keyframe/key", "key", key),
    [SN_MJCF_EXTENSION_PLUGIN] = ELEMENT("extension/plugin", "plugin", extension_plugin),
    [SN_MJCF_INSTANCE] = ELEMENT("extension/plugin/instance", "instance", instance),
    [SN_MJCF_INSTANCE_CONFIG] = ELEMENT("extension/plugin/instance/config", "config", config),
    [SN_MJCF_PLUGIN] = ELEMENT("body/plugin", "plugin", plugin),
    [SN_MJCF_CONFIG] = ELEMENT("body/plugin/config", "config", config),
    [SN_MJCF_GEOM_PLUGIN] = ELEMENT("body/geom/plugin", "plugin", plugin),
    [SN_MJCF_MESH_PLUGIN] = ELEMENT("asset/mesh/plugin", "plugin", plugin),
    [SN_MJCF_COMPOSITE_PLUGIN] = ELEMENT("body/composite/plugin", "plugin", plugin),
    [SN_MJCF_FLEXCOMP_PLUGIN] = ELEMENT("body/flexcomp/plugin", "plugin", plugin),
};

static const snMjcfElement sensor_forms[SN_FORM_COUNT] = {
    [SN_FORM_SITE] = ELEMENT("sensor", "of a site", sensor_site),
    [SN_FORM_JOINT] = ELEMENT("sensor", "of a joint", sensor_joint),
    [SN_FORM_TENDON] = ELEMENT("sensor", "of a tendon", sensor_tendon),
    [SN_FORM_ACTUATOR] = ELEMENT("sensor", "of an actuator", sensor_actuator),
    [SN_FORM_BODY] = ELEMENT("sensor", "of a subtree", sensor_body),
    [SN_FORM_FRAME] = ELEMENT("sensor", "of a frame, against another", sensor_frame),
    [SN_FORM_FRAMEACC] = ELEMENT("sensor", "of a frame", sensor_frameacc),
    [SN_FORM_CAMERA] = ELEMENT("sensor", "of a camera", sensor_camera),
    [SN_FORM_RANGE] = ELEMENT("sensor", "of rays", sensor_range),
    [SN_FORM_INSIDE] = ELEMENT("sensor", "of a volume", sensor_inside),
    [SN_FORM_DISTANCE] = ELEMENT("sensor", "between geoms", sensor_distance),
    [SN_FORM_CONTACT] = ELEMENT("sensor", "of contacts", sensor_contact),
    [SN_FORM_TAXELS] = ELEMENT("sensor", "of the vertices of a mesh", sensor_taxels),
    [SN_FORM_NONE] = ELEMENT("sensor", "of the whole", sensor_none),
    [SN_FORM_USER] = ELEMENT("sensor", "of the user", sensor_user),
    [SN_FORM_PLUGIN] = ELEMENT("sensor", "of a plugin", sensor_plugin),
};

const snMjcfElement* sn_mjcfElements(int* count)
{
    *count = SN_MJCF_COUNT;
    return elements;
}

const snMjcfElement* sn_mjcfElement(snMjcfId id)
{
    return &elements[id];
}

size_t sn_mjcfMemberSize(const snAttribute* a)
{
    switch (a->kind) {
    case SN_ATTR_REAL:
    case SN_ATTR_VEC: return (size_t)a->max * sizeof(double);
    case SN_ATTR_FLOAT:
    case SN_ATTR_FVEC: return (size_t)a->max * sizeof(float);
    case SN_ATTR_INT:
    case SN_ATTR_IVEC:
    case SN_ATTR_BOOL:
    case SN_ATTR_WORD: return (size_t)a->max * sizeof(int);
    case SN_ATTR_FLAG: return sizeof(int); // of which it is a bit
    case SN_ATTR_TEXT:
    case SN_ATTR_NAMES:
    case SN_ATTR_REF: return sizeof(char*);
    case SN_ATTR_LIST: return sizeof(snSpecNumbers);
    default: return 0; // orientations, names and classes are not of records alone
    }
}

const snMjcfElement* sn_mjcfSensorForm(snSensorForm form)
{
    return &sensor_forms[form];
}

const snMjcfElement* sn_mjcfSensor(const char* tag)
{
    const snSensorForm form = sn_sensorKind(sn_sensorType(tag))->form;
    return form == SN_FORM_LATER ? NULL : sn_mjcfSensorForm(form);
}

// Words that only the files have: {name, value, keyword, meaning}.
static const snEnumItem tristate[] = {
    {"FALSE", SN_FALSE, "false", ""}, {"TRUE", SN_TRUE, "true", ""}, {"AUTO", SN_AUTO, "auto", ""}};
static const snEnumItem boolean[] = {{"FALSE", 0, "false", ""}, {"TRUE", 1, "true", ""}};
static const snEnumItem enable[] = {{"DISABLE", 0, "disable", ""}, {"ENABLE", 1, "enable", ""}};
static const snEnumItem angle[] = {{"RADIAN", 0, "radian", ""}, {"DEGREE", 1, "degree", ""}};
static const snEnumItem coordinate[] = {{"LOCAL", 0, "local", ""}};
static const snEnumItem elastic2d[] = {
    {"NONE", 0, "none", ""}, {"BEND", 1, "bend", ""}, {"STRETCH", 2, "stretch", ""}, {"BOTH", 3, "both", ""}};
static const snEnumItem fluidshape[] = {{"NONE", 0, "none", ""}, {"ELLIPSOID", 1, "ellipsoid", ""}};
static const snEnumItem builtin[] = {{"NONE", 0, "none", ""},
                                     {"GRADIENT", 1, "gradient", ""},
                                     {"CHECKER", 2, "checker", ""},
                                     {"FLAT", 3, "flat", ""}};
static const snEnumItem mark[] = {
    {"NONE", 0, "none", ""}, {"EDGE", 1, "edge", ""}, {"CROSS", 2, "cross", ""}, {"RANDOM", 3, "random", ""}};
static const snEnumItem texrole[] = {
    {"RGB", 1, "rgb", ""},           {"OCCLUSION", 2, "occlusion", ""}, {"ROUGHNESS", 3, "roughness", ""},
    {"METALLIC", 4, "metallic", ""}, {"NORMAL", 5, "normal", ""},       {"OPACITY", 6, "opacity", ""},
    {"EMISSIVE", 7, "emissive", ""}, {"RGBA", 8, "rgba", ""},           {"ORM", 9, "orm", ""}};
static const snEnumItem composite_type[] = {{"PARTICLE", 0, "particle", ""}, {"GRID", 1, "grid", ""},
                                            {"ROPE", 2, "rope", ""},         {"LOOP", 3, "loop", ""},
                                            {"CABLE", 4, "cable", ""},       {"CLOTH", 5, "cloth", ""}};
static const snEnumItem flexcomp_type[] = {{"GRID", 0, "grid", ""},         {"BOX", 1, "box", ""},
                                           {"CYLINDER", 2, "cylinder", ""}, {"ELLIPSOID", 3, "ellipsoid", ""},
                                           {"SQUARE", 4, "square", ""},     {"DISC", 5, "disc", ""},
                                           {"CIRCLE", 6, "circle", ""},     {"MESH", 7, "mesh", ""},
                                           {"GMSH", 8, "gmsh", ""},         {"DIRECT", 9, "direct", ""}};
static const snEnumItem flexdof[] = {{"FULL", 0, "full", ""},
                                     {"RADIAL", 1, "radial", ""},
                                     {"TRILINEAR", 2, "trilinear", ""},
                                     {"QUADRATIC", 3, "quadratic", ""},
                                     {"PLANAR", 4, "2d", ""}};
static const snEnumItem flexequality[] = {
    {"FALSE", 0, "false", ""}, {"TRUE", 1, "true", ""}, {"STRAIN", 2, "strain", ""}, {"VERT", 3, "vert", ""}};
static const snEnumItem meshinertia[] = {{"CONVEX", SN_MESH_CONVEX, "convex", ""},
                                         {"EXACT", SN_MESH_EXACT, "exact", ""},
                                         {"LEGACY", SN_MESH_LEGACY, "legacy", ""},
                                         {"SHELL", SN_MESH_SHELL, "shell", ""}};
static const snEnumItem meshbuiltin[] = {{"NONE", SN_MESHSHAPE_NONE, "none", ""},
                                         {"SPHERE", SN_MESHSHAPE_SPHERE, "sphere", ""},
                                         {"HEMISPHERE", SN_MESHSHAPE_HEMISPHERE, "hemisphere", ""},
                                         {"CONE", SN_MESHSHAPE_CONE, "cone", ""},
                                         {"SUPERSPHERE", SN_MESHSHAPE_SUPERSPHERE, "supersphere", ""},
                                         {"SUPERTORUS", SN_MESHSHAPE_SUPERTORUS, "supertorus", ""},
                                         {"WEDGE", SN_MESHSHAPE_WEDGE, "wedge", ""},
                                         {"PLATE", SN_MESHSHAPE_PLATE, "plate", ""},
                                         {"GRID", SN_MESHSHAPE_GRID, "grid", ""},
                                         {"BOX", SN_MESHSHAPE_BOX, "box", ""},
                                         {"CYLINDER", SN_MESHSHAPE_CYLINDER, "cylinder", ""},
                                         {"ELLIPSOID", SN_MESHSHAPE_ELLIPSOID, "ellipsoid", ""},
                                         {"SQUARE", SN_MESHSHAPE_SQUARE, "square", ""},
                                         {"DISC", SN_MESHSHAPE_DISC, "disc", ""}};
static const snEnumItem reduce[] = {{"NONE", 0, "none", ""},
                                    {"MINDIST", 1, "mindist", ""},
                                    {"MAXFORCE", 2, "maxforce", ""},
                                    {"NETFORCE", 3, "netforce", ""}};
static const snEnumItem contactdata[] = {
    {"FOUND", 1, "found", ""},      {"FORCE", 2, "force", ""},     {"TORQUE", 4, "torque", ""},
    {"DIST", 8, "dist", ""},        {"POS", 16, "pos", ""},        {"NORMAL", 32, "normal", ""},
    {"TANGENT", 64, "tangent", ""}, {"LINVEL", 128, "linvel", ""}, {"ANGVEL", 256, "angvel", ""}};
static const snEnumItem raydata[] = {
    {"DIST", SN_RANGE_DIST, "dist", ""},       {"DIR", SN_RANGE_DIR, "dir", ""},
    {"ORIGIN", SN_RANGE_ORIGIN, "origin", ""}, {"POINT", SN_RANGE_POINT, "point", ""},
    {"NORMAL", SN_RANGE_NORMAL, "normal", ""}, {"DEPTH", SN_RANGE_DEPTH, "depth", ""}};

static const snEnumItem passthrough[] = {{"NONE", 0, "none", ""}, {"TEXTURES", 1, "textures", ""}};
static const snEnumItem conflict[] = {{"WARNING", SN_CONFLICT_WARNING, "warning", ""},
                                      {"MERGE", SN_CONFLICT_MERGE, "merge", ""},
                                      {"ERROR", SN_CONFLICT_ERROR, "error", ""}};
static const snEnumItem scaling[] = {{"SIMILAR", SN_SCALING_SIMILAR, "similar", ""},
                                     {"GEOMETRY", SN_SCALING_GEOMETRY, "geometry", ""}};
static const snEnumItem false_auto[] = {{"FALSE", SN_FALSE, "false", ""}, {"AUTO", SN_AUTO, "auto", ""}};

#define WORDS(name, items)                                                                                   \
    {                                                                                                        \
        name, "", (int)(sizeof(items) / sizeof((items)[0])), items                                           \
    }
static const snEnum own_words[] = {
    WORDS("TRISTATE", tristate),
    WORDS("BOOL", boolean),
    WORDS("ENABLE", enable),
    WORDS("ANGLE", angle),
    WORDS("COORDINATE", coordinate),
    WORDS("FLUIDSHAPE", fluidshape),
    WORDS("ELASTIC2D", elastic2d),
    WORDS("BUILTIN", builtin),
    WORDS("MARK", mark),
    WORDS("TEXROLE", texrole),
    WORDS("REDUCE", reduce),
    WORDS("RAYDATA", raydata),
    WORDS("CONTACTDATA", contactdata),
    WORDS("COMPOSITE", composite_type),
    WORDS("FLEXCOMP", flexcomp_type),
    WORDS("FLEXDOF", flexdof),
    WORDS("FLEXEQUALITY", flexequality),
    WORDS("MESHINERTIA", meshinertia),
    WORDS("MESHBUILTIN", meshbuiltin),
    WORDS("FALSE_AUTO", false_auto),
    WORDS("CONFLICT", conflict),
    WORDS("PASSTHROUGH", passthrough),
    WORDS("SCALING", scaling),
};

const snEnum* sn_specEnums(int* count)
{
    *count = (int)(sizeof(own_words) / sizeof(own_words[0]));
    return own_words;
}

const snEnumItem* sn_mjcfWords(const char* name, int* count)
{
    int counts[2];
    const snEnum* lists[2] = {sn_specEnums(&counts[0]), sn_enums(&counts[1])};
    for (int l = 0; l < 2; l++)
        for (int i = 0; i < counts[l]; i++)
            if (!strcmp(lists[l][i].type, name)) {
                *count = lists[l][i].count;
                return lists[l][i].items;
            }
    *count = 0;
    return NULL;
}

const char* sn_mjcfDefaultWord(const snAttribute* a)
{
    int count;
    const snEnumItem* items = sn_mjcfWords(a->kind == SN_ATTR_BOOL ? "BOOL" : a->words, &count);
    const char* name = strrchr(a->init, '_') ? strrchr(a->init, '_') + 1 : a->init;
    for (int i = 0; i < count; i++)
        if (!strcmp(items[i].name, name) ||
            (*a->init >= '0' && *a->init <= '9' && items[i].value == atoi(a->init)))
            return items[i].keyword;
    return "";
}
