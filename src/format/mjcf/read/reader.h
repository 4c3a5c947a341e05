// What the parts of the MJCF reader share: the state of one reading, default classes, errors, attributes,
// children.
#ifndef SINEW_FORMAT_MJCF_READ_READER_H
#define SINEW_FORMAT_MJCF_READ_READER_H

#include <locale.h>
#include <sinew/load.h>
#include "format/mjcf/language/mistakes.h"
#include "format/mjcf/language/table.h"
#include "model/spec/spec_file.h"
#include "format/mjcf/language/xml.h"

// kinds of the name table that are no snObjType; default classes have a kind for each origin
#define SN_NAME_FRAME ((snObjType)100)
#define SN_NAME_DEFAULT ((snObjType)101)

/// A default class: one record of each kind of element, as an element of this class starts out.
typedef struct snDefaults {
    snSpecHead head;
    const snOrigin* origin; ///< whose class it is; NULL: of the model itself
    snSpecJoint joint;
    snSpecGeom geom;
    snSpecSite site;
    snSpecCamera camera;
    snSpecLight light;
    snSpecMaterial material;
    snSpecMesh mesh;
    snSpecPair pair;
    snSpecTendon tendon;
    snSpecEquality equality;
    snSpecActuator actuator;
} snDefaults;

/// What an origin of attached elements settles for them.
typedef struct snOriginSettings {
    snSpecCompiler compiler;
    const snDefaults* main;
} snOriginSettings;

typedef struct snReader {
    snSpec* spec;
    snError* error;
    locale_t locale;
    snDefaults* main;
    snMistakes* mistakes; ///< collects; NULL: the first mistake is the error and ends the reading
    bool expanding;       ///< the tree is still being made: an element with a mistake is left as it is
} snReader;

/// Adds the mistake "<tag name="..">: text at FILE:LINE", or fills the error with it; returns false. What
/// is said of an element whose attributes are wrong is dropped: it would follow from them.
bool sn_mjcfFail(const snReader* r, const snXmlNode* node, snStatus status, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
bool sn_mjcfNoMemory(const snReader* r);
/// The same with the error of another reading, every line of it.
bool sn_mjcfFailInside(const snReader* r, const snXmlNode* node, const snError* why);
/// After a failure: whether to go on with the next attribute or element.
bool sn_mjcfGoOn(const snReader* r);
/// After a failure: whether to go on with this element.
bool sn_mjcfGoOnHere(const snReader* r);
/// Enters a name; one that is taken is a mistake.
bool sn_enterName(const snReader* r, const snXmlNode* node, snObjType kind, snSpecHead* head);
/// "not supported yet: <tag>" or, with an attribute, "not supported yet: 'attribute' of <tag>"; returns
/// false.
bool sn_mjcfLater(const snReader* r, const snXmlNode* node, const char* attribute);

/// Text cut to some 40 bytes, for messages; the buffer is the caller's.
typedef struct snShort {
    char text[64];
} snShort;
snShort sn_short(const char* text);

/// The candidate nearest to a misspelt word, or NULL when none is near; call once a candidate.
typedef struct snGuess {
    const char *word, *best;
    int distance;
} snGuess;
void sn_guess(snGuess* guess, const char* candidate);

/// Reads every attribute of a node into `record` by the element's table; what the table has not is an error.
/// `where` is SN_IN_ELEMENT or SN_IN_DEFAULT. NAME, CLASS and CHILDCLASS are left to the caller. False: do
/// not go on with this element; when mistakes are collected its children are still to be read.
bool sn_readAttributes(const snReader* r, const snXmlNode* node, const snMjcfElement* element, int where,
                       void* record);

/// Head of an element read from a node, with its name when it has one, entered under its kind
/// (SN_OBJ_UNKNOWN: no entry). The element must live in the spec.
bool sn_readHead(const snReader* r, const snXmlNode* node, snObjType kind, snSpecHead* head);

/// A copy of a default record [size bytes, its head first] in the spec, with the head read from the node;
/// NULL on failure.
void* sn_makeElement(snReader* r, const snXmlNode* node, snObjType kind, const void* record, size_t size);

/// Names an element without a name after its file: without folder and ending. A file may be NULL.
bool sn_nameAfterFile(snReader* r, snObjType kind, snSpecHead* head, const char* file);

/// The default class that a node starts from: its attribute `class`, else `inherited`. NULL: an unknown
/// class.
const snDefaults* sn_chooseDefaults(const snReader* r, const snXmlNode* node, const char* attribute,
                                    const snDefaults* inherited);

/// A child element that a parent may have: its reader, NULL when it is known to the language but not
/// supported yet.
typedef struct snChild {
    const char* tag;
    bool (*read)(snReader* r, const snXmlNode* node, void* context);
    bool unique; ///< at most one
} snChild;

/// Calls the reader of every child in document order.
bool sn_readChildren(snReader* r, const snXmlNode* parent, const snChild* children, int nchildren,
                     void* context);
/// As an error: the node has no children at all.
bool sn_readNoChildren(const snReader* r, const snXmlNode* node);

/// An actuator `general` without attributes.
const snSpecActuator* sn_defaultActuator(void);
/// A tendon without attributes.
const snSpecTendon* sn_defaultTendon(void);
/// Whether a tag is a section below the root.
bool sn_mjcfIsSection(const char* tag);
/// The row of a kind of sensor; NULL: there is none.
const snMjcfElement* sn_mjcfSensor(const char* tag);

// Sections, each in its own file.
snXmlNode* sn_loadTree(snReader* r, const char* path, const char* text, size_t size);
bool sn_readSettings(snReader* r, const snXmlNode* root);
bool sn_readDefaults(snReader* r, const snXmlNode* root, const snOrigin* origin, snDefaults** main);
/// Compiler settings and default classes of all that was attached.
bool sn_readOrigins(snReader* r);
bool sn_readSkinElement(snReader* r, const snXmlNode* node, void* context);
bool sn_readHfield(snReader* r, const snXmlNode* node, void* context);
bool sn_readAsset(snReader* r, const snXmlNode* section, void* context);
bool sn_readMesh(snReader* r, const snXmlNode* node, void* context);
bool sn_readCustom(snReader* r, const snXmlNode* section, void* context);
bool sn_readContact(snReader* r, const snXmlNode* section, void* context);
bool sn_readWorld(snReader* r, const snXmlNode* section, void* context);
bool sn_readTendons(snReader* r, const snXmlNode* section, void* context);
bool sn_readEqualities(snReader* r, const snXmlNode* section, void* context);
bool sn_readActuators(snReader* r, const snXmlNode* section, void* context);
bool sn_readSensors(snReader* r, const snXmlNode* section, void* context);
bool sn_readKeyframes(snReader* r, const snXmlNode* section, void* context);

/// Reads a tendon's attributes over its defaults; one number of springlength stands for both.
bool sn_readTendonValues(const snReader* r, const snXmlNode* node, snMjcfId id, int where,
                         snSpecTendon* tendon);
/// Reads an actuator's attributes over its defaults and turns a shortcut into gain and bias.
bool sn_readActuatorValues(const snReader* r, const snXmlNode* node, int where, snSpecActuator* actuator);
/// Turns the attribute directional into type and texture into a role, after reading.
void sn_finishLight(snSpecLight* light);
void sn_finishMaterial(snSpecMaterial* material);

#define SN_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

#endif
