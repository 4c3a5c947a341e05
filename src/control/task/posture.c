// Positions of joints: rows of the identity. The error is the tangent that leads to the reference, in the
// coordinates of qvel.
#include "control/task/goal.h"
#include "control/task/rows.h"
#include "smooth/kinematics/spring.h"

// Component i of the rotation from q to q_ref, in the joint's own frame.
static double turned(const double* q, const double* q_ref, int i)
{
    double r[3];
    sn_v3Store(r, sn_rotationFrom(q, q_ref));
    return r[i];
}

// Component k of what sn_differentiatePos has.
static double errorOf(const snModel* m, const double* qpos, const double* reference, int k)
{
    const int j = m->dof_jntid[k], i = k - m->jnt_dofadr[j], address = m->jnt_qposadr[j];
    const double *q = qpos + address, *q_ref = reference + address;
    switch ((snJointType)m->jnt_type[j]) {
    case SN_JNT_FREE: return i < 3 ? q_ref[i] - q[i] : turned(q + 3, q_ref + 3, i - 3);
    case SN_JNT_BALL: return turned(q, q_ref, i);
    case SN_JNT_SLIDE:
    case SN_JNT_HINGE: break;
    }
    return q_ref[0] - q[0];
}

int sn_postureRows(const snModel* m, snData* d, snTask* t, int mode, double dt, int columns, double* A,
                   double* lower, double* upper)
{
    (void)dt;
    memset(A, 0, (size_t)t->rows * (size_t)columns * sizeof(double));
    for (int i = 0; i < t->rows; i++) {
        const int k = t->set.dof[i];
        const snReference ref = {t->vel[k], t->acc[k]};
        A[(ptrdiff_t)i * columns + k] = 1;
        sn_goalRow(t, i, mode, ref, errorOf(m, d->qpos, t->pos, k), d->qvel[k], 0, lower, upper);
    }
    return t->rows;
}
