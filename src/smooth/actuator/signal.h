// The controls of actuators that have several: which input each of them is. Inputs that are absent are 0.
#ifndef SINEW_SMOOTH_ACTUATOR_SIGNAL_H
#define SINEW_SMOOTH_ACTUATOR_SIGNAL_H

#include "model/kinds.h"
#include "smooth/actuator/activation.h"

/// Place of an input, a bit of actuator_ctrlspec, among the controls of actuator i; -1: it has none.
static inline int sn_inputPlace(const snModel* m, int i, int input)
{
    const int spec = m->actuator_ctrlspec[i];
    return spec & input ? __builtin_popcount((unsigned)(spec & (input - 1))) : -1;
}

/// The clamped control of an input of actuator i. bad: all count as 0, see sn_badControl.
static inline real sn_inputOf(const snModel* m, const snData* d, int i, int input, bool bad)
{
    const int place = bad ? -1 : sn_inputPlace(m, i, input);
    return place < 0 ? sn_real(0) : sn_clampedControl(m, d, m->actuator_ctrladr[i] + place);
}

#endif
