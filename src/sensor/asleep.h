// Sensors of sleepers keep what they last measured.
#ifndef SINEW_SENSOR_ASLEEP_H
#define SINEW_SENSOR_ASLEEP_H

#include <sinew/data.h>
#include <stdbool.h>

/// Whether a sensor's object sleeps, and its second object, if there is one, does not move either. Never:
/// what looks at the whole scene (rays, energies, the user's, contacts of no object or of what is in a site),
/// and where nothing sleeps.
bool sn_sensorSleeps(const snModel* m, const snData* d, int sensor);

#endif
