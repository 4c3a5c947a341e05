// Positions as coordinates on the manifold of joints: differences, integration, unit quaternions.
#include <sinew/support.h>
#include "smooth/kinematics/spring.h"

void sn_integratePos(const snModel* m, double* qpos, const double* qvel, double dt)
{
    for (int j = 0; j < m->njnt; j++) {
        real* q = qpos + m->jnt_qposadr[j];
        const real* v = qvel + m->jnt_dofadr[j];
        switch (m->jnt_type[j]) {
        case SN_JNT_FREE:
            sn_v3Store(q, sn_v3AddScaled(sn_v3Load(q), dt, sn_v3Load(v)));
            q += 3;
            v += 3; // then as a ball
            __attribute__((fallthrough));
        case SN_JNT_BALL: sn_quatStore(q, sn_quatIntegrate(sn_quatLoad(q), sn_v3Load(v), dt)); break;
        default: q[0] += dt * v[0];
        }
    }
}

void sn_differentiatePos(const snModel* m, double* qvel, double dt, const double* qpos1, const double* qpos2)
{
    for (int j = 0; j < m->njnt; j++) {
        const real *q1 = qpos1 + m->jnt_qposadr[j], *q2 = qpos2 + m->jnt_qposadr[j];
        real* v = qvel + m->jnt_dofadr[j];
        switch (m->jnt_type[j]) {
        case SN_JNT_FREE:
            sn_v3Store(v, sn_v3Scale(sn_v3Sub(sn_v3Load(q2), sn_v3Load(q1)), 1 / dt));
            q1 += 3;
            q2 += 3;
            v += 3; // then as a ball
            __attribute__((fallthrough));
        case SN_JNT_BALL: sn_v3Store(v, sn_v3Scale(sn_rotationFrom(q1, q2), 1 / dt)); break;
        default: v[0] = (q2[0] - q1[0]) / dt;
        }
    }
}

void sn_normalizeQuat(const snModel* m, double* qpos)
{
    for (int j = 0; j < m->njnt; j++) {
        const int type = m->jnt_type[j];
        if (type != SN_JNT_FREE && type != SN_JNT_BALL) continue;
        real* q = qpos + m->jnt_qposadr[j] + (type == SN_JNT_FREE ? 3 : 0);
        sn_quatStore(q, sn_quatNormalize(sn_quatLoad(q)));
    }
}

double sn_getTotalmass(const snModel* m)
{
    double sum = 0;
    for (int b = 0; b < m->nbody; b++) sum += m->body_mass[b];
    return sum;
}

void sn_setTotalmass(snModel* m, double newmass)
{
    const double scale = fmax(SN_MINVAL, newmass / fmax(SN_MINVAL, sn_getTotalmass(m)));
    for (int b = 0; b < m->nbody; b++) m->body_mass[b] *= scale;
    for (int i = 0; i < 3 * m->nbody; i++) m->body_inertia[i] *= scale;
}
