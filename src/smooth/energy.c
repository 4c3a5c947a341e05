// In lanes, too: src/batch/lane/prelude.h.
// Potential and kinetic energy. Source: seed 001, stages 12 and 16.
#include <sinew/smooth.h>
#include "math/vec.h"
#include "model/made.h"
#include "smooth/kinematics/spring.h"
#include "smooth/tendon/tendon.h"

static real springEnergy(const snModel* m, const snData* d)
{
    real sum = sn_real(0);
    for (int j = 0; j < m->njnt; j++) {
        const real k = m->jnt_stiffness[j];
        if (sn_all(k == 0)) continue;
        const int a = m->jnt_qposadr[j], type = m->jnt_type[j];
        const real *q = d->qpos + a, *q0 = m->qpos_spring + a;
        real square;
        if (type == SN_JNT_FREE) {
            const snVec3 dx = sn_v3Sub(sn_v3Load(q), sn_v3Load(q0)), turn = sn_rotationFrom(q0 + 3, q + 3);
            square = sn_v3Dot(dx, dx) + sn_v3Dot(turn, turn);
        } else if (type == SN_JNT_BALL) {
            const snVec3 turn = sn_rotationFrom(q0, q);
            square = sn_v3Dot(turn, turn);
        } else {
            square = (q[0] - q0[0]) * (q[0] - q0[0]);
        }
        sum += 0.5 * k * square;
    }
    for (int i = 0; i < m->ntendon; i++) {
        const real stretch = sn_tendonStretch(m, d, i);
        sum += 0.5 * m->tendon_stiffness[i] * stretch * stretch;
    }
    return sum;
}

void sn_energyPos(const snModel* m, snData* d)
{
    sn_assertMade(m, d, xipos, ten_length);
    real sum = sn_real(0);
    if (!(m->opt.disableflags & SN_DSBL_GRAVITY))
        for (int b = 1; b < m->nbody; b++)
            sum -= m->body_mass[b] * sn_v3Dot(sn_v3Load(m->opt.gravity), sn_v3Load(d->xipos + 3 * b));
    if (!(m->opt.disableflags & SN_DSBL_SPRING)) sum += springEnergy(m, d) + d->loop_energy;
    d->energy[0] = sum;
}

// v'Mv/2, each off-diagonal entry once: M(i,i) v_i^2/2 + sum over ancestors of M(i,j) v_i v_j
void sn_energyVel(const snModel* m, snData* d)
{
    sn_assertMade(m, d, qM);
    real sum = sn_real(0);
    for (int i = 0; i < m->nv; i++) {
        const real* row = d->qM + m->dof_Madr[i];
        real v = 0.5 * row[0] * d->qvel[i];
        for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j]) v += *++row * d->qvel[j];
        sum += v * d->qvel[i];
    }
    d->energy[1] = sum;
}
