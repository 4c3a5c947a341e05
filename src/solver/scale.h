// What makes improvements and gradients of models comparable, so that one tolerance serves all.
#ifndef SINEW_SOLVER_SCALE_H
#define SINEW_SOLVER_SCALE_H

#include <math.h>
#include <sinew/data.h>
#include "math/real.h"
#include "model/rules.h"

/// 1 / trace of M: where M stands, or by SN_RULE_TRACE_SCALE before as at qpos0, meaninertia nv.
static inline real sn_solverScale(const snModel* m, const snData* d)
{
    if (!sn_means(m->physics, SN_RULE_TRACE_SCALE))
        return 1 / (m->stat.meaninertia * (snLane)(m->nv > 1 ? m->nv : 1));
    real trace = sn_real(0);
    for (int i = 0; i < m->nv; i++) trace += d->qM[m->dof_Madr[i]];
    return 1 / sn_max(trace, sn_real(SN_MINVAL));
}

#endif
