// A step's LCP, island by island (seed 003, 1 and 3): from v and the forces to v+ = v + dt M^-1 (F + J'
// lambda / dt).
#include "lcp/forward.h"
#include <math.h>
#include <string.h>
#include <sinew/constraint.h>
#include <sinew/loop.h>
#include <sinew/thread_pool.h>
#include "lcp/build.h"
#include "lcp/damp.h"
#include "lcp/free_rows.h"
#include "lcp/impulse.h"
#include "lcp/maximal/system.h"
#include "lcp/pivot.h"
#include "lcp/rows.h"
#include "lcp/solve/iterate.h"
#include "lcp/stabilise.h"
#include "loop/damper.h"
#include "model/arena.h"
#include "model/crew.h"
#include "model/made.h"

typedef struct Step {
    snIslands islands;
    snStepInertia inertia;
    snLcpCoordinates coordinates;
    snMaximalBodies bodies; // none unless coordinates are maximal
    double *b, *impulse;    // [nefc]
    double* velocity;       // [nv] what lambda adds
} Step;

// By pivoting, where that was asked for, or where sweeps of a small problem have come to nothing.
static bool wantsPivots(const snOption* opt, const snLcpSystem* s, const snIteration* it)
{
    if (opt->lcp_method == SN_LCP_DIRECT) return sn_lcpRows(s) <= SN_PIVOT_MOST;
    return opt->lcp_fallback && it->status != SN_LCPSTATUS_SOLVED && sn_lcpRows(s) <= SN_PIVOT_ANSWER;
}

// By steps over free rows, where sweeps have come to nothing.
static bool wantsFreeRows(const snOption* opt, const snIteration* it)
{
    return opt->lcp_fallback && opt->lcp_accelerate && it->status != SN_LCPSTATUS_SOLVED;
}

// Of a large island that one sweep holds.
static bool wantsSettling(const snOption* opt, const snLcpSystem* s, const snIteration* it)
{
    enum { LARGE = 1000 };
    return opt->lcp_fallback && opt->lcp_accelerate && opt->lcp_method != SN_LCP_DIRECT && it->sweeps == 1 &&
           it->status == SN_LCPSTATUS_SOLVED && sn_lcpRows(s) > LARGE;
}

// Twice what gravity adds in a step: what is slower has been at rest.
static double speedOfFall(const snOption* opt)
{
    const double* g = opt->gravity;
    return 2 * opt->timestep * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
}

// Whether a residual says that sweeps have come to nothing: it could be all that gravity adds, or 1,000 times
// the tolerance.
static bool isFar(const snOption* opt, double residual)
{
    return !(residual <= sn_max(speedOfFall(opt), 1000 * opt->lcp_tolerance));
}

// The problem of an island.
typedef struct Problem {
    snLcpSystem own;     // in the coordinates of the step
    snLcpSystem maximal; // in those of each body, if they are asked for: lambda is then that of `own`
    snLcpSystem* s;      // the one that is solved
    snIteration it;
} Problem;

static bool isMaximal(const snModel* m, snData* d, const Step* p, int island)
{
    if (m->opt.lcp_coordinates != SN_COORDINATES_MAXIMAL) return false;
    const bool can = sn_maximalCan(m, &p->bodies, &p->islands, island) &&
                     !(sn_eulerDampsLoops(m, d) && sn_islandHasLoops(m, d, &p->islands, island));
    if (!can) sn_warn(d, SN_WARN_LCP, m->dof_bodyid[p->islands.dof[p->islands.dof_adr[island]]]);
    return can;
}

static bool makeMaximal(const snModel* m, snData* d, const Step* p, int island, Problem* q)
{
    q->s = &q->maximal;
    sn_lcpSpread(&q->own);
    sn_lcpToVelocity(m, d, &p->coordinates, &p->islands, island, q->own.dV, p->velocity);
    return sn_maximalSystem(m, d, &p->bodies, &p->islands, island, &q->own, p->velocity, &q->maximal);
}

static bool beginSweeps(const snOption* opt, snData* d, const snLcpSystem* s, snIteration* it)
{
    *it = (snIteration){.method = opt->lcp_method == SN_LCP_DIRECT ? SN_LCP_BLOCKGS : opt->lcp_method,
                        .omega = opt->lcp_omega,
                        .sweeps = opt->lcp_sweeps,
                        .tolerance = opt->lcp_tolerance,
                        .symmetric = opt->lcp_symmetric != 0,
                        .accelerate = opt->lcp_accelerate != 0,
                        .fallback = opt->lcp_fallback != 0,
                        .share = true};
    it->work = sn_scratchAlloc(d, sn_iterationWork(s) * sizeof(double));
    return it->work != NULL;
}

