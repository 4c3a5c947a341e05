// In lanes, too: src/batch/lane/prelude.h.
// For each target: src/target/prelude.h.
// Passive forces (seed 001, "Passive forces"): springs, dampers, gravity compensation, a fluid.
#include <sinew/smooth.h>
#include "math/spatial.h"
#include "model/made.h"
#include "model/plugin_call.h"
#include "model/sleep.h"
#include "smooth/flex/force.h"
#include "smooth/passive/adhesion.h"
#include "smooth/passive/fluid.h"
#include "smooth/kinematics/jacobian.h"
#include "smooth/kinematics/spring.h"
#include "smooth/tendon/tendon.h"
#include "smooth/kinematics/resistance.h"

// -k x, and 0 without a spring.
static inline real pull(real k, real x)
{
    return sn_select(k == 0, 0, -k * x);
}

// Along x, by how long it is.
static inline void pullAll(real* f, snCubic spring, snVec3 x)
{
    const real k = sn_all(sn_cubicIsLinear(spring)) ? spring.a : sn_cubicSecant(spring, sn_v3Norm(x));
    f[0] = pull(k, x.x);
    f[1] = pull(k, x.y);
    f[2] = pull(k, x.z);
}

// Against q - q_spring, for orientations the rotation vector between the two.
static void springs(const snModel* m, snData* d)
{
    SN_EACH_JOINT (m, d, j) {
        const snCubic k = sn_springOfJoint(m, j);
        if (sn_cubicIsZero(k)) continue;
        const real *q = d->qpos + m->jnt_qposadr[j], *q0 = sn_springRest(m, d, j);
        real* f = d->qfrc_spring + m->jnt_dofadr[j];
        switch ((snJointType)m->jnt_type[j]) {
        case SN_JNT_FREE:
            pullAll(f, k, sn_v3Sub(sn_v3Load(q), sn_v3Load(q0)));
            pullAll(f + 3, k, sn_rotationFrom(q0 + 3, q + 3));
            break;
        case SN_JNT_BALL: pullAll(f, k, sn_rotationFrom(q0, q)); break;
        case SN_JNT_SLIDE:
        case SN_JNT_HINGE: f[0] = pull(sn_cubicSecant(k, q[0] - q0[0]), q[0] - q0[0]);
        }
    }
}

static void dampers(const snModel* m, snData* d)
{
    if (sn_dampersArePlain(m, d)) {
        SN_EACH_DOF (m, d, k) d->qfrc_damper[k] = -m->dof_damping[k] * d->qvel[k];
    } else {
        SN_EACH_DOF (m, d, k) {
            const real v = d->qvel[k];
            d->qfrc_damper[k] = -sn_cubicSecant(sn_damperOfDof(m, k), fabs(v)) * v;
        }
    }
    sn_tendonDampers(m, d);
}

// Lifts each body by its share of its weight, at its centre of mass.
static void gravityCompensation(const snModel* m, snData* d)
{
    const snVec3 up = sn_v3Neg(sn_v3Load(m->opt.gravity));
    SN_EACH_BODY (m, d, b) {
        if (sn_all(m->body_gravcomp[b] == 0)) continue;
        const snVec3 f = sn_v3Scale(up, m->body_mass[b] * m->body_gravcomp[b]);
        const snForce lift = sn_forceAtCom(m, d, b, f, sn_v3(0, 0, 0), sn_v3Load(d->xipos + 3 * b));
        sn_addForce(m, d, b, lift, d->qfrc_gravcomp);
    }
}

__attribute__((flatten)) void sn_passive(const snModel* m, snData* d)
{
    sn_assertMade(m, d, xipos, ximat, cvel, ten_length, ten_velocity);
    const int nv = m->nv, flags = m->opt.disableflags;
    const int spring = !(flags & SN_DSBL_SPRING), damper = !(flags & SN_DSBL_DAMPER);
    const size_t bytes = (size_t)nv * sizeof(real);
    for (snRuns r = sn_awakeDofs(m, d); sn_isRun(&r); sn_nextRun(&r)) {
        const size_t run = (size_t)(r.end - r.first) * sizeof(real);
        memset(d->qfrc_spring + r.first, 0, run);
        memset(d->qfrc_gravcomp + r.first, 0, run);
        memset(d->qfrc_fluid + r.first, 0, run);
    }
    if (spring) springs(m, d);
    if (spring) sn_tendonSprings(m, d);
    if (damper)
        dampers(m, d);
    else
        memset(d->qfrc_damper, 0, bytes);
#ifndef SN_LANES // which have none
    if (m->nflex) sn_flexForces(m, d, spring, damper);
#endif
    const bool adhesion = sn_adhesion(m, d);
    if (!spring && !damper) {
        memcpy(d->qfrc_passive, d->qfrc_adhesion, bytes);
        return;
    }
    if (m->ngravcomp && !(flags & SN_DSBL_GRAVITY)) gravityCompensation(m, d);
    if (sn_any(sn_hasFluid(m)))
        SN_EACH_BODY (m, d, b) sn_addForce(m, d, b, sn_fluidForce(m, d, b, NULL, false), d->qfrc_fluid);
    SN_EACH_DOF (m, d, k) d->qfrc_passive[k] = d->qfrc_spring[k] + d->qfrc_damper[k] + d->qfrc_fluid[k];
    if (adhesion)
        SN_EACH_DOF (m, d, k) d->qfrc_passive[k] += d->qfrc_adhesion[k];
    if (m->ngravcomp) // where an actuator does not bear it
        SN_EACH_DOF (m, d, k)
            if (!m->jnt_actgravcomp[m->dof_jntid[k]]) d->qfrc_passive[k] += d->qfrc_gravcomp[k];
#ifndef SN_LANES
    if (d->callback.passive) d->callback.passive(m, d, d->callback.user);
    if (d->nplugin) sn_pluginPassive(m, d);
#endif
}
