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

// Members of the structs: S(type, name, meaning) is a single value, V(type, name, count, meaning) an array,
// M(type, name, rows, columns, meaning) a matrix, T(name, size, meaning) a text with its ending 0.
// clang-format off
#define SNV_CAMERA_MEMBERS(S, V, M, T) \
    S(int,    type,         "snCameraType") \
    S(int,    fixedcamid,   "camera of the model; type fixed") \
    S(int,    trackbodyid,  "body that is followed; type tracking") \
    V(double, lookat,    3, "point that is looked at; type tracking: set by snv_updateCamera") \
    S(double, distance,     "distance to that point") \
    S(double, azimuth,      "azimuth (degrees)") \
    S(double, elevation,    "elevation (degrees)") \
    S(int,    orthographic, "projects in parallel")

#define SNV_OPTION_MEMBERS(S, V, M, T) \
    S(int,     label,                     "what has labels (snLabel)") \
    S(int,     frame,                     "which frames are shown (snFrameType)") \
    V(uint8_t, geomgroup,     SN_NGROUP,  "groups of geoms that are shown") \
    V(uint8_t, sitegroup,     SN_NGROUP,  "groups of sites") \
    V(uint8_t, jointgroup,    SN_NGROUP,  "groups of joints") \
    V(uint8_t, tendongroup,   SN_NGROUP,  "groups of tendons") \
    V(uint8_t, actuatorgroup, SN_NGROUP,  "groups of actuators") \
    V(uint8_t, flexgroup,     SN_NGROUP,  "groups of flexes") \
    V(uint8_t, skingroup,     SN_NGROUP,  "groups of skins") \
    V(uint8_t, flags,        SN_NVISFLAG, "what is shown, by snVisFlag") \
    S(int,     bvh_depth,                 "depth of the bounding volumes that are shown") \
    S(int,     flex_layer,                "layer of solid flexes that is shown")

#define SNV_PERTURB_MEMBERS(S, V, M, T) \
    S(int,    select,       "selected body; 0 and below: none") \
    S(int,    flexselect,   "selected flex; negative: none") \
    S(int,    skinselect,   "selected skin; negative: none") \
    S(int,    active,       "what acts (bits of snPertBit)") \
    S(int,    active2,      "what acts besides (bits of snPertBit)") \
    V(double, refpos,    3, "where the centre of mass of the selected body is wanted") \
    V(double, refquat,   4, "which way its inertial frame is wanted") \
    V(double, refselpos, 3, "where the selected point is wanted") \
    V(double, localpos,  3, "selected point in the frame of the body") \
    S(double, localmass,    "mass that a force at the selected point feels") \
    S(double, scale,        "length in the model of a pointer's way over the whole height of the picture")

#define SNV_GLCAMERA_MEMBERS(S, V, M, T) \
    V(float, pos,     3,      "position") \
    V(float, forward, 3,      "unit vector of the view") \
    V(float, up,      3,      "unit vector that is up in the picture") \
    S(float, frustum_center,  "x of the frustum's centre in the near plane") \
    S(float, frustum_width,   "half its width there; 0: as the picture is") \
    S(float, frustum_bottom,  "y of its lower side there") \
    S(float, frustum_top,     "y of its upper side there") \
    S(float, frustum_near,    "distance of the near plane") \
    S(float, frustum_far,     "distance of the far plane") \
    S(int,   orthographic,    "projects in parallel")

