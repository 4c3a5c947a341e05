// What there is to see, and from where: cameras, what to show, a body held by the pointer, figures, and the
// scene, the list of geoms, lights and cameras that a renderer draws. Everything here is arithmetic; nothing
// draws.
#ifndef SINEW_SCENE_H
#define SINEW_SCENE_H

#include <sinew/base.h>
#include <sinew/data.h>
#include <sinew/model.h>
#include <sinew/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SN_NGROUP 6        ///< groups of geoms, sites, joints, ... that are shown or not
#define SN_MAXLIGHT 100    ///< most lights of a scene
#define SN_MAXLINE 100     ///< most lines of a figure
#define SN_MAXLINEPNT 1001 ///< most points of a line of a figure
#define SN_MAXLABEL 100    ///< bytes of a label, the ending 0 counted

// Tables: X(name, value, keyword, meaning)
// clang-format off
#define SN_CATEGORY_TABLE(X) \
    X(STATIC,  1, "static",  "geoms of the world") \
    X(DYNAMIC, 2, "dynamic", "geoms of all other bodies") \
    X(DECOR,   4, "decor",   "what is drawn beside the geoms of the model") \
    X(ALL,     7, "all",     "everything")

// What the pointer does: V in the vertical plane, H in the horizontal one.
#define SN_MOUSE_TABLE(X) \
    X(NONE,       0, "none",       "nothing") \
    X(ROTATE_V,   1, "rotate_v",   "turns; vertical plane") \
    X(ROTATE_H,   2, "rotate_h",   "turns; horizontal plane") \
    X(MOVE_V,     3, "move_v",     "moves; vertical plane") \
    X(MOVE_H,     4, "move_h",     "moves; horizontal plane") \
    X(ZOOM,       5, "zoom",       "nearer and farther") \
    X(MOVE_V_REL, 6, "move_v_rel", "moves in the camera's frame; vertical plane") \
    X(MOVE_H_REL, 7, "move_h_rel", "moves in the camera's frame; horizontal plane")

#define SN_PERTURB_TABLE(X) \
    X(TRANSLATE, 1, "translate", "the selected body is pulled") \
    X(ROTATE,    2, "rotate",    "the selected body is turned")

#define SN_CAMERATYPE_TABLE(X) \
    X(FREE,     0, "free",     "looks at a point of the world") \
    X(TRACKING, 1, "tracking", "looks at a body that it follows") \
    X(FIXED,    2, "fixed",    "a camera of the model") \
    X(USER,     3, "user",     "the user sets the cameras of the scene")

#define SN_LABEL_TABLE(X) \
    X(NONE,          0, "None",         "nothing has a label") \
    X(BODY,          1, "Body",         "bodies") \
    X(JOINT,         2, "Joint",        "joints") \
    X(GEOM,          3, "Geom",         "geoms") \
    X(SITE,          4, "Site",         "sites") \
    X(CAMERA,        5, "Camera",       "cameras") \
    X(LIGHT,         6, "Light",        "lights") \
    X(TENDON,        7, "Tendon",       "tendons") \
    X(ACTUATOR,      8, "Actuator",     "actuators") \
    X(CONSTRAINT,    9, "Constraint",   "constraint rows") \
    X(FLEX,         10, "Flex",         "flexes") \
    X(SKIN,         11, "Skin",         "skins") \
    X(SELECTION,    12, "Selection",    "the selected body") \
    X(SELPNT,       13, "SelPoint",     "the selected point, by its coordinates") \
    X(CONTACTPOINT, 14, "Contact",      "contacts") \
    X(CONTACTFORCE, 15, "ContactForce", "forces of contacts") \
    X(ISLAND,       16, "Island",       "islands")

#define SN_FRAME_TABLE(X) \
    X(NONE,    0, "None",    "no frames are shown") \
    X(BODY,    1, "Body",    "of bodies") \
    X(GEOM,    2, "Geom",    "of geoms") \
    X(SITE,    3, "Site",    "of sites") \
    X(CAMERA,  4, "Camera",  "of cameras") \
    X(LIGHT,   5, "Light",   "of lights") \
    X(CONTACT, 6, "Contact", "of contacts") \
    X(WORLD,   7, "World",   "of the world")

#define SN_STEREO_TABLE(X) \
    X(NONE,         0, "none",         "one picture, of the left camera") \
    X(QUADBUFFERED, 1, "quadbuffered", "two buffers of the screen; side by side where there are none") \
    X(SIDEBYSIDE,   2, "sidebyside",   "two pictures side by side")

// Shapes that scenes have beside those of models, snGeomType.
#define SN_DECOR_TABLE(X) \
    X(ARROW,    100, "", "arrow along local z") \
    X(ARROW1,   101, "", "arrow without its wedges") \
    X(ARROW2,   102, "", "arrow with a head at each end") \
    X(LINE,     103, "", "line along local z; its width is in pixels") \
    X(LINEBOX,  104, "", "edges of a box") \
    X(FLEX,     105, "", "flex") \
    X(SKIN,     106, "", "skin") \
    X(LABEL,    107, "", "text alone") \
    X(TRIANGLE, 108, "", "triangle") \
    X(NONE,    1001, "", "nothing is drawn")

