// M + h diag(damping), the inertia of a step of Euler that takes joint damping implicitly (seed 001, (6)).
#ifndef SINEW_SMOOTH_INERTIA_DAMPED_H
#define SINEW_SMOOTH_INERTIA_DAMPED_H

#include <sinew/data.h>

/// Whether Euler's step takes joint damping implicitly.
bool sn_eulerDamped(const snModel* m);

/// qH, qHDiagInv: its factor.
void sn_factorDamped(const snModel* m, snData* d);

#endif
