// <replicate>.
#ifndef SINEW_FORMAT_MJCF_TREE_REPLICATE_H
#define SINEW_FORMAT_MJCF_TREE_REPLICATE_H

#include "format/mjcf/language/reading.h"

/// Puts the copies in the place of a <replicate> whose own children are expanded.
bool sn_expandReplicate(snReader* r, snElement* node);

#endif