// All that sweeps need, in scratch.
static bool prepare(const snModel* m, snData* d, Step* p, int island, Problem* q)
{
    p->coordinates.coladr = -1; // its columns are of another island's scratch
    q->s = &q->own;
    if (!sn_lcpBuild(m, d, &p->islands, island, &p->coordinates, p->b, p->impulse, &q->own)) return false;
    if (isMaximal(m, d, p, island) && !makeMaximal(m, d, p, island, q)) return false;
    return beginSweeps(&m->opt, d, q->s, &q->it);
}

// What makes impulses of sweeps better, where they need it: pivots, steps over free rows. false: the arena
// has no room for all of that.
static bool better(const snModel* m, snData* d, snLcpSystem* s, snIteration* it, int* pivots)
{
    const double slow = speedOfFall(&m->opt);
    if (wantsPivots(&m->opt, s, it)) {
        bool held = false;
        const bool room = sn_lcpRest(d, s, slow, m->opt.lcp_method == SN_LCP_DIRECT, it, &held);
        return (held || sn_lcpPivot(d, s, &it->residual, pivots)) && room;
    }
    if (wantsFreeRows(&m->opt, it)) return sn_lcpFreeRows(d, s, slow, it);
    return !wantsSettling(&m->opt, s, it) || sn_lcpSettle(d, s, slow, it);
}

// What comes behind sweeps: better impulses, warnings, statistics. Where there is no room for them, other
// islands may hold it: false, and nothing is counted. An island that is alone takes what its sweeps have
// found.
static bool conclude(const snModel* m, snData* d, snLcpSystem* s, bool alone, snIteration* it)
{
    int pivots = 0;
    if (it->sweeps > 64) sn_lcpSpread(s); // without the rounding of all that has been added up
    if (!better(m, d, s, it, &pivots)) {
        if (!alone) return false;
        sn_warnFull(d);
    }
    const bool solved = it->residual <= m->opt.lcp_tolerance;
    if (!solved && (it->status == SN_LCPSTATUS_DIVERGED || it->status == SN_LCPSTATUS_CYCLED))
        sn_warn(d, SN_WARN_LCP, it->status);
    if (!solved) sn_lcpTakeBack(s);
    const int niter = it->sweeps + it->products + pivots;
    if (niter > d->solver_niter) d->solver_niter = niter;
    if (!(it->residual <= d->solver_residual)) d->solver_residual = it->residual;
    return true;
}

bool sn_lcpRun(const snModel* m, snData* d, snLcpSystem* s, bool alone)
{
    snIteration it;
    if (!beginSweeps(&m->opt, d, s, &it)) return false;
    sn_lcpSpread(s);
    sn_lcpIterate(s, &it);
    return conclude(m, d, s, alone, &it);
}

static bool finish(const snModel* m, snData* d, Step* p, int island, bool alone, Problem* q)
{
    snLcpSystem* s = &q->own;
    if (!conclude(m, d, q->s, alone, &q->it)) return false;
    if (q->s != s) {
        memcpy(s->x, q->maximal.x, 4 * (size_t)s->nquad * sizeof(double));
        sn_lcpSpread(s);
    }
    if (isFar(&m->opt, q->it.residual) && sn_lcpDamp(m, d, &p->islands, island, p->inertia.acceleration, s))
        sn_warn(d, SN_WARN_LCP, q->it.status);
    sn_lcpForces(m, d, &p->islands, island, s);
    sn_lcpToVelocity(m, d, &p->coordinates, &p->islands, island, s->dV, p->velocity);
    return m->opt.lcp_stabilise != SN_STABILISE_SPLIT ||
           sn_lcpSplit(m, d, &p->islands, island, &p->coordinates, alone, s);
}

// false: no room. alone: see sn_lcpRun.
static bool solveOne(const snModel* m, snData* d, Step* p, int island, bool alone)
{
    const size_t mark = sn_scratchMark(d);
    Problem problem;
    bool done = prepare(m, d, p, island, &problem);
    if (done) {
        sn_lcpSpread(problem.s);
        sn_lcpIterate(problem.s, &problem.it);
        done = finish(m, d, p, island, alone, &problem);
    }
    sn_scratchRelease(d, mark);
    return done;
}

// ---- on threads

enum { LEAST_ROWS = 400 }; // below, waking threads takes longer than they save

// What comes of an island that a view has solved, beside what it writes.
typedef struct Outcome {
    bool done; // else there was no room
    int niter;
    double residual;
    snWarningStat warning[SN_NWARNING];
} Outcome;

typedef struct Share {
    const snModel* m;
    const Step* step;
    Outcome* outcome; // [islands]
} Share;

