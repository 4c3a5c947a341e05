// Forces of actuators, sum of m_i f_i with the moment arms m_i: d = m_i df_i + f_i dm_i.
//
// Before any limit f_i is p_i = gain u + bias, a function of length, velocity, activation and control; the
// velocity is m_i . qvel, so that the arms count in it, too. Limits: of all forces of a tendon, beyond which
// f_i = p_i L/S with S their sum and L the bound; of the force; of all forces at a joint, which clear its
// row. Source: seed 001, "Force generation"; the derivatives are worked out here.
#include "derivative/force/actuator.h"
#include <string.h>
#include <sinew/names.h>
#include "base/error.h"
#include "derivative/force/force.h"
#include "derivative/force/gravity.h"
#include "derivative/force/pid.h"
#include "derivative/force/so3.h"
#include "derivative/smooth/bias.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "smooth/actuator/actuation.h"
#include "smooth/actuator/activation.h"
#include "smooth/actuator/law/law.h"
#include "smooth/actuator/pid.h"
#include "smooth/actuator/so3.h"
#include "smooth/actuator/transmission.h"
#include "smooth/tendon/tendon.h"

double sn_rawForce(const snModel* m, snData* d, int i, bool bad)
{
    if (m->actuator_gaintype[i] == SN_GAIN_PID) return sn_pidForce(m, d, i, bad);
    const double u = sn_actuatorInput(m, d, i, bad);
    return sn_actuatorGain(m, d, i) * u + sn_actuatorBias(m, d, i);
}

// Of what the gain acts on, sn_givenInput.
static snActuatorSlopes inputSlopes(const snModel* m, const snData* d, int i, bool bad)
{
    const int last = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
    if (m->actuator_actadr[i] < 0) {
        snActuatorSlopes s = {.ctrl_adr = m->actuator_ctrladr[i], .nctrl = !bad && m->actuator_ctrlnum[i]};
        if (s.nctrl) s.ctrl[0] = sn_controlSlope(m, d, s.ctrl_adr);
        return s;
    }
    if (m->actuator_actearly[i])
        return sn_nextActivationSlopes(m, d, i, last, d->act_dot[last],
                                       sn_activationRateSlopes(m, d, i, last, bad));
    return (snActuatorSlopes){.act_adr = last, .nact = 1, .act = {1}};
}

snActuatorSlopes sn_actuatorForceSlopes(const snModel* m, snData* d, int i, bool bad)
{
    if (m->actuator_gaintype[i] == SN_GAIN_PID) return sn_pidForceSlopes(m, d, i, bad);
    const double u = sn_actuatorInput(m, d, i, bad), by_u = sn_actuatorGain(m, d, i);
    const snLawPoint gain_point = sn_gainPoint(m, d, i), bias_point = sn_biasPoint(m, d, i);
    const snLawSlopes gain = sn_gainLaw(m->actuator_gaintype[i])->slopes(&gain_point);
    const snLawSlopes bias = sn_biasLaw(m->actuator_biastype[i])->slopes(&bias_point);
    snActuatorSlopes s = inputSlopes(m, d, i, bad);
    for (int k = 0; k < s.nact; k++) s.act[k] *= by_u;
    for (int k = 0; k < s.nctrl; k++) s.ctrl[k] *= by_u;
    s.length = gain.length * u + bias.length;
    s.velocity = gain.velocity * u + bias.velocity;
    return s;
}

// ---- what has no derivative

snStatus sn_failActuator(const snModel* m, int i, const char* what, snError* error)
{
    const char* name = sn_id2name(m, SN_OBJ_ACTUATOR, i);
    return sn_fail(error, SN_STATUS_UNSUPPORTED,
                   "actuator %d '%s': %s has no derivative; use sn_transitionFD", i, name ? name : "", what);
}

snStatus sn_checkForceLaw(const snModel* m, const snData* d, int i, snError* error)
{
    const snForceLaw *gain = sn_gainLaw(m->actuator_gaintype[i]), *bias = sn_biasLaw(m->actuator_biastype[i]);
    if (m->actuator_plugin[i] >= 0) return sn_failActuator(m, i, "the force of a plugin", error);
    if (m->actuator_gaintype[i] == SN_GAIN_DCMOTOR) return sn_failActuator(m, i, "a dcmotor", error);
    if (gain->called && gain->called(d)) return sn_failActuator(m, i, "the gain of a callback", error);
    if (bias->called && bias->called(d)) return sn_failActuator(m, i, "the bias of a callback", error);
    return SN_STATUS_OK;
}

