// In lanes, too: src/batch/lane/prelude.h.
// Actuators that pull tendons: length and moment arms are the tendon's, times the gear. Source: seed 001,
// "Transmission".
#include "smooth/actuator/transmission.h"
#include "smooth/tendon/tendon.h"

int sn_tendonArms(const snModel* m, snData* d, int i, int address)
{
    const int t = m->actuator_trnid[2 * i], out = m->actuator_outadr[i];
    const snTendonArms arms = sn_armsOfTendon(d, t);
    const real gear = m->actuator_gear[6 * out];
    d->actuator_length[out] = gear * d->ten_length[t];
    for (int k = 0; k < arms.num; k++) {
        d->moment_colind[address + k] = arms.dofs[k];
        d->actuator_moment[address + k] = gear * arms.J[k];
    }
    return arms.num;
}
