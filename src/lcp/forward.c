// A step's LCP, island by island (seed 003, 1 and 3): from v and the forces to v+ = v + dt M^-1 (F + J'
// lambda / dt).
#include "lcp/forward.h"
#include <string.h>
#include <sinew/constraint.h>
#include <sinew/loop.h>
#include "lcp/build.h"
#include "lcp/impulse.h"
#include "lcp/rows.h"
#include "lcp/solve/iterate.h"
#include "loop/acceleration.h"
#include "model/arena.h"
#include "smooth/inertia/damped.h"
#include "smooth/inertia/factor.h"

// The inertia of the step: M + h diag(damping), and the dampers of loop joints, where Euler's step is
// implicit in damping; and the acceleration without rows in it. false: the arena is full.
static bool smoothAcceleration(const snModel* m, snData* d, snLcpInertia* inertia,
                               const double** acceleration)
{
    const bool damped = sn_eulerDamped(m);
    *inertia = (snLcpInertia){d->qLD, d->qLDiagInv, d->mechanism_L, d->mechanism_Dinv};
    *acceleration = d->qacc_smooth;
    if (!damped && !sn_eulerDampsLoops(m, d)) return true;
    double* a = d->integrator_stage;
    memcpy(a, damped ? d->qfrc_smooth : d->qacc_smooth, (size_t)m->nv * sizeof(double));
    *acceleration = a;
    if (damped) {
        sn_factorDamped(m, d);
        inertia->LD = d->qH;
        inertia->diagInv = d->qHDiagInv;
        sn_solveTree(m, d->qH, d->qHDiagInv, a, 1);
    }
    if (d->nclosure == 0) return true;
    snLoopDamped loops;
    if (!sn_factorLoopsDamped(m, d, &loops)) return false;
    inertia->loop_L = loops.L;
    inertia->loop_inverse = loops.inverse;
    return sn_loopAccelerationIn(m, d, &loops, d->qfrc_smooth, a);
}

typedef struct Step {
    snIslands islands;
    snLcpCoordinates coordinates;
    double *b, *impulse; // [nefc]
    double* velocity;    // [nv] what lambda adds
} Step;

static bool solve(const snModel* m, snData* d, snLcpSystem* s)
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
    sn_lcpIterate(s, &it);
    if (it.sweeps > d->solver_niter) d->solver_niter = it.sweeps;
    if (!(it.residual <= d->solver_residual)) d->solver_residual = it.residual;
    return true;
}

static bool solveIsland(const snModel* m, snData* d, Step* p, int island)
{
    snLcpSystem s;
    if (!sn_lcpBuild(m, d, &p->islands, island, &p->coordinates, p->b, p->impulse, &s) || !solve(m, d, &s))
        return false;
    sn_lcpForces(m, d, &p->islands, island, &s);
    sn_lcpToVelocity(m, d, &p->coordinates, &p->islands, island, s.dV, p->velocity);
    return true;
}

static bool solveIslands(const snModel* m, snData* d, const double* acceleration, const snLcpInertia* inertia)
{
    Step p;
    const bool mixed = m->opt.lcp_coordinates == SN_COORDINATES_MIXED;
    p.b = sn_scratchReal(d, 2 * d->nefc);
    p.velocity = sn_scratchReal(d, m->nv);
    if (!p.b || !p.velocity || !sn_findIslands(m, d, &p.islands) ||
        !sn_lcpCoordinates(m, d, &p.islands, inertia, mixed, &p.coordinates))
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
    const size_t mark = sn_scratchMark(d);
    const double* acceleration;
    snLcpInertia inertia;
    bool room = smoothAcceleration(m, d, &inertia, &acceleration);
    memcpy(d->qacc, acceleration, (size_t)m->nv * sizeof(double));
    memset(d->qfrc_constraint, 0, (size_t)m->nv * sizeof(double));
    if (d->nefc > 0) {
        memset(d->efc_force, 0, (size_t)d->nefc * sizeof(double));
        memset(d->efc_state, 0, (size_t)d->nefc * sizeof *d->efc_state);
        room = room && solveIslands(m, d, acceleration, &inertia);
        sn_mulJacTVec(m, d, d->qfrc_constraint, d->efc_force);
    }
    if (!room) sn_warnFull(d);
    sn_scratchRelease(d, mark);
    sn_loopForce(m, d);
}
