// Skins of files, of what is attached.
#ifndef SINEW_FORMAT_MJCF_TREE_ATTACH_SKIN_H
#define SINEW_FORMAT_MJCF_TREE_ATTACH_SKIN_H

#include "model/spec/spec.h"

/// Puts what the file of a skin of `child` holds into its copy, in place of the file: the bodies that its
/// bones name get other names. What is no skin of a file, or one that cannot be read now, stays as it is. The
/// child must have been read into its records. false: out of memory.
bool sn_attachSkin(snPool* pool, snElement* copy, snSpec* child, const snElement* from);

#endif
