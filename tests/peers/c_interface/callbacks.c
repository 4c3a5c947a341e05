// Every callback, handlers of errors and warnings, and tasks on threads.
#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static const char xml[] =
    "<mujoco><option timestep='0.005'/><worldbody><geom name='floor' type='plane' size='2 2 .1'/>"
    "<body pos='0 0 .3'><joint name='slide' type='slide' axis='0 0 1'/><geom size='.1'/>"
    "<body pos='.5 0 0'><joint name='hinge' axis='0 1 0'/><geom size='.1'/></body></body>"
    "<body pos='1 1 .05'><freejoint/><geom size='.1'/></body></worldbody>"
    "<actuator><general joint='hinge' dyntype='user' gaintype='user' biastype='user' actdim='1'/>"
    "<motor joint='slide'/></actuator>"
    "<sensor><user dim='2' needstage='vel'/><user dim='1' needstage='acc'/><jointpos "
    "joint='hinge'/></sensor></mujoco>";

static int counts[8];
static double ticks;
static jmp_buf back;
static char last[300];
static int nwarning;

static void passive(const mjModel* m, mjData* d)
{
    counts[0]++;
    for (int i = 0; i < m->nv; i++) d->qfrc_passive[i] -= 0.1 * d->qvel[i];
}

static void control(const mjModel* m, mjData* d)
{
    counts[1]++;
    mj_markStack(d); // inside a step, which has scratch of its own
    double* wave = mj_stackAllocNum(d, (size_t)m->nu);
    for (int i = 0; i < m->nu; i++) wave[i] = sin(10 * d->time + i);
    mju_copy(d->ctrl, wave, m->nu);
    mj_freeStack(d);
}

// Takes the place of the masks of geoms: only those of the floor touch.
static int filter(const mjModel* m, mjData* d, int geom1, int geom2)
{
    (void)m, (void)d;
    counts[2]++;
    return geom1 != 0 && geom2 != 0;
}

static void sensor(const mjModel* m, mjData* d, int stage)
{
    for (int i = 0; i < m->nsensor; i++)
        if (m->sensor_type[i] == mjSENS_USER && m->sensor_needstage[i] == stage) {
            counts[3]++;
            d->sensordata[m->sensor_adr[i]] = stage + d->qvel[0];
        }
}

static mjtNum dynamics(const mjModel* m, const mjData* d, int id)
{
    counts[4]++;
    return d->ctrl[id] - d->act[m->actuator_actadr[id]];
}

static mjtNum gain(const mjModel* m, const mjData* d, int id)
{
    (void)m;
    counts[5]++;
    return 2 + d->actuator_length[id];
}

static mjtNum bias(const mjModel* m, const mjData* d, int id)
{
    (void)m;
    counts[6]++;
    return -0.5 * d->actuator_velocity[id];
}

static mjtNum now(void)
{
    counts[7]++;
    return ticks += 1;
}

static void leave(const char* text)
{
    strncpy(last, text, sizeof last - 1);
    longjmp(back, 1);
}

static void hear(const char* text)
{
    (void)text;
    nwarning++;
}

static void run(const mjModel* m, mjData* d)
{
    mjcb_passive = passive;
    mjcb_control = control;
    mjcb_contactfilter = filter;
    mjcb_sensor = sensor;
    mjcb_act_dyn = dynamics;
    mjcb_act_gain = gain;
    mjcb_act_bias = bias;
    for (int i = 0; i < 100; i++) mj_step(m, d);
    for (int i = 0; i < 7; i++) printf("called %d\n", i == 2 ? counts[i] > 0 : counts[i]);
    printf("ncon %d act %.9g\nqpos", d->ncon, d->act[0]);
    for (int i = 0; i < m->nq; i++) printf(" %.9g", d->qpos[i]);
    printf("\nsensors");
    for (int i = 0; i < m->nsensordata; i++) printf(" %.9g", d->sensordata[i]);
    mjcb_time = now;
    mj_step(m, d);
    printf("\ntimed %d %d %d\n", counts[7] > 0, d->timer[mjTIMER_STEP].number > 0,
           d->timer[mjTIMER_STEP].duration > 0);
    mj_resetCallbacks();
    const int before = counts[1];
    mj_step(m, d);
    printf("reset %d %d\n", counts[1] - before,
           mjcb_time == NULL && mjcb_control == NULL && mjcb_act_dyn == NULL);
}

