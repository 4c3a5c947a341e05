// The rows of a workspace in lanes, for tests. Compiled for each width (lanes/rows_view.c).
#ifndef SINEW_TEST_LANE_ROWS_H
#define SINEW_TEST_LANE_ROWS_H

#include <sinew/sinew.h>
#include "batch/engine.h"

enum { TEST_ROW_NUMBERS = 12, TEST_ROW_MOST = 2000 };

/// One row of one lane: pos, margin, frictionloss, diagApprox, KBIP [4], D, R, vel, aref.
typedef struct TestRow {
    int type, id;
    int geom[2], before; ///< of a contact, and how many contacts of these geoms stand in front of it
    bool live;           ///< of the lane; else D = R = aref = 0
    snDouble field[TEST_ROW_NUMBERS];
    snDouble mu;       ///< of the contact
    const snDouble* J; ///< [nv]
} TestRow;

/// A lane: its model, and its data with the contacts.
typedef struct TestLane {
    const snScalarModel* m;
    const snScalarData* d;
} TestLane;

/// What is done in lanes of one width.
typedef struct TestLaneRows {
    const char* name; ///< of the engine
    /// Takes models, states and contacts of all lanes, and makes their rows. False: they take more room than
    /// the model is thought to need at most.
    bool (*make)(void* work, const TestLane* lanes);
    /// Rows of a lane into rows, their Jacobian into J, both with room for TEST_ROW_MOST; returns how many.
    int (*rows)(void* work, int lane, TestRow* rows, snDouble* J);
} TestLaneRows;

#endif
