// In lanes, too: src/batch/lane/prelude.h.
// Potential and kinetic energy. Source: seed 001, stages 12 and 16.
#include <sinew/smooth.h>
#include "math/vec.h"
#include "model/made.h"
#include "smooth/flex/force.h"
#include "smooth/kinematics/spring.h"
#include "smooth/tendon/tendon.h"
#include "smooth/kinematics/resistance.h"

// Of one spring or two alike, by how long x and y are.
static real energyAlong(snCubic k, snVec3 x, snVec3 y)
{
    const real linear = 0.5 * k.a * (sn_v3Dot(x, x) + sn_v3Dot(y, y));
    if (sn_all(sn_cubicIsLinear(k))) return linear;
    return linear + sn_cubicWork(k, sn_v3Norm(x)) + sn_cubicWork(k, sn_v3Norm(y));
}

static real springEnergy(const snModel* m, const snData* d)
{
    real sum = sn_real(0);
    for (int j = 0; j < m->njnt; j++) {
        const snCubic k = sn_springOfJoint(m, j);
        if (sn_cubicIsZero(k)) continue;
        const int type = m->jnt_type[j];
        const real *q = d->qpos + m->jnt_qposadr[j], *q0 = sn_springRest(m, d, j);
        if (type == SN_JNT_FREE)
            sum += energyAlong(k, sn_v3Sub(sn_v3Load(q), sn_v3Load(q0)), sn_rotationFrom(q0 + 3, q + 3));
        else if (type == SN_JNT_BALL)
            sum += energyAlong(k, sn_rotationFrom(q0, q), sn_v3(0, 0, 0));
        else
            sum += 0.5 * k.a * ((q[0] - q0[0]) * (q[0] - q0[0])) + sn_cubicWork(k, q[0] - q0[0]);
    }
    for (int i = 0; i < m->ntendon; i++) {
        const snCubic k = sn_springOfTendon(m, i);
        const real stretch = sn_tendonStretch(m, d, i);
        sum += 0.5 * k.a * stretch * stretch + sn_cubicWork(k, stretch);
    }
#ifndef SN_LANES // which have none
    if (m->nflex) sum += sn_flexEnergy(m, d);
#endif
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