static void solveView(void* arg, int index, snData* view)
{
    const Share* s = arg;
    Outcome* outcome = s->outcome + index;
    Step own = *s->step;
    const size_t mark = sn_scratchMark(view);
    view->solver_niter = 0;
    view->solver_residual = 0;
    memset(view->warning, 0, sizeof view->warning);
    outcome->done = sn_lcpOwnWork(s->m, view, &own.coordinates) && solveOne(s->m, view, &own, index, false);
    sn_scratchRelease(view, mark);
    outcome->niter = view->solver_niter;
    outcome->residual = view->solver_residual;
    memcpy(outcome->warning, view->warning, sizeof outcome->warning);
}

static void account(snData* d, const Outcome* outcome)
{
    if (outcome->niter > d->solver_niter) d->solver_niter = outcome->niter;
    if (!(outcome->residual <= d->solver_residual)) d->solver_residual = outcome->residual;
    for (int k = 0; k < SN_NWARNING; k++) {
        if (!outcome->warning[k].number) continue;
        d->warning[k].number += outcome->warning[k].number;
        d->warning[k].lastinfo = outcome->warning[k].lastinfo;
    }
}

// The outcomes of all islands, in scratch; NULL: the caller solves them.
static Outcome* solveShared(const snModel* m, snData* d, const Step* p)
{
    const int count = p->islands.count;
    snCrew crew;
    if (sn_threadCount(d->pool) < 2 || count < 2 || d->nefc < LEAST_ROWS) return NULL;
    const Share share = {m, p, sn_scratchAlloc(d, (size_t)count * sizeof(Outcome))};
    if (!share.outcome || !sn_beginCrew(d, count, &crew)) return NULL;
    sn_runCrew(&crew, count, solveView, (void*)&share);
    sn_endCrew(&crew);
    return share.outcome;
}

// What a view has no room for may have it alone.
static void solveAll(const snModel* m, snData* d, Step* p)
{
    const size_t mark = sn_scratchMark(d);
    Outcome* outcome = solveShared(m, d, p);
    if (!outcome) sn_scratchRelease(d, mark);
    for (int k = 0; k < p->islands.count; k++) {
        if (outcome && outcome[k].done)
            account(d, outcome + k);
        else if (!solveOne(m, d, p, k, true))
            sn_warnFull(d);
    }
    sn_scratchRelease(d, mark);
}

static bool solveIslands(const snModel* m, snData* d, Step* p)
{
    const bool mixed = m->opt.lcp_coordinates != SN_COORDINATES_TREE;
    const double* acceleration = p->inertia.acceleration;
    p->b = sn_scratchReal(d, 2 * d->nefc);
    p->velocity = sn_scratchReal(d, m->nv);
    if (!p->b || !p->velocity || !sn_findIslands(m, d, NULL, &p->islands) ||
        !sn_lcpCoordinates(m, d, &p->islands, &p->inertia, mixed, &p->coordinates) ||
        (m->opt.lcp_coordinates == SN_COORDINATES_MAXIMAL && !sn_maximalBodies(m, d, &p->bodies)))
        return false;
    p->impulse = p->b + d->nefc;
    if (!sn_lcpRecall(m, d, p->impulse)) sn_warnFull(d);
    memset(p->velocity, 0, (size_t)m->nv * sizeof(double));
    sn_lcpVelocity(m, d, acceleration, p->b);
    solveAll(m, d, p);
    for (int i = 0; i < m->nv; i++) d->qacc[i] = acceleration[i] + p->velocity[i] / m->opt.timestep;
    return true;
}

void sn_fwdLcp(const snModel* m, snData* d)
{
    sn_assertMade(m, d, qacc_smooth, qfrc_smooth, qM, qLD, efc_J, efc_type, efc_id, efc_vel);
    const size_t mark = sn_scratchMark(d);
    Step p;
    if (!sn_lcpInertia(m, d, &p.inertia)) sn_warnFull(d);
    memcpy(d->qacc, p.inertia.acceleration, (size_t)m->nv * sizeof(double));
    memset(d->qfrc_constraint, 0, (size_t)m->nv * sizeof(double));
    memset(d->qvel_push, 0, (size_t)m->nv * sizeof(double));
    if (d->nefc > 0) {
        memset(d->efc_force, 0, (size_t)d->nefc * sizeof(double));
        memset(d->efc_state, 0, (size_t)d->nefc * sizeof *d->efc_state);
        if (!solveIslands(m, d, &p)) sn_warnFull(d);
        sn_mulJacTVec(m, d, d->qfrc_constraint, d->efc_force);
    }
    sn_scratchRelease(d, mark);
    sn_loopForce(m, d);
}
