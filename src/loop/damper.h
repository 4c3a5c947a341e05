// Dampers of loop joints in steps that are implicit in velocity: a force -c j'(v + h a), j the row that takes
// velocities to the rate of the joint's freedom, adds h c j j' to the matrix of the step. Steps of the
// integrator discrete take springs likewise, -k (x + h j'(v + h a)): h^2 k more, and a force -h k j'v.
// Source: seed 002, (8.28) (active forces of loop joints).
#ifndef SINEW_LOOP_DAMPER_H
#define SINEW_LOOP_DAMPER_H

#include <sinew/data.h>

/// Whether a loop joint has a damper that acts.
bool sn_hasLoopDampers(const snModel* m, const snData* d);

/// Whether Euler's step takes the dampers of loop joints implicitly.
bool sn_eulerDampsLoops(const snModel* m, const snData* d);

/// A [n x n], rows of `stride`, += h c (G'j)(G'j)' and y [n] -= h c G'j j'g over the dampers of a mechanism,
/// or all of the step.
/// Either may be NULL. Takes scratch; false: the arena is full.
bool sn_addLoopDampers(const snModel* m, snData* d, int mechanism, double h, int stride, double* A,
                       double* y);

/// result [nv] += h c j j'x over all dampers. Takes scratch; false: the arena is full.
bool sn_mulLoopDampers(const snModel* m, snData* d, double h, const double* x, double* result);

/// force [nv] -= h k j j'qvel over all springs, in steps of the integrator discrete. Takes scratch; false:
/// the arena is full.
bool sn_addLoopPull(const snModel* m, snData* d, double* force);

/// The inertia of a step of Euler that takes damping implicitly.
typedef struct snLoopDamped {
    double* H; ///< [nM] M + h diag(damping)
    double *L,
        *inverse; ///< factors of its G'HG with the dampers of loop joints, as mechanism_L, mechanism_Dinv
} snLoopDamped;

/// Makes it, in scratch. false: the arena is full.
bool sn_factorLoopsDamped(const snModel* m, snData* d, snLoopDamped* damped);

#endif
