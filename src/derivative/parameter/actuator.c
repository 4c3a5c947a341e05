// Actuators push by p = gain u + bias, a function of length and velocity, along arms m_i; length, velocity
// and arms are linear in the gear.
#include <math.h>
#include <string.h>
#include <sinew/smooth.h>
#include "derivative/force/actuator.h"
#include "derivative/parameter/force.h"
#include "derivative/parameter/pid.h"
#include "derivative/smooth/bias.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "smooth/actuator/actuation.h"
#include "smooth/actuator/activation.h"
#include "smooth/actuator/law/law.h"
#include "smooth/actuator/setpoint.h"
#include "smooth/velocity_derivative.h"

// Whether what actuator i does with velocity is in D.
static bool isInD(const snModel* m, const snData* d, const snParameterStage* s, int i)
{
    return s->next && sn_integratorKind(m->opt.integrator).implicit && !sn_isActuatorSaturated(m, d, i);
}

// h next . (m m' a')
static double damped(const snModel* m, const snData* d, const snParameterStage* s, int i)
{
    const int out = m->actuator_outadr[i], at = d->moment_rowadr[out];
    const double* arms = d->actuator_moment + at;
    return m->opt.timestep *
           sn_chainProduct(m, d->moment_rownnz[out], d->moment_colind + at, arms, arms, s->next, s->a);
}

// What the gain acts on in D: not the activation that a step ends with.
static double dampedInput(const snModel* m, const snData* d, int i)
{
    const int a = m->actuator_actadr[i];
    const double u = a >= 0 ? d->act[a + m->actuator_actnum[i] - 1] : sn_actuatorControl(m, d, i);
    return fabs(u) <= SN_MAXVAL ? u : 0;
}

static void parameters(const snModel* m, snData* d, const snParameterStage* s, int i, bool bad,
                       const snModelGradient* sum)
{
    const int out = m->actuator_outadr[i];
    const double terms[3] = {1, d->actuator_length[out], d->actuator_velocity[out]};
    const double power = s->power[i], D = isInD(m, d, s, i) ? damped(m, d, s, i) : 0;
    if (m->actuator_gaintype[i] == SN_GAIN_PID) {
        sn_addPidGradient(m, d, s, i, bad, sum);
        if (sum->actuator_biasprm) sum->actuator_biasprm[SN_NBIAS * i + 2] += D;
        return;
    }
    const int gains = sn_gainLaw(m->actuator_gaintype[i])->terms;
    const int biases = sn_biasLaw(m->actuator_biastype[i])->terms;
    for (int k = 0; k < gains && sum->actuator_gainprm; k++) {
        double* to = sum->actuator_gainprm + SN_NGAIN * i + k;
        *to += power * sn_actuatorInput(m, d, i, bad) * terms[k];
        if (k == 2) *to += D * dampedInput(m, d, i);
    }
    for (int k = 0; k < biases && sum->actuator_biasprm; k++)
        sum->actuator_biasprm[SN_NBIAS * i + k] += power * terms[k] + (k == 2) * D;
}

// ---- activations

// The derivative of the activation after a step by the time constant.
static double byTime(const snModel* m, const snData* d, int i, bool bad)
{
    const int k = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
    const snActivationLaw* law = sn_activationLaw(m->actuator_dyntype[i]);
    const double h = m->opt.timestep, tau = m->actuator_dynprm[SN_NDYN * i];
    if (!law->by_tau || tau <= SN_MINVAL) return 0;
    const snActuatorSlopes held = {.act_adr = k, .nact = 1};
    const snActuatorSlopes slopes = sn_nextActivationSlopes(m, d, i, k, d->act_dot[k], held);
    if (slopes.act[0] == 0) return 0; // at the end of its range
    const double u = bad ? 0 : sn_actuatorControl(m, d, i);
    const double gap = sn_nearestSetpoint(m, i, u, d->act[k]) - d->act[k];
    return law->by_tau(h, gap, tau);
}

static void activation(const snModel* m, snData* d, const snParameterStage* s, int i, bool bad,
                       double* dynprm)
{
    if (m->actuator_actadr[i] < 0) return;
    const double slope = byTime(m, d, i, bad);
    const int k = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
    if (s->act) dynprm[SN_NDYN * i] += slope * s->act[k];
    if (m->actuator_actearly[i]) dynprm[SN_NDYN * i] += slope * s->power[i] * sn_actuatorGain(m, d, i);
}

// ---- gear

// Lengths and arms as they are.
typedef struct Arms {
    double* length; // [nout]
    double* arm;    // [nout x nv]
} Arms;

static void spread(const snModel* m, const snData* d, const Arms* to)
{
    memcpy(to->length, d->actuator_length, (size_t)m->nout * sizeof(double));
    memset(to->arm, 0, (size_t)m->nout * (size_t)m->nv * sizeof(double));
    for (int i = 0; i < m->nout; i++)
        for (int e = d->moment_rowadr[i], end = e + d->moment_rownnz[i]; e < end; e++)
            to->arm[(ptrdiff_t)i * m->nv + d->moment_colind[e]] = d->actuator_moment[e];
}

