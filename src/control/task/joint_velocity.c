// Velocities of joints: rows of the identity.
//     velocity:      qvel = v_ref
//     acceleration:  qacc = a_ref + kp (v_ref - qvel)
#include <string.h>
#include "control/task/rows.h"

int sn_jointVelocityRows(const snModel* m, snData* d, snTask* t, int mode, double dt, int columns, double* A,
                         double* lower, double* upper)
{
    (void)m, (void)dt;
    memset(A, 0, (size_t)t->rows * (size_t)columns * sizeof(double));
    for (int i = 0; i < t->rows; i++) {
        const int k = t->set.dof[i];
        const double e = t->error[i] = t->vel[k] - d->qvel[k];
        A[(ptrdiff_t)i * columns + k] = 1;
        lower[i] = upper[i] = mode == SN_CONTROL_ACCELERATION ? t->acc[k] + t->kp[i] * e : t->vel[k];
    }
    return t->rows;
}
