// How the rows of one constraint change with the position, at held qacc and qvel.
#ifndef SINEW_DERIVATIVE_CONSTRAINT_CHANGE_H
#define SINEW_DERIVATIVE_CONSTRAINT_CHANGE_H

#include "derivative/constraint/law.h"
#include "derivative/contact/geometry.h"

/// Motion of the bodies with qacc [0] and with qvel [1] as their velocity.
typedef struct snVelocities {
    const double* z[2]; ///< [nv] qacc, qvel
    double* body[2];    ///< [nbody x 6] of each body
    double* carried[2]; ///< [nv x 6] S_k x velocity of what dof k does not move
    int* start;         ///< [nv] first of the dofs that turn with dof k: those of one ball; else k
} snVelocities;

/// start [nv] of it.
void sn_findStarts(const snModel* m, int* start);

/// Fills them, in scratch. false: the arena is full.
bool sn_velocitiesOf(const snModel* m, snData* d, const double* qacc, snVelocities* out);

/// Changes of a constraint's components, a column a dof.
typedef struct snRowChange {
    int n;                      ///< columns
    int* dof;                   ///< [n] whose they are, ascending
    double* r;                  ///< [n] of the residual that the impedance is of
    double* jar;                ///< [dim x n]
    double* force;              ///< [dim x n] - C djar + kappa f dr
    int* sides;                 ///< [nv], and
    double *work[2], *row;      ///< [12 nv], [nv]: scratch
    double* tendon;             ///< [nv x nv] scratch; NULL: no row is a tendon's
    snContactGradient* contact; ///< [ncon], of those that act
    const double* rate; ///< [6 x nv] of what the velocity gives the rows beside aref (rate.h); NULL: nothing
} snRowChange;

/// Takes its arrays as scratch. false: the arena is full.
bool sn_changeAllocate(const snModel* m, snData* d, snRowChange* change);

/// The same, and looks at the contacts that act, so that nothing can fail behind it.
snStatus sn_changePrepare(const snModel* m, snData* d, const snRowPoint* point, snRowChange* change,
                          snError* error);

/// From changes of a component's velocity dJ z with z = qacc and z = qvel, of its position and of r, column k
/// of jar.
static inline double sn_jarChange(const snRowLaw* law, int i, double qacc, double qvel, double pos, double r)
{
    return qacc + law->damping[i] * qvel + law->stiffness[i] * pos + law->slope[i] * r;
}

/// Column k of force, from those of jar and r.
void sn_changeForce(const snRowLaw* law, snRowChange* change, int k);

/// Fills the change of any constraint that acts, and adds what it contributes to d(J' f)/dq to q [nv x nv]
/// (may be NULL).
void sn_rowChange(const snModel* m, const snData* d, const snRowLaw* law, const snVelocities* velocity,
                  snRowChange* change, double* q);

#endif
