// The classical method of Runge and Kutta. Orientations go by the rotation vectors from where the step
// begins, whose rates, not the angular velocities, are combined (SN_RULE_ROTATION_STAGES): by these alone the
// method is of second order.
#ifndef SINEW_PIPELINE_RK4_H
#define SINEW_PIPELINE_RK4_H

#include <sinew/model.h>
#include "model/kinds.h"
#include "model/rules.h"
#include "smooth/kinematics/turn_rate.h"

/// Its Butcher tableau: of stages, of the result, of time.
enum { SN_RK4_STAGES = 4 };
extern const snDouble sn_rk4A[SN_RK4_STAGES][SN_RK4_STAGES], sn_rk4B[SN_RK4_STAGES], sn_rk4C[SN_RK4_STAGES];

/// Velocities v [nv] of a stage become the rates of position there; it is reached by the mean rate [nv] in
/// the time h.
static inline void sn_rk4Rates(const snModel* m, const real* mean, real h, real* v)
{
    if (!sn_means(m->physics, SN_RULE_ROTATION_STAGES)) return;
    for (int j = 0; j < m->njnt; j++) {
        if (!sn_hasQuaternion(m->jnt_type[j])) continue;
        const int k = m->jnt_dofadr[j] + sn_jointKind(m->jnt_type[j]).quaternion;
        const snVec3 theta = sn_v3Scale(sn_v3Load(mean + k), h);
        sn_v3Store(v + k, sn_turnRate(theta, sn_v3Load(v + k)));
    }
}

#endif
