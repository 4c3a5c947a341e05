// Elements of a spec as structs: what a program writes into them reaches the spec when it is compiled,
// written, copied or attached. Members are in the units of a model file (docs/mjcf.md); what a default class
// gives stands in them from the first.
#ifndef SINEW_MUJOCO_MJELEMENT_H
#define SINEW_MUJOCO_MJELEMENT_H

#include <mujoco/mjmodel.h>

// ---- enumerations

typedef enum mjtGeomInertia_ { mjINERTIA_VOLUME, mjINERTIA_SHELL } mjtGeomInertia;
typedef enum mjtMeshInertia_ {
    mjMESH_INERTIA_CONVEX,
    mjMESH_INERTIA_EXACT,
    mjMESH_INERTIA_LEGACY,
    mjMESH_INERTIA_SHELL
} mjtMeshInertia;
typedef enum mjtBuiltin_ { mjBUILTIN_NONE, mjBUILTIN_GRADIENT, mjBUILTIN_CHECKER, mjBUILTIN_FLAT } mjtBuiltin;
typedef enum mjtMark_ { mjMARK_NONE, mjMARK_EDGE, mjMARK_CROSS, mjMARK_RANDOM } mjtMark;
typedef enum mjtLimited_ { mjLIMITED_FALSE, mjLIMITED_TRUE, mjLIMITED_AUTO } mjtLimited;
typedef enum mjtAlignFree_ { mjALIGNFREE_FALSE, mjALIGNFREE_TRUE, mjALIGNFREE_AUTO } mjtAlignFree;
typedef enum mjtInertiaFromGeom_ {
    mjINERTIAFROMGEOM_FALSE,
    mjINERTIAFROMGEOM_TRUE,
    mjINERTIAFROMGEOM_AUTO
} mjtInertiaFromGeom;
typedef enum mjtOrientation_ {
    mjORIENTATION_QUAT,
    mjORIENTATION_AXISANGLE,
    mjORIENTATION_XYAXES,
    mjORIENTATION_ZAXIS,
    mjORIENTATION_EULER
} mjtOrientation;

// ---- texts and lists, set and read by functions alone

typedef struct mjString_ mjString;
typedef struct mjIntVec_ mjIntVec;
typedef struct mjFloatVec_ mjFloatVec;
typedef struct mjDoubleVec_ mjDoubleVec;
typedef struct sinew_names_ sinew_names; ///< a list of texts; mjStringVec in C++ is another

typedef struct mjsElement_ {
    mjtObj elemtype;
    uint64_t signature; ///< 0
} mjsElement;

/// Another way to say an orientation; type mjORIENTATION_QUAT: quat says it.
typedef struct mjsOrientation_ {
    mjtOrientation type;
    double axisangle[4];
    double xyaxes[6];
    double zaxis[3];
    double euler[3];
} mjsOrientation;

/// Settings of the compiler, as the element <compiler> has them.
typedef struct mjsCompiler_ {
    mjtByte autolimits;
    double boundmass;
    double boundinertia;
    double settotalmass;
    mjtByte balanceinertia;
    mjtByte fitaabb;
    mjtByte degree;
    char eulerseq[3];
    mjtByte discardvisual;
    mjtByte usethread;
    mjtByte fusestatic;
    int inertiafromgeom;
    int inertiagrouprange[2];
    mjtByte saveinertial;
    int alignfree;
    mjLROpt LRopt;
    mjString* meshdir;
    mjString* texturedir;
} mjsCompiler;

// ---- members: S(type, name) is a single value, V(type, name, count) an array, P(type, name) a text or list
// clang-format off
#define SINEW_BODY(S, V, P) \
    P(mjString, childclass) V(double, pos, 3) V(double, quat, 4) S(mjsOrientation, alt) S(double, mass) V(double, ipos, 3) \
    V(double, iquat, 4) V(double, inertia, 3) S(mjsOrientation, ialt) V(double, fullinertia, 6) S(mjtByte, mocap) \
    S(double, gravcomp) P(mjDoubleVec, userdata) S(mjtByte, explicitinertial)
#define SINEW_FRAME(S, V, P) P(mjString, childclass) V(double, pos, 3) V(double, quat, 4) S(mjsOrientation, alt)
#define SINEW_JOINT(S, V, P) \
    S(mjtJoint, type) V(double, pos, 3) V(double, axis, 3) S(double, ref) S(int, align) S(double, stiffness) \
    S(double, springref) V(double, springdamper, 2) S(int, limited) V(double, range, 2) S(double, margin) \
    V(mjtNum, solref_limit, mjNREF) V(mjtNum, solimp_limit, mjNIMP) S(int, actfrclimited) V(double, actfrcrange, 2) \
    S(double, armature) S(double, damping) S(double, frictionloss) V(mjtNum, solref_friction, mjNREF) \
    V(mjtNum, solimp_friction, mjNIMP) S(int, group) S(mjtByte, actgravcomp) P(mjDoubleVec, userdata)
