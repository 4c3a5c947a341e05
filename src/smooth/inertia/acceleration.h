// What sn_fwdAcceleration is made of, in lanes, too.
#ifndef SINEW_SMOOTH_INERTIA_ACCELERATION_H
#define SINEW_SMOOTH_INERTIA_ACCELERATION_H

#include <sinew/data.h>

/// qfrc_smooth = passive - bias + applied + actuator forces, what sn_fwdAcceleration solves for.
void sn_sumSmooth(const snModel* m, snData* d);

/// And qacc_smooth by M.
void sn_smoothAcceleration(const snModel* m, snData* d);

#endif
