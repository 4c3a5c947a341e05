// Projected Gauss-Seidel in lanes.
#ifndef SINEW_BATCH_LANE_PGS_H
#define SINEW_BATCH_LANE_PGS_H

#include <sinew/data.h>

enum { SN_LANE_PGS_ROWS = 512 }; ///< a lane with more rows is left to the scalar engine

/// Forces of all rows by the sweeps of src/solver/pgs.c, of each lane as many as the scalar engine makes; no
/// elliptic cones. Writes efc_force, qfrc_constraint and qacc.
void sn_laneGaussSeidel(const snModel* m, snData* d);

#endif
