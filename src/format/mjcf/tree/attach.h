// Attaching a copy of one spec to another.
#ifndef SINEW_FORMAT_MJCF_TREE_ATTACH_H
#define SINEW_FORMAT_MJCF_TREE_ATTACH_H

#include "model/spec/spec.h"

/// Attaches a copy of `what`, a body, a frame or the world of child, below parent and in front of its child
/// `before` (NULL: as the last). The child must have been read into its records (sn_readSpec); its ids and
/// flags are used up. NULL on failure, with error filled and spec as it was.
snElement* sn_attachInFront(snSpec* spec, snElement* parent, snElement* before, snSpec* child,
                            const snElement* what, const char* prefix, const char* suffix, snError* error);

/// A new origin for elements of the spec, without settings of its own yet; NULL: out of memory.
snOrigin* sn_addOrigin(snSpec* spec, const char* folder);

#endif
