// snSpec: a model as it is described, before it is compiled. Its source is a tree of elements (tree.h); the
// records here are what the reader in format/ makes of that tree: elements in document order, defaults
// applied, angles and orientations still in the units and forms of the source, references still names.
// compile/ reads them. They live in one pool that is freed at once and made anew when the source has changed.
#ifndef SINEW_MODEL_SPEC_SPEC_H
#define SINEW_MODEL_SPEC_SPEC_H

#include <math.h>
#include <sinew/model.h>
#include "model/spec/spec_table.h"
#include "model/spec/tree.h"

#define SN_NAN ((double)NAN)

/// Values of words like "limited": false 0, true 1, auto 2.
typedef enum snTristate { SN_FALSE = 0, SN_TRUE = 1, SN_AUTO = 2 } snTristate;

typedef struct snSpecNumbers {
    const double* values;
    int count; ///< 0: not given or empty
} snSpecNumbers;
typedef struct snSpecFloats {
    const float* values;
    int count;
} snSpecFloats;
typedef struct snSpecInts {
    const int* values;
    int count;
} snSpecInts;

typedef struct snSpecCompiler snSpecCompiler;
typedef struct snScale snScale;

/// How every element begins. `id` is for the compiler: -1 until it numbers the elements of a kind.
typedef struct snSpecHead {
    const char* tag;  ///< "geom", "freejoint", "position", ...
    const char* name; ///< NULL: none
    snPlace place;
    int id;
    snElement* node;                ///< the element of the source; NULL: made by the compiler
    const snSpecCompiler* compiler; ///< settings that hold for it, those of the model it was attached from;
                                    ///< NULL: of the spec. Ask sn_specCompiler.
    const snScale* scale; ///< for the compiler: how scaled frames change it, or what stands in it; NULL: not
} snSpecHead;

typedef enum snOrientKind {
    SN_ORIENT_QUAT = 0,  ///< `quat` alone
    SN_ORIENT_AXISANGLE, ///< value: axis (3), angle
    SN_ORIENT_XYAXES,    ///< value: x axis (3), y axis (3)
    SN_ORIENT_ZAXIS,     ///< value: z axis (3)
    SN_ORIENT_EULER,     ///< value: three angles, in the order of compiler.eulerseq
} snOrientKind;

/// An orientation as written. Any kind but QUAT wins over `quat`; SN_RULE_QUAT_OVER_CLASS says when they
/// meet.
typedef struct snOrientation {
    snOrientKind kind;
    double value[6]; ///< angles in the unit of compiler.degree
    double quat[4];  ///< not normalised; not zero
} snOrientation;

// Members from the tables, by KIND.
#define SN_SPEC_MEMBER_REAL(member, max) double member;
#define SN_SPEC_MEMBER_VEC(member, max) double member[max];
#define SN_SPEC_MEMBER_FLOAT(member, max) float member;
#define SN_SPEC_MEMBER_FVEC(member, max) float member[max];
#define SN_SPEC_MEMBER_INT(member, max) int member;
#define SN_SPEC_MEMBER_IVEC(member, max) int member[max];
#define SN_SPEC_MEMBER_BOOL(member, max) int member;
#define SN_SPEC_MEMBER_WORD(member, max) int member;
#define SN_SPEC_MEMBER_TEXT(member, max) const char* member;
#define SN_SPEC_MEMBER_REF(member, max) const char* member;
#define SN_SPEC_MEMBER_NAMES(member, max) const char* member;
#define SN_SPEC_MEMBER_LIST(member, max) snSpecNumbers member;
#define SN_SPEC_MEMBER_FLIST(member, max) snSpecFloats member;
#define SN_SPEC_MEMBER_ILIST(member, max) snSpecInts member;
#define SN_SPEC_MEMBER_ORIENT(member, max) snOrientation member;
#define SN_SPEC_MEMBER_NAME(member, max)
#define SN_SPEC_MEMBER_CLASS(member, max)
#define SN_SPEC_MEMBER_CHILDCLASS(member, max)
#define SN_SPEC_MEMBER_LATER(member, max)
#define X(kind, attribute, member, min, max, words, where, meaning, ...) SN_SPEC_MEMBER_##kind(member, max)

