// Accelerations of bodies outwards, and the forces that they want: what both passes of recursive Newton-Euler
// share. Gravity enters as an upward acceleration of the world.
#ifndef SINEW_SMOOTH_INERTIA_BODY_FORCE_H
#define SINEW_SMOOTH_INERTIA_BODY_FORCE_H

#include <sinew/data.h>
#include "math/spatial.h"
#include "model/kinds.h"
#ifndef SN_LANES
#include "math/lanes.h"
#endif

static inline snMotion sn_worldAcceleration(const snModel* m)
{
    const int off = m->opt.disableflags & SN_DSBL_GRAVITY;
    return (snMotion){sn_v3(0, 0, 0), off ? sn_v3(0, 0, 0) : sn_v3Neg(sn_v3Load(m->opt.gravity))};
}

static inline bool sn_isFreeBody(const snModel* m, int b)
{
    return m->body_dofnum[b] == 6 && m->jnt_type[m->body_jntadr[b]] == SN_JNT_FREE;
}

// a_b = a_parent + sum over the body's dofs of cdof_dot qvel (+ cdof qacc)
static inline snMotion sn_bodyAcceleration(const snModel* m, const snData* d, int b, snMotion a, int flg_acc)
{
    const int begin = m->body_dofadr[b], end = begin + m->body_dofnum[b];
    const int moving =
        !flg_acc && sn_isFreeBody(m, b) ? begin + 3 : begin; // axes of a free joint's translations stay
    for (int k = moving; k < end; k++) {
        a = sn_motionAddScaled(a, d->qvel[k], sn_motionLoad(d->cdof_dot + 6 * k));
        if (flg_acc) a = sn_motionAddScaled(a, d->qacc[k], sn_motionLoad(d->cdof + 6 * k));
    }
    return a;
}

// f_b = I a + v x* (I v)
static inline snForce sn_bodyForceOf(const snData* d, int b, snMotion a)
{
    const snInertia I = sn_inertiaLoad(d->cinert + 10 * b);
    const snMotion v = sn_motionLoad(d->cvel + 6 * b);
    return sn_forceAdd(sn_inertiaMul(I, a), sn_crossForce(v, sn_inertiaMul(I, v)));
}

#ifdef SN_LANES
static inline int sn_forcesInFours(const snModel* m, const snData* d, int first, int end, const real* acc,
                                   real* force)
{
    (void)m, (void)d, (void)end, (void)acc, (void)force;
    return first;
}
#else
// The same for bodies b, ..., b + 3.
SN_INLINE void sn_bodyForcesOfFour(const snData* d, int b, const real* acc, real* force)
{
    snLanesInertia I;
    const real* p = d->cinert + 10 * b;
    v4 again_h, again_y;
    sn_lanesLoad(p, 10, &I.xx, &I.yy, &I.zz, &I.xy);
    sn_lanesLoad(p + 4, 10, &I.xz, &I.yz, &I.h.x, &I.h.y);
    sn_lanesLoad(p + 6, 10, &again_h, &again_y, &I.h.z, &I.mass);
    const snLanes6 v = sn_l6Load(d->cvel + 6 * b), Iv = sn_lanesInertiaMul(&I, v);
    const snLanes6 Ia = sn_lanesInertiaMul(&I, sn_l6Load(acc + 6 * b));
    const snLanes3 ang = sn_l3Add(sn_l3Cross(v.ang, Iv.ang), sn_l3Cross(v.lin, Iv.lin));
    const snLanes3 lin = sn_l3Cross(v.ang, Iv.lin);
    sn_l6Store(force + 6 * b, (snLanes6){sn_l3Add(Ia.ang, ang), sn_l3Add(Ia.lin, lin)});
}

// Bodies four at a time, in the same fours whoever sleeps; returns the first that is left.
SN_INLINE int sn_forcesInFours(const snModel* m, const snData* d, int first, int end, const real* acc,
                               real* force)
{
    int b = first - (first - 1) % 4;
    for (; b < end && b + 4 <= m->nbody; b += 4) sn_bodyForcesOfFour(d, b, acc, force);
    return b > first ? b : first;
}
#endif

// force [nbody x 6] of bodies first to end - 1, not of the world, under acc [nbody x 6].
static inline __attribute__((always_inline)) void sn_bodyForces(const snModel* m, const snData* d, int first,
                                                                int end, const real* acc, real* force)
{
    for (int b = sn_forcesInFours(m, d, first, end, acc, force); b < end; b++)
        sn_forceStore(force + 6 * b, sn_bodyForceOf(d, b, sn_motionLoad(acc + 6 * b)));
}

// force [nbody x 6] of all bodies but the world, which has none, under acc [nbody x 6].
static inline __attribute__((always_inline)) void sn_allBodyForces(const snModel* m, const snData* d,
                                                                   const real* acc, real* force)
{
    sn_forceStore(force, (snForce){0});
    sn_bodyForces(m, d, 1, m->nbody, acc, force);
}

static inline void sn_addToParent(const snModel* m, real* force, int b)
{
    real* parent = force + 6 * m->body_parentid[b];
    for (int k = 0; k < 6; k++) parent[k] += force[6 * b + k];
}

#endif
