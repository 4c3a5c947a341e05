#include "control/task/track.h"
#include "control/task/frame.h"

snVec3 sn_rotationError(const double quat_ref[4], const double mat[9])
{
    const snQuat ref = sn_quatNormalize(sn_quatLoad(quat_ref)), now = sn_matToQuat(sn_m3Load(mat));
    return sn_quatToRotvec(sn_quatMul(ref, sn_quatConj(now)));
}

static void turn(double to[3], const snTracking* k, bool local, const double v[3])
{
    sn_v3Store(to, local ? sn_m3TMul(k->axes, sn_v3Load(v)) : sn_v3Load(v));
}

// Three rows from `row` on, of which the motion has its part at `part`.
static void trackBlock(snTracking* k, int row, int part, bool local, const snFrameMotion* motion, snVec3 e,
                       const snFollowed* followed)
{
    double error[3];
    sn_v3Store(error, e);
    turn(k->e + row, k, local, error);
    turn(k->v + row, k, local, motion->vel + part);
    turn(k->drift + row, k, local, motion->drift + part);
    turn(k->vel + row, k, local, followed->vel + row);
    turn(k->acc + row, k, local, followed->acc + row);
}

void sn_trackFrame(const snModel* m, const snData* d, snTask* task, const snFollowed* followed, int columns,
                   double* A, snTracking* k)
{
    const bool local = task->set.local;
    const int rotation = followed->pos ? 3 : 0; // its first row
    snFrameMotion motion;
    sn_taskFrame(m, d, task, &motion, followed->pos ? A : NULL,
                 followed->quat ? A + (size_t)rotation * (size_t)columns : NULL, columns);
    k->rows = rotation + (followed->quat ? 3 : 0);
    k->axes = local ? sn_m3Load(motion.mat) : sn_m3Identity();
    if (followed->pos)
        trackBlock(k, 0, 0, local, &motion, sn_v3Sub(sn_v3Load(followed->pos), sn_v3Load(motion.pos)),
                   followed);
    if (followed->quat)
        trackBlock(k, rotation, 3, local, &motion, sn_rotationError(followed->quat, motion.mat), followed);
    memcpy(task->error, k->e, (size_t)k->rows * sizeof *k->e);
}
