// Text fields in which we keep what MJCF has no words for, and the names of elements that they hold: of what
// an attachment, a copy, a new name or a removal of these elements makes of the fields.
#ifndef SINEW_FORMAT_MJCF_LANGUAGE_FIELD_H
#define SINEW_FORMAT_MJCF_LANGUAGE_FIELD_H

#include "format/mjcf/language/words.h"
#include "model/spec/tree.h"

#define SN_LOOP_PREFIX "sinew_loop_"
#define SN_LOOPS_NAME "sinew_loops"
#define SN_CONTACT_NAME "sinew_contact"
#define SN_LCP_NAME "sinew_lcp"
#define SN_SERVO_NAME "sinew_servo"
#define SN_PHYSICS_NAME "sinew_physics"
#define SN_RESTITUTION_PREFIX "sinew_restitution_"
#define SN_MAXFORCE_PREFIX "sinew_maxforce_"
#define SN_NEEDSDF_PREFIX "sinew_needsdf_"

/// What a field's name has behind a word of ours, such as NAME of sinew_loop_NAME; in front there may be a
/// prefix that an attachment has put there, of *prefix_length bytes (NULL: not wanted). NULL: it is no such
/// field.
const char* sn_fieldSubject(const char* name, const char* ours, size_t* prefix_length);

/// A name that a field holds: prefix + word.
typedef struct snFieldName {
    bool own; ///< it stands in the field's own name, with what attachments put around that; else in its data
    int kind[2]; ///< what it may be the name of; SN_OBJ_UNKNOWN: nothing
    snWord prefix, word;
} snFieldName;

enum { SN_FIELD_NAMES = 2 }; ///< most that one field holds

/// The names that an element holds as such a field; returns how many.
int sn_fieldNames(const snElement* element, snFieldName names[SN_FIELD_NAMES]);

/// Whether the name may be that of an element of this kind and name.
bool sn_isFieldName(const snFieldName* held, int kind, const char* name);

/// Puts another name in the place of the one at `which` of sn_fieldNames: in the data prefix + name + suffix,
/// in the field's own name the plain one. false: out of memory.
bool sn_putFieldName(snPool* pool, snElement* element, int which, const char* prefix, const char* name,
                     const char* suffix);

/// Whether the name of a text field is that of options, which belong to one model and do not go with parts.
bool sn_isOptionField(const char* name);

/// For the name of a text field that begins as ours do: what it was probably meant to be, "sinew_loops" or
/// "sinew_loop_NAME"; NULL: it is one, or something else.
const char* sn_nearestField(const char* name);

#endif
