// Settings of a model that is attached against those of the model that it is attached to.
#ifndef SINEW_FORMAT_MJCF_TREE_CONFLICT_H
#define SINEW_FORMAT_MJCF_TREE_CONFLICT_H

#include "model/spec/spec.h"

typedef struct snConflicts {
    bool wrong;     ///< some are against compiler.conflict
    char text[400]; ///< what differs, and what becomes of it; keyframes too short; "": nothing
} snConflicts;

/// Looks at the settings that both models give (options, sizes, what of visual bears on time and depth) and
/// at those that the child alone gives; false where compiler.conflict of the spec does not allow what
/// differs, with the error filled.
bool sn_findConflicts(snSpec* spec, snSpec* child, snConflicts* found, snError* error);

/// Merges them where compiler.conflict says so; false: out of memory.
bool sn_mergeSettings(snSpec* spec, snSpec* child);

#endif