/// A singly linked list in document order. Items have a `next`; walk it with SN_EACH.
#define SN_SPEC_LIST(type)                                                                                   \
    struct {                                                                                                 \
        type *first, *last;                                                                                  \
        int count;                                                                                           \
    }
#define SN_SPEC_APPEND(list, item)                                                                           \
    do {                                                                                                     \
        if ((list)->last)                                                                                    \
            (list)->last->next = (item);                                                                     \
        else                                                                                                 \
            (list)->first = (item);                                                                          \
        (list)->last = (item);                                                                               \
        (list)->count++;                                                                                     \
    } while (0)
#define SN_EACH(type, item, list) for (const type* item = (list).first; item; item = item->next)

struct snSpecCompiler {
    SN_SPEC_COMPILER(X)
    const char* file;   ///< the model file; elements of other files are included
    const char* folder; ///< its folder, with its slash; "": the working directory
};

typedef struct snSpecSize {
    SN_SPEC_SIZE(X)
} snSpecSize;

typedef struct snSpecStatistic {
    SN_SPEC_STATISTIC(X)
} snSpecStatistic;

/// compiler.conflict: what becomes of options that what is attached says otherwise.
typedef enum snConflict {
    SN_CONFLICT_WARNING, ///< they do not come along
    SN_CONFLICT_MERGE, ///< the smaller tolerance, the larger count, all flags; what has no better is an error
    SN_CONFLICT_ERROR,
} snConflict;

/// What follows the scale of a frame.
typedef enum snScaling {
    SN_SCALING_SIMILAR,  ///< all that has length or mass in its unit
    SN_SCALING_GEOMETRY, ///< lengths, masses and moments alone
} snScaling;

/// A frame: a fixed transform between an element and its body. `pos` and `orient` are relative to `parent`,
/// or to the body when that is NULL. What is inside it is scaled about its origin.
typedef struct snSpecFrame snSpecFrame;
struct snSpecFrame {
    snSpecHead head;
    const snSpecFrame* parent;
    bool scaled; ///< for the compiler: its scale has been found
    SN_SPEC_FRAME(X)
};

/// Elements that stand for others; they are replaced before the rest is read.
typedef struct snSpecComposite {
    SN_SPEC_COMPOSITE(X)
} snSpecComposite;

typedef struct snSpecFlexcomp {
    SN_SPEC_FLEXCOMP(X)
    SN_SPEC_FLEXCOMP_EDGE(X)
} snSpecFlexcomp;

/// Points of a flexcomp that the enclosing body holds.
typedef struct snSpecPin {
    SN_SPEC_FLEXCOMP_PIN(X)
} snSpecPin;

typedef struct snSpecReplicate {
    SN_SPEC_REPLICATE(X)
} snSpecReplicate;

typedef struct snSpecAttach {
    SN_SPEC_ATTACH(X)
} snSpecAttach;

typedef struct snSpecModel {
    SN_SPEC_MODEL(X)
} snSpecModel;

/// A text of a plugin's configuration.
typedef struct snSpecConfig {
    snSpecHead head;
    struct snSpecConfig* next;
    SN_SPEC_CONFIG(X)
} snSpecConfig;

/// The sections whose plugins are numbered one after the other.
typedef enum snPluginOrder {
    SN_PLUGIN_DECLARED, ///< in <extension>
    SN_PLUGIN_OF_ASSET,
    SN_PLUGIN_OF_ACTUATOR,
    SN_PLUGIN_OF_SENSOR,
    SN_PLUGIN_OF_WORLD,
    SN_PLUGIN_SHARED, ///< as declared, of a composite or flexcomp: it counts where the first body names it
    SN_PLUGIN_ORDERS
} snPluginOrder;

/// What an element says of its plugin, or an instance that <extension> has. head.id is that of the instance;
/// its head names no one but a declared one.
typedef struct snSpecPlugin {
    snSpecHead head;
    struct snSpecPlugin* next;
    int order; ///< snPluginOrder
    SN_SPEC_PLUGIN(X)
    SN_SPEC_LIST(snSpecConfig) configs;
} snSpecPlugin;