#define SINEW_GEOM(S, V, P) \
    S(mjtGeom, type) V(double, pos, 3) V(double, quat, 4) S(mjsOrientation, alt) V(double, fromto, 6) V(double, size, 3) \
    S(int, contype) S(int, conaffinity) S(int, condim) S(int, priority) V(double, friction, 3) S(double, solmix) \
    V(mjtNum, solref, mjNREF) V(mjtNum, solimp, mjNIMP) S(double, margin) S(double, gap) S(double, mass) S(double, density) \
    S(mjtGeomInertia, typeinertia) S(mjtNum, fluid_ellipsoid) V(mjtNum, fluid_coefs, 5) P(mjString, material) \
    V(float, rgba, 4) S(int, group) P(mjString, hfieldname) P(mjString, meshname) S(double, fitscale) \
    P(mjDoubleVec, userdata)
#define SINEW_SITE(S, V, P) \
    V(double, pos, 3) V(double, quat, 4) S(mjsOrientation, alt) V(double, fromto, 6) V(double, size, 3) S(mjtGeom, type) \
    P(mjString, material) S(int, group) V(float, rgba, 4) P(mjDoubleVec, userdata)
#define SINEW_CAMERA(S, V, P) \
    V(double, pos, 3) V(double, quat, 4) S(mjsOrientation, alt) S(mjtCamLight, mode) P(mjString, targetbody) \
    S(int, orthographic) S(double, fovy) S(double, ipd) V(float, sensor_size, 2) V(float, resolution, 2) \
    V(float, focal_length, 2) V(float, focal_pixel, 2) V(float, principal_length, 2) V(float, principal_pixel, 2) \
    P(mjDoubleVec, userdata)
#define SINEW_LIGHT(S, V, P) \
    V(double, pos, 3) V(double, dir, 3) S(mjtCamLight, mode) P(mjString, targetbody) S(mjtByte, active) S(mjtLightType, type) \
    P(mjString, texture) S(mjtByte, castshadow) S(float, bulbradius) S(float, intensity) S(float, range) \
    V(float, attenuation, 3) S(float, cutoff) S(float, exponent) V(float, ambient, 3) V(float, diffuse, 3) \
    V(float, specular, 3)
#define SINEW_MESH(S, V, P) \
    P(mjString, content_type) P(mjString, file) V(double, refpos, 3) V(double, refquat, 4) V(double, scale, 3) \
    S(mjtMeshInertia, inertia) S(mjtByte, smoothnormal) S(int, maxhullvert) P(mjFloatVec, uservert) P(mjFloatVec, usernormal) \
    P(mjFloatVec, usertexcoord) P(mjIntVec, userface) P(mjString, material)
#define SINEW_TEXTURE(S, V, P) \
    S(mjtTexture, type) S(mjtColorSpace, colorspace) S(int, builtin) S(int, mark) V(double, rgb1, 3) V(double, rgb2, 3) \
    V(double, markrgb, 3) S(double, random) S(int, height) S(int, width) S(int, nchannel) P(mjString, content_type) \
    P(mjString, file) V(int, gridsize, 2) S(mjtByte, hflip) S(mjtByte, vflip)
#define SINEW_MATERIAL(S, V, P) \
    P(sinew_names, textures) S(mjtByte, texuniform) V(float, texrepeat, 2) S(float, emission) S(float, specular) \
    S(float, shininess) S(float, reflectance) S(float, metallic) S(float, roughness) V(float, rgba, 4)
#define SINEW_PAIR(S, V, P) \
    P(mjString, geomname1) P(mjString, geomname2) S(int, condim) V(mjtNum, solref, mjNREF) V(mjtNum, solreffriction, mjNREF) \
    V(mjtNum, solimp, mjNIMP) S(double, margin) S(double, gap) V(double, friction, 5)
#define SINEW_EXCLUDE(S, V, P) P(mjString, bodyname1) P(mjString, bodyname2)
#define SINEW_EQUALITY(S, V, P) \
    S(mjtEq, type) V(double, data, mjNEQDATA) S(mjtByte, active) P(mjString, name1) P(mjString, name2) S(mjtObj, objtype) \
    V(mjtNum, solref, mjNREF) V(mjtNum, solimp, mjNIMP)
#define SINEW_TENDON(S, V, P) \
    S(double, stiffness) V(double, springlength, 2) S(double, damping) S(double, frictionloss) \
    V(mjtNum, solref_friction, mjNREF) V(mjtNum, solimp_friction, mjNIMP) S(double, armature) S(int, limited) \
    S(int, actfrclimited) V(double, range, 2) V(double, actfrcrange, 2) S(double, margin) V(mjtNum, solref_limit, mjNREF) \
    V(mjtNum, solimp_limit, mjNIMP) P(mjString, material) S(double, width) V(float, rgba, 4) S(int, group) \
    P(mjDoubleVec, userdata)
