// Forces that the user applies to bodies, at their centres of mass, which carry them along.
#include "derivative/force/force.h"
#include "derivative/force/pull.h"

snStatus sn_appliedDerivative(const snModel* m, snData* d, double* wrench, snForceDerivative* sum,
                              snError* error)
{
    (void)error;
    for (int b = 1; b < m->nbody; b++) {
        const double* x = d->xfrc_applied + 6 * b;
        if (sn_isZero6(x)) continue;
        const snVec3 point = sn_v3Load(d->xipos + 3 * b), force = sn_v3Load(x);
        const snForce f = sn_forceAtCom(m, d, b, force, sn_v3Load(x + 3), point);
        if (wrench) sn_forceStore(wrench + 6 * b, sn_forceAdd(sn_forceLoad(wrench + 6 * b), f));
        for (int k = sn_lastDof(m, b); k >= 0 && sum->q; k = m->dof_parentid[k]) {
            const snVec3 rate = sn_pointRate(m, d, b, sn_motionLoad(d->cdof + 6 * k), point);
            const snVec3 torque = sn_v3Cross(rate, force);
            for (int i = sn_lastDof(m, b); i >= 0; i = m->dof_parentid[i])
                sum->q[(size_t)i * (size_t)m->nv + (size_t)k] += sn_v3Dot(sn_v3Load(d->cdof + 6 * i), torque);
        }
    }
    return SN_STATUS_OK;
}
