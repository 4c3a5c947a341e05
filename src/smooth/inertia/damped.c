#include "smooth/inertia/damped.h"
#include "model/arena.h"
#include "smooth/inertia/factor.h"

static bool hasDamping(const snModel* m)
{
    for (int i = 0; i < m->nv; i++)
        if (m->dof_damping[i] > 0) return true;
    return false;
}

bool sn_eulerDamped(const snModel* m)
{
    return !(m->opt.disableflags & (SN_DSBL_EULERDAMP | SN_DSBL_DAMPER)) && hasDamping(m);
}

void sn_factorDamped(const snModel* m, snData* d)
{
    sn_packTree(m, d->qM, d->qH);
    for (int i = 0; i < m->nv; i++) d->qH[sn_diagonalLD(m, i)] += m->opt.timestep * m->dof_damping[i];
    const int bad = sn_factorTree(m, true, d->qH, d->qHDiagInv);
    if (bad >= 0) sn_warn(d, SN_WARN_INERTIA, bad);
}
