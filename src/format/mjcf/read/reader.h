// What the readers of sections share: default classes, heads of elements, names.
#ifndef SINEW_FORMAT_MJCF_READ_READER_H
#define SINEW_FORMAT_MJCF_READ_READER_H

#include <sinew/load.h>
#include "format/mjcf/language/element.h"
#include "format/mjcf/language/reading.h"

/// A default class: one record of each kind of element, as an element of this class starts out.
struct snDefaults {
    snSpecHead head;
    const snOrigin* origin;    ///< whose class it is; NULL: of the model itself
    const snDefaults* outer;   ///< the class that it stands in; NULL: it is a main class
    snMjcfId actuator_written; ///< as what its actuator was written last, here or in an outer class
    snSpecJoint joint;
    snSpecGeom geom;
    snSpecSite site;
    snSpecCamera camera;
    snSpecLight light;
    snSpecTexture texture;
    snSpecMaterial material;
    snSpecMesh mesh;
    snSpecPair pair;
    snSpecTendon tendon;
    snSpecEquality equality;
    snSpecActuator actuator;
};

/// What an origin of attached elements settles for them.
typedef struct snOriginSettings {
    snSpecCompiler compiler;
    const snDefaults* main;
} snOriginSettings;

/// Enters a name; one that is taken is a mistake.
bool sn_enterName(const snReader* r, const snXmlNode* node, snObjType kind, snSpecHead* head);
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

/// A reference that must be given may be to "", the last element without a name, and is NULL only where it
/// is not given; call after the attributes have been read.
void sn_keepEmptyReference(const snXmlNode* node, const char* attribute, const char** reference);

/// An actuator `general` without attributes.
const snSpecActuator* sn_defaultActuator(void);
/// A tendon without attributes.
const snSpecTendon* sn_defaultTendon(void);
/// Reads the source, which holds nothing that stands for others, into the records of the spec.
bool sn_readRoot(snReader* r, const snElement* root);

// Sections, each in its own file.
bool sn_readSettings(snReader* r, const snXmlNode* root);
bool sn_readDefaults(snReader* r, const snXmlNode* root, const snOrigin* origin, snDefaults** main);
/// Compiler settings and default classes of all that was attached.
bool sn_readOrigins(snReader* r);
bool sn_readExtension(snReader* r, const snXmlNode* node, void* context);
/// What an element says of its plugin, with the configuration below it.
bool sn_readInstance(snReader* r, const snXmlNode* node, const char* plugin, const char* instance,
                     snPluginOrder order, snSpecPlugin** plug);
/// A <plugin> in an element that has *plug, which is NULL until then.
bool sn_readPlugin(snReader* r, const snXmlNode* node, snPluginOrder order, snSpecPlugin** plug);
/// The children of an element that can have a <plugin> and nothing else.
bool sn_readOnlyPlugin(snReader* r, const snXmlNode* node, snPluginOrder order, snSpecPlugin** plug);
bool sn_readSkinElement(snReader* r, const snXmlNode* node, void* context);
bool sn_readFlex(snReader* r, const snXmlNode* node, void* context);
bool sn_readHfield(snReader* r, const snXmlNode* node, void* context);
bool sn_readAsset(snReader* r, const snXmlNode* section, void* context);
bool sn_readMesh(snReader* r, const snXmlNode* node, void* context);
/// CDATA of text fields become their data (4.0), or is passed over (3.3.7).
bool sn_takeCharacters(snReader* r);
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
/// Reads an actuator's attributes over its defaults, those of a class, and turns a shortcut into gain and
/// bias.
bool sn_readActuatorValues(const snReader* r, const snXmlNode* node, int where, const snDefaults* class,
                           snSpecActuator* actuator);
/// As what an actuator is written: SN_MJCF_GENERAL or a shortcut.
snMjcfId sn_actuatorWritten(const snXmlNode* node);
/// Warns of what a camera has no longer, as sn_mjcfOutdated, and turns the words of output into bits.
bool sn_finishCamera(const snReader* r, const snXmlNode* node, snSpecCamera* camera);
/// Turns the attribute directional into type, after reading.
void sn_finishLight(snSpecLight* light);
/// Reads the layers of a material in place of children, after its attributes, and moves texture to its role.
bool sn_finishMaterial(snReader* r, const snXmlNode* node, snSpecMaterial* material);

#endif
