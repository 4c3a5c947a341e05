// The gain prm[0].
#ifndef SINEW_SMOOTH_ACTUATOR_LAW_FIXED_H
#define SINEW_SMOOTH_ACTUATOR_LAW_FIXED_H

#include "smooth/actuator/law/point.h"

static inline real sn_fixed(const real* prm)
{
    return prm[0];
}

static inline snLawSlopes sn_fixedSlopes(const snLawPoint* p)
{
    (void)p;
    return (snLawSlopes){.length = sn_real(0)};
}

#endif
