// Through what sn_setConst makes of inertias.
#ifndef SINEW_DERIVATIVE_PARAMETER_CONSTANTS_H
#define SINEW_DERIVATIVE_PARAMETER_CONSTANTS_H

#include <sinew/data.h>
#include <sinew/parameter.h>

/// Adds to the gradients by inertias and armature what body_invweight0, dof_invweight0 and tendon_invweight0,
/// gradients too, have of them. Positions of d, and what follows from them, are those of qpos0 afterwards.
snStatus sn_addConstantsGradient(const snModel* m, snData* d, const snModelGradient* sum, snError* error);

#endif
