// What the primal solvers share: a point, its cost and gradient, and a step along a line. Source: seed 001,
// (8) and "Algorithms".
#ifndef SINEW_SOLVER_PRIMAL_H
#define SINEW_SOLVER_PRIMAL_H

#include "solver/problem.h"
#include "solver/scale.h"

typedef struct snPrimalOption {
    double tolerance, ls_tolerance; ///< as in snOption
    double scale;                   ///< of improvement and gradient, sn_solverScale or of the island
    int iterations, ls_iterations;
} snPrimalOption;

/// The scale of an island where that of all is `all`.
static inline double sn_islandScale(const snModel* m, const snData* d, const snIslands* islands, int island,
                                    double all)
{
    if (!sn_means(m->physics, SN_RULE_TRACE_SCALE) || (m->opt.disableflags & SN_DSBL_ISLAND)) return all;
    double trace = 0;
    for (int k = islands->dof_adr[island]; k < islands->dof_adr[island + 1]; k++)
        trace += d->qM[m->dof_Madr[islands->dof[k]]];
    return 1 / sn_max(trace, SN_MINVAL);
}

/// What a solver leaves: y, the rows' s', their zones and J's', and its statistics.
typedef struct snPrimalResult {
    double* y;       ///< [n] in: where to start; out: the minimiser
    double* force;   ///< [rows.count] s' = - constraint force
    double* zone;    ///< [rows.count] -1, 0, 1: below, inside, above [lo, hi]; cones: rows.zone
    double* grad_s;  ///< [n] J' s'
    double gradient; ///< norm of the gradient there
    int niter;
    int bad; ///< pivots that were not positive
} snPrimalResult;

/// Where a solver stands, beside its result.
typedef struct snPrimal {
    double cost;
    double least;      ///< norm of the gradient so far
    int idle;          ///< steps in a row without any progress
    double *My, *grad; ///< [n] at y
    double *p, *Mp;    ///< [n] direction
    double *jar, *jv;  ///< [rows.count] J y + b, J p
    double* weight;    ///< [rows.count] s''
} snPrimal;

/// Takes the arrays as scratch; false: the arena is full.
bool sn_primalAllocate(snData* d, const snProblem* p, snPrimal* s);

/// Where to start, result->y, is qacc_warmstart - qacc_smooth; b, where sn_problemRow left -aref, becomes J
/// qacc_smooth - aref, unless there are loops, whose b is whole. result->force: work.
void sn_primalPlace(const snData* d, snProblem* p, snPrimalResult* result);

/// Goes to result->y or, when that costs less or with `warm` off, to 0.
void sn_primalStart(snProblem* p, snPrimal* s, bool warm, snPrimalResult* result);

/// One step along s->p to the minimum on its line, and its statistics. nupdate: rank-one updates made for it.
/// exact: NULL unless s->p is Newton's direction; whether it was a step of 1 on which no row left its
/// quadratic piece, so that it has led to the minimum, but for rounding. False when it is time to stop: the
/// gradient is below the tolerance, there is no descent, or `patience` steps in a row (one, if exact) have
/// changed no row's state, improved the cost by less than the tolerance and not halved the gradient. A step
/// that is cut short where a row changes its state gains little, however far the minimum.
bool sn_primalStep(snData* d, snProblem* p, const snPrimalOption* opt, int nupdate, int patience, snPrimal* s,
                   snPrimalResult* result, bool* exact);

/// How far below the tolerance a gradient is that needs no iteration: one would leave it well below, too.
#define SN_SETTLED 1e-3

static inline bool sn_primalSettled(const snPrimalOption* opt, double gradient)
{
    return opt->scale * gradient < SN_SETTLED * opt->tolerance;
}

/// The larger of two residuals; one that is not a number stays.
static inline double sn_worse(double a, double b)
{
    return b > a || b != b ? b : a;
}

/// a'b; n is a multiple of four.
double sn_primalDot(const double* a, const double* b, int n);

/// Adds one island's share to the statistics of an iteration.
void sn_recordIteration(snData* d, int iteration, const snSolverStat* stat);

/// Whether qacc_warmstart solves an island, of small ones: its part of qacc, qfrc_constraint, efc_force and
/// efc_state is then written, and its scaled residual; all->scale is that of all islands. By convexity no
/// other start is better there. jar [nefc], inertial [nv]: scratch, of which it uses the island's own part.
bool sn_settleIsland(const snModel* m, snData* d, const snIslands* islands, int island,
                     const snPrimalOption* all, double* jar, double* inertial, double* residual);

/// Minimises the problem by Newton's method, by conjugate gradients. Add statistics to d->solver. Take
/// scratch; false: the arena is full.
bool sn_newton(snData* d, snProblem* p, const snPrimalOption* opt, bool warm, snPrimalResult* result);
bool sn_conjugateGradient(snData* d, snProblem* p, const snPrimalOption* opt, bool warm,
                          snPrimalResult* result);

#endif
