// The activation of filter.h, whose step is exact under a control that is held: (1 - exp(-h/tau)) (u - act).
#ifndef SINEW_SMOOTH_ACTUATOR_LAW_FILTEREXACT_H
#define SINEW_SMOOTH_ACTUATOR_LAW_FILTEREXACT_H

#include "smooth/actuator/law/filter.h"

/// The activation after a step of h.
static inline real sn_filterexactNext(real act, real rate, real h, const real* prm)
{
    const real tau = sn_filterTau(prm);
    return act + rate * tau * (1 - sn_exp(-h / tau));
}

/// What the rate is multiplied by in that.
static inline real sn_filterexactTime(real h, const real* prm)
{
    const real tau = sn_filterTau(prm);
    return tau * (1 - sn_exp(-h / tau));
}

/// As sn_filterByTau.
static inline real sn_filterexactByTau(real h, real gap, real tau)
{
    return sn_filterByTau(h, gap, tau) * sn_exp(-h / tau);
}

#endif
