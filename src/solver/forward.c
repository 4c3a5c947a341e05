// Constraint forces: island by island, then back to the arrays of snData. Source: seed 001, stage 21.
#include <math.h>
#include <string.h>
#include <sinew/constraint.h>
#include <sinew/loop.h>
#include "lcp/forward.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "model/made.h"
#include "model/sleep.h"
#include "solver/dual.h"
#include "solver/forces.h"
#include "solver/hessian.h"
#include "solver/metric.h"

// Writes forces and states of an island's rows.
static void scatter(snData* d, const snProblem* p, const snPrimalResult* result)
{
    for (int r = 0; r < p->rows.count; r++) {
        const int row = p->efc[r];
        if (row < 0) continue;
        d->efc_force[row] = -result->force[r];
        d->efc_state[row] = sn_rowState(d->efc_type[row], result->zone[r]);
    }
    for (int c = 0; c < p->rows.ncone; c++) {
        const snFrictionCone* cone = p->rows.cone + c;
        for (int k = 0; k < cone->dim; k++)
            d->efc_state[p->efc[cone->row + k]] = sn_coneState(p->rows.zone[c]);
    }
}

static bool minimise(const snModel* m, snData* d, snProblem* p, const snPrimalOption* opt, bool warm,
                     snPrimalResult* result)
{
    // points have conjugate gradients inside each step of Newton's, which nonlinear ones need more of
    if (p->points.count) return sn_newton(d, p, opt, warm, result);
    switch ((snSolver)m->opt.solver) {
    case SN_SOL_CG: return sn_conjugateGradient(d, p, opt, warm, result);
    case SN_SOL_PGS: // a dual one: has no such problem
    case SN_SOL_NEWTON: break;
    }
    return sn_newton(d, p, opt, warm, result);
}

static bool solvePrimal(const snModel* m, snData* d, const snIslands* islands, int island,
                        const snPrimalOption* opt)
{
    snProblem p;
    const bool loops = sn_islandHasLoops(m, d, islands, island), large = sn_isLargeIsland(m, islands, island);
    if (loops ? !sn_buildLoopProblem(m, d, islands, island, large, &p)
              : !sn_buildProblem(m, d, islands, island, large, &p))
        return false;
    double* left = sn_scratchReal(d, 2 * (p.n + p.rows.count));
    if (!left) return false;
    snPrimalResult result = {.y = sn_cutReal(&left, p.n),
                             .force = sn_cutReal(&left, p.rows.count),
                             .zone = sn_cutReal(&left, p.rows.count),
                             .grad_s = sn_cutReal(&left, p.n)};
    memset(result.y, 0, (size_t)p.n * sizeof(double));
    for (int c = 0; c < p.ndof; c++) result.y[c] = d->qacc_smooth[p.dof[c]];
    // b = J qacc_smooth - aref; sn_problemRow left -aref in b
    if (!loops) sn_problemMulJ(&p, result.y, result.force);
    for (int r = 0; r < p.rows.count && !loops; r++) p.b[r] += result.force[r];
    for (int c = 0; c < p.ndof; c++) result.y[c] = d->qacc_warmstart[p.dof[c]] - result.y[c];

    double numbers, products;
    sn_hessianSize(&p, &numbers, &products);
    d->solver_nnz += numbers;
    d->solver_nmul += products;
    const bool warm = !(m->opt.disableflags & SN_DSBL_WARMSTART);
    if (!minimise(m, d, &p, opt, warm, &result)) return false;
    // where the state has no numbers no pivot is positive, which says nothing about inertias
    if (result.bad && isfinite(result.gradient)) sn_warn(d, SN_WARN_INERTIA, p.dof[0]);
    d->solver_residual = sn_worse(d->solver_residual, opt->scale * result.gradient);
    if (result.niter > d->solver_niter) d->solver_niter = result.niter;
    scatter(d, &p, &result);
    if (loops) {
        sn_loopProblemFinish(m, d, islands, island, &p, result.y);
        return true;
    }
    for (int c = 0; c < p.ndof; c++) result.grad_s[c] = -result.grad_s[c];
    sn_problemFinish(m, d, islands, &p, result.y, result.grad_s);
    return true;
}

// An island for which there is no room goes on without its forces.
static void dropForces(snData* d, const snIslands* islands, int island)
{
    for (int g = islands->first_group[island]; g >= 0; g = islands->group[g].next)
        for (int r = 0; r < islands->group[g].count; r++) d->efc_force[islands->group[g].row + r] = 0;
    for (int k = islands->dof_adr[island]; k < islands->dof_adr[island + 1]; k++)
        d->qfrc_constraint[islands->dof[k]] = 0;
    sn_warnFull(d);
}

// Nor do any.
static void dropAllForces(snData* d)
{
    for (int r = 0; r < d->nefc; r++) {
        d->efc_force[r] = 0;
        d->efc_state[r] = SN_CNSTRSTATE_SATISFIED;
    }
    sn_warnFull(d);
}

static bool solveIslands(const snModel* m, snData* d, const snIslands* islands)
{
    snPrimalOption opt = {.tolerance = m->opt.tolerance,
                          .ls_tolerance = m->opt.ls_tolerance,
                          .scale = sn_solverScale(m, d),
                          .iterations = m->opt.iterations,
                          .ls_iterations = m->opt.ls_iterations};
    bool* settled = sn_scratchAlloc(d, (size_t)islands->count);
    if (!settled || !sn_settleIslands(m, d, islands, &opt, settled)) return false;
    for (int k = 0; k < islands->count; k++) {
        if (settled[k] || islands->first_group[k] < 0) continue;
        const size_t mark = sn_scratchMark(d);
        opt.scale = sn_islandScale(m, d, islands, k, opt.scale);
        if (!solvePrimal(m, d, islands, k, &opt)) dropForces(d, islands, k);
        sn_scratchRelease(d, mark);
    }
    return true;
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
    if (sn_findIslands(m, d, elastic, &islands) && (dual || solveIslands(m, d, &islands))) {
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