static snStatus check(const snModel* m, snData* d, snError* error)
{
    for (int i = 0; i < m->nactuator; i++) {
        const bool acts = m->actuator_gaintype[i] == SN_GAIN_DCMOTOR || m->actuator_plugin[i] >= 0;
        if (sn_isActuatorDisabled(m, i) && !acts) continue;
        snStatus status = sn_checkForceLaw(m, d, i, error);
        if (!status && m->actuator_trntype[i] == SN_TRN_BODY) status = sn_checkAdhesion(m, d, i, error);
        if (status != SN_STATUS_OK) return status;
    }
    return sn_checkActivation(m, d, error);
}

// ---- limits

// Inputs of all actuators and what is made of them; scratch.
typedef struct Work {
    bool bad;
    double* raw;      // [nactuator] forces before any limit
    bool* saturated;  // [nv] rows at a limit of a joint
    double* gradient; // [nv]
    double* H;        // [nv x nv]
    double* three;    // [6 x nv]
} Work;

static bool isBeyond(double x, const double range[2])
{
    return x < range[0] || x > range[1];
}

// L/S of a tendon, 1 within its limits.
static double tendonShare(const snModel* m, const Work* work, int t, double* sum)
{
    *sum = 0;
    if (!m->tendon_actfrclimited[t]) return 1;
    for (int i = 0; i < m->nactuator; i++)
        if (sn_pullsTendon(m, i, t)) *sum += work->raw[i];
    const double within = sn_clampToRange(*sum, m->tendon_actfrcrange + 2 * t);
    return within == *sum ? 1 : within / *sum;
}

// Whether the force of actuator i, the tendon's share of it taken, is beyond its own limits.
static bool isCut(const snModel* m, const Work* work, int i, double share)
{
    return m->actuator_forcelimited[i] && isBeyond(share * work->raw[i], m->actuator_forcerange + 2 * i);
}

// How much of dp_i reaches J of tendon t: at the limit the other forces give way for it.
static double tendonWeight(const snModel* m, const Work* work, int i, int t)
{
    double sum, weight = 0;
    const double share = tendonShare(m, work, t, &sum);
    if (!isCut(m, work, i, share)) weight = share * m->actuator_gear[6 * m->actuator_outadr[i]];
    for (int j = 0; j < m->nactuator && share != 1; j++)
        if (sn_pullsTendon(m, j, t) && !isCut(m, work, j, share))
            weight -= share / sum * work->raw[j] * m->actuator_gear[6 * m->actuator_outadr[j]];
    return weight;
}

// Rows of joints whose limit cuts the sum of their actuators.
static void findSaturated(const snModel* m, const snData* d, Work* work)
{
    double* force = work->gradient;
    memset(force, 0, (size_t)m->nv * sizeof *force);
    memset(work->saturated, 0, (size_t)m->nv * sizeof *work->saturated);
    for (int i = 0; i < m->nout; i++)
        for (int e = d->moment_rowadr[i], end = e + d->moment_rownnz[i]; e < end; e++)
            force[d->moment_colind[e]] += d->actuator_moment[e] * d->actuator_force[i];
    const bool lift = sn_hasGravityCompensation(m);
    for (int j = 0; j < m->njnt; j++) {
        const int k = m->jnt_dofadr[j];
        if (lift && m->jnt_actgravcomp[j]) force[k] += d->qfrc_gravcomp[k];
        if (m->jnt_actfrclimited[j]) work->saturated[k] = isBeyond(force[k], m->jnt_actfrcrange + 2 * j);
    }
}

// ---- sums

// The arms that dp_i acts on.
static snTendonArms armsOf(const snModel* m, const snData* d, const Work* work, int i, double* weight)
{
    if (m->actuator_trntype[i] == SN_TRN_TENDON) {
        *weight = tendonWeight(m, work, i, m->actuator_trnid[2 * i]);
        return sn_armsOfTendon(d, m->actuator_trnid[2 * i]);
    }
    const int out = m->actuator_outadr[i], at = d->moment_rowadr[out];
    *weight = !isCut(m, work, i, 1);
    return (snTendonArms){d->moment_colind + at, d->actuator_moment + at, d->moment_rownnz[out]};
}

// Whether the arms change with position.
static bool armsTurn(const snModel* m, int i)
{
    const int id = m->actuator_trnid[2 * i];
    switch ((snTrnType)m->actuator_trntype[i]) {
    case SN_TRN_JOINT: return false;
    case SN_TRN_JOINTINPARENT: return sn_hasQuaternion(m->jnt_type[id]);
    case SN_TRN_TENDON: return m->wrap_type[m->tendon_adr[id]] != SN_WRAP_JOINT;
    case SN_TRN_SLIDERCRANK:
    case SN_TRN_SITE:
    case SN_TRN_BODY:
    case SN_TRN_SO3:
    case SN_TRN_UNDEFINED: break;
    }
    return true;
}

