// The classical method of Runge and Kutta.
#ifndef SINEW_PIPELINE_RK4_H
#define SINEW_PIPELINE_RK4_H

#include "math/real.h"

/// Its Butcher tableau: of stages, of the result, of time.
enum { SN_RK4_STAGES = 4 };
extern const snDouble sn_rk4A[SN_RK4_STAGES][SN_RK4_STAGES], sn_rk4B[SN_RK4_STAGES], sn_rk4C[SN_RK4_STAGES];

#endif
