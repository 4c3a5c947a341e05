// snSpec: a model that can be edited. It is a tree of elements with attributes, those of MJCF, whatever file
// format it came from: sections such as <option> and <asset> under the root, bodies with what they carry
// under <worldbody>. Every element and attribute that docs/mjcf.md lists can be made and changed, by the
// names and in the units of a model file.
//
//     snSpec* spec = sn_makeSpec();
//     snElement* world = sn_section(spec, "worldbody", &error);
//     snElement* ball = sn_addElement(spec, world, "body", "ball", &error);
//     snElement* geom = sn_addElement(spec, ball, "geom", NULL, &error);
//     sn_setNumbers(spec, geom, "size", (double[]){0.1}, 1, &error);
//     snModel* m = sn_compile(spec, NULL, &error);
//
// Every function that reads or compiles a spec takes snLoadOptions (load.h), which may be NULL.
#ifndef SINEW_SPEC_H
#define SINEW_SPEC_H

#include <sinew/load.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snSpec snSpec;

/// An element: lives as long as its spec, or until it is removed.
typedef struct snElement snElement;

/// An empty model: a world and defaults everywhere. NULL when out of memory.
SN_API snSpec* sn_makeSpec(void);

/// How a URDF is read; all zero: as MuJoCo does it.
typedef struct snUrdfOptions {
    const char* const* package_dirs; ///< [npackage_dirs] folders of ROS packages, or packages themselves
    int npackage_dirs;
    bool floating_base; ///< the root link gets a free joint
    bool keep_fixed;    ///< links on fixed joints stay bodies; else they become parts of their parents
    bool keep_visuals;  ///< visual shapes become geoms that collide with nothing, in their files' colours
    bool actuators;     ///< transmissions become motors
} snUrdfOptions;

/// Reads a URDF file into a spec. Links become bodies, the root link rests on the world; joints keep names,
/// limits, effort (actuatorfrcrange), damping and friction, <mimic> becomes an equality; <mujoco> may hold
/// compiler, option and size. Meshes named package://... are looked up in urdf->package_dirs, in
/// ROS_PACKAGE_PATH and AMENT_PREFIX_PATH, and in the folders above the file. urdf may be NULL: those of
/// *options. Actuators that are asked for and that no transmission gives are a warning. As sn_loadSpec
/// otherwise.
SN_API snSpec* sn_loadUrdf(const char* path, const snUrdfOptions* urdf, const snAsset* assets, int nassets,
                           const snLoadOptions* options, snError* error);

/// Reads a model file (MJCF, or URDF as options->urdf says) into a spec: what it includes,
/// replicates and attaches stands in it afterwards. Every element and attribute is checked. NULL on failure;
/// error (may be NULL) as in sn_loadModel. Files that the model refers to (meshes, images) are read when it
/// is compiled. `assets` [nassets] are files in memory, which come before those on disk; names and bytes are
/// copied. A compiled model (.snb) that holds its source (sn_saveSpecBinary) gives that, its files as assets
/// in memory; without one the status is UNSUPPORTED.
SN_API snSpec* sn_loadSpec(const char* path, const snAsset* assets, int nassets, const snLoadOptions* options,
                           snError* error);

/// As sn_loadSpec, from text or the bytes of a compiled model [size bytes, not 0-terminated]; files are
/// relative to the working directory.
SN_API snSpec* sn_loadSpecText(const char* text, size_t size, const snAsset* assets, int nassets,
                               const snLoadOptions* options, snError* error);

/// A copy that shares nothing with the original. NULL when out of memory.
SN_API snSpec* sn_copySpec(const snSpec* spec);

/// Gets the path of a file, which lives as long as the call.
typedef void snVisitFile(void* user, const char* path);

/// Calls visit for each file that a model file is made of, itself first: what it includes, meshes, textures,
/// height fields and skins, models that it attaches and theirs. A file may come more than once. Files of
/// assets need not exist. Allocates; fails as sn_loadSpec.
SN_API snStatus sn_visitDependencies(const char* path, snVisitFile* visit, void* user, snError* error);

/// Frees the spec with all its elements; takes NULL.
SN_API void sn_deleteSpec(snSpec* spec);

/// Adds a file in memory, name and bytes copied, in place of one of the same name.
SN_API snStatus sn_addAsset(snSpec* spec, const snAsset* asset, snError* error);

/// Takes the file in memory of a name out; there need not be one.
SN_API void sn_removeAsset(snSpec* spec, const char* name);

/// Lets the spec have files in memory of the caller's, behind its own, which stand for files in any folder
/// (snLoadOptions.anywhere), until it is called again; nassets 0: none. They are not copied.
SN_API void sn_lendAssets(snSpec* spec, const snAsset* assets, int nassets);

