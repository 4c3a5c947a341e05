// In lanes, too: src/batch/lane/prelude.h.
// Activation dynamics (seed 001, "Activation dynamics").
#include "smooth/actuator/activation.h"
#include <sinew/muscle.h>
#include <math.h>

bool sn_isActuatorDisabled(const snModel* m, int i)
{
    const int group = m->actuator_group[i];
    return group >= 0 && group < 31 && (m->opt.disableactuator >> group & 1);
}

real sn_actuatorControl(const snModel* m, const snData* d, int i)
{
    const bool clamped = m->actuator_ctrllimited[i] && !(m->opt.disableflags & SN_DSBL_CLAMPCTRL);
    return clamped ? sn_clampToRange(d->ctrl[i], m->actuator_ctrlrange + 2 * i) : d->ctrl[i];
}

real sn_activationRate(const snModel* m, const snData* d, int i, real u)
{
    const real act = d->act[m->actuator_actadr[i] + m->actuator_actnum[i] - 1];
    const real* prm = m->actuator_dynprm + SN_NDYN * i;
    switch (m->actuator_dyntype[i]) {
    case SN_DYN_INTEGRATOR: return u;
    case SN_DYN_FILTER:
    case SN_DYN_FILTEREXACT: return (u - act) / fmax(SN_MINVAL, prm[0]);
    case SN_DYN_MUSCLE: return sn_muscleDynamics(u, act, prm);
    default: return sn_real(0);
    }
}

real sn_nextActivation(const snModel* m, const snData* d, int i, int adr, real act_dot)
{
    const real h = m->opt.timestep;
    real act = d->act[adr];
    if (m->actuator_dyntype[i] == SN_DYN_FILTEREXACT) {
        const real tau = fmax(SN_MINVAL, m->actuator_dynprm[SN_NDYN * i]);
        act += act_dot * tau * (1 - exp(-h / tau));
    } else {
        act += act_dot * h;
    }
    return m->actuator_actlimited[i] ? sn_clampToRange(act, m->actuator_actrange + 2 * i) : act;
}

void sn_advanceActivation(const snModel* m, snData* d, const real* act_dot)
{
    if (!m->na || (m->opt.disableflags & SN_DSBL_ACTUATION)) return;
    for (int i = 0; i < m->nu; i++) {
        if (m->actuator_actadr[i] < 0) continue;
        const bool disabled = sn_isActuatorDisabled(m, i);
        const int first = m->actuator_actadr[i];
        for (int k = first; k < first + m->actuator_actnum[i]; k++)
            d->act[k] = sn_nextActivation(m, d, i, k, disabled ? sn_real(0) : act_dot[k]);
    }
}
