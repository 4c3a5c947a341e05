// Edges of a flex: lengths and what changes them.
#ifndef SINEW_SMOOTH_FLEX_EDGE_H
#define SINEW_SMOOTH_FLEX_EDGE_H

#include <sinew/data.h>

/// flexedge_length and flexedge_J of a flex; lengths of a rigid one are 0, nobody needs them.
void sn_measureEdges(const snModel* m, snData* d, int flex);

#endif