#define SNV_GEOM_MEMBERS(S, V, M, T) \
    S(int,     type,            "snGeomType or snDecorType") \
    S(int,     dataid,          "height field, plane, or mesh: 2 id, its hull 2 id + 1; -1: none") \
    S(int,     objtype,         "snObjType of what it shows; unknown: decoration") \
    S(int,     objid,           "id of that; -1: decoration") \
    S(int,     category,        "snCatBit") \
    S(int,     matid,           "material; -1: none with a texture") \
    S(int,     texcoord,        "has texture coordinates") \
    S(int,     segid,           "number in pictures of segments; -1: not there") \
    V(float,   size, 3,         "as the type says") \
    V(float,   pos, 3,          "position") \
    M(float,   mat, 3, 3,       "orientation") \
    V(float,   rgba, 4,         "colour and opacity") \
    S(float,   emission,        "emission") \
    S(float,   specular,        "specularity") \
    S(float,   shininess,       "shininess") \
    S(float,   reflectance,     "reflectance") \
    T(label,   SN_MAXLABEL,     "text") \
    S(float,   camdist,         "distance to the camera") \
    S(float,   modelrbound,     "radius of the model's geom; 0: decoration") \
    S(uint8_t, transparent,     "is seen through") \
    S(uint8_t, castshadow,      "casts shadows") \
    S(int,     texid,           "texture of the role rgb of the material; -1: none") \
    S(int,     texuniform,      "uniform cube mapping of the material") \
    V(float,   texrepeat, 2,    "repetition of its texture")

#define SNV_LIGHT_MEMBERS(S, V, M, T) \
    S(int,     id,             "light of the model; -1: headlight") \
    V(float,   pos, 3,         "position") \
    V(float,   dir, 3,         "unit direction") \
    S(int,     type,           "snLightType") \
    S(int,     texid,          "texture of an image light; -1: none") \
    V(float,   attenuation, 3, "attenuation: constant, linear, quadratic") \
    S(float,   cutoff,         "cut-off angle (degrees)") \
    S(float,   exponent,       "fall-off exponent") \
    V(float,   ambient, 3,     "ambient colour") \
    V(float,   diffuse, 3,     "diffuse colour") \
    V(float,   specular, 3,    "specular colour") \
    S(uint8_t, headlight,      "is the light at the camera") \
    S(uint8_t, castshadow,     "casts shadows") \
    S(float,   bulbradius,     "radius for soft shadows (m)") \
    S(float,   intensity,      "intensity (cd)") \
    S(float,   range,          "reach (m)") \
    S(float,   softness,       "outer part of the cone over which a spot fades; not drawn")

#define SNV_FIGURE_MEMBERS(S, V, M, T, N) \
    S(int,   flg_legend,        "has a legend") \
    V(int,   flg_ticklabel, 2,  "ticks have labels: x, y") \
    S(int,   flg_extend,        "axes grow with the data") \
    S(int,   flg_barplot,       "each two points are a segment of their own") \
    S(int,   flg_selection,     "shows the selection") \
    S(int,   flg_symmetric,     "y is symmetric about 0") \
    S(float, linewidth,         "width of lines") \
    S(float, gridwidth,         "width of the grid's lines") \
    V(int,   gridsize, 2,       "lines of the grid: x, y") \
    V(float, gridrgb, 3,        "colour of the grid") \
    V(float, figurergba, 4,     "colour and opacity of the figure") \
    V(float, panergba, 4,       "colour and opacity of the pane") \
    V(float, legendrgba, 4,     "colour and opacity of the legend") \
    V(float, textrgb, 3,        "colour of text") \
    M(float, linergb, SN_MAXLINE, 3, "colours of lines") \
    M(float, range, 2, 2,       "ranges of x and y; low >= high: as the data say") \
    T(xformat, 20,              "format of labels at x, as for printf") \
    T(yformat, 20,              "format of labels at y") \
    T(minwidth, 20,             "text as wide as labels at y are at least") \
    T(title, 1000,              "title; two spaces stand between those of subplots") \
    T(xlabel, 100,              "text at the x axis") \
    N(linename, SN_MAXLINE, SN_MAXLABEL, "names of lines in the legend") \
    S(int,   legendoffset,      "lines by which the legend is lowered") \
    S(int,   subplot,           "subplot whose title stands out") \
    V(int,   highlight, 2,      "the line whose legend is at this point stands out") \
    S(int,   highlightid,       "line that stands out where there is no such point; negative: none") \
    S(float, selection,         "x of the selection") \
    V(int,   linepnt, SN_MAXLINE, "points of each line; 0: not drawn") \
    M(float, linedata, SN_MAXLINE, 2 * SN_MAXLINEPNT, "points of each line: x, y, x, y, ...") \
    V(int,   xaxispixel, 2,     "drawn range of x (pixels)") \
    V(int,   yaxispixel, 2,     "drawn range of y (pixels)") \
    V(float, xaxisdata, 2,      "drawn range of x") \
    V(float, yaxisdata, 2,      "drawn range of y")

