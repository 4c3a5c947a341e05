// Constraint forces: by the solver that is asked for, in the metric that is. Source: seed 001, stage 21.
#include <string.h>
#include <sinew/constraint.h>
#include <sinew/loop.h>
#include "lcp/forward.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "model/made.h"
#include "model/sleep.h"
#include "solver/dual.h"
#include "solver/islands.h"
#include "solver/metric.h"
#include "solver/primal.h"

// What has no room goes on without its forces.
static void dropAllForces(snData* d)
{
    for (int r = 0; r < d->nefc; r++) {
        d->efc_force[r] = 0;
        d->efc_state[r] = SN_CNSTRSTATE_SATISFIED;
    }
    sn_warnFull(d);
}

static void solve(const snModel* m, snData* d, const snElastic* elastic)
{
    if (m->opt.contact == SN_CONTACT_LCP) {
        sn_fwdLcp(m, d);
        d->solver_residual_max = sn_worse(d->solver_residual_max, d->solver_residual);
        return;
    }
    sn_zeroDofs(m, d, d->qfrc_constraint);
    for (snRuns r = sn_awakeDofs(m, d); sn_isRun(&r); sn_nextRun(&r)) // islands overwrite theirs
        memcpy(d->qacc + r.first, d->qacc_smooth + r.first, (size_t)(r.end - r.first) * sizeof(double));
    if (d->nefc == 0) {
        sn_loopForce(m, d);
        return;
    }
    snIslands islands;
    const size_t mark = sn_scratchMark(d);
    const bool dual = sn_solverKind(m->opt.solver).dual;
    if (sn_findIslands(m, d, elastic, &islands) && (dual || sn_solveIslands(m, d, &islands))) {
        if (dual || m->opt.noslip_iterations > 0) sn_solveDual(m, d, &islands);
        d->solver_residual_max = sn_worse(d->solver_residual_max, d->solver_residual);
        d->noslip_residual_max = sn_worse(d->noslip_residual_max, d->noslip_residual);
    } else {
        dropAllForces(d);
    }
    sn_scratchRelease(d, mark);
    sn_loopForce(m, d);
}

// In the metric of the step. Where there is no room for it, no constraint acts.
static void solveStep(const snModel* m, snData* d)
{
    const size_t mark = sn_scratchMark(d);
    snMetric metric;
    snStepTerms terms;
    // without rows qacc is qacc_smooth, whatever M^; without the matrix there was no room for it
    const bool elastic = d->nefc > 0 && sn_takesElastic(m);
    bool room = (d->nelasticrow || !sn_takesElastic(m)) && sn_stepTerms(m, d, &terms);
    if (room && elastic) sn_takeElastic(d, &terms);
    if (room && sn_enterMetric(m, d, &terms, true, &metric)) {
        solve(m, d, elastic ? &terms.elastic : NULL);
        sn_leaveMetric(m, d, &metric);
        if (m->opt.contact != SN_CONTACT_LCP) sn_turnLoneBodies(m, d, &terms, false, d->qacc);
    } else {
        sn_zeroDofs(m, d, d->qfrc_constraint);
        SN_EACH_DOF (m, d, i) d->qacc[i] = d->qacc_smooth[i];
        dropAllForces(d);
    }
    sn_scratchRelease(d, mark);
}

void sn_fwdConstraint(const snModel* m, snData* d)
{
    sn_assertMade(m, d, qacc_smooth, qfrc_smooth, qM, qLD, qLDiagInv, efc_J, efc_D, efc_R, efc_aref, efc_type,
                  efc_id);
    for (int k = 0; k < d->solver_niter && k < SN_NSOLVER; k++) d->solver[k] = (snSolverStat){0};
    d->solver_niter = d->nAblock = 0;
    d->solver_nnz = d->solver_nmul = 0;
    d->solver_residual = d->noslip_residual = 0;
    if (m->nv == 0) return;
    if (sn_integratorKind(m->opt.integrator).metric)
        solveStep(m, d);
    else
        solve(m, d, NULL);
}
