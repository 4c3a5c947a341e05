// Derivative of the forces of a fluid.
#ifndef SINEW_DERIVATIVE_FORCE_FLUID_H
#define SINEW_DERIVATIVE_FORCE_FLUID_H

#include <sinew/data.h>

/// q, v [nv x nv] (either NULL) += d qfrc_fluid. false: the arena has no room for scratch.
bool sn_fluidDerivative(const snModel* m, snData* d, double* q, double* v);

#endif
