// The activation with act' = (u - act)/tau, tau = prm[0]; a step takes act + h act'.
#ifndef SINEW_SMOOTH_ACTUATOR_LAW_FILTER_H
#define SINEW_SMOOTH_ACTUATOR_LAW_FILTER_H

#include <math.h>
#include <sinew/types.h>
#include "smooth/actuator/law/point.h"

static inline real sn_filterTau(const real* prm)
{
    return sn_max(prm[0], SN_MINVAL);
}

static inline real sn_filterRate(real u, real act, const real* prm)
{
    return (u - act) / sn_filterTau(prm);
}

static inline snRateSlopes sn_filterRateSlopes(real u, real act, const real* prm)
{
    (void)u, (void)act;
    const real by_ctrl = 1 / sn_filterTau(prm);
    return (snRateSlopes){-by_ctrl, by_ctrl};
}

/// Derivative of the activation after a step of h by tau, above SN_MINVAL; gap = u - act.
static inline real sn_filterByTau(real h, real gap, real tau)
{
    return -h * gap / (tau * tau);
}

#endif
