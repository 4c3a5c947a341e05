// In lanes, too: src/batch/lane/prelude.h.
// Actuator forces (seed 001, "Actuation"): p = gain u + bias, u the control or the activation.
#include <sinew/muscle.h>
#include <sinew/smooth.h>
#include <math.h>
#include <string.h>
#include "model/arena.h"
#include "smooth/actuator/actuation.h"
#include "smooth/actuator/activation.h"

static inline real affine(const real* prm, real length, real velocity)
{
    return prm[0] + prm[1] * length + prm[2] * velocity;
}

static inline snMask isBad(const snModel* m, const snData* d, int i)
{
    return sn_not(fabs(sn_actuatorControl(m, d, i)) <= SN_MAXVAL);
}

int sn_badControl(const snModel* m, const snData* d)
{
    for (int i = 0; i < m->nu; i++)
        if (sn_any(isBad(m, d, i))) return i;
    return -1;
}

// ---- callbacks of the user, which lanes have not

#ifdef SN_LANES
#define userGain(m, d, i) sn_real(1)
#define userBias(m, d, i) sn_real(0)
#define userRate(m, d, i, last, count)
#else
static real userGain(const snModel* m, snData* d, int i)
{
    return d->callback.act_gain ? d->callback.act_gain(m, d, i, d->callback.user) : 1;
}
static real userBias(const snModel* m, snData* d, int i)
{
    return d->callback.act_bias ? d->callback.act_bias(m, d, i, d->callback.user) : 0;
}
// With more activations than one the callback has set them all.
static void userRate(const snModel* m, snData* d, int i, int last, int count)
{
    if (!d->callback.act_dyn) return;
    const real rate = d->callback.act_dyn(m, d, i, d->callback.user);
    if (count == 1) d->act_dot[last] = rate;
}
#endif

// ----

real sn_actuatorGain(const snModel* m, snData* d, int i)
{
    const real length = d->actuator_length[i], velocity = d->actuator_velocity[i];
    const real* prm = m->actuator_gainprm + SN_NGAIN * i;
    switch (m->actuator_gaintype[i]) {
    case SN_GAIN_FIXED: return prm[0];
    case SN_GAIN_AFFINE: return affine(prm, length, velocity);
    case SN_GAIN_MUSCLE:
        return sn_muscleGain(length, velocity, m->actuator_lengthrange + 2 * i, m->actuator_acc0[i], prm);
    default: return userGain(m, d, i);
    }
}

real sn_actuatorBias(const snModel* m, snData* d, int i)
{
    const real length = d->actuator_length[i];
    const real* prm = m->actuator_biasprm + SN_NBIAS * i;
    switch (m->actuator_biastype[i]) {
    case SN_BIAS_AFFINE: return affine(prm, length, d->actuator_velocity[i]);
    case SN_BIAS_MUSCLE:
        return sn_muscleBias(length, m->actuator_lengthrange + 2 * i, m->actuator_acc0[i], prm);
    case SN_BIAS_USER: return userBias(m, d, i);
    default: return sn_real(0);
    }
}

// Rates of the activations of actuator i under control u.
static void activate(const snModel* m, snData* d, int i, real u)
{
    const int count = m->actuator_actnum[i], last = m->actuator_actadr[i] + count - 1;
    if (m->actuator_dyntype[i] != SN_DYN_USER) {
        d->act_dot[last] = sn_activationRate(m, d, i, u);
    } else {
        userRate(m, d, i, last, count);
    }
}

real sn_actuatorInput(const snModel* m, const snData* d, int i, bool bad)
{
    if (m->actuator_actadr[i] < 0) return bad ? sn_real(0) : sn_actuatorControl(m, d, i);
    const int last = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
    return m->actuator_actearly[i] ? sn_nextActivation(m, d, i, last, d->act_dot[last]) : d->act[last];
}

// The force of all actuators of a tendon, within its limits: beyond them all give less in proportion.
static void tendonForces(const snModel* m, snData* d)
{
    for (int t = 0; t < m->ntendon; t++) {
        if (!m->tendon_actfrclimited[t]) continue;
        real sum = sn_real(0);
        for (int i = 0; i < m->nu; i++)
            if (m->actuator_trntype[i] == SN_TRN_TENDON && m->actuator_trnid[2 * i] == t)
                sum += d->actuator_force[i];
        const real within = sn_clampToRange(sum, m->tendon_actfrcrange + 2 * t);
        const snMask kept = within == sum;
        if (sn_all(kept)) continue;
        const real share = sn_any(kept) ? sn_select(kept, 1, within / sum) : sn_real(within / sum);
        for (int i = 0; i < m->nu; i++)
            if (m->actuator_trntype[i] == SN_TRN_TENDON && m->actuator_trnid[2 * i] == t)
                d->actuator_force[i] *= share;
    }
}

static void addMoment(snData* d, int i)
{
    const int begin = d->moment_rowadr[i], end = begin + d->moment_rownnz[i];
    const real force = d->actuator_force[i];
    for (int e = begin; e < end; e++) d->qfrc_actuator[d->moment_colind[e]] += d->actuator_moment[e] * force;
}

// What the actuators of a joint give in sum: gravity compensation that counts as theirs, then the limit.
static void jointForces(const snModel* m, snData* d)
{
    if (m->ngravcomp && !(m->opt.disableflags & SN_DSBL_GRAVITY))
        for (int k = 0; k < m->nv; k++)
            if (m->jnt_actgravcomp[m->dof_jntid[k]]) d->qfrc_actuator[k] += d->qfrc_gravcomp[k];
    for (int j = 0; j < m->njnt; j++) {
        if (!m->jnt_actfrclimited[j]) continue;
        real* f = d->qfrc_actuator + m->jnt_dofadr[j];
        *f = sn_clampToRange(*f, m->jnt_actfrcrange + 2 * j);
    }
}

#ifdef SN_LANES
// Lanes with bad controls are left to the scalar engine.
static bool warnOfBad(const snModel* m, snData* d)
{
    for (int i = 0; i < m->nu; i++) d->eject |= isBad(m, d, i);
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

void sn_fwdActuation(const snModel* m, snData* d)
{
    const int nu = m->nu, flags = m->opt.disableflags;
    memset(d->qfrc_actuator, 0, (size_t)m->nv * sizeof(real));
    memset(d->actuator_force, 0, (size_t)nu * sizeof(real));
    memset(d->act_dot, 0, (size_t)m->na * sizeof(real));
    if (flags & SN_DSBL_ACTUATION || nu == 0) return;
    const bool bad = warnOfBad(m, d);
    if (m->na)
        for (int i = 0; i < nu; i++)
            if (m->actuator_actadr[i] >= 0) activate(m, d, i, bad ? sn_real(0) : sn_actuatorControl(m, d, i));
    for (int i = 0; i < nu; i++) {
        if (sn_isActuatorDisabled(m, i)) continue;
        const real u = sn_actuatorInput(m, d, i, bad);
        d->actuator_force[i] = sn_actuatorGain(m, d, i) * u + sn_actuatorBias(m, d, i);
    }
    tendonForces(m, d);
    for (int i = 0; i < nu; i++) {
        if (sn_isActuatorDisabled(m, i)) continue;
        if (m->actuator_forcelimited[i])
            d->actuator_force[i] = sn_clampToRange(d->actuator_force[i], m->actuator_forcerange + 2 * i);
        addMoment(d, i);
    }
    jointForces(m, d);
}