/// A plugin that <extension> says the model needs.
typedef struct snSpecExtension {
    snSpecHead head;
    struct snSpecExtension* next;
    SN_SPEC_EXTENSION(X)
} snSpecExtension;

/// Mass properties as given; applies to the body as a whole.
typedef struct snSpecInertial {
    snSpecHead head;
    const snSpecFrame*
        frame; ///< the frame it was written in; 3.3.7 of the peer does not apply it (see docs/mjcf.md)
    SN_SPEC_INERTIAL(X)
} snSpecInertial;

// Elements of a body: `frame` is the innermost frame around them, NULL: none.

/// A joint or a freejoint (head.tag; type is then SN_JNT_FREE and nothing comes from defaults).
typedef struct snSpecJoint {
    snSpecHead head;
    struct snSpecJoint* next;
    const snSpecFrame* frame;
    int align; ///< snTristate; of a freejoint, else SN_AUTO and without meaning
    SN_SPEC_JOINT(X)
} snSpecJoint;

typedef struct snSpecGeom {
    snSpecHead head;
    struct snSpecGeom* next;
    const snSpecFrame* frame;
    snSpecPlugin* plug;              ///< its shape, of type sdf; NULL: none
    const struct snSpecBody* weighs; ///< body whose mass it counts for, when that was fused; NULL: its own
    bool shows;                      ///< nothing but that: it weighs, then it is left out
    SN_SPEC_GEOM(X)
} snSpecGeom;

typedef struct snSpecSite {
    snSpecHead head;
    struct snSpecSite* next;
    const snSpecFrame* frame;
    SN_SPEC_SITE(X)
} snSpecSite;

typedef struct snSpecCamera {
    snSpecHead head;
    struct snSpecCamera* next;
    const snSpecFrame* frame;
    int outputs; ///< bits of snCamOutput, from `output`
    SN_SPEC_CAMERA(X)
} snSpecCamera;

/// `directional`, when given, has been turned into `type` already.
typedef struct snSpecLight {
    snSpecHead head;
    struct snSpecLight* next;
    const snSpecFrame* frame;
    SN_SPEC_LIGHT(X)
} snSpecLight;

typedef struct snSpecBody snSpecBody;
struct snSpecBody {
    snSpecHead head;
    snSpecBody* next;
    snSpecBody* parent;       ///< NULL: the world
    const snSpecFrame* frame; ///< of the parent, around this body
    int depth;                ///< the world: 0
    snSpecInertial* inertial; ///< NULL: not given
    snSpecPlugin* plug;       ///< passive forces; NULL: none
    SN_SPEC_LIST(snSpecJoint) joints;
    SN_SPEC_LIST(snSpecGeom) geoms;
    SN_SPEC_LIST(snSpecSite) sites;
    SN_SPEC_LIST(snSpecCamera) cameras;
    SN_SPEC_LIST(snSpecLight) lights;
    SN_SPEC_LIST(snSpecBody) bodies;
    snSpecBody* prev;               ///< only while bodies are fused
    SN_SPEC_LIST(snSpecBody) fused; ///< what it took in, each at its frame; see compile/body/fuse.c
    SN_SPEC_BODY(X)
};

typedef struct snSpecTexture {
    snSpecHead head;
    struct snSpecTexture* next;
    SN_SPEC_TEXTURE(X)
} snSpecTexture;

typedef struct snSpecHfield {
    snSpecHead head;
    struct snSpecHfield* next;
    SN_SPEC_HFIELD(X)
} snSpecHfield;

/// A flex with what its children contact, edge and elasticity say.
typedef struct snSpecFlex {
    snSpecHead head;
    struct snSpecFlex* next;
    SN_SPEC_FLEX(X)
    SN_SPEC_FLEX_CONTACT(X)
    SN_SPEC_FLEX_EDGE(X)
    SN_SPEC_FLEX_ELASTICITY(X)
} snSpecFlex;

/// A bone of a skin.
typedef struct snSpecBone {
    snSpecHead head;
    struct snSpecBone* next;
    SN_SPEC_BONE(X)
} snSpecBone;

