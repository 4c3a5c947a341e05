// How heavy a load on its chest may be for a robot that keeps its pose: 256 of them at once, each with
// another.
//   hold_loads humanoid.xml
#include <sinew/sinew.h>
#include <stdio.h>

enum { COUNT = 256, STEPS = 500 };

// Adds 0 to 20 kg to the chest of each and computes what follows from it.
static snStatus load(snBatch* robots, int chest, snError* error)
{
    const int nbody = sn_batchModel(robots)->nbody;
    const snStatus status = sn_batchParameter(robots, "body_mass", error);
    if (status) return status;
    double* mass = sn_batchArray(robots, "body_mass", NULL);
    for (int i = 0; i < COUNT; i++) mass[i * nbody + chest] += 20.0 * i / COUNT;
    return sn_batchSetConst(robots, NULL, 0, error);
}

static void holdPose(snBatch* robots, const double* pose)
{
    const snModel* m = sn_batchModel(robots);
    const double *qpos = sn_batchArray(robots, "qpos", NULL), *qvel = sn_batchArray(robots, "qvel", NULL);
    double* ctrl = sn_batchArray(robots, "ctrl", NULL);
    for (int i = 0; i < COUNT; i++, qpos += m->nq, qvel += m->nv)
        for (int k = 0; k < m->nu; k++) {
            const int joint = m->actuator_trnid[2 * k], q = m->jnt_qposadr[joint], v = m->jnt_dofadr[joint];
            *ctrl++ = 6 * (pose[q] - qpos[q]) - 0.4 * qvel[v];
        }
}

// The robots with the lightest loads whose heads are still up.
static int countStanding(snBatch* robots, int head)
{
    int nsensor, count = 0;
    const double* sensordata = sn_batchArray(robots, "sensordata", &nsensor);
    while (count < COUNT && sensordata[count * nsensor + head + 2] > 0.9) count++;
    return count;
}

int main(int argc, char** argv)
{
    snError error;
    snModel* m = sn_loadModel(argc > 1 ? argv[1] : "humanoid.xml", NULL, &error);
    snThreadPool* pool = sn_makeThreadPool(2);
    snBatch* robots = m ? sn_makeBatch(m, COUNT, &(snBatchOption){.pool = pool}, &error) : NULL;
    const int chest = m ? sn_name2id(m, SN_OBJ_BODY, "chest") : -1;
    if (!robots || chest < 0 || load(robots, chest, &error) != SN_STATUS_OK) {
        fprintf(stderr, "%s\n", chest < 0 && robots ? "there is no chest" : error.message);
        return 1;
    }
    const int key = sn_name2id(m, SN_OBJ_KEY, "squat"), head = sn_name2id(m, SN_OBJ_SENSOR, "head");
    if (key < 0 || head < 0) return 1;
    int keys[COUNT];
    for (int i = 0; i < COUNT; i++) keys[i] = key;
    sn_batchReset(robots, NULL, keys, 0, NULL);
    for (int step = 0; step < STEPS; step++) {
        holdPose(robots, m->key_qpos + key * m->nq);
        sn_batchStep(robots, NULL, NULL);
    }
    const int standing = countStanding(robots, m->sensor_adr[head]);
    printf("after %.1f s those with up to %.0f kg keep the pose\n",
           *(double*)sn_batchArray(robots, "time", NULL), 20.0 * (standing - 1) / COUNT);
    sn_deleteBatch(robots);
    sn_deleteThreadPool(pool);
    sn_deleteModel(m);
    return 0;
}