/// Compiles the spec: ids, frames, inertias, limits, quantities at qpos0, checks. The spec stays as it is and
/// can be changed and compiled again. NULL on failure; error (may be NULL) names element, file, line and the
/// mend.
SN_API snModel* sn_compile(snSpec* spec, const snLoadOptions* options, snError* error);

/// Stages of a compilation of which the time is kept, with MuJoCo's numbers; ASSETS has those after it.
typedef enum snCompileTimer {
    SN_CTIMER_TOTAL,
    SN_CTIMER_ASSETS,
    SN_CTIMER_TEXTURE,
    SN_CTIMER_MESH_LOAD,
    SN_CTIMER_MESH_HULL,
    SN_CTIMER_MESH_POLYGON,
    SN_CTIMER_MESH_INERTIA,
    SN_CTIMER_MESH_BVH,
    SN_CTIMER_MESH_OCTREE, ///< signed distances
    SN_NCTIMER
} snCompileTimer;

/// Seconds that each stage of the last compilation took, by snCompileTimer; zeros before the first. They live
/// as long as the spec.
SN_API const double* sn_compileTimes(const snSpec* spec);

/// The element that the last failed compilation was about; NULL: none of the spec.
SN_API snElement* sn_blamedElement(snSpec* spec);

/// Compiles the spec again and puts the new model and a new data with it in place of *m and *d, which came
/// from this spec's last compilation: positions, velocities, activations, controls, applied forces, mocap
/// poses, equality switches and the warm start of all elements that remain stay what they were, and so do
/// time and callbacks; new ones begin as sn_makeData leaves them. On failure *m and *d are untouched.
SN_API snStatus sn_recompile(snSpec* spec, snModel** m, snData** d, const snLoadOptions* options,
                             snError* error);

/// The spec as MJCF text, canonical: no includes, default classes, replicates or attachments any more, angles
/// in radians; reading it gives the same model. The spec is compiled for it. Names of asset files on disk are
/// relative to `folder` (NULL: the working directory). Free the text with sn_freeText. NULL on failure; error
/// (may be NULL) says why. *size (may be NULL) receives the bytes without the closing 0. With compiler
/// savecompiled="false" (4.0) it is the spec that is written, not compiled unless keyframes were spread or
/// saveinertial asks for it: default classes and numbers stay; with savecanonical="false" also units and
/// notations, where nothing was attached, which has its own.
SN_API char* sn_writeSpec(snSpec* spec, const char* folder, size_t* size, const snLoadOptions* options,
                          snError* error);
/// Frees a text that sn_writeSpec or sn_writeSpecClasses gave; takes NULL.
SN_API void sn_freeText(char* text);

/// As sn_writeSpec, in the shape that MuJoCo writes: default classes stay, elements say what they do not have
/// from theirs, an empty line separates sections, `size` counts user numbers. Where classes cannot stay
/// (something was attached, which has classes of its own, or a class gives orientations, or angles in
/// degrees), they are worked in as there.
SN_API char* sn_writeSpecClasses(snSpec* spec, const char* folder, size_t* size, const snLoadOptions* options,
                                 snError* error);

/// Writes sn_writeSpec's text to a file, whole or not at all. Assets in memory that it refers to are written
/// before it, each whole or not at all, into a folder beside it: of robot.xml it is robot_assets. A path that
/// ends with .snb: as sn_saveSpecBinary. One that ends with .mjz or .zip: an archive of the text, model.xml,
/// and of all files that it refers to, those on disk, too.
SN_API snStatus sn_saveSpec(snSpec* spec, const char* path, const snLoadOptions* options, snError* error);

/// Compiles the spec and writes the model to a binary file, as sn_saveModel does, together with its source:
/// sn_writeSpec's text and every file that it refers to. sn_loadModel reads the model, sn_loadSpec the
/// source.
SN_API snStatus sn_saveSpecBinary(snSpec* spec, const char* path, const snLoadOptions* options,
                                  snError* error);

// ---- elements

/// The <mujoco> element that holds the sections. Its attribute "model" is the model's name.
SN_API snElement* sn_root(snSpec* spec);

/// The first section of a name below the root, made when there is none: "worldbody", "option", "option/flag",
/// "compiler", "asset", "default", "visual/global", ... NULL: no such section (status ARGUMENT), or out of
/// memory.
SN_API snElement* sn_section(snSpec* spec, const char* path, snError* error);

