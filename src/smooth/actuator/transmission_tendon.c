// Actuators that pull tendons: length and moment arms are the tendon's, times the gear.
#include "smooth/actuator/transmission.h"
#include "smooth/tendon/tendon.h"

int sn_tendonArms(const snModel* m, snData* d, int i, int address)
{
    const int t = m->actuator_trnid[2 * i], num = d->ten_J_rownnz[t];
    const size_t row = (size_t)t * (size_t)m->nv;
    const double gear = m->actuator_gear[6 * i];
    d->actuator_length[i] = gear * d->ten_length[t];
    for (int k = 0; k < num; k++) {
        const int dof = d->ten_J_colind[row + (size_t)k];
        d->moment_colind[address + k] = dof;
        d->actuator_moment[address + k] = gear * d->ten_J[row + (size_t)dof];
    }
    return num;
}
