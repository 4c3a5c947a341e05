// In lanes, too: src/batch/lane/prelude.h.
#include "smooth/actuator/so3.h"
#include <float.h>
#include <math.h>
#include "model/kinds.h"
#include "smooth/actuator/activation.h"

static snQuat siteOrientation(const snModel* m, const snData* d, int site)
{
    return sn_quatMul(sn_quatLoad(d->xquat + 4 * m->site_bodyid[site]), sn_quatLoad(m->site_quat + 4 * site));
}

snQuat sn_relativeOrientation(const snModel* m, const snData* d, int i)
{
    const int id = m->actuator_trnid[2 * i], ref = m->actuator_trnid[2 * i + 1];
    const snQuat q = ref < 0 ? sn_quatLoad(d->qpos + m->jnt_qposadr[id])
                             : sn_quatMul(sn_quatConj(siteOrientation(m, d, ref)), siteOrientation(m, d, id));
    return sn_quatNormalize(q);
}

static snQuat expOf(snVec3 v)
{
    return sn_quatIntegrate(sn_quatIdentity(), v, sn_real(1));
}

void sn_orientationCommand(const snModel* m, const snData* d, int i, bool bad, real* u)
{
    const int act = m->actuator_actadr[i], ctrl = m->actuator_ctrladr[i];
    for (int k = 0; k < m->actuator_ctrlnum[i]; k++) {
        if (act < 0)
            u[k] = bad ? sn_real(0) : sn_clampedControl(m, d, ctrl + k);
        else if (m->actuator_actearly[i])
            u[k] = sn_nextActivation(m, d, i, act + k, d->act_dot[act + k]);
        else
            u[k] = d->act[act + k];
    }
}

snQuat sn_commandedOrientation(const snModel* m, const snData* d, int i, bool bad)
{
    real u[4];
    sn_orientationCommand(m, d, i, bad, u);
    return m->actuator_ctrlspec[i] == SN_CHART_QUAT ? sn_quatNormalize(sn_quatLoad(u)) : expOf(sn_v3Load(u));
}

// Of q and -q, which are one orientation, the one that turns by less.
static snQuat shortWay(snQuat q)
{
    const snQuat back = {-q.w, -q.x, -q.y, -q.z};
    return sn_quatSelect(q.w < 0, back, q);
}

snVec3 sn_orientationError(const snModel* m, const snData* d, int i, bool bad)
{
    // the signs of q and u say nothing, also where half a turn is between them
    const snQuat q = shortWay(sn_relativeOrientation(m, d, i)),
                 u = shortWay(sn_commandedOrientation(m, d, i, bad));
    return sn_quatToRotvec(shortWay(sn_quatNormalize(sn_quatMul(sn_quatConj(q), u))));
}

void sn_orientationForce(const snModel* m, const snData* d, int i, bool bad, real force[3])
{
    const real* bias = m->actuator_biasprm + SN_NBIAS * i;
    real error[3];
    sn_v3Store(error, sn_orientationError(m, d, i, bad));
    for (int k = 0; k < 3; k++)
        force[k] = m->actuator_gainprm[SN_NGAIN * i] * error[k] + bias[0] +
                   bias[2] * d->actuator_velocity[m->actuator_outadr[i] + k];
}

void sn_limitTorque(const real range[2], real force[3])
{
    const real length = sn_v3Norm(sn_v3Load(force));
    const snMask beyond = length > range[1];
    if (!sn_any(beyond)) return;
    const real share = sn_select(beyond, range[1] / length, 1);
    for (int k = 0; k < 3; k++) force[k] *= share;
}

snMask sn_isTorqueLimited(const real range[2], const real force[3])
{
    // what scaled it to its bound left rounding
    return sn_not(sn_v3Norm(sn_v3Load(force)) < (1 - 4 * DBL_EPSILON - SN_COARSE) * range[1]);
}

void sn_orientationRates(const snModel* m, snData* d, int i, bool bad)
{
    for (int k = 0; k < 3; k++)
        d->act_dot[m->actuator_actadr[i] + k] =
            bad ? sn_real(0) : sn_clampedControl(m, d, m->actuator_ctrladr[i] + k);
}

void sn_wrapOrientation(real act[3])
{
    const real length = sn_v3Norm(sn_v3Load(act));
    const snMask beyond = length > SN_PI;
    if (!sn_any(beyond)) return;
    const real turns = floor(length / (2 * SN_PI) + 0.5);
    const real share = sn_select(beyond, (length - 2 * SN_PI * turns) / length, 1);
    for (int k = 0; k < 3; k++) act[k] *= share;
}