/// Adds an element as the last child of parent: a "body" to a body, a frame or the world, a "motor" to the
/// section "actuator", a "geom" to a body or to a default class, ... name may be NULL. NULL when parent
/// cannot hold such an element, or when the name is taken; error says what is wrong.
SN_API snElement* sn_addElement(snSpec* spec, snElement* parent, const char* tag, const char* name,
                                snError* error);

/// The element of a kind (snObjType; SN_OBJ_UNKNOWN: a frame) with a name; NULL: there is none. Cost: linear
/// in the spec.
SN_API snElement* sn_findElement(const snSpec* spec, int objtype, const char* name);

/// The default class of a name ("main": the outermost one), what came with attached models included, whose
/// classes have the prefix and the suffix, too, "main" also; of several sections of the outermost one the
/// last, which starts from those before. NULL: there is none.
SN_API snElement* sn_findDefault(const snSpec* spec, const char* name);

/// Name of the default class that an element starts from; of a body or frame: that what it holds starts from.
/// "main": the outermost one, of attached elements that of their own model.
SN_API const char* sn_elementClass(const snElement* element);

/// What the element becomes in a model (snObjType); SN_OBJ_UNKNOWN: settings, frames, parts of others.
SN_API int sn_elementType(const snElement* element);
/// Its id in the model of the last compilation; -1: it was not there.
SN_API int sn_elementId(const snElement* element);
/// How it is written: "geom", "position", ... Owned by the spec.
SN_API const char* sn_elementTag(const snElement* element);
/// The element that holds it; NULL: it is the root, or has been removed.
SN_API snElement* sn_elementParent(const snElement* element);
/// The first element that it holds; NULL: none.
SN_API snElement* sn_elementFirst(const snElement* element);
/// The next element that the same parent holds; NULL: it is the last.
SN_API snElement* sn_elementNext(const snElement* element);

/// Removes an element with all that it holds, and every element that refers to something in it by name
/// (sensors, actuators, tendons, contacts, equalities, ...). What has been removed can be looked at while the
/// spec lives; to change it, to move it and to put anything into it is an error.
SN_API snStatus sn_removeElement(snSpec* spec, snElement* element, snError* error);

/// Makes another element of the same kind of it: a "motor" a "general", a "connect" a "weld", a "spatial"
/// tendon a "fixed" one. Attributes that the new one does not have go, and so do children that it cannot
/// hold.
SN_API snStatus sn_changeTag(snSpec* spec, snElement* element, const char* tag, snError* error);

/// Moves an element with all that it holds: it becomes the last child of another parent, such as a frame.
SN_API snStatus sn_moveElement(snSpec* spec, snElement* element, snElement* parent, snError* error);

/// Moves an element among the children of its parent in front of another one (NULL: behind all), such as the
/// points of a tendon's path.
SN_API snStatus sn_placeElement(snSpec* spec, snElement* element, snElement* before, snError* error);

/// The element that an attribute names: that of "site" of a tendon's <site>, of "joint" of an actuator, of
/// "class". NULL: it is not given, refers to nothing, or nothing has that name.
SN_API snElement* sn_findTarget(const snSpec* spec, const snElement* element, const char* attribute);

/// A point of a tendon's path.
typedef struct snPathPoint {
    snElement* element;  ///< <joint>, <site>, <geom> or <pulley> below the tendon
    int type;            ///< snWrapType; of a geom by its shape
    snElement* target;   ///< the joint, site or geom that it names; NULL: none, or there is none
    snElement* sidesite; ///< of a geom; NULL: none, or there is none
    double factor;       ///< coefficient of a joint, divisor of a pulley; else 0
} snPathPoint;

/// Point `index` of the path of a tendon, which is made of its children: to change it, add, set, place and
/// remove these. false: it has no more, or the element is no tendon.
SN_API bool sn_pathPoint(snSpec* spec, const snElement* tendon, int index, snPathPoint* point);

/// Attaches a copy of another spec's body or frame (what; its world element: the world as a body; NULL: all
/// of its world) below parent, a body, a frame or the world, or a site, where it gets a frame of its own.
/// What belongs to it comes along: all assets, and of contacts, equalities, tendons, actuators, sensors and
/// custom fields those that refer to nothing outside; keyframes, whose numbers go where their joints, mocap
/// bodies and actuators go, with default values for the rest of the model. Names that come along become
/// prefix + name + suffix (NULL: nothing). Units of angles, default classes and rules for masses of the child
/// go on to hold for its elements, but not for what is added to its bodies later, except a childclass; its
/// options do not come along. A parent that is an empty frame goes behind its siblings. A part of the spec
/// itself (child the same as spec, physics 4.0) shares assets and default classes with its copy, and what
/// refers into it comes along even where it refers to something outside, too; its keyframes do not. Returns
/// the copy, or the frame that holds the world's content; NULL on failure (a name is taken: MODEL), with spec
/// as it was.
SN_API snElement* sn_attach(snSpec* spec, snElement* parent, const snSpec* child, const snElement* what,
                            const char* prefix, const char* suffix, snError* error);

