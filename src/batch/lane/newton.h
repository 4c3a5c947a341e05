// The solver in lanes: the problem of src/solver/problem.h for all dofs of each lane at once,
//     minimise over y:  1/2 y' M y + sum of s(J y + b),   y = qacc - qacc_smooth,  b = J qacc_smooth - aref,
// with the steps and the ends of src/solver/primal.h for each lane. Where the scalar engine leaves out dofs
// that no row touches, y of these dofs follows from the others from the start, and their gradient stays zero.
//
// Contacts are stored by components, not by the edges of their pyramids: edge 2k and 2k + 1 are component 0
// plus and minus component k + 1. In lanes that have not a row its J and D are zero and its residual is 1.
#ifndef SINEW_BATCH_LANE_NEWTON_H
#define SINEW_BATCH_LANE_NEWTON_H

#include <sinew/data.h>
#include "math/real.h"

enum { SN_LANE_DOFS = 64 }; ///< most dofs: sets of dofs are bits of a uint64_t

typedef enum snStripKind {
    SN_STRIP_EQUALITY, ///< no bounds
    SN_STRIP_ONESIDED, ///< limits, contacts without friction
    SN_STRIP_FRICTION, ///< bounds on both sides
    SN_STRIP_PYRAMID,
    SN_STRIP_CONE
} snStripKind;

/// Constraints of one kind in consecutive rows that touch the same dofs, or one dof each.
typedef struct snStrip {
    snStripKind kind;
    int dim;         ///< components of each: 1 but for contacts
    int count;       ///< constraints
    int first;       ///< component
    int row, nrow;   ///< first row of efc, rows of each constraint
    int ndof;        ///< 0: each touches one dof, dofs [count]
    const int* dofs; ///< [ndof] ascending
    real* J;         ///< [dim count x ndof], or [count]
    real* W;         ///< [count x dim x dim] s'' as it stands in H
    bool* differs;   ///< [count] whether s'' at x may be another in any lane
    snMask live;     ///< lanes that have any of them
} snStrip;

enum { SN_SUPER_ROWS = 4, SN_SUPER_TILE = 4 };

/// Up to SN_SUPER_ROWS consecutive dofs, each the parent of the next, that touch the same dofs above them.
typedef struct snSuper {
    int first, count;
    uint64_t own; ///< these dofs, as bits
    int nabove;
    const int* above; ///< [nabove] ascending, then the last once more up to a multiple of SN_SUPER_TILE
    int nbelow;
    const int* below; ///< [nbelow] dofs behind these that couple with any of them, descending
} snSuper;

typedef struct snPattern {
    int count;
    snSuper* super; ///< [count]
} snPattern;

/// The problem, and where the solver stands; arrays in the arena, released at the end.
typedef struct snLaneProblem {
    int n, nstrip, ncomponent, ncone;
    snStrip* strip;
    int nactive; ///< strips that products, sums and steps go over; v of others means nothing
    const snStrip** active;
    snPattern tree;                      ///< of M
    snPattern pattern;                   ///< of the factor of M + J's''J
    uint64_t filled[SN_LANE_DOFS];       ///< that pattern: dofs above that couple with each
    int nfill, *fill;                    ///< places in H of what M has not
    real *D, *bound;                     ///< [ncomponent] cones: D of each component; Dm in the first bound
    real* scale;                         ///< [ncomponent] of cones
    real *b, *x, *v, *force;             ///< [ncomponent] at y = 0, J y + b, J p, s'
    real* trial;                         ///< [ncomponent] x + a v, where costs along a line are compared
    real* line;                          ///< [ncone x SN_CONE_LINE]
    real *y, *My, *grad, *rows, *p, *Mp; ///< [n] rows: J' s'
    real* H;                             ///< [n x n] lower triangle
    uint64_t stale;                      ///< dofs whose rows of H have changed since it was factored
    real *U, *D_inv;                     ///< [n x n] D L, [n]
} snLaneProblem;

enum { SN_CONE_LINE = 7 };

/// The least square of a cone's tangent that is divided by.
#ifdef SN_SINGLE
#define SN_CONE_LEAST 1e-30
#else
#define SN_CONE_LEAST 1e-300
#endif

/// Reads the rows of d: all of the problem but y and what depends on it. False: no memory.
bool sn_laneProblem(const snModel* m, snData* d, snLaneProblem* p);
/// Goes on with the strips that one of the lanes has.
void sn_laneActivate(snLaneProblem* p, snMask lanes);
/// touched [n]: lanes in which a row touches the dof or one that hangs on it.
void sn_laneTouched(const snModel* m, const snData* d, const snLaneProblem* p, snMask* touched);
/// v [ncomponent] = J u;  u [n] = J' f.
void sn_laneMulJ(const snLaneProblem* p, const real* u, real* v);
void sn_laneMulJT(const snLaneProblem* p, const real* f, real* u);
/// y [n] = M x.
void sn_laneMulM(const snModel* m, const snData* d, const snLaneProblem* p, const real* x, real* y);
/// The sum of s' v.
real sn_laneSlope(const snLaneProblem* p);
/// Writes efc_force.
void sn_laneForces(const snLaneProblem* p, snData* d);

/// force = s' at residuals x; returns the sum of s.
real sn_laneRows(const snLaneProblem* p, const real* x, real* force);
/// Numbers of the cones for searches from p->x along p->v.
void sn_lanePrepareLine(snLaneProblem* p);
/// First and second derivative by a of the sum of s(x + a v). differ: NULL, or for a = 1 the lanes where a
/// row leaves its quadratic piece, or is on none.
void sn_laneSlopes(const snLaneProblem* p, real a, real* d1, real* d2, snMask* differ);
/// x += a v; the lanes in which a row changes its zone, and which constraints differ.
snMask sn_laneMove(snLaneProblem* p, real a);

/// The patterns of M and of the factor. False: no memory.
bool sn_lanePatterns(const snModel* m, snData* d, snLaneProblem* p);
/// H = M;  H += J's''J, s'' at x less what has been added, of the lanes `go` alone.
void sn_laneInertia(const snModel* m, const snData* d, snLaneProblem* p);
void sn_laneHessian(snLaneProblem* p, snMask go);
/// Factors H, what is stale of it and all above. Returns the lanes with a pivot there that is not positive.
snMask sn_laneFactor(snLaneProblem* p);
/// x [n] <- inv(H) x.
void sn_laneSolve(const snLaneProblem* p, real* x);

#endif
