#include "derivative/force/so3.h"
#include <math.h>
#include "derivative/force/pull.h"
#include "model/kinds.h"
#include "smooth/actuator/activation.h"
#include "smooth/actuator/so3.h"

// The turn of a rotation by the growth of its vector: K(r)^-1 = 1 - b [r] + c [r]^2 with
// b = (1 - cos t)/t^2, c = (t - sin t)/t^3, t = |r|.
static snVec3 turnOfVector(snVec3 r, snVec3 growth)
{
    const double t = sn_v3Norm(r), half = 0.5 * t;
    const double s = t > 1e-4 ? sn_sin(half) / half : 1 - half * half / 6, b = 0.5 * s * s;
    const double c = t > 1e-2 ? (t - sn_sin(t)) / (t * t * t) : (1 - t * t / 20) / 6;
    const snVec3 once = sn_v3Cross(r, growth);
    return sn_v3AddScaled(sn_v3AddScaled(growth, -b, once), c, sn_v3Cross(r, once));
}

static snVec3 turnOfQuat(snQuat p, snQuat growth)
{
    const double square = p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z;
    const snQuat turn = sn_quatMul(sn_quatConj(p), growth);
    if (sqrt(square) < SN_MINVAL) return sn_v3(0, 0, 0); // which counts as the identity
    return sn_v3Scale(sn_v3(turn.x, turn.y, turn.z), 2 / square);
}

// The turn of the command by each of its numbers.
static void turnsOfCommand(const snModel* m, const snData* d, int i, bool bad, snVec3 turn[4])
{
    double u[4];
    sn_orientationCommand(m, d, i, bad, u);
    const bool quat = m->actuator_ctrlspec[i] == SN_CHART_QUAT;
    for (int k = 0; k < m->actuator_ctrlnum[i]; k++) {
        double unit[4] = {0};
        unit[k] = 1;
        turn[k] = quat ? turnOfQuat(sn_quatLoad(u), sn_quatLoad(unit))
                       : turnOfVector(sn_v3Load(u), sn_v3Load(unit));
    }
}

// L f/|f| beyond the limit L: L/|f| (1 - f f'/|f|^2).
static snMat3 limitSlope(const snModel* m, int i, snVec3 f)
{
    const double length = sn_v3Norm(f), most = m->actuator_forcerange[2 * i + 1];
    if (!m->actuator_forcelimited[i] || length <= most) return sn_m3Identity();
    const snVec3 e = sn_v3Scale(f, 1 / length);
    const double s = most / length;
    return (snMat3){{s - s * e.x * e.x, -s * e.x * e.y, -s * e.x * e.z, -s * e.y * e.x, s - s * e.y * e.y,
                     -s * e.y * e.z, -s * e.z * e.x, -s * e.z * e.y, s - s * e.z * e.z}};
}

snActuatorSlopes sn_orientationRateSlopes(const snModel* m, const snData* d, int i, int k, bool bad)
{
    const int ctrl = m->actuator_ctrladr[i] + k - m->actuator_actadr[i];
    snActuatorSlopes s = {.act_adr = k, .nact = 1, .ctrl_adr = ctrl, .nctrl = !bad};
    if (s.nctrl) s.ctrl[0] = sn_controlSlope(m, d, ctrl);
    return s;
}

// Of number k of the command.
static snActuatorSlopes commandSlopes(const snModel* m, const snData* d, int i, int k, bool bad)
{
    const int act = m->actuator_actadr[i] + k, ctrl = m->actuator_ctrladr[i] + k;
    if (m->actuator_actadr[i] < 0)
        return (snActuatorSlopes){
            .ctrl_adr = ctrl, .nctrl = !bad, .ctrl = {bad ? 0 : sn_controlSlope(m, d, ctrl)}};
    if (!m->actuator_actearly[i]) return (snActuatorSlopes){.act_adr = act, .nact = 1, .act = {1}};
    return sn_nextActivationSlopes(m, d, i, act, d->act_dot[act],
                                   sn_orientationRateSlopes(m, d, i, act, bad));
}

snOrientationSlopes sn_orientationSlopes(const snModel* m, const snData* d, int i, bool bad)
{
    const double kp = m->actuator_gainprm[SN_NGAIN * i];
    snOrientationSlopes s = {.velocity = m->actuator_biasprm[SN_NBIAS * i + 2]};
    snVec3 turn[4];
    double force[3];
    sn_orientationForce(m, d, i, bad, force);
    s.force = sn_v3Load(force);
    s.limit = limitSlope(m, i, s.force);
    const snMat3 K = sn_rotationVectorRate(sn_orientationError(m, d, i, bad));
    s.turn = sn_m3Transpose(K);
    for (int k = 0; k < 9; k++) s.turn.m[k] *= -kp;
    turnsOfCommand(m, d, i, bad, turn);
    for (int k = 0; k < m->actuator_ctrlnum[i]; k++) {
        const snVec3 slope = sn_v3Scale(sn_m3Mul(K, turn[k]), kp);
        const snActuatorSlopes by = commandSlopes(m, d, i, k, bad);
        if (by.nact) s.act[k] = sn_v3Scale(slope, by.act[0]);
        if (by.nctrl) s.ctrl[k] = sn_v3Scale(slope, by.ctrl[0]);
    }
    return s;
}

// Whether a step leaves the activations of actuator i within half a turn.
static bool staysWithin(const snModel* m, const snData* d, int i)
{
    const int first = m->actuator_actadr[i];
    double next[3];
    for (int k = 0; k < 3; k++) next[k] = sn_nextActivation(m, d, i, first + k, d->act_dot[first + k]);
    return sn_v3Norm(sn_v3Load(next)) <= SN_PI;
}

snStatus sn_checkOrientationWrap(const snModel* m, const snData* d, snError* error)
{
    if (m->opt.disableflags & SN_DSBL_ACTUATION) return SN_STATUS_OK;
    for (int i = 0; i < m->nactuator; i++)
        if (sn_isOrientationServo(m, i) && m->actuator_actadr[i] >= 0 && !staysWithin(m, d, i))
            return sn_failActuator(m, i, "a step that takes its activation past half a turn", error);
    return SN_STATUS_OK;
}
