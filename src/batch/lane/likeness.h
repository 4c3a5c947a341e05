// How alike the simulations of lanes are.
#ifndef SINEW_BATCH_LANE_LIKENESS_H
#define SINEW_BATCH_LANE_LIKENESS_H

#include "batch/lane/lane.h"

/// Of an snLaneWork; see snLaneEngine.
void sn_laneLikeness(void* work, unsigned long long* keys, int nid);

#endif
