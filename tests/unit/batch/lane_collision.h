// The collision stage of a workspace in lanes, for tests. Compiled for each width (lanes/collision_view.c).
#ifndef SINEW_TEST_LANE_COLLISION_H
#define SINEW_TEST_LANE_COLLISION_H

#include <sinew/sinew.h>
#include "batch/engine.h"

typedef struct TestLaneCollision {
    const snLaneEngine* engine;
    /// Takes where the geoms of a data are, as those of a lane.
    void (*place)(void* work, int lane, const snScalarData* d);
    /// Margins, frictions and solver parameters of the geoms of a lane are those of m.
    void (*parameters)(void* work, int lane, const snScalarModel* m);
    /// sn_collision; returns the ejected lanes.
    unsigned (*collide)(void* work);
    /// Contacts of a lane into out [most]; returns how many.
    int (*contacts)(void* work, int lane, snScalarContact* out, int most);
    /// How many contacts there are in any lane, and whether all their numbers are finite.
    int (*slots)(void* work, bool* finite);
} TestLaneCollision;

/// All widths, NULL behind the last.
extern const TestLaneCollision* const test_lane_collision[];

#endif
