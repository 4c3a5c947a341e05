// What other stages take from tendons. Source: seed 001, stage 5.
#ifndef SINEW_SMOOTH_TENDON_TENDON_H
#define SINEW_SMOOTH_TENDON_TENDON_H

#include <sinew/data.h>
#include "math/real.h"
#include "smooth/kinematics/resistance.h"

/// The moment arms of a tendon: J [num], not zero, of dofs [num], ascending.
typedef struct snTendonArms {
    const int* dofs;
    const real* J;
    int num;
} snTendonArms;

static inline snTendonArms sn_armsOfTendon(const snData* d, int i)
{
    const int address = d->ten_J_rowadr[i];
    return (snTendonArms){d->ten_J_colind + address, d->ten_J + address, d->ten_J_rownnz[i]};
}

/// target [nv] += J' force for tendon i.
static inline void sn_addTendonForce(const snData* d, int i, real force, real* target)
{
    const snTendonArms arms = sn_armsOfTendon(d, i);
    for (int k = 0; k < arms.num; k++) target[arms.dofs[k]] += arms.J[k] * force;
}

/// Stretch of a spring with a dead band: beyond the longer or (negative) short of the shorter rest length.
static inline real sn_tendonStretch(const snModel* m, const snData* d, int i)
{
    const real length = d->ten_length[i], *rest = sn_tendonRest(m, d, i);
    const real low = sn_select(length < rest[0], length - rest[0], 0);
    return sn_select(length > rest[1], length - rest[1], low);
}

/// Forces of the spring and the damper along a tendon, positive where they would lengthen it.
static inline real sn_tendonSpringForce(const snModel* m, const snData* d, int i)
{
    const real x = sn_tendonStretch(m, d, i);
    return -sn_cubicSecant(sn_springOfTendon(m, i), x) * x;
}

static inline real sn_tendonDamperForce(const snModel* m, const snData* d, int i)
{
    const real v = d->ten_velocity[i];
    return -sn_cubicSecant(sn_damperOfTendon(m, i), fabs(v)) * v;
}

/// dJ/dt qvel: what velocities alone give the second derivative of the length of a tendon without geoms.
/// Reads: cvel, cdof_dot.
real sn_tendonRate2(const snModel* m, const snData* d, int tendon);

/// qfrc_spring and qfrc_damper += forces of springs and dampers of tendons.
void sn_tendonSprings(const snModel* m, snData* d);
void sn_tendonDampers(const snModel* m, snData* d);

#endif
