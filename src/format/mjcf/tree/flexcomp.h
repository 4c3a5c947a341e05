// <flexcomp>.
#ifndef SINEW_FORMAT_MJCF_TREE_FLEXCOMP_H
#define SINEW_FORMAT_MJCF_TREE_FLEXCOMP_H

#include "format/mjcf/language/reading.h"

/// Puts the bodies of a <flexcomp> in its place, its flex into <deformable> and the equality of its edges
/// into <equality>.
bool sn_expandFlexcomp(snReader* r, snElement* node);

#endif
