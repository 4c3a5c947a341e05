// Energies as functions of a computed state.
#ifndef SINEW_SMOOTH_ENERGY_H
#define SINEW_SMOOTH_ENERGY_H

#include <sinew/data.h>

/// Gravity (from sn_kinematics) and joint springs, each unless its flag is off.
double sn_potentialEnergy(const snModel* m, const snData* d);

/// v'Mv/2; needs sn_crb.
double sn_kineticEnergy(const snModel* m, const snData* d);

#endif
