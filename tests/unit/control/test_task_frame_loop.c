// Loops closed by accelerations that meet rows exactly: errors move as e'' + kd e' + kp e = 0 in closed form;
// directions, masses and references that yield move as their equations say.
#include "control/arm_case.h"
#include "derivative/central_slope.h"
#include "random_tree.h"

static const double DT = 1e-3; // Runge-Kutta of order 4: errors of some 1e-12

typedef struct Arm {
    snModel* m;
    snData* d;
    snTask* t;
    double time;
    void (*reference)(snTask* t, double time); // may be NULL
} Arm;

static Arm makeArm(const char* text, const snTaskSettings* s, int type, unsigned seed)
{
    Arm arm = {.m = load(text)};
    arm.d = sn_makeData(arm.m);
    snTaskSettings settings = taskOn(arm.m, type, "left_hand");
    if (s) {
        settings = *s;
        settings.type = type;
        settings.objtype = SN_OBJ_SITE;
        settings.objid = sn_name2id(arm.m, SN_OBJ_SITE, "left_hand");
    }
    arm.t = makeTask(arm.m, &settings);
    Random random = {seed};
    for (int i = 0; i < arm.m->nq; i++) arm.d->qpos[i] += 0.5 * randomReal(&random);
    sn_normalizeQuat(arm.m, arm.d->qpos);
    return arm;
}

static void freeArm(Arm* arm)
{
    sn_freeTask(arm->t);
    sn_deleteData(arm->d);
    sn_deleteModel(arm->m);
}

// Rates of q and qvel (hinges alone) at a state x [2 nv].
static void rates(Arm* arm, double time, const double* x, double* rate)
{
    const int nv = arm->m->nv;
    memcpy(arm->d->qpos, x, (size_t)nv * sizeof(double));
    memcpy(arm->d->qvel, x + nv, (size_t)nv * sizeof(double));
    if (arm->reference) arm->reference(arm->t, time);
    memcpy(rate, x + nv, (size_t)nv * sizeof(double));
    meet(arm->m, arm->d, arm->t, SN_CONTROL_ACCELERATION, 0, rate + nv);
}

enum { STATE = 2 * 7 };

static void step(Arm* arm)
{
    static const double part[4] = {0, 0.5, 0.5, 1}, share[4] = {1, 2, 2, 1};
    double x[STATE], at[STATE], rate[STATE] = {0}, sum[STATE] = {0};
    memcpy(x, arm->d->qpos, sizeof x / 2);
    memcpy(x + 7, arm->d->qvel, sizeof x / 2);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < STATE; i++) at[i] = x[i] + part[k] * DT * rate[i];
        rates(arm, arm->time + part[k] * DT, at, rate);
        for (int i = 0; i < STATE; i++) sum[i] += share[k] * DT / 6 * rate[i];
    }
    for (int i = 0; i < STATE; i++) x[i] += sum[i];
    memcpy(arm->d->qpos, x, sizeof x / 2);
    memcpy(arm->d->qvel, x + 7, sizeof x / 2);
    arm->time += DT;
}

static void errorNow(Arm* arm, double e[6])
{
    double qacc[ARM_MOST];
    if (arm->reference) arm->reference(arm->t, arm->time);
    meet(arm->m, arm->d, arm->t, SN_CONTROL_ACCELERATION, 0, qacc);
    memcpy(e, arm->t->error, (size_t)arm->t->rows * sizeof *e);
}

// e0 critically damped from rest, kp = 100, kd = 20.
static double critical(double t)
{
    return (1 + 10 * t) * exp(-10 * t);
}

// From rest the angular velocity stays along e, so rotations obey the law of positions; a task of both too.
static void checkCritical(int type, bool local)
{
    snTaskSettings s;
    sn_defaultTask(&s);
    s.local = local;
    Arm arm = makeArm(ONE_ARM, &s, type, 3);
    double e0[6], e[6];
    errorNow(&arm, e0);
    for (int i = 0; i < 500; i++) step(&arm);
    errorNow(&arm, e);
    for (int i = 0; i < arm.t->rows && !local; i++) assert_true(fabs(e[i] - e0[i] * critical(0.5)) < 1e-9);
    for (int i = 0; i < 2500; i++) step(&arm);
    errorNow(&arm, e);
    for (int i = 0; i < arm.t->rows; i++) assert_true(fabs(e[i]) < 1e-10);
    freeArm(&arm);
}

static void test_errors_decay_as_damped_springs(void** state)
{
    (void)state;
    for (int local = 0; local < 2; local++) {
        checkCritical(SN_TASK_POSITION, local);
        checkCritical(SN_TASK_ORIENTATION, local);
        checkCritical(SN_TASK_POSE, local);
        checkCritical(SN_TASK_GAZE, local);
    }
}

