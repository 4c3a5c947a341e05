#include "lcp/inertia.h"
#include <string.h>
#include "loop/acceleration.h"
#include "model/kinds.h"
#include "smooth/inertia/damped.h"
#include "smooth/inertia/factor.h"

static bool dampMechanisms(const snModel* m, snData* d, snStepInertia* inertia, double* acceleration)
{
    snLoopDamped damped;
    if (!sn_factorLoopsDamped(m, d, &damped)) return false;
    inertia->mechanism_L = damped.L;
    inertia->mechanism_Dinv = damped.inverse;
    return sn_loopAccelerationIn(m, d, &damped, d->qfrc_smooth, acceleration);
}

bool sn_lcpInertia(const snModel* m, snData* d, snStepInertia* inertia)
{
    *inertia = (snStepInertia){d->qLD, d->qLDiagInv, d->mechanism_L, d->mechanism_Dinv, d->qacc_smooth};
    // one of the integrator discrete has all of it already (solver/metric.h)
    const bool euler = !sn_integratorKind(m->opt.integrator).metric;
    const bool damped = euler && sn_eulerDamped(m), loops = euler && sn_eulerDampsLoops(m, d);
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