typedef struct snSpecSkin {
    snSpecHead head;
    struct snSpecSkin* next;
    SN_SPEC_LIST(snSpecBone) bones;
    SN_SPEC_SKIN(X)
} snSpecSkin;

/// Role r of a material uses the texture named textures[r]; NULL: none. `texture` has been moved to role 1
/// (rgb).
typedef struct snSpecMaterial {
    snSpecHead head;
    struct snSpecMaterial* next;
    const char* textures[SN_NTEXROLE];
    SN_SPEC_MATERIAL(X)
} snSpecMaterial;

/// What of a mesh has mass.
typedef enum snMeshInertia {
    SN_MESH_CONVEX, ///< its convex hull
    SN_MESH_EXACT,  ///< the solid inside its triangles
    SN_MESH_LEGACY, ///< as EXACT, every pyramid under a triangle counted as positive
    SN_MESH_SHELL,  ///< its triangles
} snMeshInertia;

typedef enum snMeshShape {
    SN_MESHSHAPE_NONE,
    SN_MESHSHAPE_SPHERE,
    SN_MESHSHAPE_HEMISPHERE,
    SN_MESHSHAPE_CONE,
    SN_MESHSHAPE_SUPERSPHERE,
    SN_MESHSHAPE_SUPERTORUS,
    SN_MESHSHAPE_WEDGE,
    SN_MESHSHAPE_PLATE,
    SN_MESHSHAPE_GRID, // from here on of 4.0: lattices, see format/mesh/lattice.c
    SN_MESHSHAPE_BOX,
    SN_MESHSHAPE_CYLINDER,
    SN_MESHSHAPE_ELLIPSOID,
    SN_MESHSHAPE_SQUARE,
    SN_MESHSHAPE_DISC,
} snMeshShape;

typedef struct snSpecMesh {
    snSpecHead head;
    struct snSpecMesh* next;
    snSpecPlugin* plug; ///< the shape that it is made from; NULL: none
    double stretch[9]; ///< after all else, row by row, by a frame's scale that no factors along axes can say;
                       ///< [0] 0: none
    SN_SPEC_MESH(X)
} snSpecMesh;

typedef struct snSpecPair {
    snSpecHead head;
    struct snSpecPair* next;
    SN_SPEC_PAIR(X)
} snSpecPair;

typedef struct snSpecExclude {
    snSpecHead head;
    struct snSpecExclude* next;
    SN_SPEC_EXCLUDE(X)
} snSpecExclude;

/// An object of a tendon's path. `object` is the joint, site or geom; `prm` the coefficient or divisor.
typedef struct snSpecWrap {
    snSpecHead head;
    struct snSpecWrap* next;
    int type; ///< snWrapType; a geom is SN_WRAP_SPHERE until the compiler knows its shape
    const char *object, *sidesite;
    double prm;
} snSpecWrap;

/// A tendon, fixed (its path is joints) or spatial (head.tag says which).
typedef struct snSpecTendon {
    snSpecHead head;
    struct snSpecTendon* next;
    SN_SPEC_LIST(snSpecWrap) path;
    SN_SPEC_TENDON(X)
    SN_SPEC_TENDON_SPATIAL(X)
} snSpecTendon;

/// An equality of any kind. A connect or weld names either bodies or sites. NaN in anchor: the origin; in
/// relpose: as a zero quaternion.
typedef struct snSpecEquality {
    snSpecHead head;
    struct snSpecEquality* next;
    int type; ///< snEqType
    SN_SPEC_EQUALITY_ALL(X)
} snSpecEquality;

/// Every kind of actuator, its shortcut already turned into activation dynamics, gain and bias. biasprm[2] >
/// 0 of a position actuator (gainprm[0] == -biasprm[1]) is a damping ratio that the compiler turns into a
/// gain. inheritrange > 0 counts when gain is fixed, bias affine and gainprm[0] == -biasprm[1]; it makes
/// ctrlrange, or with an integrator actrange.
typedef struct snSpecActuator {
    snSpecHead head;
    struct snSpecActuator* next;
    snSpecPlugin* plug; ///< what computes its force; NULL: gain and bias
    SN_SPEC_ACTUATOR_ALL(X)
} snSpecActuator;

