// Derivative of what lifts bodies against gravity; joints bear it passively or by their actuators.
#ifndef SINEW_DERIVATIVE_FORCE_GRAVITY_H
#define SINEW_DERIVATIVE_FORCE_GRAVITY_H

#include <sinew/data.h>

/// Whether there is any: sn_passive makes none when springs and dampers are both off.
static inline bool sn_hasGravityCompensation(const snModel* m)
{
    const int none = SN_DSBL_SPRING | SN_DSBL_DAMPER;
    return m->ngravcomp && !(m->opt.disableflags & SN_DSBL_GRAVITY) && (m->opt.disableflags & none) != none;
}

/// H [nv x nv] += d qfrc_gravcomp / dq.
void sn_gravityCompensationDerivative(const snModel* m, const snData* d, double* H);

#endif
