// Types of elements: their kinds and attributes, what makes an attribute, and how an element is found.
#ifndef SINEW_PYTHON_ELEMENT_H
#define SINEW_PYTHON_ELEMENT_H
#include "named/named.h"

// X(kind, object kind, size that counts it, prefix of its fields in the model, in the data, class)
// clang-format off
#define DATA_KINDS(X) \
    X(body,     BODY,     nbody,    "body_",     "body_",     Body) \
    X(joint,    JOINT,    njnt,     "jnt_",      "jnt_",      Joint) \
    X(geom,     GEOM,     ngeom,    "geom_",     "geom_",     Geom) \
    X(site,     SITE,     nsite,    "site_",     "site_",     Site) \
    X(camera,   CAMERA,   ncam,     "cam_",      "cam_",      Camera) \
    X(light,    LIGHT,    nlight,   "light_",    "light_",    Light) \
    X(equality, EQUALITY, neq,      "eq_",       "eq_",       Equality) \
    X(tendon,   TENDON,   ntendon,  "tendon_",   "ten_",      Tendon) \
    X(actuator, ACTUATOR, nactuator, "actuator_", "actuator_", Actuator) \
    X(sensor,   SENSOR,   nsensor,  "sensor_",   "sensor_",   Sensor)
#define MODEL_KINDS(X) \
    DATA_KINDS(X) \
    X(mesh,     MESH,     nmesh,    "mesh_",     NULL, Mesh) \
    X(skin,     SKIN,     nskin,    "skin_",     NULL, Skin) \
    X(flex,     FLEX,     nflex,    "flex_",     NULL, Flex) \
    X(hfield,   HFIELD,   nhfield,  "hfield_",   NULL, Hfield) \
    X(texture,  TEXTURE,  ntex,     "tex_",      NULL, Texture) \
    X(material, MATERIAL, nmat,     "mat_",      NULL, Material) \
    X(pair,     PAIR,     npair,    "pair_",     NULL, Pair) \
    X(exclude,  EXCLUDE,  nexclude, "exclude_",  NULL, Exclude) \
    X(numeric,  NUMERIC,  nnumeric, "numeric_",  NULL, Numeric) \
    X(text,     TEXT,     ntext,    "text_",     NULL, Text) \
    X(tuple,    TUPLE,    ntuple,   "tuple_",    NULL, Tuple) \
    X(key,      KEY,      nkey,     "key_",      NULL, Keyframe)
// X(another name, kind)
#define DATA_ALIASES(X) X(jnt, joint) X(cam, camera) X(eq, equality) X(ten, tendon)
#define MODEL_ALIASES(X) DATA_ALIASES(X) X(tex, texture) X(mat, material) X(keyframe, key)
// clang-format on

enum {
#define X(kind, ...) KIND_##kind,
    MODEL_KINDS(X)
#undef X
        NKINDS
};
_Static_assert((int)NKINDS == (int)ELEMENT_KINDS, "a model keeps the elements of each kind");

typedef struct Kind {
    const char* name;
    int object;
    const char *size, *prefix, *data_prefix, *title;
} Kind;
extern const Kind element_kinds[NKINDS]; ///< types.c

// Reads a part of the large array of all: `adr` says where an element's starts, the product of `counts` how
// many entries it has.
typedef struct Span {
    int kind;
    const char *attribute, *type;
    bool data; // the array stands in the data, not in the model
    size_t array;
    size_t total; // of the size in the model that counts its rows
    size_t adr;
    size_t counts[3];
    const char* meaning;
} Span;
/// values.c; the last has no attribute
extern const Span element_spans[];

typedef struct Named Named;

// An attribute of the elements of a kind.
typedef struct Attribute {
    const char *name, *type, *meaning;
    PyObject* (*make)(const Named* self, const struct Attribute* attribute);
    const void* source; // the snField or the Span
    int index;          // of the field
    int slot;           // where the element keeps it; -1: it is made each time
    bool hidden;        // it repeats another one
} Attribute;

// The elements of a kind of a model or of a data, of this package or of sinew.mujoco.
typedef struct NamedType {
    PyTypeObject* type;
    const Kind* kind;
    char name[60];
    bool data, peer;
    bool later; // of the peer's release 4.0
    int count;  // of attributes
    Attribute* attributes;
    PyGetSetDef* getset;
} NamedType;

struct Named {
    PyObject_HEAD Memory* memory; ///< of the model or the data whose element this is
    Memory* model;
    const NamedType* of;
    int id;
    PyObject* kept[]; ///< [number of attributes]
};

// values.c: what attributes give
PyObject* getId(const Named* self, const Attribute* a);
PyObject* getName(const Named* self, const Attribute* a);
PyObject* viewOwnRow(const Named* self, const Attribute* a);
PyObject* viewDofs(const Named* self, const Attribute* a);
PyObject* viewCoordinates(const Named* self, const Attribute* a);
PyObject* viewControls(const Named* self, const Attribute* a);
PyObject* viewOutputs(const Named* self, const Attribute* a);
PyObject* viewSpan(const Named* self, const Attribute* a);
PyObject* getMoment(const Named* self, const Attribute* a);
PyObject* getArms(const Named* self, const Attribute* a);
PyObject* getArmDofs(const Named* self, const Attribute* a);
PyObject* getArmRow(const Named* self, const Attribute* a);
/// A NumPy array of a list, which is released.
PyObject* arrayOf(const Named* self, PyObject* list, const char* type);

// later.c
extern const Span tendon_arms;
PyObject* getFrameQuat(const Named* self, const Attribute* a);
PyObject* getPlastic(const Named* self, const Attribute* a);
PyObject* getTendonType(const Named* self, const Attribute* a);

#endif
