// The bounds of an equality row from its error, velocity and reference.
#ifndef SINEW_CONTROL_TASK_GOAL_H
#define SINEW_CONTROL_TASK_GOAL_H

#include <math.h>
#include <sinew/task.h>

/// What row i is to be: vel + kp e, or with accelerations acc + kd (vel - v) + kp e - drift; kd below 0 is
/// 2 sqrt(kp). v is the row times qvel, drift the row's rate times qvel. Writes task->error[i], too.
static inline void sn_goalRow(snTask* t, int i, int mode, double e, double v, double drift, double* lower,
                              double* upper)
{
    const double kp = t->kp[i], kd = t->kd[i] < 0 ? 2 * sqrt(kp) : t->kd[i];
    double goal = t->vel[i] + kp * e;
    if (mode == SN_CONTROL_ACCELERATION) goal = t->acc[i] + kd * (t->vel[i] - v) + kp * e - drift;
    t->error[i] = e;
    lower[i] = upper[i] = goal;
}

#endif
