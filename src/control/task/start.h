// Where references start.
#ifndef SINEW_CONTROL_TASK_START_H
#define SINEW_CONTROL_TASK_START_H

#include <sinew/task.h>

/// Sets task->pos to where the model is at qpos0. Allocates. false: out of memory.
bool sn_startTask(const snModel* m, snTask* task);

#endif
