// A muscle's gain, bias and activation: <sinew/muscle.h> has the values, here are their slopes and what its
// numbers may be. prm as there.
#ifndef SINEW_SMOOTH_ACTUATOR_LAW_MUSCLE_H
#define SINEW_SMOOTH_ACTUATOR_LAW_MUSCLE_H

#include <sinew/muscle.h>
#include <stdbool.h>
#include "smooth/actuator/law/point.h"

#ifndef SN_LANES

snLawSlopes sn_muscleGainSlopes(const snLawPoint* p);
snLawSlopes sn_muscleBiasSlopes(const snLawPoint* p);

/// Of sn_muscleDynamics; at ctrl 0 and 1 those from within.
snRateSlopes sn_muscleRateSlopes(real ctrl, real act, const real prm[3]);

/// Whether the force follows from acc0.
bool sn_isMuscleScaled(const real prm[9]);

/// What cannot be meant by a muscle's numbers, of gain and bias; NULL: nothing.
const char* sn_muscleFault(const real prm[9]);

#endif

#endif
