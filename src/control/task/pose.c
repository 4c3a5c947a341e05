// Position, orientation, both, and contact: a frame follows a reference as a damped spring.
#include "control/task/frame.h"
#include "control/task/rows.h"
#include "control/task/track.h"

static int follow(const snModel* m, const snData* d, snTask* task, const snFollowed* followed, int mode,
                  int columns, double* A, double* lower, double* upper)
{
    snTracking k;
    sn_trackFrame(m, d, task, followed, columns, A, &k);
    const double *kp = task->kp, *kd = task->kd;
    for (int i = 0; i < k.rows; i++)
        lower[i] = upper[i] = mode == SN_CONTROL_VELOCITY
                                  ? k.vel[i] + kp[i] * k.e[i]
                                  : k.acc[i] + kd[i] * (k.vel[i] - k.v[i]) + kp[i] * k.e[i] - k.drift[i];
    return k.rows;
}

int sn_positionRows(const snModel* m, snData* d, snTask* task, int mode, double dt, int columns, double* A,
                    double* lower, double* upper)
{
    (void)dt;
    const snFollowed followed = {task->pos, NULL, task->vel, task->acc};
    return follow(m, d, task, &followed, mode, columns, A, lower, upper);
}

int sn_orientationRows(const snModel* m, snData* d, snTask* task, int mode, double dt, int columns, double* A,
                       double* lower, double* upper)
{
    (void)dt;
    const snFollowed followed = {NULL, task->pos, task->vel, task->acc};
    return follow(m, d, task, &followed, mode, columns, A, lower, upper);
}

int sn_poseRows(const snModel* m, snData* d, snTask* task, int mode, double dt, int columns, double* A,
                double* lower, double* upper)
{
    (void)dt;
    const snFollowed followed = {task->pos, task->pos + 3, task->vel, task->acc};
    return follow(m, d, task, &followed, mode, columns, A, lower, upper);
}

int sn_contactTaskRows(const snModel* m, snData* d, snTask* task, int mode, double dt, int columns, double* A,
                       double* lower, double* upper)
{
    if (task->fresh) {
        snFrameMotion motion;
        sn_taskFrame(m, d, task, &motion, NULL, NULL, columns);
        memcpy(task->pos, motion.pos, sizeof motion.pos);
        sn_quatStore(task->pos + 3, sn_matToQuat(sn_m3Load(motion.mat)));
        task->fresh = false;
    }
    return sn_poseRows(m, d, task, mode, dt, columns, A, lower, upper);
}