#define SNR_RECT_MEMBERS(S, V, M, T) \
    S(int, left,   "left side (pixels)") \
    S(int, bottom, "lower side") \
    S(int, width,  "width") \
    S(int, height, "height")
// clang-format on

#define SNV_SINGLE(type, name, meaning) type name;
#define SNV_VECTOR(type, name, count, meaning) type name[count];
#define SNV_MATRIX(type, name, rows, columns, meaning) type name[(rows) * (columns)];
#define SNV_TEXT(name, size, meaning) char name[size];
#define SNV_TEXTS(name, rows, size, meaning) char name[rows][size];
#define SNV_STRUCT(MEMBERS) MEMBERS(SNV_SINGLE, SNV_VECTOR, SNV_MATRIX, SNV_TEXT)

/// Where one looks from, in the terms of a person at the screen; snv_updateCamera makes cameras of it.
typedef struct snvCamera {
    SNV_STRUCT(SNV_CAMERA_MEMBERS)
} snvCamera;

/// What is shown.
typedef struct snvOption {
    SNV_STRUCT(SNV_OPTION_MEMBERS)
} snvOption;

/// A body held by the pointer.
typedef struct snvPerturb {
    SNV_STRUCT(SNV_PERTURB_MEMBERS)
} snvPerturb;

/// A camera as a renderer wants it: its frame in the room, and the frustum.
typedef struct snvGLCamera {
    SNV_STRUCT(SNV_GLCAMERA_MEMBERS)
} snvGLCamera;

/// One shape to draw.
typedef struct snvGeom {
    SNV_STRUCT(SNV_GEOM_MEMBERS)
} snvGeom;

/// One light.
typedef struct snvLight {
    SNV_STRUCT(SNV_LIGHT_MEMBERS)
} snvLight;

/// A plot in two dimensions.
typedef struct snvFigure {
    SNV_FIGURE_MEMBERS(SNV_SINGLE, SNV_VECTOR, SNV_MATRIX, SNV_TEXT, SNV_TEXTS)
} snvFigure;

/// A rectangle of pixels.
typedef struct snrRect {
    SNV_STRUCT(SNR_RECT_MEMBERS)
} snrRect;

// Members of snvScene: S and V as above; A(type, name, count, meaning) is an array of as many entries as the
// scene was made with.
// clang-format off
#define SNV_SCENE_MEMBERS(S, V) \
    S(int,     maxgeom,         "room for geoms") \
    S(int,     ngeom,           "geoms that are there") \
    S(int,     nflex,           "flexes") \
    S(uint8_t, flexvertopt,     "copy of the flag FLEXVERT") \
    S(uint8_t, flexedgeopt,     "copy of the flag FLEXEDGE") \
    S(uint8_t, flexfaceopt,     "copy of the flag FLEXFACE") \
    S(uint8_t, flexskinopt,     "copy of the flag FLEXSKIN") \
    S(int,     nskin,           "skins") \
    S(int,     nlight,          "lights that are there") \
    S(uint8_t, enabletransform, "the model does not stand in the room as it is") \
    V(float,   translate, 3,    "place of the model's origin in the room") \
    V(float,   rotate, 4,       "its orientation there, a quaternion") \
    S(float,   scale,           "its size there") \
    S(int,     stereo,          "snStereo") \
    V(uint8_t, flags, SN_NRNDFLAG, "effects, by snRndFlag") \
    S(int,     framewidth,      "width of a frame around the picture (pixels); 0: none") \
    V(float,   framergb, 3,     "its colour") \
    S(int,     status,          "0: all is there; 1: there was no room for all geoms")

