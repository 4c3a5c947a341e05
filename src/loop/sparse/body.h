// Bodies and tree joints in (8.64). A body's acceleration is that of its centre of mass, spatial, in its
// principal axes, times the roots of its inertias: so its block is the identity, light and heavy bodies weigh
// the same in all pivots, and no number grows with the distance from any origin.
#ifndef SINEW_LOOP_SPARSE_BODY_H
#define SINEW_LOOP_SPARSE_BODY_H

#include <sinew/base.h>
#include "loop/sparse/factor.h"
#include "math/spatial.h"

/// A moving body, with those that are welded to it, and its joint. Vectors [6] are scaled, in its axes, at c;
/// n dofs have a row each.
typedef struct snSparseBody {
    snVec3 c;       ///< centre of mass, world
    snMat3 R;       ///< its axes
    double root[6]; ///< roots of its inertias about them, then of its mass
    snMotion v;     ///< velocity at c, world axes
    double S[36];   ///< [n x 6] motion of each dof
    double T_a[36]; ///< [n x 6] along which the force of a dof acts: T_a S' = 1; of its own unknowns zero
    double rate[6]; ///< (rate of S) qvel
} snSparseBody;

/// A force at a world point on the body, scaled: times an acceleration it is power.
void sn_sparseForce(const snSparseBody* b, snForce f, snVec3 point, double scaled[6]);

/// A force [6] of the body on another one: the same force in the world.
void sn_sparseOnOther(const snSparseBody* b, const double scaled[6], const snSparseBody* other,
                      double result[6]);

static inline double sn_dot6(const double* a, const double* b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

/// y [6] += s x [6]
static inline void sn_addTo6(double* y, double s, const double* x)
{
    for (int i = 0; i < 6; i++) y[i] += s * x[i];
}

/// Poses, inertias, velocities, forces of motion, gravity and xfrc_applied, and joints: body, by node, I, J,
/// and right [nnode x 6], of which the parts of bodies, armatures and joints, which are zero before. tau
/// [nv].
snStatus sn_sparseBodies(const snModel* m, const snData* d, const snSparseGraph* g, const double* tau,
                         snSparseBody* body, const snSparseMatrix* A, double* right, snError* error);

/// qacc [nv] from the solution x [nnode x 6].
void sn_sparseQacc(const snModel* m, const snSparseGraph* g, const snSparseBody* body, const double* x,
                   double* qacc);

/// The place of a dof among its body's own unknowns.
static inline int sn_ownPlace(const snModel* m, int dof)
{
    int place = 0;
    for (int k = m->body_dofadr[m->dof_bodyid[dof]]; k < dof; k++) place += sn_isOwnUnknown(m, k);
    return place;
}

#endif
