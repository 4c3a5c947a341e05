// How alike the simulations of lanes are.
#ifndef SINEW_BATCH_LANE_LIKENESS_H
#define SINEW_BATCH_LANE_LIKENESS_H

#include "batch/lane/lane.h"

/// See snLaneEngine.
void sn_laneLikeness(const snLaneWork* w, unsigned long long* keys, int nid);

#endif
