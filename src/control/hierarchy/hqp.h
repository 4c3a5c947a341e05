// A hierarchy, laid out: rows of all levels one after the other, each level in the basis that those above
// leave.
//
// A row that is `fixed` at level k is an equality for the levels below: an inequality of level k that its
// optimum violates, or one of a level above that holds it at a bound with a multiplier. What is last[] was so
// at the last solution. Source: seed 004, "null space"; Kanoun, Lamiraux and Wieber 2011; Escande, Mansard
// and Wieber 2014.
#ifndef SINEW_CONTROL_HIERARCHY_HQP_H
#define SINEW_CONTROL_HIERARCHY_HQP_H

#include <sinew/hqp.h>
#include "control/hierarchy/basis.h"
#include "control/hierarchy/reach.h"
#include "control/qp/distance.h"

/// What a row is.
typedef enum snHqpKind { SN_LEVEL_OUT, SN_LEVEL_INEQUALITY, SN_LEVEL_EQUALITY } snHqpKind;

/// At which level a row became an equality, and at which bound.
typedef struct snFixed {
    int* level;        ///< -1: none; as many as there are levels: where the least norm is sought
    signed char* side; ///< 1 upper, -1 lower
} snFixed;

struct snHqp {
    int n, levels, rows; ///< most

    // the problem
    int unknowns, length; ///< filled up to a multiple of eight
    int nlevel, nrow;
    int* start;            ///< [levels + 1] rows of level k from start[k]
    double* A;             ///< [rows x length]
    double *lower, *upper; ///< [rows]
    double *norm, *root;   ///< [rows] of a row of A; square root of its weight
    double* slack;         ///< [rows] violation that is none, besides tolerance times the bound
    double* unit;          ///< [rows] 1 / norm
    int* of;               ///< [rows] level of each
    unsigned char* kind;   ///< [rows] snHqpKind
    double* W;             ///< [n x length] or NULL: I
    snHqpOption option;
    const snReach* reach;  ///< the controller's; NULL: no row has one
    double rank_tolerance; ///< of the level at work

    // the solution
    double *x, *best, *before; ///< [length]; of the fast pass; of the levels above
    snFixed fixed, last;
    int* rank; ///< [levels]
    int freedom, changes, passes, solved;
    bool limit; ///< the limit of changes was reached

    // work
    snBasis basis;
    snDistance distance;
    const double** list;              ///< [rows] rows of A, and of them
    int* which;                       ///< [rows]
    double *factor, *size, *rhs;      ///< [rows] their scales and norms, what they lack
    double* gradient;                 ///< [length]
    double *scale, *T, *u0, *x0, *w0; ///< [rows], [n x length], [length] each
    unsigned char* part;              ///< [rows] snDistanceKind
    double *held_Z, *held_L,
        *held_side; ///< [n x length], [n x length], [length] of rows held in the fast pass
    double *WZ, *G; ///< [n x length] each
    double* value;  ///< [rows + 8] A x
    int last_unknowns, last_nlevel, *last_start; ///< [levels + 1] which must agree for a warm start
    double* memory_W;                            ///< where W is, if there is one
};

/// Checks a hierarchy and copies it; SN_STATUS_ARGUMENT names level and row.
snStatus sn_takeHqp(snHqp* h, const snHqpProblem* problem, snError* error);

/// Sets rank_tolerance to that of a level.
void sn_rankTolerance(snHqp* h, int level);
/// Collects what a row must have as an equality; sn_listBegin empties the list.
void sn_listBegin(snHqp* h);
void sn_listRow(snHqp* h, int row, double scale, double target);
/// A row's bound at a side.
double sn_boundOf(const snHqp* h, int row, int side);
/// All listed rows are taken from the basis, x moves to their targets (in the least-squares sense where they
/// contradict, unless all are `exact`). Returns how many directions that took: Z1, which is right if `whole`.
int sn_takeList(snHqp* h, bool exact, bool whole);
/// value = A x of the first rows.
void sn_rowValues(snHqp* h, int rows);
/// By how much a row may be violated at its bound; size: |x|, of which rounding is counted in, or 0.
double sn_allowance(const snHqp* h, int row, double bound, double size);
/// T = Z of what is left in the metric W, u0 = -T W x, of the least norm x'Wx. Returns the number of
/// directions.
int sn_leastNorm(snHqp* h);

/// One pass with the rows fixed as they were last: true if that is the optimum, x, fixed and rank then are.
bool sn_fastPass(snHqp* h);
/// Level by level, from nothing; h->best is where freedom is looked for first.
void sn_cascade(snHqp* h);

#endif
