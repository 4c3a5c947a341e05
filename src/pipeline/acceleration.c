// The acceleration without constraints, in the inertia of the integrator.
#include <sinew/pipeline.h>
#include <sinew/support.h>
#include "model/arena.h"
#include "model/kinds.h"
#include "smooth/inertia/acceleration.h"
#include "solver/metric.h"

void sn_fwdAcceleration(const snModel* m, snData* d)
{
    const bool metric = sn_integratorKind(m->opt.integrator).metric;
    if (metric) sn_sumSmooth(m, d);
    if (metric && sn_stepAcceleration(m, d)) return;
    if (metric) sn_warnFull(d);
    sn_smoothAcceleration(m, d);
}
