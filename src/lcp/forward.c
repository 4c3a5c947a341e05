// A step's LCP, island by island (seed 003, 1 and 3): from v and the forces to v+ = v + dt M^-1 (F + J'
// lambda / dt).
#include "lcp/forward.h"
#include <math.h>
#include <string.h>
#include <sinew/constraint.h>
#include <sinew/loop.h>
#include "lcp/build.h"
#include "lcp/impulse.h"
#include "lcp/maximal/system.h"
#include "lcp/pivot.h"
#include "lcp/rows.h"
#include "lcp/solve/iterate.h"
#include "lcp/stabilise.h"
#include "model/arena.h"

typedef struct Step {
    snIslands islands;
    snStepInertia inertia;
    snLcpCoordinates coordinates;
    snMaximalBodies bodies; // none unless coordinates are maximal
    double *b, *impulse;    // [nefc]
    double* velocity;       // [nv] what lambda adds
} Step;

// One sweep of Jacobi's method, by which a new load goes to all contacts of a pair alike. Where normal forces
// are not determined Gauss-Seidel gives all of it to the first, and friction then holds at one point alone.
// Returns the residual that it met.
static double shareLoad(snLcpSystem* s, double* work)
{
    const snSweep sweep = {SN_LCP_BLOCKJACOBI, 0.25, false, work};
    return sn_lcpSweep(s, &sweep);
}

// By pivoting, where that was asked for, or where sweeps of a small problem have come to nothing.
static bool wantsPivots(const snOption* opt, const snLcpSystem* s, const snIteration* it)
{
    if (opt->lcp_method == SN_LCP_DIRECT) return sn_lcpRows(s) <= SN_PIVOT_MOST;
    if (!opt->lcp_fallback || it->status == SN_LCPSTATUS_SOLVED) return false;
    return sn_lcpRows(s) <= (it->status == SN_LCPSTATUS_SWEEPS ? SN_PIVOT_ANSWER : SN_PIVOT_MOST);
}

bool sn_lcpRun(const snModel* m, snData* d, snLcpSystem* s)
{
    const snOption* opt = &m->opt;
    snIteration it = {.method = opt->lcp_method == SN_LCP_DIRECT ? SN_LCP_BLOCKGS : opt->lcp_method,
                      .omega = opt->lcp_omega,
                      .sweeps = opt->lcp_sweeps,
                      .tolerance = opt->lcp_tolerance,
                      .symmetric = opt->lcp_symmetric != 0,
                      .accelerate = opt->lcp_accelerate != 0,
                      .fallback = opt->lcp_fallback != 0};
    it.work = sn_scratchAlloc(d, sn_iterationWork(s) * sizeof(double));
    if (!it.work) return false;
    sn_lcpSpread(s);
    it.residual = it.method >= SN_LCP_BLOCKGS ? shareLoad(s, it.work) : HUGE_VAL;
    if (it.residual <= it.tolerance) {
        it.status = SN_LCPSTATUS_SOLVED;
        it.sweeps = 1;
    } else {
        sn_lcpIterate(s, &it);
    }
    int pivots = 0;
    if (wantsPivots(opt, s, &it) && !sn_lcpPivot(d, s, &it.residual, &pivots)) return false;
    const bool solved = it.residual <= opt->lcp_tolerance;
    if (!solved && (it.status == SN_LCPSTATUS_DIVERGED || it.status == SN_LCPSTATUS_CYCLED))
        sn_warn(d, SN_WARN_LCP, it.status);
    if (it.sweeps + pivots > d->solver_niter) d->solver_niter = it.sweeps + pivots;
    if (!(it.residual <= d->solver_residual)) d->solver_residual = it.residual;
    return true;
}

