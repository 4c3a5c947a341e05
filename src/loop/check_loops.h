// Whether the arrays of the loops hold together.
#ifndef SINEW_LOOP_CHECK_LOOPS_H
#define SINEW_LOOP_CHECK_LOOPS_H

#include <sinew/data.h>

/// Whether closures, clusters and mechanisms own the dofs, rows and numbers that they say, and dofs and trees
/// know theirs, as sn_loopPosition or the equations alone leave them. work [nv]: scratch.
snStatus sn_checkDataLoops(const snModel* m, const snData* d, int* work, snError* error);

#endif
