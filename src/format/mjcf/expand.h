// Elements of the source that stand for others: <replicate>, <attach>, <composite>. They are replaced before
// the records are read.
#ifndef SINEW_FORMAT_MJCF_EXPAND_H
#define SINEW_FORMAT_MJCF_EXPAND_H

#include "format/mjcf/read/reader.h"

/// Replaces all of them in the source; false: *error says what is wrong.
bool sn_expandTree(snReader* r);

/// Puts the copies in the place of a <replicate> whose own children are expanded.
bool sn_expandReplicate(snReader* r, snElement* node);
/// Puts a copy of a model, or of one of its bodies, in the place of an <attach>.
bool sn_expandAttach(snReader* r, snElement* node);

/// Puts the bodies of a <composite> in its place, and what belongs to them in their sections.
bool sn_expandComposite(snReader* r, snElement* node);

/// Reads the model that an element of <asset> names; NULL: *error says what is wrong.
snSpec* sn_loadModelAsset(snReader* r, const snElement* node, const snSpecModel* model);

#endif
