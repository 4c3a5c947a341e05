// In lanes, too: src/batch/lane/prelude.h.
// Actuator forces (seed 001, "Actuation"): p = gain u + bias, u the control or the activation.
#include <sinew/smooth.h>
#include <math.h>
#include <string.h>
#include "model/arena.h"
#include "model/made.h"
#ifndef SN_LANES
#include "model/plugin_call.h"
#endif
#include "smooth/actuator/actuation.h"
#include "smooth/actuator/activation.h"
#include "smooth/actuator/asleep.h"
#include "smooth/actuator/dcmotor.h"
#include "smooth/actuator/law/dispatch.h"
#include "smooth/actuator/law/fixed.h"
#include "smooth/actuator/law/user.h"
#include "smooth/actuator/pid.h"
#include "smooth/actuator/setpoint.h"
#include "smooth/actuator/so3.h"
#include "smooth/actuator/transmission.h"

static inline snMask isBad(const snModel* m, const snData* d, int k)
{
    return sn_not(fabs(sn_clampedControl(m, d, k)) <= SN_MAXVAL);
}

// The actuator that a control is of.
static int ownerOf(const snModel* m, int k)
{
    int i = 0;
    while (i < m->nactuator && k >= m->actuator_ctrladr[i] + m->actuator_ctrlnum[i]) i++;
    return i;
}

int sn_badControl(const snModel* m, const snData* d)
{
    for (int k = 0; k < m->nu; k++)
        if (sn_any(isBad(m, d, k))) return ownerOf(m, k);
    return -1;
}

// Rates of the activations of actuator i.
static void activate(const snModel* m, snData* d, int i, bool bad)
{
    const real u = bad ? sn_real(0) : sn_actuatorControl(m, d, i);
    if (sn_pluginActivations(m, i) == m->actuator_actnum[i]) return;
    if (m->actuator_dyntype[i] == SN_DYN_USER)
        sn_userRates(m, d, i);
    else if (m->actuator_dyntype[i] == SN_DYN_PID)
        sn_pidRates(m, d, i, bad);
    else if (m->actuator_dyntype[i] == SN_DYN_DCMOTOR)
        sn_motorRates(m, d, i, bad);
    else if (sn_isOrientationServo(m, i))
        sn_orientationRates(m, d, i, bad);
    else
        d->act_dot[m->actuator_actadr[i] + m->actuator_actnum[i] - 1] = sn_activationRate(m, d, i, u);
}

// gain u + bias. The plainest of both need no calls; a bias of 0 makes 0 of -0.
static inline real lawForce(const snModel* m, snData* d, int i, bool bad)
{
    const real u = sn_actuatorInput(m, d, i, bad);
    if (m->actuator_gaintype[i] == SN_GAIN_FIXED && m->actuator_biastype[i] == SN_BIAS_NONE)
        return sn_fixed(m->actuator_gainprm + SN_NGAIN * i) * u + 0;
    return sn_actuatorGain(m, d, i) * u + sn_actuatorBias(m, d, i);
}

// The forces of actuator i before any limit, of a motor without its friction.
static void rawForce(const snModel* m, snData* d, int i, bool bad, real* force)
{
    if (m->actuator_gaintype[i] == SN_GAIN_PID)
        *force = sn_pidForce(m, d, i, bad);
    else if (m->actuator_gaintype[i] == SN_GAIN_DCMOTOR)
        *force = sn_motorForce(m, d, i, bad);
    else if (sn_isOrientationServo(m, i))
        sn_orientationForce(m, d, i, bad, force);
    else
        *force = lawForce(m, d, i, bad);
}

// The force of all actuators of a tendon, within its limits: beyond them all give less in proportion.
static void tendonForces(const snModel* m, snData* d)
{
    for (int t = 0; t < m->ntendon; t++) {
        if (!m->tendon_actfrclimited[t]) continue;
        real sum = sn_real(0);
        for (int i = 0; i < m->nactuator; i++)
            if (sn_pullsTendon(m, i, t)) sum += d->actuator_force[m->actuator_outadr[i]];
        const real within = sn_clampToRange(sum, m->tendon_actfrcrange + 2 * t);
        const snMask kept = within == sum;
        if (sn_all(kept)) continue;
        const real share = sn_any(kept) ? sn_select(kept, 1, within / sum) : sn_real(within / sum);
        for (int i = 0; i < m->nactuator; i++)
            if (sn_pullsTendon(m, i, t)) d->actuator_force[m->actuator_outadr[i]] *= share;
    }
}

