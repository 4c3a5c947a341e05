// What may stand in the settings of a task.
#ifndef SINEW_CONTROL_TASK_CHECK_H
#define SINEW_CONTROL_TASK_CHECK_H

#include <sinew/task.h>

/// SN_STATUS_ARGUMENT with an error that names the task, what is wrong and the mend.
snStatus sn_checkTask(const snModel* m, const snTaskSettings* settings, snError* error);

/// Whether dof k is one of a free joint, which no posture holds.
bool sn_isFreeDof(const snModel* m, int k);

#endif
