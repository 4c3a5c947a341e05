// The elementary functions of lanes, for tests. Compiled for each width (lanes/elementary_view.c).
#ifndef SINEW_TEST_LANE_ELEMENTARY_H
#define SINEW_TEST_LANE_ELEMENTARY_H

enum { ELEMENTARY_COUNT = 14 }; ///< functions

typedef struct TestLaneElementary {
    int lanes;
    /// All functions of x [lanes] and y [lanes], results in the order of test_lane_elementary.c.
    void (*all)(const double* x, const double* y, double out[ELEMENTARY_COUNT][16]);
} TestLaneElementary;

#endif