#define SINEW_ACTUATOR(S, V, P) \
    S(mjtGain, gaintype) V(double, gainprm, mjNGAIN) S(mjtBias, biastype) V(double, biasprm, mjNBIAS) S(mjtDyn, dyntype) \
    V(double, dynprm, mjNDYN) S(int, actdim) S(mjtByte, actearly) S(mjtTrn, trntype) V(double, gear, 6) P(mjString, target) \
    P(mjString, refsite) P(mjString, slidersite) S(double, cranklength) V(double, lengthrange, 2) S(double, inheritrange) \
    S(int, ctrllimited) V(double, ctrlrange, 2) S(int, forcelimited) V(double, forcerange, 2) S(int, actlimited) \
    V(double, actrange, 2) S(int, group) P(mjDoubleVec, userdata)
#define SINEW_SENSOR(S, V, P) \
    S(mjtSensor, type) S(mjtObj, objtype) P(mjString, objname) S(mjtObj, reftype) P(mjString, refname) V(int, intprm, mjNSENS) \
    S(mjtDataType, datatype) S(mjtStage, needstage) S(int, dim) S(double, cutoff) S(double, noise) P(mjDoubleVec, userdata)
#define SINEW_NUMERIC(S, V, P) P(mjDoubleVec, data) S(int, size)
#define SINEW_TEXT(S, V, P) P(mjString, data)
#define SINEW_KEY(S, V, P) \
    S(double, time) P(mjDoubleVec, qpos) P(mjDoubleVec, qvel) P(mjDoubleVec, act) P(mjDoubleVec, mpos) P(mjDoubleVec, mquat) \
    P(mjDoubleVec, ctrl)

// X(struct, members, object type, section, tag): kinds of elements that have structs. In a body the section is "".
#define SINEW_ELEMENTS(X) \
    X(Body,     BODY,     BODY,     "",         "body") \
    X(Frame,    FRAME,    FRAME,    "",         "frame") \
    X(Joint,    JOINT,    JOINT,    "",         "joint") \
    X(Geom,     GEOM,     GEOM,     "",         "geom") \
    X(Site,     SITE,     SITE,     "",         "site") \
    X(Camera,   CAMERA,   CAMERA,   "",         "camera") \
    X(Light,    LIGHT,    LIGHT,    "",         "light") \
    X(Mesh,     MESH,     MESH,     "asset",    "mesh") \
    X(Texture,  TEXTURE,  TEXTURE,  "asset",    "texture") \
    X(Material, MATERIAL, MATERIAL, "asset",    "material") \
    X(Pair,     PAIR,     PAIR,     "contact",  "pair") \
    X(Exclude,  EXCLUDE,  EXCLUDE,  "contact",  "exclude") \
    X(Equality, EQUALITY, EQUALITY, "equality", "connect") \
    X(Tendon,   TENDON,   TENDON,   "tendon",   "spatial") \
    X(Actuator, ACTUATOR, ACTUATOR, "actuator", "general") \
    X(Sensor,   SENSOR,   SENSOR,   "sensor",   "touch") \
    X(Numeric,  NUMERIC,  NUMERIC,  "custom",   "numeric") \
    X(Text,     TEXT,     TEXT,     "custom",   "text") \
    X(Key,      KEY,      KEY,      "keyframe", "key")
// clang-format on

#define SINEW_ONE(type, name) type name;
#define SINEW_ROW(type, name, count) type name[count];
#define SINEW_PLACE(type, name) type* name;
#define X(name, members, ...)                                                                                \
    typedef struct mjs##name##_ {                                                                            \
        mjsElement* element;                                                                                 \
        SINEW_##members(SINEW_ONE, SINEW_ROW, SINEW_PLACE)                                                   \
    } mjs##name;
SINEW_ELEMENTS(X)
#undef X
#undef SINEW_ONE
#undef SINEW_ROW
#undef SINEW_PLACE

typedef struct mjsWrap_ {
    mjsElement* element;
} mjsWrap;

/// A default class; members are the elements in it, NULL: Sinew has no such kind.
typedef struct mjsDefault_ {
    mjsElement* element;
    mjsJoint* joint;
    mjsGeom* geom;
    mjsSite* site;
    mjsCamera* camera;
    mjsLight* light;
    mjsMesh* mesh;
    mjsMaterial* material;
    mjsPair* pair;
    mjsEquality* equality;
    mjsTendon* tendon;
    mjsActuator* actuator;
} mjsDefault;

#endif
