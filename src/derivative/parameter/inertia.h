// What inertias and gravity do: gradients of products of velocities with forces of inertia.
#ifndef SINEW_DERIVATIVE_PARAMETER_INERTIA_H
#define SINEW_DERIVATIVE_PARAMETER_INERTIA_H

#include <sinew/data.h>
#include <sinew/parameter.h>
#include "math/spatial.h"

/// Velocity and acceleration of all bodies [nbody], about the centre of mass of their tree.
typedef struct snBodyMotions {
    snMotion *v, *a;
} snBodyMotions;

/// Takes them as scratch. false: the arena is full.
bool sn_bodyMotionsAlloc(const snModel* m, snData* d, snBodyMotions* to);

/// Fills them from qvel, qacc [nv] (NULL: zero) at the position of d; gravity [3], NULL: none, as an upward
/// acceleration.
void sn_bodyMotions(const snModel* m, const snData* d, const double* qvel, const double* qacc,
                    const double* gravity, const snBodyMotions* to);

/// The point of reference of a body to its centre of mass.
snVec3 sn_inertiaArm(const snModel* m, const snData* d, int b);

/// sum += scale times the gradients of virtual . (M qacc + bias) by inertias of bodies; motions: of qvel and
/// qacc.
void sn_addInertiaGradient(const snModel* m, const snData* d, const snMotion* virtual,
                           const snBodyMotions* motions, double scale, const snModelGradient* sum);

/// sum += gradients of velocity . forces less (M qacc + bias): inertias, gravity, what compensates it, and
/// applied forces, which follow the centre of mass. open: velocity without dofs that stand at a limit of
/// their actuators' force. Takes scratch.
snStatus sn_addSmoothGradient(const snModel* m, snData* d, const double* velocity, const double* open,
                              const snModelGradient* sum, snError* error);

#endif
