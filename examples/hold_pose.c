// Keeps a robot in the pose of a keyframe with a spring and a damper in every joint that has a motor.
//   hold_pose humanoid.xml
#include <sinew/sinew.h>
#include <stdio.h>

static void holdPose(const snModel* m, snData* d, const double* pose)
{
    for (int i = 0; i < m->nu; i++) {
        const int joint = m->actuator_trnid[2 * i], q = m->jnt_qposadr[joint], v = m->jnt_dofadr[joint];
        d->ctrl[i] = 6 * (pose[q] - d->qpos[q]) - 0.4 * d->qvel[v];
    }
}

int main(int argc, char** argv)
{
    snError error;
    snModel* m = sn_loadModel(argc > 1 ? argv[1] : "humanoid.xml", NULL, &error);
    if (!m) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    snData* d = sn_makeData(m);
    const int key = sn_name2id(m, SN_OBJ_KEY, "squat"), head = sn_name2id(m, SN_OBJ_SENSOR, "head");
    if (!d || key < 0 || head < 0) return 1;
    sn_resetDataKeyframe(m, d, key);
    while (d->time < 5) {
        holdPose(m, d, m->key_qpos + key * m->nq);
        sn_step(m, d);
    }
    printf("the head is at %.2f m after %.1f s\n", d->sensordata[m->sensor_adr[head] + 2], d->time);
    sn_deleteData(d);
    sn_deleteModel(m);
    return 0;
}
