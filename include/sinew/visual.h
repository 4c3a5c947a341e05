// snVisual: what a viewer would like to know. Kept with the model, not used by the engine.
#ifndef SINEW_VISUAL_H
#define SINEW_VISUAL_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// Groups are the elements of <visual> and the member structs of snVisual.
// S(group, type, name, meaning, default) is a single value, V(group, name, count, meaning, defaults...) an
// array of float, B a single int that model files write as true or false. Sizes in the group "scale" are in
// units of stat.meansize, distances in "map" in units of stat.extent; colours are red, green, blue, opacity
// in 0..1.
// clang-format off
#define SN_VISUAL_GLOBAL(S, B, V) \
    S(global, int,   cameraid,         "camera at the start; -1: free", -1) \
    B(global, int,   orthographic,     "the free camera projects in parallel", 0) \
    S(global, float, fovy,             "vertical field of view of the free camera (degrees; orthographic: m)", 45) \
    S(global, float, ipd,              "distance between the eyes of the free camera", 0.068f) \
    S(global, float, azimuth,          "azimuth of the free camera at the start (degrees)", 90) \
    S(global, float, elevation,        "elevation of the free camera at the start (degrees)", -45) \
    S(global, float, linewidth,        "width of lines", 1) \
    S(global, float, glow,             "glow of the selected body", 0.3f) \
    S(global, float, realtime,         "speed at the start; 1: real time", 1) \
    S(global, int,   offwidth,         "width of the buffer off screen (pixels)", 640) \
    S(global, int,   offheight,        "height of the buffer off screen (pixels)", 480) \
    B(global, int,   ellipsoidinertia, "inertia is drawn as an ellipsoid, not as a box", 0) \
    B(global, int,   bvactive,         "active bounding volumes are drawn", 1)

#define SN_VISUAL_QUALITY(S, B, V) \
    S(quality, int, shadowsize, "side of the shadow map (pixels)", 4096) \
    S(quality, int, offsamples, "samples a pixel off screen", 4) \
    S(quality, int, numslices,  "meridians of round shapes", 28) \
    S(quality, int, numstacks,  "parallels of round shapes", 16) \
    S(quality, int, numquads,   "quads a side of a box", 4)

#define SN_VISUAL_HEADLIGHT(S, B, V) \
    V(headlight, ambient,  3,   "ambient colour", 0.1f, 0.1f, 0.1f) \
    V(headlight, diffuse,  3,   "diffuse colour", 0.4f, 0.4f, 0.4f) \
    V(headlight, specular, 3,   "specular colour", 0.5f, 0.5f, 0.5f) \
    S(headlight, int, active,   "is on: 0 no, 1 yes, 2 auto, as yes", 1)

#define SN_VISUAL_MAP(S, B, V) \
    S(map, float, stiffness,      "force of a mouse pull a length", 100) \
    S(map, float, stiffnessrot,   "torque of a mouse turn an angle", 500) \
    S(map, float, force,          "length of arrows a newton", 0.005f) \
    S(map, float, torque,         "length of arrows a newton metre", 0.1f) \
    S(map, float, alpha,          "opacity of shapes when seen through", 0.3f) \
    S(map, float, fogstart,       "fog begins", 3) \
    S(map, float, fogend,         "fog is full", 10) \
    S(map, float, znear,          "near clipping plane", 0.01f) \
    S(map, float, zfar,           "far clipping plane", 50) \
    S(map, float, haze,           "share of haze", 0.3f) \
    S(map, float, shadowclip,     "half width of a directional light's shadow", 1) \
    S(map, float, shadowscale,    "shadow cone over light cone", 0.6f) \
    S(map, float, actuatortendon, "width of actuated tendons over their own", 2)

#define SN_VISUAL_SCALE(S, B, V) \
    S(scale, float, forcewidth,     "width of force arrows", 0.1f) \
    S(scale, float, contactwidth,   "width of contact marks", 0.3f) \
    S(scale, float, contactheight,  "height of contact marks", 0.1f) \
    S(scale, float, connect,        "width of links between bodies", 0.2f) \
    S(scale, float, com,            "radius of centres of mass", 0.4f) \
    S(scale, float, camera,         "cameras", 0.3f) \
    S(scale, float, light,          "lights", 0.3f) \
    S(scale, float, selectpoint,    "selected point", 0.2f) \
    S(scale, float, jointlength,    "length of joints", 1) \
    S(scale, float, jointwidth,     "width of joints", 0.1f) \
    S(scale, float, actuatorlength, "length of actuators", 0.7f) \
    S(scale, float, actuatorwidth,  "width of actuators", 0.2f) \
    S(scale, float, framelength,    "length of frame axes", 1) \
    S(scale, float, framewidth,     "width of frame axes", 0.1f) \
    S(scale, float, constraint,     "width of constraint violations", 0.1f) \
    S(scale, float, slidercrank,    "width of slider-cranks", 0.2f) \
    S(scale, float, frustum,        "far plane of camera frusta", 10)