/// What differed between the settings of the spec and of the model that was attached to it last, and what
/// became of it by compiler.conflict: "timestep is 0.002 by default here and 0.001 there, which stays
/// behind"; and lists of its keyframes that were too short and were filled up as a compilation does; "":
/// nothing. The text is the spec's, valid until the next attachment.
SN_API const char* sn_attachConflicts(const snSpec* spec);

/// Lays the numbers of all keyframes down at the joints, mocap bodies and actuators that they are for, so
/// that they go with them when elements are added, moved or removed: a compiled model has those of the
/// elements that are left, and default values for new ones. The keyframes' own lists are empty afterwards.
/// The spec must be one that can be read: an error (error may be NULL) leaves some lists as they were.
SN_API snStatus sn_spreadKeys(snSpec* spec, snError* error);

/// Puts what they stand for in the place of elements that were added: <flexcomp>, <composite>, <replicate>
/// and <attach>, as sn_compile does. On failure those that are wrong stay.
SN_API snStatus sn_expandSpec(snSpec* spec, snError* error);

// ---- operations: the spec becomes another one that compiles to the same, but smaller, model. They compile
// it for that: ids of elements stay those of the user's own last compilation. On failure it is as it was.

/// Makes the inertia that the compiler finds for a body from its geoms an <inertial> of the body, which later
/// changes of them leave alone: mass, centre and moments before settotalmass, in the units of its frame.
/// Nothing, where the body has its own already or inertiafromgeom is false; an error where that is true, and
/// of the world.
SN_API snStatus sn_adoptInertial(snSpec* spec, snElement* body, const snLoadOptions* options, snError* error);

/// Makes bodies without joints frames of their parents, as compiler fusestatic does while compiling: geoms,
/// sites, cameras, lights and bodies keep their places, masses add up. Bodies stay that anything names, that
/// have fuse="false", that move otherwise, or that would weigh otherwise as parts; and those in a scaled
/// frame of a body. Returns how many were fused, -1 on failure. What was a body is a frame element then.
SN_API int sn_fuseStatic(snSpec* spec, const snLoadOptions* options, snError* error);

/// Removes what is only seen, as compiler discardvisual does while compiling: textures, materials, geoms that
/// collide with nothing and have no fluid shape, then meshes without use. What a sensor, a tuple or another
/// element names stays, but materials and textures that elements wear. The mass of geoms stays with their
/// bodies (sn_adoptInertial). Returns how many were removed, -1 on failure.
SN_API int sn_discardVisual(snSpec* spec, const snLoadOptions* options, snError* error);

/// Merges textures and meshes that say the same: of each group the first stays, and what refers to the others
/// refers to it. Those without a name stay. No file is read. Returns how many went, -1 on failure.
SN_API int sn_dedupAssets(snSpec* spec, snError* error);

/// Writes the numbers that were changed in a model since the spec was compiled to it into the spec: an
/// attribute for each array in which the model differs from what the spec compiles to now, in the frames,
/// units and words of the source; what is the same stays as it is said. Options, what is seen, statistics,
/// and what bodies, joints, geoms, sites, cameras, lights, materials, pairs, equalities, tendons, actuators,
/// sensors, numerics, tuples, keyframes and height fields have as numbers. An error, with nothing written: a
/// model of other sizes or names, or a change that the source cannot say, such as a mass where
/// inertiafromgeom is true, sizes of meshes, gains that a shortcut has no word for, and places and sizes in
/// scaled frames.
SN_API snStatus sn_copyBack(snSpec* spec, const snModel* m, const snLoadOptions* options, snError* error);

// ---- loops, rigid contact and servos at their limits, for which MJCF has no words: text fields in <custom>,
// see docs/mjcf.md

/// Adds a loop joint between two sites, SITE1 on the predecessor and SITE2 on the successor: the element
/// <text name="sinew_loop_NAME" data="TYPE SITE1 SITE2 KEYS"/>. type: a keyword of snLoopType ("revolute",
/// ...); keys: "pitch=0.1", "stiffness=20 damping=0.5 ref=0", NULL: none. The sites, by their names, may be
/// added later; changing their names changes the loop, removing one removes it. NULL: the name is taken, or
/// an unknown type or key, one that the type has not, or a name with blanks; error says what is wrong.
SN_API snElement* sn_addLoop(snSpec* spec, const char* name, const char* type, const char* site1,
                             const char* site2, const char* keys, snError* error);

