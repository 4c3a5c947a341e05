// Copies of files in memory.
#ifndef SINEW_FORMAT_MJCF_TREE_COPY_H
#define SINEW_FORMAT_MJCF_TREE_COPY_H

#include <sinew/spec.h>
#include "model/spec/spec.h"

/// Gives the spec copies of these assets, which may be its own, with room for one more; false: out of memory.
bool sn_copyAssets(snSpec* spec, const snAsset* assets, int nassets);

#endif