static void handlers(mjData* d)
{
    mju_user_error = leave;
    mju_user_warning = hear;
    if (!setjmp(back)) mju_error("%s number %d", "text", 3);
    puts(last);
    if (!setjmp(back)) mju_error_i("number %d", 4);
    puts(last);
    if (!setjmp(back)) mju_error_s("word %s", "five");
    puts(last);
    mju_warning("%d%%", 5), mju_warning_i("number %d", 4), mju_warning_s("word %s", "five");
    mj_warning(d, mjWARN_VGEOMFULL, 7), mj_warning(d, mjWARN_VGEOMFULL, 8);
    printf("%d %d %d %d\n", nwarning, d->warning[mjWARN_VGEOMFULL].number,
           d->warning[mjWARN_VGEOMFULL].lastinfo, *mju_warningText(mjWARN_BADQPOS, 1) != 0);
}

// A step warns once of what goes wrong and goes on from the start.
static void blowUp(const mjModel* m, mjData* d)
{
    nwarning = 0;
    mj_resetData(m, d);
    for (int i = 0; i < 3; i++) mj_step(m, d);
    d->qvel[0] = 1e30;
    for (int i = 0; i < 3; i++) mj_step(m, d);
    printf("warned %d counted %d at %.4f\n", nwarning, d->warning[mjWARN_BADQVEL].number, d->time);
}

// What must be refused, by a handler that leaves.
static void refused(mjModel* m, mjData* d)
{
    volatile int n = 0;
    double quat[4], angles[3] = {0};
    if (!setjmp(back)) mj_setKeyframe(m, d, 3), n++;
    if (!setjmp(back)) mj_setKeyframe(m, d, -1), n++;
    if (!setjmp(back)) mj_stateSize(m, 1 << mjNSTATE), n++;
    if (!setjmp(back)) mj_RungeKutta(m, d, 3 * 0 + 0), n++;
    if (!setjmp(back)) mju_euler2Quat(quat, angles, "xyw"), n++;
    if (!setjmp(back)) mju_euler2Quat(quat, angles, "xy"), n++;
    printf("not refused %d\n", n);
    mju_clearHandlers();
    printf("handlers %d\n", mju_user_error != NULL || mju_user_warning != NULL);
}

typedef struct Job {
    int number;
    double result;
} Job;

static void* work(void* args)
{
    Job* job = args;
    for (int i = 1; i <= 1000; i++) job->result += 1.0 / (i + job->number);
    return NULL;
}

static void threads(const mjModel* m, mjData* d)
{
    static Job jobs[200];
    static mjTask tasks[200];
    mjThreadPool* pool = mju_threadPoolCreate(3);
    for (int i = 0; i < 200; i++) {
        jobs[i].number = i;
        mju_defaultTask(&tasks[i]);
        tasks[i].func = work, tasks[i].args = &jobs[i];
        mju_threadPoolEnqueue(pool, &tasks[i]);
    }
    double sum = 0;
    for (int i = 0; i < 200; i++) {
        mju_taskJoin(&tasks[i]);
        sum += jobs[i].result;
    }
    printf("workers %d sum %.12g completed %d\n", pool->nworker, sum, tasks[7].status == mjTASK_COMPLETED);
    printf("bound %d", d->threadpool != 0);
    mju_bindThreadPool(d, pool);
    printf(" %d", (mjThreadPool*)d->threadpool == pool);
    puts("");
    for (int i = 0; i < 10; i++) mj_step(m, d);
    printf("qpos %.9g\n", d->qpos[0]);
    mj_deleteData(d);
    mju_threadPoolDestroy(pool);
}

int main(void)
{
    char error[500] = "";
    mjVFS files;
    mj_defaultVFS(&files);
    mj_addBufferVFS(&files, "model.xml", xml, sizeof xml - 1);
    mjModel* m = mj_loadXML("model.xml", &files, error, sizeof error);
    mj_deleteVFS(&files);
    if (!m) return puts(error), 1;
    mjData* d = mj_makeData(m);
    run(m, d);
    handlers(d);
    blowUp(m, d);
    refused(m, d);
    threads(m, d);
    mj_deleteModel(m);
    return 0;
}
