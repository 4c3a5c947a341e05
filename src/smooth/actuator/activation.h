// Controls of actuators and their activation dynamics: rates and the step in time. Source: seed 001,
// "Activation dynamics".
#ifndef SINEW_SMOOTH_ACTUATOR_ACTIVATION_H
#define SINEW_SMOOTH_ACTUATOR_ACTIVATION_H

#include <sinew/data.h>
#include "math/real.h"
#ifndef SN_LANES
#include "model/history.h"
#endif

static inline real sn_clampToRange(real x, const real range[2])
{
    return sn_select(x < range[0], range[0], sn_select(x > range[1], range[1], x));
}

/// Whether the actuator's group is switched off by opt.disableactuator.
static inline bool sn_isActuatorDisabled(const snModel* m, int i)
{
    if (!m->opt.disableactuator) return false;
    const int group = m->actuator_group[i];
    return group >= 0 && group < 31 && (m->opt.disableactuator >> group & 1);
}

/// Control number k: ctrl, or a past one where its actuator is late (sinew/history.h).
static inline real sn_controlOf(const snModel* m, const snData* d, int k)
{
#ifdef SN_LANES // in lanes nothing is late
    (void)m;
    return d->ctrl[k];
#else
    return sn_actingControl(m, d, k);
#endif
}

/// The same within ctrlrange if it is limited and SN_DSBL_CLAMPCTRL is off.
static inline real sn_clampedControl(const snModel* m, const snData* d, int k)
{
    const bool clamped = m->actuator_ctrllimited[k] && !(m->opt.disableflags & SN_DSBL_CLAMPCTRL);
    const real u = sn_controlOf(m, d, k);
    return clamped ? sn_clampToRange(u, m->actuator_ctrlrange + 2 * k) : u;
}

/// The first control of actuator i, clamped; 0: it has none.
static inline real sn_actuatorControl(const snModel* m, const snData* d, int i)
{
    return m->actuator_ctrlnum[i] ? sn_clampedControl(m, d, m->actuator_ctrladr[i]) : sn_real(0);
}

/// How many activations of actuator i are its plugin's own: the first ones, all but that of dyntype.
static inline int sn_pluginActivations(const snModel* m, int i)
{
    if (m->actuator_plugin[i] < 0) return 0;
    return m->actuator_actnum[i] - (m->actuator_dyntype[i] != SN_DYN_NONE);
}

/// Rate of the last activation of actuator i under control u; 0 for user dynamics, which are the callback's.
real sn_activationRate(const snModel* m, const snData* d, int i, real u);

/// Activation number `adr` of actuator i after a time step at rate `act_dot`: filterexact exactly, the others
/// by Euler; within actrange if limited.
real sn_nextActivation(const snModel* m, const snData* d, int i, int adr, real act_dot);

/// act [na] after a time step at the rates act_dot [na]. Those of disabled groups stay, but within
/// actrange, and setpoints that turn are the nearest to actuator_length; under SN_DSBL_ACTUATION all stay as
/// they are.
void sn_advanceActivation(const snModel* m, snData* d, const real* act_dot);

#endif
