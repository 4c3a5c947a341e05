// Derivatives of what the velocity gives the acceleration of a connect's or weld's residual, dJ/dt qvel:
// SN_RULE_EQUALITY_VELOCITY.
#ifndef SINEW_DERIVATIVE_CONSTRAINT_RATE_H
#define SINEW_DERIVATIVE_CONSTRAINT_RATE_H

#include <sinew/data.h>

/// Of one equality.
typedef struct snEqualityRate {
    double *q, *v; ///< [6 x nv] by position and velocity, a row a component; NULL: no row has it
    double* work;  ///< [48 nv] scratch
} snEqualityRate;

/// Takes the arrays as scratch where rows need them. false: the arena is full.
bool sn_rateAllocate(const snModel* m, snData* d, snEqualityRate* rate);

/// Fills q and v for the constraint whose first row is `row`; false: it has no such term.
bool sn_rateOf(const snModel* m, const snData* d, int row, snEqualityRate* rate);

#endif
