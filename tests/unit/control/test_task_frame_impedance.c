// Impedance and admittance: answers to a constant force in closed form, and in which axes it acts.
#include "control/arm_case.h"
#include "derivative/central_slope.h"
#include "random_tree.h"

static const double MASS[6] = {2, 3, 4, 0.5, 0.5, 0.5}, FORCE[6] = {4, -3, 5, 0.3, -0.2, 0.1};
static const double STIFF = 80, DAMPER = 6;

// Displacement at t, from rest, of a mass on a spring and a damper under a constant force.
static double answer(int i, double t)
{
    const double w2 = STIFF / MASS[i], z = DAMPER / (2 * MASS[i]);
    const double root = sqrt(fabs(w2 - z * z));
    const double wave =
        w2 > z * z ? cos(root * t) + z / root * sin(root * t) : cosh(root * t) + z / root * sinh(root * t);
    return FORCE[i] / STIFF * (1 - exp(-z * t) * wave);
}

static snTask* springTask(const snModel* m, int type)
{
    snTaskSettings s = taskOn(m, type, "left_hand");
    memcpy(s.mass, MASS, sizeof MASS);
    s.kp = STIFF;
    s.kd = DAMPER;
    snTask* const t = makeTask(m, &s);
    memcpy(t->wrench, FORCE, sizeof FORCE);
    return t;
}

// A step of order 4 for hinges.
static void step(const snModel* m, snData* d, snTask* t, double dt)
{
    static const double part[4] = {0, 0.5, 0.5, 1}, share[4] = {1, 2, 2, 1};
    double q[7], v[7], rate[2][7] = {{0}}, sum[2][7] = {{0}};
    memcpy(q, d->qpos, sizeof q);
    memcpy(v, d->qvel, sizeof v);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 7; i++) {
            d->qpos[i] = q[i] + part[k] * dt * rate[0][i];
            d->qvel[i] = v[i] + part[k] * dt * rate[1][i];
        }
        memcpy(rate[0], d->qvel, sizeof rate[0]);
        meet(m, d, t, SN_CONTROL_ACCELERATION, 0, rate[1]);
        for (int i = 0; i < 7; i++)
            for (int part_of = 0; part_of < 2; part_of++)
                sum[part_of][i] += share[k] * dt / 6 * rate[part_of][i];
    }
    for (int i = 0; i < 7; i++) d->qpos[i] = q[i] + sum[0][i], d->qvel[i] = v[i] + sum[1][i];
}

static void bend(const snModel* m, snData* d)
{
    static const double angle[7] = {0.3, 0.5, -0.4, 0.8, 0.2, 0.6, -0.1};
    memcpy(d->qpos, angle, sizeof angle);
    stages(m, d);
}

// References start where the hand is now.
static void startHere(snTask* t, const snData* d)
{
    memcpy(t->pos, d->site_xpos + 3 * t->set.objid, 3 * sizeof(double));
    sn_quatStore(t->pos + 3, sn_matToQuat(sn_m3Load(d->site_xmat + 9 * t->set.objid)));
}