#define SNV_SCENE_ARRAYS(A) \
    A(int,      geomorder,    room,      "geoms by their distance to the camera") \
    A(int,      flexedgeadr,  room_flex, "first edge of each flex") \
    A(int,      flexedgenum,  room_flex, "edges of each flex") \
    A(int,      flexvertadr,  room_flex, "first vertex of each flex") \
    A(int,      flexvertnum,  room_flex, "vertices of each flex") \
    A(int,      flexfaceadr,  room_flex, "first face of each flex") \
    A(int,      flexfacenum,  room_flex, "room for faces of each flex") \
    A(int,      flexfaceused, room_flex, "faces of each flex") \
    A(int,      flexedge,     nflexedge, "vertices of edges") \
    A(float,    flexvert,     nflexvert, "vertices") \
    A(float,    flexface,     nflexface, "vertices of faces") \
    A(float,    flexnormal,   nflexface, "normals of faces") \
    A(float,    flextexcoord, nflextexcoord, "texture coordinates of faces") \
    A(int,      skinfacenum,  room_skin,     "triangles of each skin") \
    A(int,      skinvertadr,  room_skin,     "first vertex of each skin") \
    A(int,      skinvertnum,  room_skin,     "vertices of each skin") \
    A(float,    skinvert,     nskinvert, "vertices: x, y, z, ...") \
    A(float,    skinnormal,   nskinvert, "their normals")

// those that MuJoCo's scenes do not have
#define SNV_SCENE_OWN_ARRAYS(A) \
    A(int, flexedgeslice, nflexedge / 2, "of flexes with several materials, of each edge the dataid of its geom") \
    A(int, flexvertslice, nflexvert / 3, "the same of each vertex")
// clang-format on

#define SNV_ARRAY(type, name, count, meaning) type* name;
/// What a renderer draws. The model stands in the room, where the cameras are, scaled, turned and moved as
/// enabletransform, scale, rotate and translate say.
typedef struct snvScene {
    snvGeom* geoms; ///< [room]
    SNV_SCENE_MEMBERS(SNV_SINGLE, SNV_VECTOR)
    SNV_SCENE_ARRAYS(SNV_ARRAY)
    SNV_SCENE_OWN_ARRAYS(SNV_ARRAY)
    int room;                     ///< geoms that there is memory for
    int room_skin;                ///< skins that there is memory for
    int nskinvert;                ///< numbers in skinvert: 3 a vertex
    int room_flex;                ///< flexes that there is memory for
    int nflexedge, nflexvert;     ///< numbers in flexedge, flexvert: 2 an edge, 3 a vertex
    int nflexface, nflextexcoord; ///< numbers in flexface and flexnormal, flextexcoord: 9 a face, 6
    snvLight lights[SN_MAXLIGHT]; ///< nlight of them
    snvGLCamera camera[2];        ///< left and right eye
} snvScene;
#undef SNV_SINGLE
#undef SNV_VECTOR
#undef SNV_MATRIX
#undef SNV_TEXT
#undef SNV_TEXTS
#undef SNV_STRUCT
#undef SNV_ARRAY

// ---- making and defaults

/// A scene with room for `maxgeom` geoms and for the skins of a model, with all effects at their defaults and
/// no geoms, lights or cameras. m may be NULL: no skins. NULL: out of memory, or maxgeom is negative;
/// `error`, which may be NULL, says which. Free it with snv_freeScene.
SN_API snvScene* snv_makeScene(const snModel* m, int maxgeom, snError* error);

/// A copy with memory of its own. NULL: out of memory.
SN_API snvScene* snv_copyScene(const snvScene* scene);

/// Frees a scene; NULL is fine.
SN_API void snv_freeScene(snvScene* scene);

/// A free camera 2 m from the origin: azimuth 90, elevation -45.
SN_API void snv_defaultCamera(snvCamera* cam);

/// A free camera that sees the whole model, as its visual.global and statistic say.
SN_API void snv_defaultFreeCamera(const snModel* m, snvCamera* cam);