// row += scale times the dense arms of force `out`.
static void addArms(const snData* d, int out, double scale, double* row)
{
    for (int e = d->moment_rowadr[out], end = e + d->moment_rownnz[out]; e < end; e++)
        row[d->moment_colind[e]] += scale * d->actuator_moment[e];
}

static double componentOf(snVec3 v, int k)
{
    return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

// How the three forces of an orientation servo within their limit change by position, dq, and velocity, dv
// [3 x nv].
static void orientationRows(const snModel* m, snData* d, const Work* work, int i,
                            const snOrientationSlopes* s, double* dq, double* dv)
{
    const size_t nv = (size_t)m->nv;
    const snMat3 turn = sn_m3MulM3(s->limit, s->turn);
    const int out = m->actuator_outadr[i];
    memset(dq, 0, 3 * nv * sizeof *dq);
    memset(dv, 0, 3 * nv * sizeof *dv);
    for (int k = 0; k < 3; k++) {
        memset(work->H, 0, nv * nv * sizeof(double));
        memset(work->gradient, 0, nv * sizeof(double));
        sn_axisMomentDerivative(m, d, i, k, 1, work->H);
        for (size_t r = 0; r < nv; r++)
            for (size_t c = 0; c < nv; c++) work->gradient[c] += d->qvel[r] * work->H[r * nv + c];
        for (size_t j = 0; j < 3; j++) {
            const double by_velocity = s->limit.m[3 * j + (size_t)k] * s->velocity;
            addArms(d, out + k, turn.m[3 * j + (size_t)k], dq + j * nv);
            addArms(d, out + k, by_velocity, dv + j * nv);
            for (size_t c = 0; c < nv; c++) dq[j * nv + c] += by_velocity * work->gradient[c];
        }
    }
}

// The arms of force k as they turn.
static void addTurningArms(const snModel* m, snData* d, const Work* work, int i, int k, double* q)
{
    const size_t nv = (size_t)m->nv;
    memset(work->H, 0, nv * nv * sizeof(double));
    sn_axisMomentDerivative(m, d, i, k, d->actuator_force[m->actuator_outadr[i] + k], work->H);
    for (size_t r = 0; r < nv; r++)
        for (size_t c = 0; c < nv && !work->saturated[r]; c++) q[r * nv + c] += work->H[r * nv + c];
}

static void addOrientation(const snModel* m, snData* d, const Work* work, int i, const snForceDerivative* sum)
{
    const size_t nv = (size_t)m->nv, na = (size_t)m->na, nu = (size_t)m->nu;
    const snOrientationSlopes s = sn_orientationSlopes(m, d, i, work->bad);
    const int act = m->actuator_actadr[i], ctrl = m->actuator_ctrladr[i];
    double *dq = work->three, *dv = dq + 3 * nv;
    orientationRows(m, d, work, i, &s, dq, dv);
    for (int k = 0; k < 3; k++) {
        const int out = m->actuator_outadr[i] + k;
        if (sum->q) addTurningArms(m, d, work, i, k, sum->q);
        for (int e = d->moment_rowadr[out], end = e + d->moment_rownnz[out]; e < end; e++) {
            const size_t row = (size_t)d->moment_colind[e];
            const double arm = d->actuator_moment[e];
            if (work->saturated[row]) continue;
            for (size_t c = 0; c < nv && sum->q; c++) sum->q[row * nv + c] += arm * dq[(size_t)k * nv + c];
            for (size_t c = 0; c < nv && sum->v; c++) sum->v[row * nv + c] += arm * dv[(size_t)k * nv + c];
            for (int c = 0; c < 3 && sum->act && act >= 0; c++)
                sum->act[row * na + (size_t)(act + c)] += arm * componentOf(sn_m3Mul(s.limit, s.act[c]), k);
            for (int c = 0; c < m->actuator_ctrlnum[i] && sum->u; c++)
                sum->u[row * nu + (size_t)(ctrl + c)] += arm * componentOf(sn_m3Mul(s.limit, s.ctrl[c]), k);
        }
    }
}

static void addActuator(const snModel* m, snData* d, const Work* work, int i, const snForceDerivative* sum)
{
    const size_t nv = (size_t)m->nv, na = (size_t)m->na, nu = (size_t)m->nu;
    const snActuatorSlopes s = sn_actuatorForceSlopes(m, d, i, work->bad);
    const int out = m->actuator_outadr[i], at = d->moment_rowadr[out];
    const bool turns = armsTurn(m, i);
    double weight;
    const snTendonArms arms = armsOf(m, d, work, i, &weight);
    if (sum->q) {
        memset(work->gradient, 0, nv * sizeof(double));
        if (s.length != 0) sn_actuatorLengthGradient(m, d, i, s.length, work->gradient);
        if (turns) {
            memset(work->H, 0, nv * nv * sizeof(double));
            sn_addMomentDerivative(m, d, i, work->H);
            for (size_t r = 0; r < nv; r++)
                for (size_t c = 0; c < nv; c++)
                    work->gradient[c] += s.velocity * d->qvel[r] * work->H[r * nv + c];
            for (size_t r = 0; r < nv; r++)
                for (size_t c = 0; c < nv && !work->saturated[r]; c++)
                    sum->q[r * nv + c] += d->actuator_force[out] * work->H[r * nv + c];
        }
    }
    for (int r = 0; r < arms.num; r++) {
        const size_t row = (size_t)arms.dofs[r];
        const double arm = weight * arms.J[r];
        if (work->saturated[row]) continue;
        for (size_t c = 0; c < nv && sum->q; c++) sum->q[row * nv + c] += arm * work->gradient[c];
        for (int e = at; e < at + d->moment_rownnz[out] && sum->v; e++)
            sum->v[row * nv + (size_t)d->moment_colind[e]] += arm * s.velocity * d->actuator_moment[e];
        for (int k = 0; k < s.nact && sum->act; k++)
            sum->act[row * na + (size_t)(s.act_adr + k)] += arm * s.act[k];
        for (int k = 0; k < s.nctrl && sum->u; k++)
            sum->u[row * nu + (size_t)(s.ctrl_adr + k)] += arm * s.ctrl[k];
    }
}

// What actuators bear of the weight of bodies.
static void addLift(const snModel* m, const snData* d, const Work* work, double* q)
{
    const size_t nv = (size_t)m->nv;
    if (!sn_hasGravityCompensation(m)) return;
    memset(work->H, 0, nv * nv * sizeof(double));
    sn_gravityCompensationDerivative(m, d, work->H);
    for (size_t r = 0; r < nv; r++)
        for (size_t c = 0; c < nv && m->jnt_actgravcomp[m->dof_jntid[r]] && !work->saturated[r]; c++)
            q[r * nv + c] += work->H[r * nv + c];
}

static bool allocate(const snModel* m, snData* d, Work* work)
{
    work->raw = sn_scratchReal(d, m->nactuator);
    work->saturated = sn_scratchAlloc(d, (size_t)m->nv * sizeof(bool));
    work->gradient = sn_scratchReal(d, m->nv);
    work->H = sn_scratchAlloc(d, (size_t)m->nv * (size_t)m->nv * sizeof(double));
    work->three = sn_scratchReal(d, 6 * m->nv);
    return work->raw && work->saturated && work->gradient && work->H && work->three;
}

// The forces before any limit, and the rows that are at one.
static void evaluate(const snModel* m, snData* d, Work* work)
{
    work->bad = sn_badControl(m, d) >= 0;
    for (int i = 0; i < m->nactuator; i++) {
        const bool off = sn_isActuatorDisabled(m, i) || sn_isOrientationServo(m, i);
        work->raw[i] = off ? 0 : sn_rawForce(m, d, i, work->bad);
    }
    findSaturated(m, d, work);
}

static void actuators(const snModel* m, snData* d, Work* work, const snForceDerivative* sum)
{
    evaluate(m, d, work);
    for (int i = 0; i < m->nactuator; i++)
        if (!sn_isActuatorDisabled(m, i))
            (sn_isOrientationServo(m, i) ? addOrientation : addActuator)(m, d, work, i, sum);
    if (sum->q) addLift(m, d, work, sum->q);
}

bool sn_actuatorPower(const snModel* m, snData* d, const double* velocity, double* power, double* open)
{
    const size_t mark = sn_scratchMark(d);
    Work work;
    const bool room = allocate(m, d, &work);
    if (room) {
        evaluate(m, d, &work);
        for (int k = 0; k < m->nv; k++) open[k] = work.saturated[k] ? 0 : velocity[k];
        for (int i = 0; i < m->nactuator; i++) {
            double weight, sum = 0;
            const snTendonArms arms = armsOf(m, d, &work, i, &weight);
            for (int r = 0; r < arms.num; r++) sum += arms.J[r] * open[arms.dofs[r]];
            power[i] = sn_isActuatorDisabled(m, i) ? 0 : weight * sum;
        }
    }
    sn_scratchRelease(d, mark);
    return room;
}

snStatus sn_actuatorDerivative(const snModel* m, snData* d, snForceDerivative* sum, snError* error)
{
    if (m->opt.disableflags & SN_DSBL_ACTUATION || m->nactuator == 0) return SN_STATUS_OK;
    const snStatus status = check(m, d, error);
    if (status != SN_STATUS_OK) return status;
    const size_t mark = sn_scratchMark(d);
    Work work;
    const bool room = allocate(m, d, &work);
    if (room) actuators(m, d, &work, sum);
    sn_scratchRelease(d, mark);
    return room ? SN_STATUS_OK : sn_failRoom(error);
}
