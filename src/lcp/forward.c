// A step's LCP, island by island (seed 003, 1 and 3): from v and the forces to v+ = v + dt M^-1 (F + J'
// lambda / dt).
#include "lcp/forward.h"
#include <math.h>
#include <string.h>
#include <sinew/constraint.h>
#include <sinew/loop.h>
#include "lcp/build.h"
#include "lcp/impulse.h"
#include "lcp/rows.h"
#include "lcp/solve/iterate.h"
#include "lcp/stabilise.h"
#include "model/arena.h"
#include "smooth/inertia/damped.h"
#include "smooth/inertia/factor.h"

// The acceleration without rows, in M + h diag(damping) where Euler's step is implicit in damping.
static const double* smoothAcceleration(const snModel* m, snData* d, const double** LD,
                                        const double** diagInv)
{
    const bool damped = sn_eulerDamped(m);
    *LD = damped ? d->qH : d->qLD;
    *diagInv = damped ? d->qHDiagInv : d->qLDiagInv;
    if (!damped) return d->qacc_smooth;
    double* a = d->integrator_stage;
    sn_factorDamped(m, d);
    memcpy(a, d->qfrc_smooth, (size_t)m->nv * sizeof(double));
    sn_solveTree(m, d->qH, d->qHDiagInv, a, 1);
    return a;
}

typedef struct Step {
    snIslands islands;
    snLcpCoordinates coordinates;
    double *b, *impulse; // [nefc]
    double* velocity;    // [nv] what lambda adds
} Step;

// One sweep of Jacobi's method, by which a new load goes to all contacts of a pair alike. Where normal forces
// are not determined Gauss-Seidel gives all of it to the first, and friction then holds at one point alone.
// Returns the residual that it met.
static double shareLoad(snLcpSystem* s, double* work)
{
    const snSweep sweep = {SN_LCP_BLOCKJACOBI, 0.25, false, work};
    return sn_lcpSweep(s, &sweep);
}

bool sn_lcpRun(const snModel* m, snData* d, snLcpSystem* s)
{
    snIteration it = {.method = m->opt.lcp_method == SN_LCP_DIRECT ? SN_LCP_BLOCKGS : m->opt.lcp_method,
                      .omega = m->opt.lcp_omega,
                      .sweeps = m->opt.lcp_sweeps,
                      .tolerance = m->opt.lcp_tolerance,
                      .symmetric = m->opt.lcp_symmetric != 0,
                      .accelerate = m->opt.lcp_accelerate != 0,
                      .fallback = m->opt.lcp_fallback != 0};
    it.work = sn_scratchAlloc(d, sn_iterationWork(s) * sizeof(double));
    if (!it.work) return false;
    sn_lcpSpread(s);
    it.residual = it.method >= SN_LCP_BLOCKGS ? shareLoad(s, it.work) : HUGE_VAL;
    if (it.residual <= it.tolerance)
        it.sweeps = 1;
    else
        sn_lcpIterate(s, &it);
    if (it.sweeps > d->solver_niter) d->solver_niter = it.sweeps;
    if (!(it.residual <= d->solver_residual)) d->solver_residual = it.residual;
    return true;
}

static bool solveIsland(const snModel* m, snData* d, Step* p, int island)
{
    snLcpSystem s;
    if (!sn_lcpBuild(m, d, &p->islands, island, &p->coordinates, p->b, p->impulse, &s) ||
        !sn_lcpRun(m, d, &s))
        return false;
    sn_lcpForces(m, d, &p->islands, island, &s);
    sn_lcpToVelocity(m, d, &p->coordinates, &p->islands, island, s.dV, p->velocity);
    return m->opt.lcp_stabilise != SN_STABILISE_SPLIT ||
           sn_lcpSplit(m, d, &p->islands, island, &p->coordinates, &s);
}

static bool solveIslands(const snModel* m, snData* d, const double* acceleration, const double* LD,
                         const double* diagInv)
{
    Step p;
    const bool mixed = m->opt.lcp_coordinates == SN_COORDINATES_MIXED;
    p.b = sn_scratchReal(d, 2 * d->nefc);
    p.velocity = sn_scratchReal(d, m->nv);
    if (!p.b || !p.velocity || !sn_findIslands(m, d, &p.islands) ||
        !sn_lcpCoordinates(m, d, &p.islands, LD, diagInv, mixed, &p.coordinates))
        return false;
    p.impulse = p.b + d->nefc;
    if (!sn_lcpRecall(m, d, p.impulse)) sn_warnFull(d);
    memset(p.velocity, 0, (size_t)m->nv * sizeof(double));
    sn_lcpVelocity(m, d, acceleration, p.b);
    for (int k = 0; k < p.islands.count; k++) {
        const size_t mark = sn_scratchMark(d);
        p.coordinates.coladr = -1; // its columns are of another island's scratch
        if (!solveIsland(m, d, &p, k)) sn_warnFull(d);
        sn_scratchRelease(d, mark);
    }
    for (int i = 0; i < m->nv; i++) d->qacc[i] = acceleration[i] + p.velocity[i] / m->opt.timestep;
    return true;
}

void sn_fwdLcp(const snModel* m, snData* d)
{
    const double *LD, *diagInv, *acceleration = smoothAcceleration(m, d, &LD, &diagInv);
    memcpy(d->qacc, acceleration, (size_t)m->nv * sizeof(double));
    memset(d->qfrc_constraint, 0, (size_t)m->nv * sizeof(double));
    memset(d->qvel_push, 0, (size_t)m->nv * sizeof(double));
    if (d->nefc > 0) {
        const size_t mark = sn_scratchMark(d);
        memset(d->efc_force, 0, (size_t)d->nefc * sizeof(double));
        if (!solveIslands(m, d, acceleration, LD, diagInv)) sn_warnFull(d);
        sn_scratchRelease(d, mark);
        sn_mulJacTVec(m, d, d->qfrc_constraint, d->efc_force);
    }
    sn_loopForce(m, d);
}