/// Nothing selected.
SN_API void snv_defaultPerturb(snvPerturb* pert);

/// Groups 0 to 2 and the flags of SN_VISFLAG_TABLE.
SN_API void snv_defaultOption(snvOption* opt);

/// An empty figure: black, a grid of 2 x 2, lines in colours of their own.
SN_API void snv_defaultFigure(snvFigure* figure);

// ---- between the model and the room

/// A pose in the room as one in the model: pos = R'(roompos - translate)/scale, quat = rotate^-1 roomquat.
/// Outputs must not be inputs. Fails when the scale is 0.
SN_API snStatus snv_room2model(double modelpos[3], double modelquat[4], const double roompos[3],
                               const double roomquat[4], const snvScene* scene, snError* error);

/// A pose in the model as one in the room: pos = scale (R modelpos + translate), quat = rotate modelquat. As
/// at the peer the inverse of snv_room2model only where scale is 1 or translate 0. Outputs must not be
/// inputs. Fails when the scale is 0.
SN_API snStatus snv_model2room(double roompos[3], double roomquat[4], const double modelpos[3],
                               const double modelquat[4], const snvScene* scene, snError* error);

/// Mean position, forward and up of the two cameras of a scene, in the model. Fails when a camera has no near
/// plane, or the scale is 0.
SN_API snStatus snv_cameraInModel(double headpos[3], double forward[3], double up[3], const snvScene* scene,
                                  snError* error);

/// The same in the room.
SN_API snStatus snv_cameraInRoom(double headpos[3], double forward[3], double up[3], const snvScene* scene,
                                 snError* error);

/// Height of the frustum at distance 1, where both cameras are orthographic their height: the mean of the
/// two. Fails when a camera has no near plane, or only one is orthographic.
SN_API snStatus snv_frustumHeight(const snvScene* scene, double* height, snError* error);

/// vec turned about z by the angle that takes (0, 1) to the horizontal part of `forward`. res may be vec.
SN_API void snv_alignToCamera(double res[3], const double vec[3], const double forward[3]);

/// The mean of two cameras, with up at right angles to forward. Fails when only one is orthographic.
SN_API snStatus snv_averageCamera(const snvGLCamera* cam1, const snvGLCamera* cam2, snvGLCamera* mean,
                                  snError* error);

// ---- the pointer; reldx and reldy are its way in heights of the picture

/// Moves a camera by the pointer; one of type fixed stays, a tracking one only turns and zooms. Fails on
/// SN_MOUSE_NONE and numbers without meaning, and as snv_cameraInModel and snv_frustumHeight.
SN_API snStatus snv_moveCamera(const snModel* m, int action, double reldx, double reldy,
                               const snvScene* scene, snvCamera* cam, snError* error);

/// Moves the model in the room, if enabletransform is set; roomup is up there. Fails as snv_moveCamera.
SN_API snStatus snv_moveModel(const snModel* m, int action, double reldx, double reldy,
                              const double roomup[3], snvScene* scene, snError* error);

/// Moves where the selected body is wanted; it turns by up to a right angle away from where it is. The
/// relative actions move along axes of the body. Fails as snv_moveCamera.
SN_API snStatus snv_movePerturb(const snModel* m, const snData* d, int action, double reldx, double reldy,
                                const snvScene* scene, snvPerturb* pert, snError* error);

/// Wants the selected body where it is, and sets localmass, 3/trace(J M^-1 J') at the selected point (1 where
/// it cannot move), and scale. No body selected: nothing. Needs the stages of position. Fails as
/// snv_frustumHeight.
SN_API snStatus snv_initPerturb(const snModel* m, snData* d, const snvScene* scene, snvPerturb* pert,
                                snError* error);

/// Puts a selected mocap body where it is wanted; with `paused` also the free body that carries the selected
/// one, by qpos. Nothing when the perturbation is not active.
SN_API void snv_applyPerturbPose(const snModel* m, snData* d, const snvPerturb* pert, int paused);

