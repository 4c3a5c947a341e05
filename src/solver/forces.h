// Forces and states of rows from their residuals.
#ifndef SINEW_SOLVER_FORCES_H
#define SINEW_SOLVER_FORCES_H

#include "constraint/row.h"

/// snConstraintState of a row that is no cone's; zone -1, 0, 1: below, inside, above the bounds of its force.
static inline int sn_rowState(int type, double zone)
{
    if (zone == 0) return SN_CNSTRSTATE_QUADRATIC;
    if (!sn_isFriction(type)) return SN_CNSTRSTATE_SATISFIED;
    return zone < 0 ? SN_CNSTRSTATE_LINEARNEG : SN_CNSTRSTATE_LINEARPOS;
}

/// Writes efc_force and efc_state of the rows from first up to, without, end, whole contacts, at residuals
/// jar [nefc]; returns their cost.
double sn_rowForces(snData* d, int first, int end, const double* jar);

#endif
