// Elements of the source that stand for others, <replicate>, <attach>, <composite>, <flexcomp>, are replaced
// before the records are read.
#ifndef SINEW_FORMAT_MJCF_EXPAND_H
#define SINEW_FORMAT_MJCF_EXPAND_H

#include "format/mjcf/language/reading.h"

/// Replaces all of them in the source; false: *error says what is wrong.
bool sn_expandTree(snReader* r);

#endif