/// A sensor. objtype and reftype are snObjType; a name is NULL exactly when its type is SN_OBJ_UNKNOWN.
typedef struct snSpecSensor {
    snSpecHead head;
    struct snSpecSensor* next;
    snSpecPlugin* plug; ///< of SN_SENS_PLUGIN
    int type;           ///< snSensorType
    int objtype, reftype;
    const char *objname, *refname;
    double cutoff, noise, delay, interval[2];
    int nsample, interp;
    snSpecNumbers user;
    int dim, datatype, needstage; ///< of SN_SENS_USER alone; of others the compiler knows them
    int intprm[SN_NSENS]; ///< contact: bits of data, reduce, num; rangefinder: bits of data; insidesite: 1
                          ///< where what is enclosed is measured
} snSpecSensor;

typedef struct snSpecNumeric {
    snSpecHead head;
    struct snSpecNumeric* next;
    SN_SPEC_NUMERIC(X)
} snSpecNumeric;

typedef struct snSpecText {
    snSpecHead head;
    struct snSpecText* next;
    SN_SPEC_TEXT(X)
} snSpecText;

typedef struct snSpecTupleElement {
    snSpecHead head;
    struct snSpecTupleElement* next;
    SN_SPEC_TUPLE_ELEMENT(X)
} snSpecTupleElement;

typedef struct snSpecTuple {
    snSpecHead head;
    struct snSpecTuple* next;
    SN_SPEC_LIST(snSpecTupleElement) elements;
    SN_SPEC_TUPLE(X)
} snSpecTuple;

typedef struct snSpecKey {
    snSpecHead head;
    struct snSpecKey* next;
    SN_SPEC_KEY(X)
} snSpecKey;
#undef X

typedef struct snSpecNames snSpecNames;

struct snSpec {
    // the source; lives in `tree`
    snPool tree;
    snElement* root;
    snOrigin* origins;     ///< of what was attached, the last first
    const char* file;      ///< path or name of the top file
    const char* folder;    ///< of the top file, with its slash; "": the working directory
    const snAsset* assets; ///< [nassets] files in memory, which come before those on disk
    int nassets;
    const snAsset* lent; ///< [nlent] of the caller's, sn_lendAssets
    int nlent;
    bool anywhere;         ///< they stand for files in any folder, see snLoadOptions
    bool files_anywhere;   ///< elements may name any file, see snLoadOptions
    const char* within;    ///< folder of all files that elements name, see snLoadOptions; NULL: none
    int64_t ncopied;       ///< elements that replication has made
    int64_t nflexpoint;    ///< points that flexcomps have made
    int nesting;           ///< of models that are attached to each other; the top one: 0
    const char* conflicts; ///< of settings at the last attachment, see sn_attachConflicts; NULL: none
    int nkeyed;            ///< numbers given to attached keyframes, see snElement.key
    const snElement* included_again; ///< an <include> of a file that was included by another path; NULL: none
    const snElement* blamed;         ///< what the last mistake was about, which may be gone; NULL: no element
    int asked;                       ///< snPhysics that snLoadOptions asked for; -1: none
    int silent;                      ///< snPhysics where nobody says it
    int physics;                     ///< snPhysics that holds; it is chosen before the source is read
    bool loading;                    ///< not compiled yet: warnings of what is read into records can wait
    bool warned;                     ///< the last reading or compiling gave some
    bool unscaled;                   ///< while it is compiled for its source: scales of frames do not count
    bool bare;                       ///< the same: bodies are not fused or aligned, settotalmass is none
    double times[SN_NCTIMER];        ///< of the last compilation

