// <composite>.
#ifndef SINEW_FORMAT_MJCF_TREE_COMPOSITE_H
#define SINEW_FORMAT_MJCF_TREE_COMPOSITE_H

#include "format/mjcf/language/reading.h"

/// Puts the bodies of a <composite> in its place, and what belongs to them in their sections.
bool sn_expandComposite(snReader* r, snElement* node);

#endif