// The same with coordinates of its own for each body: lambda is then that of s.
static bool solveMaximal(const snModel* m, snData* d, const Step* p, int island, snLcpSystem* s)
{
    snLcpSystem maximal;
    sn_lcpSpread(s);
    sn_lcpToVelocity(m, d, &p->coordinates, &p->islands, island, s->dV, p->velocity);
    if (!sn_maximalSystem(m, d, &p->bodies, &p->islands, island, s, p->velocity, &maximal) ||
        !sn_lcpRun(m, d, &maximal))
        return false;
    memcpy(s->x, maximal.x, 4 * (size_t)s->nquad * sizeof(double));
    sn_lcpSpread(s);
    return true;
}

static bool isMaximal(const snModel* m, snData* d, const Step* p, int island)
{
    if (m->opt.lcp_coordinates != SN_COORDINATES_MAXIMAL) return false;
    const bool can = sn_maximalCan(m, &p->bodies, &p->islands, island) &&
                     !(sn_lcpDampsLoops(m, d) && sn_islandHasLoops(m, d, &p->islands, island));
    if (!can) sn_warn(d, SN_WARN_LCP, m->dof_bodyid[p->islands.dof[p->islands.dof_adr[island]]]);
    return can;
}

static bool solveIsland(const snModel* m, snData* d, Step* p, int island)
{
    snLcpSystem s;
    if (!sn_lcpBuild(m, d, &p->islands, island, &p->coordinates, p->b, p->impulse, &s)) return false;
    if (!(isMaximal(m, d, p, island) ? solveMaximal(m, d, p, island, &s) : sn_lcpRun(m, d, &s))) return false;
    sn_lcpForces(m, d, &p->islands, island, &s);
    sn_lcpToVelocity(m, d, &p->coordinates, &p->islands, island, s.dV, p->velocity);
    return m->opt.lcp_stabilise != SN_STABILISE_SPLIT ||
           sn_lcpSplit(m, d, &p->islands, island, &p->coordinates, &s);
}

static bool solveIslands(const snModel* m, snData* d, Step* p)
{
    const bool mixed = m->opt.lcp_coordinates != SN_COORDINATES_TREE;
    const double* acceleration = p->inertia.acceleration;
    p->b = sn_scratchReal(d, 2 * d->nefc);
    p->velocity = sn_scratchReal(d, m->nv);
    if (!p->b || !p->velocity || !sn_findIslands(m, d, &p->islands) ||
        !sn_lcpCoordinates(m, d, &p->islands, &p->inertia, mixed, &p->coordinates) ||
        (m->opt.lcp_coordinates == SN_COORDINATES_MAXIMAL && !sn_maximalBodies(m, d, &p->bodies)))
        return false;
    p->impulse = p->b + d->nefc;
    if (!sn_lcpRecall(m, d, p->impulse)) sn_warnFull(d);
    memset(p->velocity, 0, (size_t)m->nv * sizeof(double));
    sn_lcpVelocity(m, d, acceleration, p->b);
    for (int k = 0; k < p->islands.count; k++) {
        const size_t mark = sn_scratchMark(d);
        p->coordinates.coladr = -1; // its columns are of another island's scratch
        if (!solveIsland(m, d, p, k)) sn_warnFull(d);
        sn_scratchRelease(d, mark);
    }
    for (int i = 0; i < m->nv; i++) d->qacc[i] = acceleration[i] + p->velocity[i] / m->opt.timestep;
    return true;
}

void sn_fwdLcp(const snModel* m, snData* d)
{
    const size_t mark = sn_scratchMark(d);
    Step p;
    if (!sn_lcpInertia(m, d, &p.inertia)) sn_warnFull(d);
    memcpy(d->qacc, p.inertia.acceleration, (size_t)m->nv * sizeof(double));
    memset(d->qfrc_constraint, 0, (size_t)m->nv * sizeof(double));
    memset(d->qvel_push, 0, (size_t)m->nv * sizeof(double));
    if (d->nefc > 0) {
        memset(d->efc_force, 0, (size_t)d->nefc * sizeof(double));
        if (!solveIslands(m, d, &p)) sn_warnFull(d);
        sn_mulJacTVec(m, d, d->qfrc_constraint, d->efc_force);
    }
    sn_scratchRelease(d, mark);
    sn_loopForce(m, d);
}
