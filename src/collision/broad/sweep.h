// Which of many boxes overlap: sweep and prune, eight comparisons at a time.
#ifndef SINEW_COLLISION_BROAD_SWEEP_H
#define SINEW_COLLISION_BROAD_SWEEP_H

#include <sinew/data.h>

/// A box along the world's axes, rounded outwards to single precision.
typedef struct snSweepBox {
    float low[3], high[3];
} snSweepBox;

/// Axes by how far the boxes are spread along them, most first, and how wide a box typically is along the
/// second; 0: not known. They change the cost alone.
typedef struct snSweepPlan {
    int axis[3];
    double width;
} snSweepPlan;

/// Pairs of boxes in the scratch memory of d, as indices, in no particular order.
typedef struct snBoxPairs {
    int (*list)[2];
    int count, capacity;
    int tests; ///< pairs of boxes that were compared
    bool full; ///< scratch ran out: some are missing
} snBoxPairs;

/// All pairs of boxes that overlap or touch, each once. Boxes with NaN overlap nothing. Cost: n log n for
/// boxes of like size spread over a plane. The caller marks and releases the scratch.
snBoxPairs sn_sweepBoxes(snData* d, const snSweepBox* boxes, int count, snSweepPlan plan);

#endif