/// Says how loops are held: the element <text name="sinew_loops" data="DATA"/>, made when there is none.
/// data: "soft" or "exact", then settings: "exact solution=3 tstab=0.1 ranktol=1e-10 project=1"; NULL takes
/// it away.
SN_API snStatus sn_setLoops(snSpec* spec, const char* data, snError* error);

/// Says how contacts, limits and equalities are held: the elements <text name="sinew_contact" data="MODEL"/>
/// and <text name="sinew_lcp" data="SETTINGS"/>, each made when there is none, and taken away by NULL. model:
/// "soft" or "lcp"; settings: "method=blockgs sweeps=50 ...", the options lcp_... without "lcp_".
SN_API snStatus sn_setContact(snSpec* spec, const char* model, const char* settings, snError* error);

/// Says where in an implicit step the limits of servos' forces hold: the element <text name="sinew_servo"
/// data="DATA"/>, made when there is none. data: "begin" or "end"; NULL takes it away.
SN_API snStatus sn_setServo(snSpec* spec, const char* data, snError* error);

/// Says whether a mesh gets a field of signed distances, which geoms of type "sdf" give theirs without it: by
/// that `tactile` sensors feel geoms of type "mesh". The element <text name="sinew_needsdf_MESH"
/// data="true"/>, made when there is none, and taken away where it is not needed. The mesh, by its name, may
/// be added later; changing its name changes the text, removing it removes it.
SN_API snStatus sn_setNeedsdf(snSpec* spec, const char* mesh, bool needed, snError* error);

/// What it says of a mesh.
SN_API bool sn_needsdf(const snSpec* spec, const char* mesh);

/// Says whose rules the model is compiled and stepped by: the element <text name="sinew_physics"
/// data="DATA"/>, made when there is none. data: "3.3.7" or "4.0"; NULL takes it away. It comes in the place
/// of what snLoadOptions.physics said when the spec was loaded.
SN_API snStatus sn_setPhysics(snSpec* spec, const char* data, snError* error);

// ---- attributes

/// What an attribute can be.
typedef struct snAttributeInfo {
    const char* name;
    /// "number" (also a "float"), "numbers", "int", "ints", "bool", "word", "text", "name" (of another
    /// element), "list" (any count of numbers), "orientation", "flag" (enable or disable)
    const char* kind;
    int least, most;     ///< how many numbers; 0: any
    const char* meaning; ///< a sentence
    const char* member;  ///< what a spec's record calls it: "focal_length" of the attribute focal
    /// "word": its enumeration, one of sn_enums ("snGeomType") or sn_specEnums ("TRISTATE"); "name": the kind
    /// of what is named ("SITE"), but of a default class; else NULL
    const char* words;
    bool single; ///< kept in single precision
} snAttributeInfo;

/// Enumerations that only model files have, such as TRISTATE: false, true, auto; *count receives how many.
SN_API const snEnum* sn_specEnums(int* count);

/// Attribute `index` of an element, from 0 on; false: it has no more.
SN_API bool sn_elementAttribute(const snElement* element, int index, snAttributeInfo* info);

/// Sets an attribute from text as in a model file; NULL takes it away, so that the default holds again. An
/// unknown attribute or a value that it cannot have is an error (status MODEL) and leaves the element as it
/// was. A change of "name" changes the references to it, too.
SN_API snStatus sn_setText(snSpec* spec, snElement* element, const char* attribute, const char* text,
                           snError* error);

/// Sets an attribute from numbers [n], exact to the last bit.
SN_API snStatus sn_setNumbers(snSpec* spec, snElement* element, const char* attribute, const double* numbers,
                              int n, snError* error);

/// The attribute's text: as set, else of the element's default class, else the language's own default; NULL:
/// none of these, or no such attribute. The text is the spec's, valid until its next change.
SN_API const char* sn_getText(snSpec* spec, const snElement* element, const char* attribute);

/// Whether the element itself gives an attribute, not a default class or the language; of a setting
/// (<compiler>, <option>, <option><flag>, <visual><map>, ...) whether any section of its kind does.
SN_API bool sn_isGiven(const snSpec* spec, const snElement* element, const char* attribute);

/// The attribute's numbers, found as by sn_getText: at most n of them into numbers; returns how many it has,
/// 0: none.
SN_API int sn_getNumbers(snSpec* spec, const snElement* element, const char* attribute, double* numbers,
                         int n);

#ifdef __cplusplus
}
#endif
#endif
