// In lanes, too: src/batch/lane/prelude.h.
// For each target: src/target/prelude.h.
// Positions as coordinates on the manifold of joints: differences, integration, unit quaternions. Source:
// seed 001, "Numerical integration".
#include <sinew/support.h>
#include "math/sincos.h"
#include "model/kinds.h"
#include "smooth/kinematics/integrate_joints.h"
#include "smooth/kinematics/spring.h"

enum { TURNS = 32 }; // rotations at once, for their sines and cosines

// Orientations that turn together: q <- q exp(w dt / 2), as sn_quatIntegrate.
typedef struct Turns {
    real* quat[TURNS];
    const real* w[TURNS];
    int count;
} Turns;

static inline void turn(Turns* turns, real dt)
{
    real speed[TURNS], angle[TURNS], sine[TURNS], cosine[TURNS];
    if (turns->count == 0) return;
    for (int i = 0; i < turns->count; i++) {
        speed[i] = sn_v3Norm(sn_v3Load(turns->w[i]));
        angle[i] = 0.5 * dt * speed[i];
    }
    sn_sincosArray(angle, sine, cosine, turns->count);
    for (int i = 0; i < turns->count; i++) {
        const real s = sn_select(speed[i] < SN_MINVAL, 0, sine[i] / speed[i]); // no axis: exp(0) to rounding
        const snVec3 u = sn_v3Scale(sn_v3Load(turns->w[i]), s);
        const snQuat q = sn_quatMul(sn_quatLoad(turns->quat[i]), (snQuat){cosine[i], u.x, u.y, u.z});
        sn_quatStore(turns->quat[i], sn_quatNormalize(q));
    }
    turns->count = 0;
}

__attribute__((flatten)) void sn_integrateJoints(const snModel* m, real* qpos, const real* qvel, real dt,
                                                 int first, int end)
{
    Turns turns = {.count = 0};
    for (int j = first; j < end; j++) {
        real* q = qpos + m->jnt_qposadr[j];
        const real* v = qvel + m->jnt_dofadr[j];
        const int type = m->jnt_type[j];
        if (!sn_hasQuaternion(type)) {
            q[0] += dt * v[0];
            continue;
        }
        if (type == SN_JNT_FREE) sn_v3Store(q, sn_v3AddScaled(sn_v3Load(q), dt, sn_v3Load(v)));
        turns.quat[turns.count] = type == SN_JNT_FREE ? q + 3 : q;
        turns.w[turns.count++] = type == SN_JNT_FREE ? v + 3 : v;
        if (turns.count == TURNS) turn(&turns, dt);
    }
    turn(&turns, dt);
}

void sn_integratePos(const snModel* m, real* qpos, const real* qvel, real dt)
{
    sn_integrateJoints(m, qpos, qvel, dt, 0, m->njnt);
}

void sn_differentiatePos(const snModel* m, real* qvel, real dt, const real* qpos1, const real* qpos2)
{
    for (int j = 0; j < m->njnt; j++) {
        const real *q1 = qpos1 + m->jnt_qposadr[j], *q2 = qpos2 + m->jnt_qposadr[j];
        real* v = qvel + m->jnt_dofadr[j];
        switch ((snJointType)m->jnt_type[j]) {
        case SN_JNT_FREE:
            sn_v3Store(v, sn_v3Scale(sn_v3Sub(sn_v3Load(q2), sn_v3Load(q1)), 1 / dt));
            q1 += 3;
            q2 += 3;
            v += 3; // then as a ball
            __attribute__((fallthrough));
        case SN_JNT_BALL: sn_v3Store(v, sn_v3Scale(sn_rotationFrom(q1, q2), 1 / dt)); break;
        case SN_JNT_SLIDE:
        case SN_JNT_HINGE: v[0] = (q2[0] - q1[0]) / dt;
        }
    }
}

void sn_normalizeQuat(const snModel* m, real* qpos)
{
    for (int j = 0; j < m->njnt; j++) {
        const int quaternion = sn_jointKind(m->jnt_type[j]).quaternion;
        if (quaternion < 0) continue;
        real* q = qpos + m->jnt_qposadr[j] + quaternion;
        sn_quatStore(q, sn_quatNormalize(sn_quatLoad(q)));
    }
}

real sn_getTotalmass(const snModel* m)
{
    real sum = sn_real(0);
    for (int b = 0; b < m->nbody; b++) sum += m->body_mass[b];
    return sum;
}

void sn_setTotalmass(snModel* m, real newmass)
{
    const real scale = sn_max(newmass / sn_max(sn_getTotalmass(m), SN_MINVAL), SN_MINVAL);
    for (int b = 0; b < m->nbody; b++) m->body_mass[b] *= scale;
    for (int i = 0; i < 3 * m->nbody; i++) m->body_inertia[i] *= scale;
}
