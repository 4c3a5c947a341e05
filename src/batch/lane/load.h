// Rows of a batch into lanes and back; see snLaneEngine.
#ifndef SINEW_BATCH_LANE_LOAD_H
#define SINEW_BATCH_LANE_LOAD_H

#include "batch/engine.h"
#include "batch/lane/lane.h"

/// Of an snLaneWork.
void sn_loadLanes(void* work, const snBatchArray* arrays, int count, const int* ids, int nid, unsigned lanes);
void sn_storeLanes(void* work, const snBatchArray* arrays, int count, const int* ids, int nid,
                   unsigned lanes);

#endif
