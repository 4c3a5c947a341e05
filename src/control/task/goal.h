// The bounds of an equality row from its error, velocity and reference.
#ifndef SINEW_CONTROL_TASK_GOAL_H
#define SINEW_CONTROL_TASK_GOAL_H

#include <sinew/task.h>

/// Velocity and acceleration that a row is to have.
typedef struct snReference {
    double vel, acc;
} snReference;

/// What row i is to be: vel + kp e, or with accelerations acc + kd (vel - v) + kp e - drift. v is the row
/// times qvel, drift the row's rate times qvel. Writes task->error[i], too.
static inline void sn_goalRow(snTask* t, int i, int mode, snReference ref, double e, double v, double drift,
                              double* lower, double* upper)
{
    const double kp = t->kp[i], kd = t->kd[i];
    t->error[i] = e;
    lower[i] = upper[i] =
        mode == SN_CONTROL_ACCELERATION ? ref.acc + kd * (ref.vel - v) + kp * e - drift : ref.vel + kp * e;
}

#endif
