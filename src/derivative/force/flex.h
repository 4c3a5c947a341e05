// Derivatives of the forces of flexes.
#ifndef SINEW_DERIVATIVE_FORCE_FLEX_H
#define SINEW_DERIVATIVE_FORCE_FLEX_H

#include <sinew/data.h>
#include <stdbool.h>
#include "derivative/linear.h"

/// sum->q, sum->v += those of springs, dampers and elasticity of all flexes. Takes scratch; false: the arena
/// is full.  Cost: O(nv) times that of the forces.
bool sn_flexDerivative(const snModel* m, snData* d, const snForceDerivative* sum);

#endif