static double product(int n, const double* x, const double* y)
{
    double sum = 0;
    for (int k = 0; k < n; k++) sum += x[k] * y[k];
    return sum;
}

// What full turns take from the setpoint are as long as the numbers of the gear that turn.
static double turnsByGear(const snModel* m, snData* d, int i, bool bad, int k)
{
    const double radius = sn_setpointPeriod(m, i) / (2 * SN_PI);
    const bool turns = (m->actuator_trntype[i] == SN_TRN_SITE) == (k >= 3);
    if (!(radius > 0) || !turns) return 0;
    const double full = sn_givenInput(m, d, i, bad) - sn_actuatorInput(m, d, i, bad);
    return -full * m->actuator_gear[6 * m->actuator_outadr[i] + k] / (radius * radius);
}

// Of the activations after the step, by the length.
static double activationByLength(const snModel* m, const snData* d, const snParameterStage* s, int i,
                                 bool bad)
{
    const int first = m->actuator_actadr[i];
    double sum = 0;
    for (int k = first; k >= 0 && k < first + m->actuator_actnum[i] && s->act; k++) {
        const snActuatorSlopes rate = sn_activationRateSlopes(m, d, i, k, bad);
        sum += s->act[k] * sn_nextActivationSlopes(m, d, i, k, d->act_dot[k], rate).length;
    }
    return sum;
}

// By number k of the gear of actuator i: `unit` are lengths and arms of a gear that has 1 there alone.
static double byGear(const snModel* m, snData* d, const snParameterStage* s, int i, bool bad, int k,
                     const double* own, double length, const double* unit, const int* dofs)
{
    const int nv = m->nv;
    const snActuatorSlopes slopes = sn_actuatorForceSlopes(m, d, i, bad);
    const double force = slopes.length * length + slopes.velocity * product(nv, unit, d->qvel) +
                         sn_actuatorGain(m, d, i) * turnsByGear(m, d, i, bad, k);
    double sum = s->power[i] * force + d->actuator_force[m->actuator_outadr[i]] * product(nv, unit, s->open);
    sum += activationByLength(m, d, s, i, bad) * length;
    if (isInD(m, d, s, i))
        sum += m->opt.timestep * sn_actuatorDamping(m, d, i) *
               (sn_chainProduct(m, nv, dofs, unit, own, s->next, s->a) +
                sn_chainProduct(m, nv, dofs, own, unit, s->next, s->a));
    return sum;
}

static snStatus gears(const snModel* m, snData* d, const snParameterStage* s, bool bad, double* sum,
                      snError* error)
{
    const int nout = m->nout, nv = m->nv;
    const size_t mark = sn_scratchMark(d), arms = (size_t)nout * (size_t)nv * sizeof(double);
    Arms own = {sn_scratchReal(d, nout), sn_scratchAlloc(d, arms)};
    Arms unit = {sn_scratchReal(d, nout), sn_scratchAlloc(d, arms)};
    double* gear = sn_scratchReal(d, 6 * nout);
    int* dofs = sn_scratchInt(d, nv);
    const bool room = own.length && own.arm && unit.length && unit.arm && gear && dofs;
    if (room) {
        snModel other = *m;
        other.actuator_gear = gear;
        for (int k = 0; k < nv; k++) dofs[k] = k;
        spread(m, d, &own);
        for (int k = 0; k < 6; k++) {
            for (int e = 0; e < 6 * nout; e++) gear[e] = e % 6 == k;
            sn_transmission(&other, d);
            spread(m, d, &unit);
            sn_transmission(m, d);
            for (int i = 0; i < m->nactuator; i++) {
                const int out = m->actuator_outadr[i];
                if (sn_isActuatorDisabled(m, i) || m->actuator_trntype[i] == SN_TRN_BODY) continue;
                sum[6 * out + k] += byGear(m, d, s, i, bad, k, own.arm + (ptrdiff_t)out * nv,
                                           unit.length[out], unit.arm + (ptrdiff_t)out * nv, dofs);
            }
        }
    }
    sn_scratchRelease(d, mark);
    return room ? SN_STATUS_OK : sn_failRoom(error);
}

snStatus sn_addActuatorGradient(const snModel* m, snData* d, const snParameterStage* stage,
                                const snModelGradient* sum, snError* error)
{
    if (m->opt.disableflags & SN_DSBL_ACTUATION || !m->nactuator) return SN_STATUS_OK;
    const bool bad = sn_badControl(m, d) >= 0;
    for (int i = 0; i < m->nactuator; i++) {
        if (sn_isActuatorDisabled(m, i)) continue;
        parameters(m, d, stage, i, bad, sum);
        if (sum->actuator_dynprm) activation(m, d, stage, i, bad, sum->actuator_dynprm);
    }
    return sum->actuator_gear ? gears(m, d, stage, bad, sum->actuator_gear, error) : SN_STATUS_OK;
}