/// Sets xfrc_applied of the selected body to that of a damped spring from the selected point to where it is
/// wanted (translate), or its torque to that of one that turns the body (rotate). Stiffness k is
/// vis.map.stiffness and stiffnessrot; damping sqrt(k) is half the critical one. Needs the stages of position
/// and velocity.
SN_API void snv_applyPerturbForce(const snModel* m, snData* d, const snvPerturb* pert);

// ---- what a scene holds

/// Sets a geom; what is NULL gets its default: size 0.1, at the origin, grey. objtype, objid, category, segid
/// and what renderers use stay as they are. Of size a sphere takes its radius, a capsule and a cylinder
/// radius and half length.
SN_API void snv_initGeom(snvGeom* geom, int type, const double size[3], const double pos[3],
                         const double mat[9], const float rgba[4]);

/// Gives a capsule, cylinder, arrow or line the size and pose to reach from one point to another. Fails for
/// other types.
SN_API snStatus snv_connector(snvGeom* geom, int type, double width, const double from[3], const double to[3],
                              snError* error);

/// Sets the cameras of a scene; lookat of a tracking camera follows the centre of mass of its body's subtree.
/// Type user: they stay as they are. Needs the stages of position. Fails on ids and types that are not there.
SN_API snStatus snv_updateCamera(const snModel* m, const snData* d, snvCamera* cam, snvScene* scene,
                                 snError* error);

/// Sets the lights of a scene: the headlight at its cameras, then those of the model that are on. Needs the
/// stages of position. Fails as snv_cameraInModel where there is a headlight.
SN_API snStatus snv_makeLights(const snModel* m, const snData* d, snvScene* scene, snError* error);

/// Appends to a scene what is to be seen: skins, geoms and sites of the model, and what decorates it, as
/// `opt` says, of the categories in catmask (bits of snCatBit). pert, which may be NULL, says which body is
/// selected and where it is wanted. What has no room is left out, and scene->status is then 1. Infinite
/// planes stand before the scene's cameras. Only the arena of d is written, as scratch memory. Needs what is
/// to be shown: the stages of position, for forces of contacts the whole of sn_forward. Allocates nothing;
/// O(what is shown).
SN_API void snv_addGeoms(const snModel* m, snData* d, const snvOption* opt, const snvPerturb* pert,
                         int catmask, snvScene* scene);

/// Lets the skins of a scene follow their bones: vertices and unit normals, which are 0 where a vertex has no
/// triangle. The scene must have been made for this model; else only what it has room for is set.
SN_API void snv_updateSkin(const snModel* m, const snData* d, snvScene* scene);

/// Makes a scene anew: cameras (snv_updateCamera), geoms (snv_addGeoms), lights (snv_makeLights), and with
/// flag SN_VIS_SKIN skins (snv_updateSkin). Counts SN_WARN_VGEOMFULL in d where there was no room for all
/// geoms. Fails as snv_updateCamera and snv_makeLights.
SN_API snStatus snv_updateScene(const snModel* m, snData* d, const snvOption* opt, const snvPerturb* pert,
                                snvCamera* cam, int catmask, snvScene* scene, snError* error);

/// What snv_select finds. Where nothing is, ids are -1.
typedef struct snvPicked {
    double point[3]; ///< in the world; of a skin the vertex that is nearest to it. Nothing there: as it was
    int body;        ///< whose it is
    int geom, skin;  ///< which of them is there; -1: not of that kind
    int flex;        ///< -1
} snvPicked;

/// What is at a place of the picture: relx and rely from 0, left and below, to 1; aspectratio is its width
/// over its height. Looks from the mean of the scene's cameras at what `opt` shows of geoms and skins. Needs
/// the stages of position, and for skins snv_updateSkin. Fails as snv_cameraInModel and snv_frustumHeight.
SN_API snStatus snv_select(const snModel* m, const snData* d, const snvOption* opt, double aspectratio,
                           double relx, double rely, const snvScene* scene, snvPicked* picked,
                           snError* error);

#ifdef __cplusplus
}
#endif
#endif
