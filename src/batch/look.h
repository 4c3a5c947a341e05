// Sensors that look at shapes, of one simulation, through the scalar engine. This header is read by files for
// lanes, too: all numbers are snDouble.
#ifndef SINEW_BATCH_LOOK_H
#define SINEW_BATCH_LOOK_H

#include "batch/engine.h"

/// What they read, and where they write: arrays as of the model and the data.
typedef struct snLook {
    const snDouble *geom_xpos, *geom_xmat, *site_xpos, *site_xmat;         ///< data
    const snDouble *geom_size, *geom_rbound, *hfield_size, *sensor_cutoff; ///< model
    snDouble* sensordata;
} snLook;

/// Whether a type of sensor does: SN_INLANES_SCALAR in its row.
bool sn_looksAtShapes(int sensor_type);

/// Writes all such sensors, unclipped.
void sn_lookAtShapes(const snScalarModel* m, const snLook* look);

#endif
