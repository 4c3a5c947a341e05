// A controller in a callback: it holds the pose of the start. The force is that of inverse dynamics for an
// acceleration back to the pose, shared out to the actuators of joints; where an actuator is not, it is 0.
// Under MuJoCo's names: it compiles against either library.
//
//     controller MODEL [STEPS]
#include <mujoco/mujoco.h>
#include <stdio.h>

static mjData* copy;   // inverse dynamics work on it
static double* target; // qpos of the start

static void hold(const mjModel* m, mjData* d)
{
    if (d == copy) return;
    const double stiffness = 100, damping = 20;
    mju_copy(copy->qpos, d->qpos, m->nq);
    mju_copy(copy->qvel, d->qvel, m->nv);
    mj_differentiatePos(m, copy->qacc, 1, d->qpos, target);
    for (int i = 0; i < m->nv; i++) copy->qacc[i] = stiffness * copy->qacc[i] - damping * d->qvel[i];
    mj_inverse(m, copy);
    for (int i = 0; i < m->nu; i++) {
        if (m->actuator_trntype[i] != mjTRN_JOINT) continue;
        const int dof = m->jnt_dofadr[m->actuator_trnid[2 * i]];
        d->ctrl[i] = copy->qfrc_inverse[dof] / (m->actuator_gear[6 * i] * m->actuator_gainprm[mjNGAIN * i]);
    }
}

// How far a joint is from where it began, at most.
static double error(const mjModel* m, const mjData* d)
{
    double worst = 0;
    for (int i = 0; i < m->njnt; i++)
        if (m->jnt_type[i] == mjJNT_HINGE || m->jnt_type[i] == mjJNT_SLIDE)
            worst = mju_max(worst, mju_abs(d->qpos[m->jnt_qposadr[i]] - target[m->jnt_qposadr[i]]));
    return worst;
}

// Forces of all contacts, in the world.
static void weigh(const mjModel* m, const mjData* d, double sum[3])
{
    mju_zero3(sum);
    for (int i = 0; i < d->ncon; i++) {
        double force[6], world[3];
        mj_contactForce(m, d, i, force);
        mju_mulMatTVec3(world, d->contact[i].frame, force);
        mju_addToScl3(sum, world, m->geom_bodyid[d->contact[i].geom1] == 0 ? 1 : -1);
    }
}

int main(int argc, char** argv)
{
    char text[1000] = "";
    if (argc < 2) return puts("usage: controller MODEL [STEPS]"), 2;
    mjModel* m = mj_loadXML(argv[1], NULL, text, sizeof text);
    if (!m) return fprintf(stderr, "%s\n", text), 1;
    mjData* d = mj_makeData(m);
    copy = mj_makeData(m);
    target = mju_malloc((size_t)m->nq * sizeof(double));
    mju_copy(target, d->qpos, m->nq);
    mjcb_control = hold;
    for (int i = 0; i < (argc > 2 ? atoi(argv[2]) : 200); i++) mj_step(m, d);

    double sum[3];
    weigh(m, d, sum);
    printf("error %.12g\nforce %.12g %.12g %.12g\nsensors", error(m, d), sum[0], sum[1], sum[2]);
    for (int i = 0; i < m->nsensordata; i++) printf(" %.12g", d->sensordata[i]);
    puts("");
    mjcb_control = NULL;
    mju_free(target);
    mj_deleteData(copy);
    mj_deleteData(d);
    mj_deleteModel(m);
    return 0;
}
