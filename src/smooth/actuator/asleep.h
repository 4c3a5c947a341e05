// Actuators of sleepers give no force, and their activations stand still.
#ifndef SINEW_SMOOTH_ACTUATOR_ASLEEP_H
#define SINEW_SMOOTH_ACTUATOR_ASLEEP_H

#include "model/sleep.h"

/// Whether no actuator does, as nothing sleeps.
static inline bool sn_noActuatorSleeps(const snData* d)
{
#ifdef SN_LANES
    (void)d;
    return true;
#else
    return !d->nasleep;
#endif
}

/// Whether all that an actuator moves sleeps. Reads its moment arms.
static inline bool sn_actuatorSleeps(const snModel* m, const snData* d, int actuator)
{
    int count = 0;
    if (sn_noActuatorSleeps(d)) return false;
    for (int i = m->actuator_outadr[actuator];
         i < m->actuator_outadr[actuator] + m->actuator_outnum[actuator]; i++) {
        const int first = d->moment_rowadr[i], end = first + d->moment_rownnz[i];
        for (int k = first; k < end; k++, count++)
            if (!sn_isAsleep(d, m->dof_treeid[d->moment_colind[k]])) return false;
    }
    return count > 0;
}

#endif
