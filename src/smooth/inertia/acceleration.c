// The acceleration without constraints: M qacc_smooth = passive - bias + applied + actuator forces.
#include <sinew/smooth.h>
#include <sinew/support.h>
#include "smooth/kinematics/jacobian.h"

static void appliedOnBodies(const snModel* m, snData* d)
{
    for (int b = 1; b < m->nbody; b++) {
        const real* x = d->xfrc_applied + 6 * b;
        if (sn_isZero6(x)) continue;
        const snVec3 point = sn_v3Load(d->xipos + 3 * b);
        sn_addForce(m, d, b, sn_forceAtCom(m, d, b, sn_v3Load(x), sn_v3Load(x + 3), point), d->qfrc_smooth);
    }
}

void sn_fwdAcceleration(const snModel* m, snData* d)
{
    for (int k = 0; k < m->nv; k++)
        d->qfrc_smooth[k] = d->qfrc_passive[k] - d->qfrc_bias[k] + d->qfrc_applied[k] + d->qfrc_actuator[k];
    appliedOnBodies(m, d);
    sn_solveM(m, d, d->qacc_smooth, d->qfrc_smooth, 1);
}