static void test_impedance_is_mass_damper_spring(void** state)
{
    (void)state;
    snModel* const m = load(ONE_ARM);
    snData* const d = sn_makeData(m);
    snTask* const t = springTask(m, SN_TASK_IMPEDANCE);
    bend(m, d);
    startHere(t, d);
    double qacc[7];
    for (int i = 0; i < 300; i++) step(m, d, t, 1e-3);
    meet(m, d, t, SN_CONTROL_ACCELERATION, 0, qacc);
    for (int i = 0; i < 6; i++) assert_true(fabs(t->error[i] + answer(i, 0.3)) < 1e-9);
    sn_freeTask(t);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Velocities for a step of dt: they lead to where the force and the spring balance, and with small dt there
// as the differential equation does.
static void test_impedance_by_velocities(void** state)
{
    (void)state;
    snModel* const m = load(ONE_ARM);
    for (int k = 0; k < 2; k++) {
        const double dt = k ? 1e-2 : 1e-4;
        snData* const d = sn_makeData(m);
        snTask* const t = springTask(m, SN_TASK_IMPEDANCE);
        bend(m, d);
        startHere(t, d);
        double qvel[7];
        for (int i = 0; i < (k ? 4000 : 3000); i++) {
            meet(m, d, t, SN_CONTROL_VELOCITY, dt, d->qvel);
            sn_integratePos(m, d->qpos, d->qvel, dt);
        }
        meet(m, d, t, SN_CONTROL_VELOCITY, dt, qvel);
        for (int i = 0; i < 6; i++)
            assert_true(fabs(t->error[i] + (k ? FORCE[i] / STIFF : answer(i, 0.3))) < (k ? 1e-9 : 3e-5));
        sn_freeTask(t);
        sn_deleteData(d);
    }
    sn_deleteModel(m);
}

// The largest error of the state after 0.3 s in steps of dt.
static double stateError(const snModel* m, double dt)
{
    snData* const d = sn_makeData(m);
    snTask* const t = springTask(m, SN_TASK_ADMITTANCE);
    bend(m, d);
    startHere(t, d);
    double A[6 * ARM_MOST], b[6], worst = 0;
    const int steps = (int)(0.3 / dt + 0.5);
    for (int i = 0; i < steps; i++) sn_taskRows(m, d, t, SN_CONTROL_ACCELERATION, dt, m->nv, A, b, b, NULL);
    const snQuat turned = sn_quatMul(sn_quatLoad(t->state + 3), sn_quatConj(sn_quatLoad(t->pos + 3)));
    double moved[6];
    sn_v3Store(moved, sn_v3Sub(sn_v3Load(t->state), sn_v3Load(t->pos)));
    sn_v3Store(moved + 3, sn_quatToRotvec(turned));
    for (int i = 0; i < 6; i++) worst = fmax(worst, fabs(moved[i] - answer(i, 0.3)));
    sn_freeTask(t);
    sn_deleteData(d);
    return worst;
}

static void test_yielding_reference_is_of_second_order(void** state)
{
    (void)state;
    snModel* const m = load(ONE_ARM);
    const double coarse = stateError(m, 2e-3), fine = stateError(m, 1e-3);
    assert_true(coarse < 1e-5 && fabs(coarse / fine - 4) < 0.05);
    sn_deleteModel(m);
}

static void stepVelocity(const snModel* m, snData* d, snTask* t, double dt)
{
    meet(m, d, t, SN_CONTROL_VELOCITY, dt, d->qvel);
    sn_integratePos(m, d->qpos, d->qvel, dt);
}

static void stepAcceleration(const snModel* m, snData* d, snTask* t, double dt)
{
    double qacc[7];
    meet(m, d, t, SN_CONTROL_ACCELERATION, dt, qacc);
    for (int k = 0; k < 7; k++) d->qvel[k] += dt * qacc[k];
    sn_integratePos(m, d->qpos, d->qvel, dt);
}

// The frame yields to the force as its reference does, in both modes.
static void test_frame_follows_what_yields(void** state)
{
    (void)state;
    snModel* const m = load(ONE_ARM);
    for (int mode = 0; mode < 2; mode++) {
        snData* const d = sn_makeData(m);
        snTask* const t = springTask(m, SN_TASK_ADMITTANCE);
        bend(m, d);
        startHere(t, d);
        for (int i = 0; i < 25000; i++)
            if (mode == SN_CONTROL_VELOCITY)
                stepVelocity(m, d, t, 1e-3);
            else
                stepAcceleration(m, d, t, 1e-3);
        stages(m, d);
        for (int r = 0; r < 3; r++)
            assert_true(fabs(d->site_xpos[3 * t->set.objid + r] - t->pos[r] - FORCE[r] / STIFF) < 1e-6);
        for (int r = 0; r < 6; r++) assert_true(fabs(t->error[r]) < 1e-6);
        sn_freeTask(t);
        sn_deleteData(d);
    }
    sn_deleteModel(m);
}

// What follows is critically damped: after t = 0.3 s with 10 1/s (1 + 3) exp(-3) of the way is left.
static void test_following_is_critically_damped(void** state)
{
    (void)state;
    snModel* const m = load(ONE_ARM);
    snData* const d = sn_makeData(m);
    snTask* const t = springTask(m, SN_TASK_ADMITTANCE);
    memset(t->wrench, 0, 6 * sizeof(double));
    t->set.follow = 10;
    t->fresh = false;
    bend(m, d);
    startHere(t, d);
    memcpy(t->state, t->pos, 7 * sizeof(double)); // at rest: the spring is too
    t->pos[0] = t->state[0] += 0.1;
    for (int i = 0; i < 300; i++) step(m, d, t, 1e-3);
    double qacc[7];
    meet(m, d, t, SN_CONTROL_ACCELERATION, 0, qacc);
    assert_true(fabs(t->error[0] - 0.1 * 4 * exp(-3)) < 1e-9);
    for (int i = 1; i < 6; i++) assert_true(fabs(t->error[i]) < 1e-9);
    sn_freeTask(t);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// `fresh` takes pose and velocity of the frame: nothing pulls there but the wrench and the spring.
static void test_fresh_takes_the_present(void** state)
{
    (void)state;
    snModel* const m = load(TWO_ARMS);
    snData* const d = sn_makeData(m);
    snTask* const t = springTask(m, SN_TASK_ADMITTANCE);
    Random random = {12};
    double A[6 * ARM_MOST], b[6], v[6] = {0};
    for (int again = 0; again < 2; again++) {
        t->fresh = true;
        randomState(m, d, &random);
        stages(m, d);
        sn_taskRows(m, d, t, SN_CONTROL_VELOCITY, 0, m->nv, A, b, b, NULL);
        for (int i = 0; i < 6; i++) {
            v[i] = 0;
            for (int k = 0; k < m->nv; k++) v[i] += A[i * m->nv + k] * d->qvel[k];
            assert_true(fabs(v[i] - b[i]) < 1e-12 && fabs(t->error[i]) < 1e-12);
        }
        assert_memory_equal(t->state, d->site_xpos + 3 * t->set.objid, 3 * sizeof(double));
        assert_false(t->fresh);
    }
    sn_freeTask(t);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// With unit mass an impedance is a pose and the wrench, which is given in the world's axes.
static void test_wrench_is_of_the_world(void** state)
{
    (void)state;
    snModel* const m = load(TWO_ARMS);
    snData* const d = sn_makeData(m);
    Random random = {13};
    randomState(m, d, &random);
    stages(m, d);
    for (int i = 0; i < 4; i++) {
        snTaskSettings s = taskOn(m, SN_TASK_POSE, "left_hand");
        s.local = i & 1;
        if (i & 2) s.reftype = SN_OBJ_SITE, s.refid = sn_name2id(m, SN_OBJ_SITE, "right_hand");
        snTask* const pose = makeTask(m, &s);
        s.type = SN_TASK_IMPEDANCE;
        snTask* const spring = makeTask(m, &s);
        memcpy(spring->wrench, FORCE, sizeof FORCE);
        double A[6 * ARM_MOST], b[2][6];
        sn_taskRows(m, d, pose, SN_CONTROL_ACCELERATION, 0, m->nv, A, b[0], b[0], NULL);
        sn_taskRows(m, d, spring, SN_CONTROL_ACCELERATION, 0, m->nv, A, b[1], b[1], NULL);
        const int site = s.local ? s.objid : s.refid;
        const snMat3 R = s.local || i & 2 ? sn_m3Load(d->site_xmat + 9 * site) : sn_m3Identity();
        double f[6];
        sn_v3Store(f, sn_m3TMul(R, sn_v3Load(FORCE)));
        sn_v3Store(f + 3, sn_m3TMul(R, sn_v3Load(FORCE + 3)));
        for (int r = 0; r < 6; r++) f[r] += b[0][r];
        assert_true(relativeError(f, b[1], 6, 1) < 1e-14);
        sn_freeTask(spring);
        sn_freeTask(pose);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_impedance_is_mass_damper_spring),
        cmocka_unit_test(test_impedance_by_velocities),
        cmocka_unit_test(test_yielding_reference_is_of_second_order),
        cmocka_unit_test(test_frame_follows_what_yields),
        cmocka_unit_test(test_following_is_critically_damped),
        cmocka_unit_test(test_fresh_takes_the_present),
        cmocka_unit_test(test_wrench_is_of_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
