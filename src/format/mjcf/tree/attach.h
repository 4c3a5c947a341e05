// Attaching a copy of one spec to another.
#ifndef SINEW_FORMAT_MJCF_TREE_ATTACH_H
#define SINEW_FORMAT_MJCF_TREE_ATTACH_H

#include "format/mjcf/tree/conflict.h"

/// How often one model was attached so far, all zero: not yet. Its keyframes come along each time. A number
/// of theirs is for the first copy of its element that is made then or later, so that the parts of a model
/// that are attached one by one share the keyframes of the first.
typedef struct snAttachments {
    struct snAttachment* now; ///< the latest
    int nelements;            ///< of the model
    int* latest;              ///< [nelements] in document order: index of the attachment of the last copy
    snConflicts conflicts;    ///< of the last time
} snAttachments;

/// Attaches a copy of `what`, a body or a frame of child, its world as a body (its <worldbody>) or all of its
/// world in a frame (NULL), below parent and in front of its child `before` (NULL: as the last). The child
/// must have been read into its records (sn_readSpec); its ids, flags and keyframes are used up. NULL on
/// failure, with error filled and spec as it was.
snElement* sn_attachInFront(snSpec* spec, snElement* parent, snElement* before, snSpec* child,
                            const snElement* what, const char* prefix, const char* suffix,
                            snAttachments* attachments, snError* error);

/// As sn_attachInFront of the spec's own body or frame (its <worldbody>: the world as a body), of which what
/// comes behind `before` is not part. What refers into it comes along where the rest of its references stay;
/// keyframes do not.
snElement* sn_attachSelf(snSpec* spec, snElement* parent, snElement* before, const snElement* what,
                         const char* prefix, const char* suffix, snError* error);

/// Has the copy of a part start from the default class that the part stands in, called prefix + name +
/// suffix; false: out of memory.
bool sn_keepClass(snSpec* spec, snElement* copy, const snElement* what, const char* prefix,
                  const char* suffix);

/// The first element whose name another of its kind before it has; NULL: none.
const snElement* sn_findTwin(const snSpec* spec);

/// A new origin for elements of the spec, of a model of this file and folder, without settings of its own
/// yet; NULL: out of memory.
snOrigin* sn_addOrigin(snSpec* spec, const char* file, const char* folder);

#endif
