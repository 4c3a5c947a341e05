// Impedance, reference and regularisation of constraint rows from solref and solimp (seed 001, "Parameters").
#ifndef SINEW_CONSTRAINT_IMPEDANCE_H
#define SINEW_CONSTRAINT_IMPEDANCE_H

#include <sinew/model.h>
#include "math/real.h"

/// What turns a row's residual into its reference acceleration: aref = -B v - K d r.
typedef struct snKbip {
    real stiffness; ///< K
    real damping;   ///< B
    real impedance; ///< d(r), in (0, 1)
    real slope;     ///< d'(r)
} snKbip;

/// K, B, d and d' of a row of a snConstraintType at residual `pos` - margin. Dry friction has K = 0.
snKbip sn_kbip(const snOption* opt, const real solref[SN_NREF], const real solimp[SN_NIMP], real pos,
               int type);

#endif
