// Tasks are made.
#include <sinew/task.h>
#include "base/error.h"
#include "base/memory.h"

void sn_defaultTask(snTaskSettings* settings)
{
    *settings = (snTaskSettings){
        .weight = 1,
        .kp = 100,
        .kd = -1,
        .objtype = SN_OBJ_BODY,
        .reftype = SN_OBJ_UNKNOWN,
        .refid = -1,
        .axis = {0, 0, 1},
        .mass = {1, 1, 1, 1, 1, 1},
        .follow = 100,
        .distance_min = 0.02,
        .distance_max = 0.2,
    };
}

snTask* sn_makeTask(const snModel* m, const snTaskSettings* settings, snError* error)
{
    (void)m, (void)settings;
    sn_fail(error, SN_STATUS_UNSUPPORTED, "tasks are not there yet");
    return NULL;
}

void sn_freeTask(snTask* task)
{
    sn_free(task);
}
