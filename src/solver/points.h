// Vertices of cloth and solids in a large island, solved by iteration: points, each of which three slides of
// its own move, and blocks of 3 x 3 of M^ = M + h D + h^2 K between neighbours.
//
// An incomplete factor of H, without the fill, makes conjugate gradients converge in some two to three times
// the root of the largest ratio of elasticity to inertia; a factor costs the power 1.5 (cloth) or 2 (solids)
// of the unknowns. Source: Meijerink and van der Vorst 1977, by blocks.
#ifndef SINEW_SOLVER_POINTS_H
#define SINEW_SOLVER_POINTS_H

#include <sinew/data.h>
#include "math/dense.h"

enum { SN_POINT = 12 }; ///< numbers of a block: three columns of three, each with a zero behind

typedef struct snElasticPoints {
    int count, nrest; ///< points; unknowns that are none
    int* first;       ///< [count] first of a point's three unknowns
    int* rest;        ///< [nrest]
    int* place;       ///< [ndof] of an unknown: its point, or ~k where it is rest[k]
    int *adr, *near;  ///< points that come before and pull, near[adr[i]] .. near[adr[i + 1] - 1], ascending
    double* own;      ///< [count][SN_POINT] M^ of a point
    double* pair;     ///< [adr[count]][SN_POINT] of it (rows) with one before (columns)
    double ratio;     ///< the largest of elasticity to inertia
    double steps;     ///< of conjugate gradients that a solution is expected to take
    double *x, *y;    ///< [count][4] work
} snElasticPoints;

/// An incomplete factor (D + L) inv(D) (D + L') of the points' part of H, and the whole one of the rest's.
typedef struct snPointFactor {
    double* inverse;        ///< [count][SN_POINT] inv(D)
    double* pair;           ///< [adr[count]][SN_POINT] L
    snBlockPattern pattern; ///< of the rest
    double *rest, *diaginv; ///< [m x m], [m], m = sn_padded(nrest)
    double* work;           ///< [4 m]
    double* turned;         ///< [most neighbours][SN_POINT] L inv(D) of one row
    int* at;                ///< [count] where a point stands in it; -1
} snPointFactor;

struct snProblem;

/// Finds the points of an island whose inertia and elasticity are filled in, in scratch. count is 0 where
/// some elastic unknowns are of no point, or something else hangs on one. false: the arena is full.
bool sn_findPoints(snData* d, const struct snProblem* p, snElasticPoints* points);

/// y [ndof] += M^ x of the points.
void sn_mulPoints(const snElasticPoints* points, const double* x, double* y);

/// Takes the arrays as scratch; false: the arena is full.
bool sn_pointFactorAllocate(snData* d, const snElasticPoints* points, snPointFactor* f);

/// Of M + J' diag(weight) J; quad: the rows, as the problem's but for their numbers. Of what rows couple, the
/// blocks of points that pull at each other and those of the rest come in. Returns how many pivots were not
/// positive: those blocks count as if coupled to nothing.
int sn_factorPoints(const struct snProblem* p, const snQuad* quad, const double* weight, snPointFactor* f);

/// x [ndof] <- the inverse of what was factored, times x.
void sn_solvePoints(const snElasticPoints* points, const snPointFactor* f, double* x);

#endif
