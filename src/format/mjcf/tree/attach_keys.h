// Keyframes of what is attached.
#ifndef SINEW_FORMAT_MJCF_TREE_ATTACH_KEYS_H
#define SINEW_FORMAT_MJCF_TREE_ATTACH_KEYS_H

#include "format/mjcf/tree/attach.h"

/// One time that a model was attached.
typedef struct snAttachment {
    struct snAttachment* before; ///< the time before; NULL: this is the first
    int index;                   ///< 1, 2, ...
    int nkeyed;                  ///< its keyframes are numbered from here on
} snAttachment;

/// Lays every number that keyframes of a spec give down at the joint, mocap body or actuator that it is for
/// (snElement.keyed), and takes the lists away. The spec must have been read into its records. A list that is
/// too short is filled up, which `told` gets to know (NULL: nobody). false, with error filled: a list is too
/// long, or out of memory.
bool sn_layDownKeys(snSpec* spec, snConflicts* told, snError* error);

/// Begins one more attachment of a model to spec: ids of the model's elements become their places in the
/// document. false: out of memory.
bool sn_beginAttachment(snSpec* spec, snSpec* child, snAttachments* all);

/// Gives a copy of an element the numbers of the keyframes of all attachments for which it is the first copy.
/// false: out of memory.
bool sn_takeKeyNumbers(snSpec* spec, snElement* copy, const snElement* from, snAttachments* all);

#endif
