// Forces of single actuators: see law.h.
#include "control/actuator/law.h"
#include <math.h>
#include "model/kinds.h"
#include "smooth/actuator/actuation.h"
#include "smooth/actuator/activation.h"
#include "smooth/actuator/law/law.h"
#include "smooth/actuator/setpoint.h"
#include "smooth/actuator/transmission.h"

bool sn_isActuatorSpanned(const snModel* m, int i)
{
    const int target = sn_transmissionTarget(m->actuator_trntype[i], m->actuator_trnid[2 * i + 1]);
    const bool pulls = target == SN_OBJ_JOINT || target == SN_OBJ_TENDON || target == SN_OBJ_SITE;
    return pulls && m->actuator_dyntype[i] == SN_DYN_NONE && m->actuator_actadr[i] < 0 &&
           sn_isForceAffine(m, i) && !sn_isActuatorDisabled(m, i) &&
           !(m->opt.disableflags & SN_DSBL_ACTUATION);
}

static bool isControlLimited(const snModel* m, int i)
{
    return m->actuator_ctrllimited[m->actuator_ctrladr[i]] && !(m->opt.disableflags & SN_DSBL_CLAMPCTRL);
}

// Of the controls those that an actuator tells apart: setpoints that turn up to half a turn to both sides of
// the length, and a little less, for there the force changes sign. Returns what full turns take from them.
static double controlRange(const snModel* m, const snData* d, int i, double range[2])
{
    const double period = sn_setpointPeriod(m, i), half = (0.5 - 1e-6) * period;
    const double* given = m->actuator_ctrlrange + 2 * m->actuator_ctrladr[i];
    range[0] = isControlLimited(m, i) ? given[0] : -SN_MAXVAL;
    range[1] = isControlLimited(m, i) ? given[1] : SN_MAXVAL;
    if (!(period > 0)) return 0;
    const double length = d->actuator_length[m->actuator_outadr[i]],
                 middle = sn_max(range[0], sn_min(range[1], length));
    const double full = period * round((middle - length) / period);
    range[0] = sn_max(length + full - half, range[0]);
    range[1] = sn_min(length + full + half, range[1]);
    return full;
}

// Both ends of an interval within a range: what a clamp makes of it.
static void clampInterval(double* low, double* high, const double range[2], double share)
{
    const double within[2] = {range[0] * share, range[1] * share};
    *low = sn_clampToRange(*low, within);
    *high = sn_clampToRange(*high, within);
}

// Actuators of one tendon share its limit alike, so that their sum is in it.
static void limitByTendon(const snModel* m, int i, double* low, double* high)
{
    const int tendon = m->actuator_trnid[2 * i];
    if (m->actuator_trntype[i] != SN_TRN_TENDON || !m->tendon_actfrclimited[tendon]) return;
    int count = 0;
    for (int k = 0; k < m->nactuator; k++) count += sn_pullsTendon(m, k, tendon);
    clampInterval(low, high, m->tendon_actfrcrange + 2 * tendon, 1.0 / count);
}

static void limitForce(const snModel* m, int i, double* low, double* high)
{
    limitByTendon(m, i, low, high);
    if (m->actuator_forcelimited[i]) clampInterval(low, high, m->actuator_forcerange + 2 * i, 1);
}

snActuatorLaw sn_actuatorLaw(const snModel* m, snData* d, int i)
{
    snActuatorLaw law = {0};
    if (sn_isActuatorDisabled(m, i) || m->opt.disableflags & SN_DSBL_ACTUATION) return law;
    double range[2];
    const double full = controlRange(m, d, i, range);
    law.gain = sn_actuatorGain(m, d, i);
    law.bias = sn_actuatorBias(m, d, i);
    if (full != 0) law.bias -= law.gain * full;
    const double first = law.gain * range[0] + law.bias, second = law.gain * range[1] + law.bias;
    law.low = sn_min(first, second);
    law.high = sn_max(first, second);
    limitForce(m, i, &law.low, &law.high);
    return law;
}

double sn_controlOfForce(const snModel* m, int i, snActuatorLaw law, double force)
{
    const double widest[2] = {-SN_MAXVAL, SN_MAXVAL};
    const double ctrl = law.gain == 0 ? 0 : (force - law.bias) / law.gain;
    return sn_clampToRange(ctrl, isControlLimited(m, i) ? m->actuator_ctrlrange + 2 * m->actuator_ctrladr[i]
                                                        : widest);
}

void sn_actuatorForceRange(const snModel* m, int i, double* low, double* high)
{
    *low = -(*high = INFINITY);
    if (sn_gainLaw(m->actuator_gaintype[i])->terms == 1 && sn_biasLaw(m->actuator_biastype[i])->terms == 0 &&
        isControlLimited(m, i)) {
        const double gain = m->actuator_gainprm[SN_NGAIN * i];
        const double* range = m->actuator_ctrlrange + 2 * m->actuator_ctrladr[i];
        const double first = gain * range[0], second = gain * range[1];
        *low = sn_min(first, second);
        *high = sn_max(first, second);
    }
    limitForce(m, i, low, high);
}
