// Viable bounds: see viability.h.
#include "control/limit/viability.h"
#include <math.h>

void sn_viableAcceleration(double q, double v, double qmin, double qmax, double vmax, double amax, double dt,
                           double* lower, double* upper)
{
    sn_viableVelocity(q, v, qmin, qmax, vmax, amax, dt, lower, upper);
    *lower = (*lower - v) / dt;
    *upper = (*upper - v) / dt;
}

void sn_viableVelocity(double q, double v, double qmin, double qmax, double vmax, double amax, double dt,
                       double* lower, double* upper)
{
    (void)q, (void)qmin, (void)qmax;
    *lower = fmax(-vmax, v - amax * dt);
    *upper = fmin(vmax, v + amax * dt);
}
