// What other stages take from tendons.
#ifndef SINEW_SMOOTH_TENDON_TENDON_H
#define SINEW_SMOOTH_TENDON_TENDON_H

#include <sinew/data.h>

/// target [nv] += J' force for tendon i.
static inline void sn_addTendonForce(const snModel* m, const snData* d, int i, double force, double* target)
{
    const size_t row = (size_t)i * (size_t)m->nv;
    for (int k = 0; k < d->ten_J_rownnz[i]; k++) {
        const int dof = d->ten_J_colind[row + (size_t)k];
        target[dof] += d->ten_J[row + (size_t)dof] * force;
    }
}

/// Stretch of a spring with a dead band: beyond the longer or (negative) short of the shorter rest length.
static inline double sn_tendonStretch(const snModel* m, const snData* d, int i)
{
    const double length = d->ten_length[i], *rest = m->tendon_lengthspring + 2 * i;
    return length > rest[1] ? length - rest[1] : length < rest[0] ? length - rest[0] : 0;
}

/// qfrc_spring and qfrc_damper += forces of springs and dampers of tendons.
void sn_tendonSprings(const snModel* m, snData* d);
void sn_tendonDampers(const snModel* m, snData* d);

#endif
