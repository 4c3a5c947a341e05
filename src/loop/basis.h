// Motions qacc = G y'' + g that take the place of the loops: those of a closure function (seed 002, 8.11).
//
// y need not be a part of qvel; what the stages work with is x, ny elements of qvel that G determines from y
// and that determine y: qacc = G_x x'' + g_x describes the same motions.
#ifndef SINEW_LOOP_BASIS_H
#define SINEW_LOOP_BASIS_H

#include <sinew/data.h>
#include "loop/algebra/null_space.h"

struct snLoopBasis {
    int nv, ny;
    const double *G, *g; ///< [nv x ny], [nv] as given
    snNullSpace factor;  ///< of G', whose first ny columns are x
    double* G_x;         ///< [nv x nv], of each row the first ny count, in the order of x
    double* g_x;         ///< [nv]
    double* work;        ///< [nv + ny (ny + 1)]
    double* tau;         ///< [nv] K' lambda, by sn_loopForce
    bool forces;         ///< whether sn_loopForce ends with sn_showLoops
};

/// Takes scratch for a basis of ny motions; false: the arena is full.
bool sn_allocateBasis(const snModel* m, snData* d, int ny, struct snLoopBasis* b);

/// Chooses x. Returns the rank of G: below ny its columns are dependent and the basis cannot be used.
int sn_factorBasis(struct snLoopBasis* b, const double* G, const double* g, double tolerance);

/// y'' [ny] of qacc = G y'' + g.
void sn_basisCoordinates(const struct snLoopBasis* b, const double* qacc, double* ydd);

/// Puts G of d->loop_basis where sn_loopGeometry puts the loops: one cluster of all dofs, without rows.
/// false: the arena is full, and there are none.
bool sn_placeBasis(const snModel* m, snData* d);

/// Its g, which the velocities give: loop_g.
void sn_placeBasisBias(snData* d);

/// Whether the basis is there now.
static inline bool sn_isBasisPlaced(const snData* d)
{
    return d->nclosure == 1 && d->closure_id[0] < 0;
}

/// Puts the model's own loops in the place of d->loop_basis, with the forces lambda that tau is, of which
/// qfrc_constraint holds tau already.
void sn_showLoops(const snModel* m, snData* d);

#endif
