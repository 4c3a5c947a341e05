// The gain or bias prm[0] + prm[1] length + prm[2] velocity.
#ifndef SINEW_SMOOTH_ACTUATOR_LAW_AFFINE_H
#define SINEW_SMOOTH_ACTUATOR_LAW_AFFINE_H

#include "smooth/actuator/law/point.h"

static inline real sn_affine(const real* prm, real length, real velocity)
{
    return prm[0] + prm[1] * length + prm[2] * velocity;
}

/// Derivative by velocity.
static inline real sn_affineVelocity(const real* prm)
{
    return prm[2];
}

static inline snLawSlopes sn_affineSlopes(const snLawPoint* p)
{
    return (snLawSlopes){.length = p->prm[1], .velocity = p->prm[2]};
}

#endif
