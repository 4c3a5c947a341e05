// The activation with act' = u.
#ifndef SINEW_SMOOTH_ACTUATOR_LAW_INTEGRATOR_H
#define SINEW_SMOOTH_ACTUATOR_LAW_INTEGRATOR_H

#include "smooth/actuator/law/point.h"

static inline real sn_integratorRate(real u)
{
    return u;
}

static inline snRateSlopes sn_integratorRateSlopes(real u, real act, const real* prm)
{
    (void)u, (void)act, (void)prm;
    return (snRateSlopes){sn_real(0), sn_real(1)};
}

#endif
