// Velocities of bodies and rates of motion axes (seed 001, "Velocity").
#include <sinew/smooth.h>
#include "math/clones.h"
#include "math/spatial.h"

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

// The translations of a free joint are fixed in the world.
static inline snMotion addTranslations(snData* d, snMotion v, int k)
{
    memset(d->cdof_dot + 6 * k, 0, 18 * sizeof(real));
    v.lin = sn_v3Add(v.lin, sn_v3Load(d->qvel + k));
    return v;
}

SN_CLONES __attribute__((flatten)) void sn_comVel(const snModel* m, snData* d)
{
    memset(d->cvel, 0, 6 * sizeof(real));
    for (int b = 1; b < m->nbody; b++) {
        snMotion v = sn_motionLoad(d->cvel + 6 * m->body_parentid[b]);
        const int j0 = m->body_jntadr[b], num = m->body_jntnum[b];
        for (int j = j0; j < j0 + num; j++) {
            int k = m->jnt_dofadr[j];
            const int type = m->jnt_type[j];
            if (type == SN_JNT_FREE) {
                v = addTranslations(d, v, k);
                k += 3;
            }
            const bool ball = type == SN_JNT_FREE || type == SN_JNT_BALL;
            v = ball ? addDofs(d, v, k, 3) : addDof(d, v, k);
        }
        sn_motionStore(d->cvel + 6 * b, v);
    }
}

void sn_actuatorVelocity(const snModel* m, snData* d)
{
    if (m->opt.disableflags & SN_DSBL_ACTUATION) {
        memset(d->actuator_velocity, 0, (size_t)m->nu * sizeof(double));
        return;
    }
    for (int i = 0; i < m->nu; i++) {
        const int begin = d->moment_rowadr[i], end = begin + d->moment_rownnz[i];
        double sum = 0;
        for (int e = begin; e < end; e++) sum += d->actuator_moment[e] * d->qvel[d->moment_colind[e]];
        d->actuator_velocity[i] = sum;
    }
}
