// Constraints of joints and tendons: one row whose Jacobian is that of a coordinate or of a length.
#ifndef SINEW_DERIVATIVE_CONSTRAINT_SINGLE_H
#define SINEW_DERIVATIVE_CONSTRAINT_SINGLE_H

#include "derivative/constraint/change.h"

/// sn_rowChange of a dry friction, a limit, or an equality of joints or tendons.
void sn_singleChange(const snModel* m, const snData* d, const snRowLaw* law, const snVelocities* velocity,
                     snRowChange* change, double* q);

#endif
