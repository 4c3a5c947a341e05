// In lanes, too: src/batch/lane/prelude.h.
// For each target: src/target/prelude.h.
// Velocities of bodies and rates of motion axes (seed 001, "Velocity").
#include <sinew/smooth.h>
#include "math/spatial.h"
#include "model/made.h"
#include "model/sleep.h"

// Adds dofs [k, k+num) to the velocity v of what carries them. All of them turn with v as it is before the
// first: exact for one dof, and for the three of a ball joint since w x w = 0.
static inline snMotion addDofs(snData* d, snMotion v, int k, int num)
{
    snMotion next = v;
    for (int i = k; i < k + num; i++) {
        const snMotion s = sn_motionLoad(d->cdof + 6 * i);
        sn_motionStore(d->cdof_dot + 6 * i, sn_crossMotion(v, s));
        next = sn_motionAddScaled(next, d->qvel[i], s);
    }
    return next;
}

// The same for one dof, the usual case: the velocity stays in registers.
static inline snMotion addDof(snData* d, snMotion v, int k)
{
    const snMotion s = sn_motionLoad(d->cdof + 6 * k);
    sn_motionStore(d->cdof_dot + 6 * k, sn_crossMotion(v, s));
    return sn_motionAddScaled(v, d->qvel[k], s);
}

// A free joint, whose parent is the world, at rest: its axes of rotation are carried by its own translation
// u, d(cdof)/dt = (0, u) x (w, l) = (0, u x w).
static inline snMotion freeVelocity(snData* d, int k)
{
    const snVec3 u = sn_v3Load(d->qvel + k);
    snMotion v = {sn_v3(0, 0, 0), u};
    real* rate = d->cdof_dot + 6 * k;
    memset(rate, 0, 36 * sizeof(real));
    for (int i = 3; i < 6; i++) {
        const snMotion s = sn_motionLoad(d->cdof + 6 * (k + i));
        sn_v3Store(rate + 6 * i + 3, sn_v3Cross(u, s.ang));
        v = sn_motionAddScaled(v, d->qvel[k + i], s);
    }
    return v;
}

__attribute__((flatten)) void sn_comVel(const snModel* m, snData* d)
{
    sn_assertMade(m, d, cdof);
    memset(d->cvel, 0, 6 * sizeof(real));
    SN_EACH_BODY (m, d, b) {
        const int j0 = m->body_jntadr[b], num = m->body_jntnum[b];
        snMotion v = sn_motionLoad(d->cvel + 6 * m->body_parentid[b]);
        for (int j = j0; j < j0 + num; j++) {
            const int k = m->jnt_dofadr[j], type = m->jnt_type[j];
            if (type == SN_JNT_FREE)
                v = freeVelocity(d, k);
            else
                v = type == SN_JNT_BALL ? addDofs(d, v, k, 3) : addDof(d, v, k);
        }
        sn_motionStore(d->cvel + 6 * b, v);
    }
}

void sn_actuatorVelocity(const snModel* m, snData* d)
{
    sn_assertMade(m, d, moment_rowadr, moment_rownnz);
    if (m->opt.disableflags & SN_DSBL_ACTUATION) {
        memset(d->actuator_velocity, 0, (size_t)m->nout * sizeof(real));
        return;
    }
    for (int i = 0; i < m->nout; i++) {
        const int begin = d->moment_rowadr[i], end = begin + d->moment_rownnz[i];
        real sum = sn_real(0);
        for (int e = begin; e < end; e++) sum += d->actuator_moment[e] * d->qvel[d->moment_colind[e]];
        d->actuator_velocity[i] = sum;
    }
}
