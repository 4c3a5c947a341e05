// What velocities alone give the acceleration of a point.
#ifndef SINEW_DERIVATIVE_KINEMATICS_RATE_H
#define SINEW_DERIVATIVE_KINEMATICS_RATE_H

#include <sinew/data.h>

/// Derivatives by position and velocity, q and v [6 x nv], of the acceleration of a body (angular, linear at
/// the point that the world's point [3] is of it) where qacc is zero; world axes, without gravity.
void sn_pointRateDerivative(const snModel* m, const snData* d, int body, const double point[3], double* q,
                            double* v);

#endif