// Switches: X(name, value, label, default, key, meaning); a viewer switches them by that key.
#define SN_VISFLAG_TABLE(X) \
    X(CONVEXHULL,    0, "Convex Hull",    0, "H",  "convex hulls of meshes") \
    X(TEXTURE,       1, "Texture",        1, "X",  "textures") \
    X(JOINT,         2, "Joint",          0, "J",  "joints") \
    X(CAMERA,        3, "Camera",         0, "Q",  "cameras") \
    X(ACTUATOR,      4, "Actuator",       0, "U",  "actuators") \
    X(ACTIVATION,    5, "Activation",     0, ",",  "activations") \
    X(LIGHT,         6, "Light",          0, "Z",  "lights") \
    X(TENDON,        7, "Tendon",         1, "V",  "tendons") \
    X(RANGEFINDER,   8, "Range Finder",   1, "Y",  "rays of range finders") \
    X(CONSTRAINT,    9, "Equality",       0, "E",  "point equalities") \
    X(INERTIA,      10, "Inertia",        0, "I",  "boxes or ellipsoids of inertia") \
    X(SCLINERTIA,   11, "Scale Inertia",  0, "'",  "those are scaled by mass") \
    X(PERTFORCE,    12, "Perturb Force",  0, "B",  "force of the perturbation") \
    X(PERTOBJ,      13, "Perturb Object", 1, "O",  "the perturbed body where it is pulled to") \
    X(CONTACTPOINT, 14, "Contact Point",  0, "C",  "contacts") \
    X(ISLAND,       15, "Island",         0, "N",  "islands by colour") \
    X(CONTACTFORCE, 16, "Contact Force",  0, "F",  "forces of contacts") \
    X(CONTACTSPLIT, 17, "Contact Split",  0, "P",  "their normal and tangent parts apart") \
    X(TRANSPARENT,  18, "Transparent",    0, "T",  "moving geoms are seen through") \
    X(AUTOCONNECT,  19, "Auto Connect",   0, "A",  "links between joints and centres of mass") \
    X(COM,          20, "Center of Mass", 0, "M",  "centres of mass") \
    X(SELECT,       21, "Select Point",   0, "",   "the selected point") \
    X(STATIC,       22, "Static Body",    1, "D",  "what cannot move") \
    X(SKIN,         23, "Skin",           1, ";",  "skins") \
    X(FLEXVERT,     24, "Flex Vert",      0, "",   "vertices of flexes") \
    X(FLEXEDGE,     25, "Flex Edge",      1, "",   "edges of flexes") \
    X(FLEXFACE,     26, "Flex Face",      0, "",   "faces of flexes") \
    X(FLEXSKIN,     27, "Flex Skin",      1, "",   "smooth skin of flexes, in the place of the other three") \
    X(BODYBVH,      28, "Body Tree",      0, "`",  "bounding volumes of bodies") \
    X(MESHBVH,      29, "Mesh Tree",      0, "\\", "bounding volumes of meshes") \
    X(SDFITER,      30, "SDF iters",      0, "",   "steps on signed distance fields")
#define SN_NVISFLAG 31

#define SN_RNDFLAG_TABLE(X) \
    X(SHADOW,     0, "Shadow",     1, "S", "shadows") \
    X(WIREFRAME,  1, "Wireframe",  0, "W", "edges instead of faces") \
    X(REFLECTION, 2, "Reflection", 1, "R", "reflections") \
    X(ADDITIVE,   3, "Additive",   0, "L", "what is seen through adds its colour") \
    X(SKYBOX,     4, "Skybox",     1, "K", "the sky") \
    X(FOG,        5, "Fog",        0, "G", "fog") \
    X(HAZE,       6, "Haze",       1, "/", "haze at the horizon") \
    X(SEGMENT,    7, "Segment",    0, ",", "each geom in a colour of its own") \
    X(IDCOLOR,    8, "Id Color",   0, "",  "that colour is the number of the geom in the scene and 1") \
    X(CULL_FACE,  9, "Cull Face",  1, "",  "backs of faces are left out")
#define SN_NRNDFLAG 10
// clang-format on

#define X(name, value, keyword, meaning) SN_CAT_##name = value,
typedef enum snCatBit { SN_CATEGORY_TABLE(X) } snCatBit;
#undef X
#define X(name, value, keyword, meaning) SN_MOUSE_##name = value,
typedef enum snMouse { SN_MOUSE_TABLE(X) } snMouse;
#undef X
#define X(name, value, keyword, meaning) SN_PERT_##name = value,
typedef enum snPertBit { SN_PERTURB_TABLE(X) } snPertBit;
#undef X
#define X(name, value, keyword, meaning) SN_CAMERA_##name = value,
typedef enum snCameraType { SN_CAMERATYPE_TABLE(X) } snCameraType;
#undef X
#define X(name, value, keyword, meaning) SN_LABEL_##name = value,
typedef enum snLabel { SN_LABEL_TABLE(X) } snLabel;
#undef X
#define X(name, value, keyword, meaning) SN_FRAME_##name = value,
typedef enum snFrameType { SN_FRAME_TABLE(X) } snFrameType;
#undef X
#define X(name, value, keyword, meaning) SN_STEREO_##name = value,
typedef enum snStereo { SN_STEREO_TABLE(X) } snStereo;
#undef X
#define X(name, value, keyword, meaning) SN_GEOM_##name = value,
typedef enum snDecorType { SN_DECOR_TABLE(X) } snDecorType;
#undef X
#define X(name, value, label, initial, key, meaning) SN_VIS_##name = value,
typedef enum snVisFlag { SN_VISFLAG_TABLE(X) } snVisFlag;
#undef X
#define X(name, value, label, initial, key, meaning) SN_RND_##name = value,
typedef enum snRndFlag { SN_RNDFLAG_TABLE(X) } snRndFlag;
#undef X

/// The enumerations of scenes; *count receives how many. A flag's keyword is its label.
SN_API const snEnum* sn_sceneEnums(int* count);

#ifdef __cplusplus
}
#endif
#endif
