// Models in the numbers of their source, for what writes into it.
#ifndef SINEW_COMPILE_SOURCE_H
#define SINEW_COMPILE_SOURCE_H

#include "compile/build/build.h"

/// The ids of an element from the user's own compilations.
typedef struct snKeptId {
    snElement* element; ///< NULL behind the last
    int id, oldid;
} snKeptId;
/// Those of all elements, to free by sn_restoreIds; NULL: out of memory.
snKeptId* sn_keepIds(const snSpec* spec);
/// Gives them back; elements that came since have none.
void sn_restoreIds(snSpec* spec, snKeptId* ids);

/// The model without the scales of frames. Elements get its ids; warnings are not told.
snModel* sn_compileUnscaled(snSpec* spec, const snLoadOptions* options, snError* error);
/// The same where bodies have the inertia that is their own as the source has it, too: none is fused or
/// aligned, and compiler.settotalmass does not count.
snModel* sn_compileBare(snSpec* spec, const snLoadOptions* options, snError* error);

#endif
