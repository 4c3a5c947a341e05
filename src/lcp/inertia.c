#include "lcp/inertia.h"
#include <string.h>
#include "loop/acceleration.h"
#include "loop/damper.h"
#include "loop/reduced.h"
#include "model/arena.h"
#include "smooth/inertia/damped.h"
#include "smooth/inertia/factor.h"

bool sn_lcpDampsLoops(const snModel* m, const snData* d)
{
    return !(m->opt.disableflags & (SN_DSBL_EULERDAMP | SN_DSBL_DAMPER)) && sn_hasLoopDampers(m, d);
}

// The factor of G'HG with the dampers of a mechanism's loop joints.
static bool factorMechanism(const snModel* m, snData* d, int k, const double* H, double* L, double* inverse)
{
    const int n = sn_padded(d->mechanism_ynum[k]);
    const size_t mark = sn_scratchMark(d);
    double *reduced = sn_scratchReal(d, n * n), *work = sn_scratchReal(d, n);
    bool room = reduced && work && sn_loopReducedH(m, d, k, H, reduced);
    if (room) {
        memset(work, 0, (size_t)n * sizeof(double));
        room = sn_addLoopDampers(m, d, k, m->opt.timestep, n, reduced, work) &&
               sn_loopFactor(d, n, reduced, L, inverse) >= 0;
    }
    sn_scratchRelease(d, mark);
    return room;
}

static bool dampMechanisms(const snModel* m, snData* d, snStepInertia* inertia, double* acceleration)
{
    double *H = sn_scratchReal(d, m->nM), *L = sn_scratchReal(d, d->nmechH),
           *inverse = sn_scratchReal(d, d->nmechpad);
    if (!H || !L || !inverse) return false;
    memcpy(H, d->qM, (size_t)m->nM * sizeof(double));
    for (int i = 0; i < m->nv; i++) H[m->dof_Madr[i]] += m->opt.timestep * m->dof_damping[i];
    for (int k = 0; k < d->nmechanism; k++)
        if (!factorMechanism(m, d, k, H, L + d->mechanism_Hadr[k], inverse + d->mechanism_padadr[k]))
            return false;
    inertia->mechanism_L = L;
    inertia->mechanism_Dinv = inverse;
    return sn_loopAccelerationIn(m, d, H, m->opt.timestep, d->qfrc_smooth, acceleration);
}

bool sn_lcpInertia(const snModel* m, snData* d, snStepInertia* inertia)
{
    *inertia = (snStepInertia){d->qLD, d->qLDiagInv, d->mechanism_L, d->mechanism_Dinv, d->qacc_smooth};
    const bool damped = sn_eulerDamped(m), loops = sn_lcpDampsLoops(m, d);
    if (!damped && !loops) return true;
    double* a = d->integrator_stage;
    inertia->acceleration = a;
    memcpy(a, damped ? d->qfrc_smooth : d->qacc_smooth, (size_t)m->nv * sizeof(double));
    if (damped) {
        sn_factorDamped(m, d);
        sn_solveTree(m, d->qH, d->qHDiagInv, a, 1);
        inertia->LD = d->qH;
        inertia->diagInv = d->qHDiagInv;
    }
    return d->nclosure == 0 || dampMechanisms(m, d, inertia, a);
}
