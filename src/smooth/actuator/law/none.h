// No bias, and no activation, whose rate would be 0.
#ifndef SINEW_SMOOTH_ACTUATOR_LAW_NONE_H
#define SINEW_SMOOTH_ACTUATOR_LAW_NONE_H

#include "smooth/actuator/law/point.h"

static inline snLawSlopes sn_noSlopes(const snLawPoint* p)
{
    (void)p;
    return (snLawSlopes){.length = sn_real(0)};
}

static inline snRateSlopes sn_noRateSlopes(real u, real act, const real* prm)
{
    (void)u, (void)act, (void)prm;
    return (snRateSlopes){sn_real(0), sn_real(0)};
}

#endif
