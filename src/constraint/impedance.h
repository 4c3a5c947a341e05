// Impedance, reference and regularisation of constraint rows from solref and solimp (seed 001, "Parameters").
#ifndef SINEW_CONSTRAINT_IMPEDANCE_H
#define SINEW_CONSTRAINT_IMPEDANCE_H

#include <sinew/model.h>

/// What turns a row's residual into its reference acceleration: aref = -B v - K d r.
typedef struct snKbip {
    double stiffness; ///< K
    double damping;   ///< B
    double impedance; ///< d(r), in (0, 1)
    double slope;     ///< d'(r)
} snKbip;

/// K, B, d and d' of a row at residual `pos` - margin. friction: a dry friction row, which has K = 0.
snKbip sn_kbip(const snOption* opt, const double solref[SN_NREF], const double solimp[SN_NIMP], double pos,
               bool friction);

#endif