// A circle, with an orientation that turns about z at 2 rad/s.
static void circle(snTask* t, double time)
{
    const double r = 0.1, w = 2, c = cos(w * time), s = sin(w * time);
    const double pos[7] = {0.4 + r * c, 0.1 + r * s, 0.5, cos(w * time / 2), 0, 0, sin(w * time / 2)};
    const double vel[6] = {-r * w * s, r * w * c, 0, 0, 0, w}, acc[6] = {-r * w * w * c, -r * w * w * s};
    memcpy(t->pos, pos, sizeof pos);
    memcpy(t->vel, vel, sizeof vel);
    memcpy(t->acc, acc, sizeof acc);
}

// With the reference's velocity and acceleration nothing lags behind.
static void test_moving_reference_is_reached(void** state)
{
    (void)state;
    Arm arm = makeArm(ONE_ARM, NULL, SN_TASK_POSE, 5);
    arm.reference = circle;
    double e[6];
    for (int i = 0; i < 3500; i++) step(&arm);
    errorNow(&arm, e);
    for (int i = 0; i < 6; i++) assert_true(fabs(e[i]) < 1e-9);
    freeArm(&arm);
}

// At an error of pi, exactly and nearly: finite, and led back.
static void test_half_turn_is_left(void** state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        Arm arm = makeArm(ONE_ARM, NULL, SN_TASK_ORIENTATION, 7);
        stages(arm.m, arm.d);
        const snMat3 R = sn_m3Load(arm.d->site_xmat + 9 * arm.t->set.objid);
        const snQuat turn = sn_quatAxisAngle(sn_v3(0.6, 0, 0.8), SN_PI + (k - 1) * 1e-9);
        sn_quatStore(arm.t->pos, sn_quatMul(turn, sn_matToQuat(R)));
        double e[6];
        errorNow(&arm, e);
        assert_true(fabs(sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) - SN_PI) < 1e-8);
        const snMat3 goal = sn_quatToMat(sn_quatLoad(arm.t->pos));
        for (int i = 0; i < 4000; i++) step(&arm);
        errorNow(&arm, e);
        for (int i = 0; i < 3; i++) assert_true(fabs(e[i]) < 1e-9);
        stages(arm.m, arm.d);
        assert_true(relativeError(arm.d->site_xmat + 9 * arm.t->set.objid, goal.m, 9, 1) < 1e-9);
        freeArm(&arm);
    }
}

// Velocities that meet the rows: order 4 in steps of DT.
static void stepVelocity(Arm* arm)
{
    static const double part[4] = {0, 0.5, 0.5, 1}, share[4] = {1, 2, 2, 1};
    double q[7], rate[7] = {0}, sum[7] = {0};
    memcpy(q, arm->d->qpos, sizeof q);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 7; i++) arm->d->qpos[i] = q[i] + part[k] * DT * rate[i];
        if (arm->reference) arm->reference(arm->t, arm->time + part[k] * DT);
        meet(arm->m, arm->d, arm->t, SN_CONTROL_VELOCITY, 0, rate);
        for (int i = 0; i < 7; i++) sum[i] += share[k] * DT / 6 * rate[i];
    }
    for (int i = 0; i < 7; i++) arm->d->qpos[i] = q[i] + sum[i];
    arm->time += DT;
}

// Errors decay with exp(-kp t), of rotations, too, as w is along e; behind a moving reference nothing lags.
static void test_velocities_decay(void** state)
{
    (void)state;
    static const int types[4] = {SN_TASK_POSITION, SN_TASK_ORIENTATION, SN_TASK_POSE, SN_TASK_GAZE};
    snTaskSettings s;
    sn_defaultTask(&s);
    s.kp = 5;
    double e0[6], e[6];
    for (int k = 0; k < 4; k++) {
        Arm arm = makeArm(ONE_ARM, &s, types[k], 8);
        errorNow(&arm, e0);
        for (int i = 0; i < 300; i++) stepVelocity(&arm);
        errorNow(&arm, e);
        for (int i = 0; i < arm.t->rows; i++) assert_true(fabs(e[i] - e0[i] * exp(-5 * 0.3)) < 1e-10);
        freeArm(&arm);
    }
    Arm arm = makeArm(ONE_ARM, &s, SN_TASK_POSE, 5);
    arm.reference = circle;
    for (int i = 0; i < 6000; i++) stepVelocity(&arm);
    errorNow(&arm, e);
    for (int i = 0; i < 6; i++) assert_true(fabs(e[i]) < 1e-9);
    freeArm(&arm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_decay_as_damped_springs),
        cmocka_unit_test(test_moving_reference_is_reached),
        cmocka_unit_test(test_velocities_decay),
        cmocka_unit_test(test_half_turn_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
