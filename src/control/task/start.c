#include "control/task/start.h"
#include <sinew/smooth.h>
#include "control/task/centre.h"
#include "control/task/frame.h"
#include "math/vec.h"

static void startFrame(snTask* task, const snFrameMotion* motion)
{
    double* to = task->pos;
    if (task->set.type != SN_TASK_ORIENTATION) {
        memcpy(to, motion->pos, sizeof motion->pos);
        to += 3;
    }
    if (task->set.type != SN_TASK_POSITION) sn_quatStore(to, sn_matToQuat(sn_m3Load(motion->mat)));
}

static void startGaze(snTask* task, const snFrameMotion* motion)
{
    const snVec3 axis = sn_m3Mul(sn_m3Load(motion->mat), sn_v3Load(task->set.axis));
    sn_v3Store(task->pos, sn_v3Add(sn_v3Load(motion->pos), axis));
}

static void startCentre(snTask* task, snVec3 centre)
{
    const double pos[3] = {centre.x, centre.y, centre.z};
    memcpy(task->pos, pos, (size_t)task->npos * sizeof(double));
}

void sn_holdTask(const snModel* m, snData* d, snTask* task)
{
    sn_kinematics(m, d);
    sn_comPos(m, d);
    sn_comVel(m, d);
    snFrameMotion motion;
    switch (task->set.type) {
    case SN_TASK_POSITION:
    case SN_TASK_ORIENTATION:
    case SN_TASK_POSE:
    case SN_TASK_CONTACT:
    case SN_TASK_IMPEDANCE:
    case SN_TASK_ADMITTANCE:
        sn_taskFrame(m, d, task, &motion, NULL, NULL, 0);
        startFrame(task, &motion);
        break;
    case SN_TASK_GAZE:
        sn_taskFrame(m, d, task, &motion, NULL, NULL, 0);
        startGaze(task, &motion);
        break;
    case SN_TASK_COM:
    case SN_TASK_CAPTURE_POINT: startCentre(task, sn_centreOf(m, d, task->set.objid).pos); break;
    case SN_TASK_POSTURE: memcpy(task->pos, d->qpos, (size_t)task->npos * sizeof(double)); break;
    default: break;
    }
    const size_t rates = (size_t)task->nvel * sizeof(double);
    if (rates) {
        memset(task->vel, 0, rates);
        memset(task->acc, 0, rates);
    }
    task->fresh = true;
}

bool sn_startTask(const snModel* m, snTask* task)
{
    snData* const d = sn_makeData(m);
    if (!d) return false;
    sn_holdTask(m, d, task);
    sn_deleteData(d);
    return true;
}