#define SN_VISUAL_RGBA(S, B, V) \
    V(rgba, fog,              4, "fog", 0, 0, 0, 1) \
    V(rgba, haze,             4, "haze", 1, 1, 1, 1) \
    V(rgba, force,            4, "applied forces", 1, 0.5f, 0.5f, 1) \
    V(rgba, inertia,          4, "inertia boxes", 0.8f, 0.2f, 0.2f, 0.6f) \
    V(rgba, joint,            4, "joints", 0.2f, 0.6f, 0.8f, 1) \
    V(rgba, actuator,         4, "actuators at rest", 0.2f, 0.25f, 0.2f, 1) \
    V(rgba, actuatornegative, 4, "actuators at their lower limit", 0.2f, 0.6f, 0.9f, 1) \
    V(rgba, actuatorpositive, 4, "actuators at their upper limit", 0.9f, 0.4f, 0.2f, 1) \
    V(rgba, com,              4, "centres of mass", 0.9f, 0.9f, 0.9f, 1) \
    V(rgba, camera,           4, "cameras", 0.6f, 0.9f, 0.6f, 1) \
    V(rgba, light,            4, "lights", 0.6f, 0.6f, 0.9f, 1) \
    V(rgba, selectpoint,      4, "selected point", 0.9f, 0.9f, 0.1f, 1) \
    V(rgba, connect,          4, "links between bodies", 0.2f, 0.2f, 0.8f, 1) \
    V(rgba, contactpoint,     4, "contact points", 0.9f, 0.6f, 0.2f, 1) \
    V(rgba, contactforce,     4, "contact forces", 0.7f, 0.9f, 0.9f, 1) \
    V(rgba, contactfriction,  4, "friction forces", 0.9f, 0.8f, 0.4f, 1) \
    V(rgba, contacttorque,    4, "contact torques", 0.9f, 0.7f, 0.9f, 1) \
    V(rgba, contactgap,       4, "contacts in the gap", 0.5f, 0.8f, 0.9f, 1) \
    V(rgba, rangefinder,      4, "rays of range finders", 1, 1, 0.1f, 1) \
    V(rgba, constraint,       4, "constraint violations", 0.9f, 0, 0, 1) \
    V(rgba, slidercrank,      4, "slider-cranks", 0.5f, 0.3f, 0.8f, 1) \
    V(rgba, crankbroken,      4, "slider-cranks out of reach", 0.9f, 0, 0, 1) \
    V(rgba, frustum,          4, "camera frusta", 1, 1, 0, 0.2f) \
    V(rgba, bv,               4, "bounding volumes", 0, 1, 0, 0.5f) \
    V(rgba, bvactive,         4, "active bounding volumes", 1, 0, 0, 0.5f)

// GROUP(member, table)
#define SN_VISUAL_GROUPS(GROUP) \
    GROUP(global,    SN_VISUAL_GLOBAL) \
    GROUP(quality,   SN_VISUAL_QUALITY) \
    GROUP(headlight, SN_VISUAL_HEADLIGHT) \
    GROUP(map,       SN_VISUAL_MAP) \
    GROUP(scale,     SN_VISUAL_SCALE) \
    GROUP(rgba,      SN_VISUAL_RGBA)
// clang-format on

#define SN_VISUAL_SINGLE(group, type, name, meaning, init) type name;
#define SN_VISUAL_VECTOR(group, name, count, meaning, ...) float name[count];
#define SN_VISUAL_STRUCT(group, table)                                                                       \
    struct {                                                                                                 \
        table(SN_VISUAL_SINGLE, SN_VISUAL_SINGLE, SN_VISUAL_VECTOR)                                          \
    } group;
/// Visual options, one member struct a group: vis.global.fovy, vis.rgba.fog[4]. The members stand in the
/// tables above.
typedef struct snVisual {
    SN_VISUAL_GROUPS(SN_VISUAL_STRUCT)
} snVisual;
#undef SN_VISUAL_SINGLE
#undef SN_VISUAL_VECTOR
#undef SN_VISUAL_STRUCT

/// One field of snVisual at run time.
typedef struct snVisualField {
    const char* group; ///< "global", "quality", "headlight", "map", "scale" or "rgba"
    const char* name;
    const char* type; ///< "int" or "float"
    int count;        ///< entries; 1: a single value
    int isbool;       ///< model files write true or false
    const char* meaning;
    size_t offset; ///< in snVisual
} snVisualField;

/// The table of snVisual; *count receives how many.
SN_API const snVisualField* sn_visualFields(int* count);

/// Sets every visual option to its default.
SN_API void sn_defaultVisual(snVisual* vis);

#ifdef __cplusplus
}
#endif
#endif
