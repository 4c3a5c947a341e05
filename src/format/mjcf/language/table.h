// The MJCF table: every element with its attributes, from model/spec/spec_table.h.
#ifndef SINEW_FORMAT_MJCF_LANGUAGE_TABLE_H
#define SINEW_FORMAT_MJCF_LANGUAGE_TABLE_H

#include "model/sensor_kind.h"
#include "model/spec/spec.h"

typedef enum snAttributeKind {
    SN_ATTR_REAL,
    SN_ATTR_VEC,
    SN_ATTR_FLOAT,
    SN_ATTR_FVEC,
    SN_ATTR_INT,
    SN_ATTR_IVEC,
    SN_ATTR_BOOL,
    SN_ATTR_WORD,
    SN_ATTR_TEXT,
    SN_ATTR_REF,
    SN_ATTR_NAMES, ///< references, with blanks between
    SN_ATTR_LIST,
    SN_ATTR_FLIST,
    SN_ATTR_ILIST,
    SN_ATTR_QUAT, ///< the five ways to write an orientation
    SN_ATTR_AXISANGLE,
    SN_ATTR_XYAXES,
    SN_ATTR_ZAXIS,
    SN_ATTR_EULER,
    SN_ATTR_NAME,
    SN_ATTR_CLASS,
    SN_ATTR_CHILDCLASS,
    SN_ATTR_LATER,
    SN_ATTR_FLAG, ///< a bit of an int: enable, disable; `min` is the mask, `max` 1 when the word enable sets
                  ///< it
} snAttributeKind;

/// IN_PART: some of an element's attributes, so that none is missing.
enum { SN_IN_ELEMENT = 1, SN_IN_DEFAULT = 2, SN_REQUIRED = 4, SN_IN_PART = 8 };

typedef struct snAttribute {
    const char* name;
    snAttributeKind kind;
    size_t offset;     ///< in the record
    int min, max;      ///< how many numbers
    const char* words; ///< WORD: enumeration; REF, NAMES: kind of what is named
    int where;
    const char* meaning;
    const char* init;   ///< default as text
    const char* member; ///< of the record; NULL: has the attribute's name
} snAttribute;

typedef struct snMjcfElement {
    const char* path; ///< "body/joint", "actuator/position"
    const char* tag;
    int nattributes;
    const snAttribute* attributes;
} snMjcfElement;

/// The table; *count receives how many.
const snMjcfElement* sn_mjcfElements(int* count);