static void limitForce(const snModel* m, snData* d, int i)
{
    real* force = d->actuator_force + m->actuator_outadr[i];
    if (!m->actuator_forcelimited[i]) return;
    if (sn_isOrientationServo(m, i))
        sn_limitTorque(m->actuator_forcerange + 2 * i, force);
    else
        *force = sn_clampToRange(*force, m->actuator_forcerange + 2 * i);
}

static void addMoment(snData* d, int out)
{
    const int begin = d->moment_rowadr[out], end = begin + d->moment_rownnz[out];
    const real force = d->actuator_force[out];
    for (int e = begin; e < end; e++) d->qfrc_actuator[d->moment_colind[e]] += d->actuator_moment[e] * force;
}

// What the actuators of a joint give in sum: gravity compensation that counts as theirs, then the limit.
static void jointForces(const snModel* m, snData* d)
{
    if (m->ngravcomp && !(m->opt.disableflags & SN_DSBL_GRAVITY))
        SN_EACH_DOF (m, d, k)
            if (m->jnt_actgravcomp[m->dof_jntid[k]]) d->qfrc_actuator[k] += d->qfrc_gravcomp[k];
    SN_EACH_JOINT (m, d, j) {
        if (!m->jnt_actfrclimited[j]) continue;
        real* f = d->qfrc_actuator + m->jnt_dofadr[j];
        *f = sn_clampToRange(*f, m->jnt_actfrcrange + 2 * j);
    }
}

#ifdef SN_LANES
// Lanes with bad controls are left to the scalar engine.
static bool warnOfBad(const snModel* m, snData* d)
{
    for (int k = 0; k < m->nu; k++) d->eject |= isBad(m, d, k);
    return false;
}
#else
static bool warnOfBad(const snModel* m, snData* d)
{
    const int bad = sn_badControl(m, d);
    if (bad >= 0) sn_warn(d, SN_WARN_BADCTRL, bad);
    return bad >= 0;
}
#endif

// Whether an actuator gives a force; all of them do, as nearly always.
static inline bool acts(const snModel* m, const snData* d, int i)
{
    return !sn_isActuatorDisabled(m, i) && !sn_actuatorSleeps(m, d, i);
}

static inline bool allAct(const snModel* m, const snData* d)
{
    if (m->nplugin) return false;
    return !m->opt.disableactuator && sn_noActuatorSleeps(d);
}

#ifdef SN_LANES // which have no plugins
#define plugins(m, d) ((void)0)
#else
// Forces of plugins, of disabled groups, too; sleepers have none.
static void plugins(const snModel* m, snData* d)
{
    if (!d->nplugin) return;
    sn_pluginActDot(m, d);
    sn_pluginForces(m, d);
    for (int i = 0; i < m->nactuator; i++)
        if (m->actuator_plugin[i] >= 0 && sn_actuatorSleeps(m, d, i))
            d->actuator_force[m->actuator_outadr[i]] = 0;
}
#endif

void sn_fwdActuation(const snModel* m, snData* d)
{
    sn_assertMade(m, d, actuator_length, actuator_velocity, moment_rowadr, moment_rownnz, qfrc_gravcomp);
    const int count = m->nactuator, flags = m->opt.disableflags;
    sn_zeroDofs(m, d, d->qfrc_actuator);
    memset(d->actuator_force, 0, (size_t)m->nout * sizeof(real));
    memset(d->act_dot, 0, (size_t)m->na * sizeof(real));
    if (flags & SN_DSBL_ACTUATION || count == 0) return;
    const bool bad = warnOfBad(m, d);
    if (m->na)
        for (int i = 0; i < count; i++)
            if (m->actuator_actadr[i] >= 0 && !sn_actuatorSleeps(m, d, i)) activate(m, d, i, bad);
    const bool all = allAct(m, d);
    plugins(m, d);
    for (int i = 0; i < count; i++)
        if (all || (m->actuator_plugin[i] < 0 && acts(m, d, i)))
            rawForce(m, d, i, bad, d->actuator_force + m->actuator_outadr[i]);
    tendonForces(m, d);
    for (int i = 0; i < count; i++) {
        if (!all && m->actuator_plugin[i] < 0 && !acts(m, d, i)) continue;
        if (m->actuator_forcelimited[i]) limitForce(m, d, i);
        if (m->actuator_biastype[i] == SN_BIAS_DCMOTOR && m->actuator_plugin[i] < 0)
            d->actuator_force[m->actuator_outadr[i]] += sn_motorFriction(m, d, i);
    }
    for (int out = 0; out < m->nout; out++) addMoment(d, out);
    jointForces(m, d);
}
