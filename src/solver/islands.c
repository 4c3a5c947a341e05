#include "solver/islands.h"
#include <limits.h>
#include <math.h>
#include <sinew/thread_pool.h>
#include <stdatomic.h>
#include <string.h>
#include "model/arena.h"
#include "model/crew.h"
#include "model/kinds.h"
#include "solver/forces.h"
#include "solver/hessian.h"
#include "solver/primal.h"

// How far an island has come.
typedef enum Phase { OPEN, SETTLED, SOLVED } Phase;

// What comes of an island beside what it writes.
typedef struct Outcome {
    Phase phase;
    int nquad;                // of rows, where it is one chain, else 0
    double residual;          // scaled
    double numbers, products; // of the Hessian's factor
    int niter;
    bool indefinite;    // its Hessian was, by its inertias
    snSolverStat* stat; // [niter, at most SN_NSOLVER], if a view has solved it
} Outcome;

// Writes forces and states of an island's rows.
static void scatter(snData* d, const snProblem* p, const snPrimalResult* result)
{
    const int *efc = p->efc, *type = d->efc_type;
    int* state = d->efc_state;
    for (int r = 0; r < p->rows.count; r++) {
        const int row = efc[r];
        if (row < 0) continue;
        d->efc_force[row] = -result->force[r];
        state[row] = sn_rowState(type[row], result->zone[r]);
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

// The problem of an island, of whichever kind it is; false: no room.
static bool build(const snModel* m, snData* d, const snIslands* islands, int island, bool loops, int nquad,
                  snProblem* p)
{
    if (nquad) return sn_buildChainProblem(m, d, islands, island, nquad, p);
    const bool large = sn_isLargeIsland(m, islands, island);
    return loops ? sn_buildLoopProblem(m, d, islands, island, large, p)
                 : sn_buildProblem(m, d, islands, island, large, p);
}

// An island that is solved as a problem. d: of the step, or a view of it. false: no room.
static bool solvePrimal(const snModel* m, snData* d, const snIslands* islands, int island,
                        const snPrimalOption* opt, Outcome* outcome)
{
    snProblem p;
    const bool loops = sn_islandHasLoops(m, d, islands, island);
    if (!build(m, d, islands, island, loops, outcome->nquad, &p)) return false;
    double* left = sn_scratchReal(d, 2 * (p.n + p.rows.count));
    if (!left) return false;
    snPrimalResult result = {.y = sn_cutReal(&left, p.n),
                             .force = sn_cutReal(&left, p.rows.count),
                             .zone = sn_cutReal(&left, p.rows.count),
                             .grad_s = sn_cutReal(&left, p.n)};
    sn_primalPlace(d, &p, &result);
    sn_hessianSize(&p, &outcome->numbers, &outcome->products);
    const bool warm = !(m->opt.disableflags & SN_DSBL_WARMSTART);
    if (!minimise(m, d, &p, opt, warm, &result)) return false;
    // where the state has no numbers no pivot is positive, which says nothing about inertias
    outcome->indefinite = result.bad && isfinite(result.gradient);
    outcome->residual = opt->scale * result.gradient;
    outcome->niter = result.niter;
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

// What all islands share.
typedef struct Solve {
    const snModel* m;
    const snIslands* islands;
    snPrimalOption option;
    double *jar, *inertial; // [nefc], [nv] work of sn_settleIsland
    Outcome* outcome;       // [count]
} Solve;

static void settle(const Solve* s, snData* d, int island)
{
    Outcome* outcome = s->outcome + island;
    *outcome = (Outcome){.phase = OPEN, .nquad = sn_chainQuads(s->m, d, s->islands, island)};
    // the problem of a chain is soon set up, and finds out itself
    if (!outcome->nquad &&
        sn_settleIsland(s->m, d, s->islands, island, &s->option, s->jar, s->inertial, &outcome->residual))
        outcome->phase = SETTLED;
}

// Whether there is something to solve.
static bool isOpen(const Solve* s, int island)
{
    return s->outcome[island].phase == OPEN && s->islands->first_group[island] >= 0;
}

static void solveOne(const Solve* s, snData* d, int island)
{
    const size_t mark = sn_scratchMark(d);
    snPrimalOption opt = s->option;
    opt.scale = sn_islandScale(s->m, d, s->islands, island, opt.scale);
    if (solvePrimal(s->m, d, s->islands, island, &opt, s->outcome + island))
        s->outcome[island].phase = SOLVED;
    sn_scratchRelease(d, mark);
}

// Takes the outcome of an island that has one into the statistics of the data.
static void account(const Solve* s, snData* d, int island)
{
    const Outcome* outcome = s->outcome + island;
    d->solver_residual = sn_worse(d->solver_residual, outcome->residual);
    d->solver_nnz += outcome->numbers;
    d->solver_nmul += outcome->products;
    if (outcome->indefinite) sn_warn(d, SN_WARN_INERTIA, s->islands->dof[s->islands->dof_adr[island]]);
    for (int k = 0; outcome->stat && k < outcome->niter; k++) sn_recordIteration(d, k, outcome->stat + k);
    if (outcome->niter > d->solver_niter) d->solver_niter = outcome->niter;
}

// By the caller, in order: all that no view has solved. Where there is no room for an island its forces are
// dropped or, with drop off, the rest is left: false.
static bool solveRest(const Solve* s, snData* d, bool drop)
{
    for (int k = 0; k < s->islands->count; k++) {
        const bool open = isOpen(s, k);
        if (open) solveOne(s, d, k);
        const bool room = !open || s->outcome[k].phase == SOLVED;
        if (!room && !drop) return false;
        account(s, d, k);
        if (!room) dropForces(d, s->islands, k);
    }
    return true;
}

static void solveAlone(const Solve* s, snData* d)
{
    for (int k = 0; k < s->islands->count; k++) settle(s, d, k);
    solveRest(s, d, true);
}

// ---- on threads

enum { LEAST_ROWS = 300, LEAST_DOFS = 64 }; // of all islands; of a lot: below, waking threads takes longer

// Islands that views take lot by lot.
typedef struct Share {
    const Solve* solve;
    int nlot;
    int* lot;    // [nlot + 1] first islands
    bool* apart; // [count] of the caller alone
    snSolverStat* stat;
    int room;        // for so many of these
    atomic_int used; // of it
} Share;

// One that is most of the work has work to share out itself.
static bool isApart(const Solve* s, int island, int threads)
{
    const snIslands* islands = s->islands;
    const double all = islands->dof_adr[islands->count], own = islands->ntouched[island];
    return own * threads > 1.1 * all && sn_isLargeIsland(s->m, islands, island);
}

static void makeLots(const Solve* s, int threads, Share* share)
{
    const snIslands* islands = s->islands;
    const int part = islands->dof_adr[islands->count] / (8 * threads);
    const int least = part > LEAST_DOFS ? part : LEAST_DOFS;
    int dofs = 0;
    share->nlot = share->lot[0] = 0;
    for (int k = 0; k < islands->count; k++) {
        share->apart[k] = isApart(s, k, threads);
        if (!share->apart[k]) dofs += islands->ntouched[k];
        if (dofs < least && k + 1 < islands->count) continue;
        share->lot[++share->nlot] = k + 1;
        dofs = 0;
    }
}

// The statistics of what a view has solved. Without room for them it is not solved.
static void keepStatistics(Share* share, snData* view, Outcome* outcome)
{
    const int count = outcome->niter < SN_NSOLVER ? outcome->niter : SN_NSOLVER;
    const int first = atomic_fetch_add_explicit(&share->used, count, memory_order_relaxed);
    if (first <= share->room - count) {
        outcome->stat = share->stat + first;
        memcpy(outcome->stat, view->solver, (size_t)count * sizeof *outcome->stat);
    } else {
        *outcome = (Outcome){.phase = OPEN};
    }
    memset(view->solver, 0, (size_t)count * sizeof *view->solver);
}

static void solveLot(void* arg, int index, snData* view)
{
    Share* share = arg;
    const Solve* s = share->solve;
    for (int k = share->lot[index]; k < share->lot[index + 1]; k++) {
        settle(s, view, k);
        if (!isOpen(s, k) || share->apart[k]) continue;
        solveOne(s, view, k);
        if (s->outcome[k].phase == SOLVED) keepStatistics(share, view, s->outcome + k);
    }
}

static bool takeShare(const Solve* s, snData* d, Share* share)
{
    const size_t count = (size_t)s->islands->count, most = (d->narena - d->parena - d->pstack) / 4;
    const int asked = s->option.iterations > 0 ? s->option.iterations : 0;
    const int iterations = asked < SN_NSOLVER ? asked : SN_NSOLVER;
    size_t room = count * (size_t)iterations;
    if (room > most / sizeof(snSolverStat)) room = most / sizeof(snSolverStat);
    if (room > INT_MAX / 2) room = INT_MAX / 2;
    *share = (Share){.solve = s, .room = (int)room, .lot = sn_scratchInt(d, (int)count + 1)};
    share->apart = sn_scratchAlloc(d, count);
    share->stat = sn_scratchAlloc(d, room * sizeof *share->stat);
    return share->lot && share->apart && share->stat;
}

// The statistics as they are before the first island.
static void forget(snData* d, const snWarningStat* warning)
{
    for (int k = 0; k < d->solver_niter && k < SN_NSOLVER; k++) d->solver[k] = (snSolverStat){0};
    d->solver_niter = 0;
    d->solver_nnz = d->solver_nmul = d->solver_residual = 0;
    memcpy(d->warning, warning, sizeof d->warning);
}

// False: it is too little for that, or there was less room than one thread has, and nothing is done.
static bool solveShared(const Solve* s, snData* d)
{
    const int threads = sn_threadCount(d->pool);
    Share share;
    snCrew crew;
    snWarningStat warning[SN_NWARNING];
    if (threads < 2 || s->islands->count < 2 || d->nefc < LEAST_ROWS || !takeShare(s, d, &share))
        return false;
    makeLots(s, threads, &share);
    if (share.nlot < 2 || !sn_beginCrew(d, share.nlot, &crew)) return false;
    memcpy(warning, d->warning, sizeof warning);
    sn_runCrew(&crew, share.nlot, solveLot, &share);
    sn_endCrew(&crew);
    if (solveRest(s, d, false)) return true;
    forget(d, warning);
    return false;
}

bool sn_solveIslands(const snModel* m, snData* d, const snIslands* islands)
{
    Solve s = {.m = m,
               .islands = islands,
               .option = {.tolerance = m->opt.tolerance,
                          .ls_tolerance = m->opt.ls_tolerance,
                          .scale = sn_solverScale(m, d),
                          .iterations = m->opt.iterations,
                          .ls_iterations = m->opt.ls_iterations},
               .jar = sn_scratchReal(d, d->nefc),
               .inertial = sn_scratchReal(d, m->nv)};
    s.outcome = sn_scratchAlloc(d, (size_t)islands->count * sizeof *s.outcome);
    if (!s.jar || !s.inertial || !s.outcome) return false;
    const size_t mark = sn_scratchMark(d);
    const bool shared = solveShared(&s, d);
    sn_scratchRelease(d, mark);
    if (!shared) solveAlone(&s, d);
    return true;
}