    // what was read from it; lives in `pool`
    bool read;   ///< the records show the source as it is
    bool scales; ///< some frame has a scale
    snPool pool;
    snSpecNames* names;
    const char* modelname;
    snSpecCompiler compiler;
    snLengthRange lengthrange;
    snOption option;
    snSpecSize size;
    int64_t memory; ///< size.memory in bytes; -1: SN_ARENA_LIMIT
    snSpecStatistic statistic;
    snVisual visual;
    snSpecBody* world; ///< name "world"
    SN_SPEC_LIST(snSpecTexture) textures;
    SN_SPEC_LIST(snSpecHfield) hfields;
    SN_SPEC_LIST(snSpecSkin) skins;
    SN_SPEC_LIST(snSpecFlex) flexes;
    SN_SPEC_LIST(snSpecMaterial) materials;
    SN_SPEC_LIST(snSpecMesh) meshes;
    SN_SPEC_LIST(snSpecPair) pairs;
    SN_SPEC_LIST(snSpecExclude) excludes;
    SN_SPEC_LIST(snSpecTendon) tendons;
    SN_SPEC_LIST(snSpecEquality) equalities;
    SN_SPEC_LIST(snSpecActuator) actuators;
    SN_SPEC_LIST(snSpecSensor) sensors;
    SN_SPEC_LIST(snSpecNumeric) numerics;
    SN_SPEC_LIST(snSpecText) texts;
    SN_SPEC_LIST(snSpecTuple) tuples;
    SN_SPEC_LIST(snSpecKey) keys;
    SN_SPEC_LIST(snSpecExtension) extensions;
    SN_SPEC_LIST(snSpecPlugin) plugins; ///< declared, and of elements, as they are read
};

/// Numbers in plastic of a joint's spring that yields.
static inline int sn_plasticOfJoint(const snSpecJoint* joint)
{
    return !(joint->springyield > 0) || joint->type == SN_JNT_FREE ? 0 : joint->type == SN_JNT_BALL ? 4 : 1;
}

/// Numbers in plastic of a tendon's spring that yields.
static inline int sn_plasticOfTendon(const snSpecTendon* tendon)
{
    return tendon->springyield > 0 ? 2 : 0;
}

/// A list of a keyframe.
static inline const snSpecNumbers* sn_specKeyList(const snSpecKey* key, snKeyList list)
{
#define X(name, attribute, what) &key->attribute,
    const snSpecNumbers* const lists[] = {SN_KEY_LISTS(X)};
#undef X
    return lists[list];
}

/// Drops all records: defaults everywhere and a world body, the source untouched. false: out of memory.
bool sn_clearSpec(snSpec* spec);

/// Settings as they are when nothing is given.
snSpecCompiler sn_defaultCompiler(void);
snLengthRange sn_defaultLengthRange(void);
snSpecSize sn_defaultSize(void);
snSpecStatistic sn_defaultStatistic(void);
/// The compiler settings that hold for an element.
static inline const snSpecCompiler* sn_specCompiler(const snSpec* spec, const snSpecHead* element)
{
    return element && element->compiler ? element->compiler : &spec->compiler;
}

/// Zeroed memory that lives as long as the records, aligned for any type; NULL when out of memory.
void* sn_specAlloc(snSpec* spec, size_t size);
/// A copy of length bytes of text, 0-terminated; NULL when out of memory.
const char* sn_specText(snSpec* spec, const char* text, size_t length);

/// Enters a named element, so that sn_findSpec finds it; the element must live in the spec. false: the kind
/// has one of this name already (status MODEL) or memory is out; error says which. An element without a name
/// is not entered.
bool sn_nameSpec(snSpec* spec, snObjType kind, snSpecHead* element, snError* error);
/// The element of a kind with a name (world included), or NULL. Bodies are kind SN_OBJ_BODY, also found as
/// XBODY.
snSpecHead* sn_findSpec(const snSpec* spec, snObjType kind, const char* name);

/// Next body in depth-first preorder, NULL after the last.
snSpecBody* sn_specNextBody(const snSpecBody* body);
/// Bits of actuator_ctrlspec that `input` says, or stands for where it is not given; false: it cannot be said
/// of this gain, or is no list of inputs in their order.
bool sn_actuatorInputs(const snSpecActuator* actuator, int* spec);
/// Numbers of an actuator's controls, forces and activations.
int sn_actuatorControls(const snSpecActuator* actuator);
int sn_actuatorOutputs(const snSpecActuator* actuator);
int sn_actuatorActivations(const snSpecActuator* actuator);

#endif