/// The elements that the readers use.
typedef enum snMjcfId {
    SN_MJCF_COMPILER,
    SN_MJCF_LENGTHRANGE,
    SN_MJCF_OPTION,
    SN_MJCF_FLAG,
    SN_MJCF_SIZE,
    SN_MJCF_STATISTIC,
    SN_MJCF_VISUAL_GLOBAL,
    SN_MJCF_VISUAL_QUALITY,
    SN_MJCF_VISUAL_HEADLIGHT,
    SN_MJCF_VISUAL_MAP,
    SN_MJCF_VISUAL_SCALE,
    SN_MJCF_VISUAL_RGBA,
    SN_MJCF_NUMERIC,
    SN_MJCF_TEXT,
    SN_MJCF_TUPLE,
    SN_MJCF_TUPLE_ELEMENT,
    SN_MJCF_TEXTURE,
    SN_MJCF_HFIELD,
    SN_MJCF_SKIN,
    SN_MJCF_DEFORMABLE_SKIN,
    SN_MJCF_BONE,
    SN_MJCF_FLEX,
    SN_MJCF_FLEX_CONTACT,
    SN_MJCF_FLEX_EDGE,
    SN_MJCF_FLEX_ELASTICITY,
    SN_MJCF_MATERIAL,
    SN_MJCF_LAYER,
    SN_MJCF_MESH,
    SN_MJCF_BODY,
    SN_MJCF_FRAME,
    SN_MJCF_COMPOSITE,
    SN_MJCF_FLEXCOMP,
    SN_MJCF_FLEXCOMP_CONTACT,
    SN_MJCF_FLEXCOMP_EDGE,
    SN_MJCF_FLEXCOMP_ELASTICITY,
    SN_MJCF_FLEXCOMP_PIN,
    SN_MJCF_REPLICATE,
    SN_MJCF_ATTACH,
    SN_MJCF_MODEL,
    SN_MJCF_INERTIAL,
    SN_MJCF_JOINT,
    SN_MJCF_FREEJOINT,
    SN_MJCF_GEOM,
    SN_MJCF_SITE,
    SN_MJCF_CAMERA,
    SN_MJCF_LIGHT,
    SN_MJCF_PAIR,
    SN_MJCF_EXCLUDE,
    SN_MJCF_FIXED,
    SN_MJCF_SPATIAL,
    SN_MJCF_TENDON_DEFAULT,
    SN_MJCF_WRAP_JOINT,
    SN_MJCF_WRAP_SITE,
    SN_MJCF_WRAP_GEOM,
    SN_MJCF_WRAP_PULLEY,
    SN_MJCF_CONNECT,
    SN_MJCF_WELD,
    SN_MJCF_EQUALITY_JOINT,
    SN_MJCF_EQUALITY_TENDON,
    SN_MJCF_EQUALITY_FLEX,
    SN_MJCF_EQUALITY_DEFAULT,
    SN_MJCF_GENERAL,
    SN_MJCF_MOTOR,
    SN_MJCF_POSITION,
    SN_MJCF_VELOCITY,
    SN_MJCF_INTVELOCITY,
    SN_MJCF_DAMPER,
    SN_MJCF_CYLINDER,
    SN_MJCF_MUSCLE,
    SN_MJCF_ADHESION,
    SN_MJCF_PID,
    SN_MJCF_DCMOTOR,
    SN_MJCF_ORIENTATION,
    SN_MJCF_ACTUATOR_PLUGIN,
    SN_MJCF_KEY,
    SN_MJCF_EXTENSION_PLUGIN,
    SN_MJCF_INSTANCE,
    SN_MJCF_INSTANCE_CONFIG,
    SN_MJCF_PLUGIN,
    SN_MJCF_CONFIG,
    SN_MJCF_GEOM_PLUGIN,
    SN_MJCF_MESH_PLUGIN,
    SN_MJCF_COMPOSITE_PLUGIN,
    SN_MJCF_FLEXCOMP_PLUGIN,
    SN_MJCF_COUNT
} snMjcfId;
const snMjcfElement* sn_mjcfElement(snMjcfId id);

/// Bytes of an attribute's member in its record; 0: it has none, or not one of its own.
size_t sn_mjcfMemberSize(const snAttribute* a);

/// The sections below the root and how they are read (read/reader.c). X(tag, reader)
// clang-format off
#define SN_MJCF_SECTIONS(X) \
    X(compiler, passOver) \
    X(option, passOver) \
    X(size, passOver) \
    X(visual, passOver) \
    X(statistic, passOver) \
    X(default, passOver) \
    X(extension, sn_readExtension) \
    X(custom, sn_readCustom) \
    X(asset, sn_readAsset) \
    X(worldbody, sn_readWorld) \
    X(deformable, readDeformable) \
    X(contact, sn_readContact) \
    X(equality, sn_readEqualities) \
    X(tendon, sn_readTendons) \
    X(actuator, sn_readActuators) \
    X(sensor, sn_readSensors) \
    X(keyframe, sn_readKeyframes)
// clang-format on

/// The default of a WORD or BOOL attribute as a word, "" when it has none.
const char* sn_mjcfDefaultWord(const snAttribute* a);

/// Words of an enumeration in the tables ("snGeomType", "TRISTATE"); *count receives how many.
const snEnumItem* sn_mjcfWords(const char* name, int* count);

/// Attributes of a material's layer.
typedef struct snLayerText {
    const char* texture;
    int role;
} snLayerText;

/// Attributes of a sensor kind, into an snSensorText.
typedef struct snSensorText {
    snSpecHead head;
    double cutoff, noise;
    snSpecNumbers user;
    const char *site, *joint, *tendon, *actuator, *body, *camera, *objname, *refname, *geom1, *geom2, *body1,
        *body2, *subtree1, *subtree2, *geom, *mesh, *data, *plugin, *instance;
    int objtype, reftype, dim, datatype, needstage, num, reduce, nsample, interp, enclosed;
    double delay, interval[2];
} snSensorText;

/// The attributes of a form, which is not SN_FORM_LATER.
const snMjcfElement* sn_mjcfSensorForm(snSensorForm form);
/// Those of a kind of sensor; NULL: there is no such kind, or it is not supported yet.
const snMjcfElement* sn_mjcfSensor(const char* tag);

#endif
