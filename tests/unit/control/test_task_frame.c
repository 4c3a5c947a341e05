// Motion of frames, absolute and relative, against the engine's Jacobians and accelerations and against
// differences of order 6 along the motion, on random trees of all joint types.
#include "control/task/frame.h"
#include "control/arm_case.h"
#include "derivative/central_slope.h"
#include "random_tree.h"

enum { TREES = 40, PART = 3 * ARM_MOST };
static const double TOLERANCE = 1e-9; // of the largest entry: step 1e-3, h^6 and 1e-16/h are both below 1e-12

typedef struct Seen {
    const snModel* m;
    snData *d, *base;
    snFrame frame, from;
} Seen;

static snFrameMotion seen(const Seen* s, snData* d, double* J)
{
    snFrameMotion motion;
    sn_frameFrom(s->m, d, s->frame, s->from, false, &motion, J, J ? J + 3 * s->m->nv : NULL, s->m->nv);
    return motion;
}

// Position, axes and velocity at a time t along qvel.
static void alongMotion(void* context, double t, double* out)
{
    const Seen* s = context;
    sn_copyData(s->d, s->m, s->base);
    sn_integratePos(s->m, s->d->qpos, s->base->qvel, t);
    stages(s->m, s->d);
    const snFrameMotion motion = seen(s, s->d, NULL);
    memcpy(out, &motion, 18 * sizeof(double));
}

// vel and drift are the rates of pos, mat and vel; mat' = [w] mat.
static void checkRates(Seen* s)
{
    double slope[18];
    stages(s->m, s->base);
    const snFrameMotion now = seen(s, s->base, NULL);
    centralSlope(alongMotion, s, 1e-3, 18, slope);
    assert_true(relativeError(slope, now.vel, 3, 1) < TOLERANCE);
    double turning[9];
    for (int c = 0; c < 3; c++) {
        const snVec3 rate = sn_v3Cross(sn_v3Load(now.vel + 3), sn_m3Col(sn_m3Load(now.mat), c));
        turning[c] = rate.x, turning[3 + c] = rate.y, turning[6 + c] = rate.z;
    }
    assert_true(relativeError(slope + 3, turning, 9, 1) < TOLERANCE);
    assert_true(relativeError(slope + 12, now.drift, 6, 1) < TOLERANCE);
}

static void checkVelocity(const Seen* s)
{
    double J[2 * PART], vel[6];
    const int nv = s->m->nv;
    memset(J, 0x7f, sizeof J);
    const snFrameMotion now = seen(s, s->base, J);
    for (int i = 0; i < 6; i++) {
        vel[i] = 0;
        for (int k = 0; k < nv; k++) vel[i] += J[i * nv + k] * s->base->qvel[k];
    }
    assert_true(relativeError(vel, now.vel, 6, 1) < 1e-13);
}

// The engine's own Jacobian and its rate at the same point.
static void checkEngine(const Seen* s)
{
    double J[2 * PART], own[2 * PART], rate[2 * PART], drift[6] = {0};
    const int nv = s->m->nv, body = s->frame.objid;
    const snFrameMotion now = seen(s, s->base, J);
    sn_jac(s->m, s->base, own, own + 3 * nv, now.pos, body);
    sn_jacDot(s->m, s->base, rate, rate + 3 * nv, now.pos, body);
    assert_memory_equal(J, own, 6 * (size_t)nv * sizeof(double));
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < nv; k++) drift[i] += rate[i * nv + k] * s->base->qvel[k];
    assert_true(relativeError(drift, now.drift, 6, 1) < 1e-13);
}

static void test_frames_of_random_trees(void** state)
{
    (void)state;
    Random random = {20};
    for (int i = 0; i < TREES; i++) {
        snModel* const m = randomTree(&random);
        snData *const d = sn_makeData(m), *const base = sn_makeData(m);
        double offset[3], other[3];
        randomState(m, base, &random);
        sn_v3Store(offset, randomVec(&random, 0.3));
        sn_v3Store(other, randomVec(&random, 0.3));
        stages(m, base);
        const int body = randomInt(&random, m->nbody), reference = randomInt(&random, m->nbody);
        Seen s = {m, d, base, {SN_OBJ_BODY, body, offset}, {SN_OBJ_UNKNOWN, -1, NULL}};
        checkRates(&s);
        checkVelocity(&s);
        checkEngine(&s);
        s.from = (snFrame){SN_OBJ_BODY, reference, i % 2 ? other : NULL};
        checkRates(&s);
        checkVelocity(&s);
        sn_deleteData(base);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}

// The acceleration of a body, a site and a geom as the engine has it, with gravity taken off.
static void test_accelerations_are_those_of_objects(void** state)
{
    (void)state;
    snModel* const m = load(TWO_ARMS);
    snData* const d = sn_makeData(m);
    Random random = {3};
    const char* const names[3] = {"left_wrist", "right_hand", "left_palm"};
    const int types[3] = {SN_OBJ_BODY, SN_OBJ_SITE, SN_OBJ_GEOM};
    for (int i = 0; i < 3; i++) {
        randomState(m, d, &random);
        stages(m, d);
        sn_rnePostConstraint(m, d);
        const int id = sn_name2id(m, types[i], names[i]), objtype = i ? types[i] : SN_OBJ_XBODY;
        double J[2 * PART], engine[6], acc[6];
        snFrameMotion motion;
        sn_frameMotion(m, d, types[i], id, NULL, &motion, J, m->nv);
        sn_objectAcceleration(m, d, objtype, id, engine, 0);
        for (int r = 0; r < 6; r++) {
            acc[(r + 3) % 6] = motion.drift[r] - (r < 3 ? m->opt.gravity[r] : 0);
            for (int k = 0; k < m->nv; k++) acc[(r + 3) % 6] += J[r * m->nv + k] * d->qacc[k];
        }
        assert_true(relativeError(acc, engine, 6, 1) < 1e-13);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

static int columnsThatMove(const snModel* m, const double* A, int rows)
{
    int count = 0;
    for (int k = 0; k < m->nv; k++) {
        bool moves = false;
        for (int i = 0; i < rows; i++) moves = moves || A[i * m->nv + k] != 0;
        count += moves;
    }
    return count;
}

// Base and torso carry both hands: neither their columns nor where and how they move is seen.
static void test_common_motion_does_not_show(void** state)
{
    (void)state;
    snModel* const m = load(TWO_ARMS);
    snData* const d = sn_makeData(m);
    Random random = {4};
    snTaskSettings s = taskOn(m, SN_TASK_POSE, "left_hand");
    s.reftype = SN_OBJ_SITE;
    s.refid = sn_name2id(m, SN_OBJ_SITE, "right_hand");
    snTask* const t = makeTask(m, &s);
    randomState(m, d, &random);
    double A[2][2 * PART], b[2][6];
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 11 && i; k++) d->qpos[k] += 0.1 * randomReal(&random);
        for (int k = 0; k < 9 && i; k++) d->qvel[k] += randomReal(&random);
        sn_normalizeQuat(m, d->qpos);
        stages(m, d);
        assert_int_equal(sn_taskRows(m, d, t, SN_CONTROL_ACCELERATION, 0, m->nv, A[i], b[i], b[i], NULL), 6);
    }
    assert_int_equal(columnsThatMove(m, A[0], 6), 14);
    assert_true(relativeError(A[0], A[1], 6 * m->nv, 1) < 1e-13);
    assert_true(relativeError(b[0], b[1], 6, 1) < 1e-13);
    sn_freeTask(t);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Rows of one pose in the axes of the frame are the others turned; the reference stays in the world.
static void test_local_rows_are_turned(void** state)
{
    (void)state;
    snModel* const m = load(TWO_ARMS);
    snData* const d = sn_makeData(m);
    Random random = {5};
    snTaskSettings s = taskOn(m, SN_TASK_POSE, "left_hand");
    randomState(m, d, &random);
    stages(m, d);
    double A[2][2 * PART], b[2][6], turned[2 * PART], turned_b[6];
    for (int i = 0; i < 2; i++) {
        s.local = i;
        snTask* const t = makeTask(m, &s);
        for (int k = 0; k < 6; k++) t->vel[k] = 0.1 * k, t->acc[k] = 0.3 - 0.2 * k;
        sn_taskRows(m, d, t, SN_CONTROL_ACCELERATION, 0, m->nv, A[i], b[i], b[i], NULL);
        sn_freeTask(t);
    }
    const double* const R = d->site_xmat + 9 * s.objid;
    for (int i = 0; i < 6; i++) {
        const int part = i / 3 * 3;
        turned_b[i] = 0;
        memset(turned + i * m->nv, 0, (size_t)m->nv * sizeof(double));
        for (int j = 0; j < 3; j++) {
            turned_b[i] += R[3 * j + i % 3] * b[0][part + j];
            for (int k = 0; k < m->nv; k++)
                turned[i * m->nv + k] += R[3 * j + i % 3] * A[0][(part + j) * m->nv + k];
        }
    }
    assert_true(relativeError(A[1], turned, 6 * m->nv, 1) < 1e-13);
    assert_true(relativeError(b[1], turned_b, 6, 1) < 1e-13);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Rows not selected are left out, weights are multiplied, columns beyond nv are cleared.
static void test_axes_weights_and_stride(void** state)
{
    (void)state;
    snModel* const m = load(ONE_ARM);
    snData* const d = sn_makeData(m);
    snTaskSettings s = taskOn(m, SN_TASK_POSE, "left_hand");
    snTask* const whole = makeTask(m, &s);
    s.axes = 1 << 1 | 1 << 5;
    s.weight = 3;
    snTask* const some = makeTask(m, &s);
    some->weight[5] = 0.5;
    stages(m, d);
    enum { STRIDE = 12 };
    double A[6 * STRIDE], b[6], w[6], part[6 * STRIDE], part_b[6];
    memset(part, 0x7f, sizeof part);
    assert_int_equal(sn_taskRows(m, d, whole, 1, 0, STRIDE, A, b, b, w), 6);
    assert_int_equal(sn_taskRows(m, d, some, 1, 0, STRIDE, part, part_b, part_b, w), 2);
    assert_memory_equal(part, A + STRIDE, STRIDE * sizeof(double));
    assert_memory_equal(part + STRIDE, A + 5 * STRIDE, STRIDE * sizeof(double));
    assert_true(part_b[0] == b[1] && part_b[1] == b[5] && w[0] == 3 && w[1] == 1.5);
    for (int k = m->nv; k < STRIDE; k++) assert_true(part[k] == 0 && part[STRIDE + k] == 0);
    sn_freeTask(some);
    sn_freeTask(whole);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// A contact holds the pose in which it is when it is switched on.
static void test_contact_is_captured(void** state)
{
    (void)state;
    snModel* const m = load(ONE_ARM);
    snData* const d = sn_makeData(m);
    Random random = {6};
    const snTaskSettings s = taskOn(m, SN_TASK_CONTACT, "left_hand");
    snTask* const t = makeTask(m, &s);
    double A[2 * PART], b[6];
    for (int again = 0; again < 2; again++) {
        t->fresh = true;
        randomState(m, d, &random);
        memset(d->qvel, 0, (size_t)m->nv * sizeof(double));
        stages(m, d);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(sn_taskRows(m, d, t, SN_CONTROL_ACCELERATION, 0, m->nv, A, b, b, NULL), 6);
            assert_false(t->fresh);
            for (int k = 0; k < 6; k++) assert_true(fabs(b[k]) < 1e-12);
        }
        assert_memory_equal(t->pos, d->site_xpos, 3 * sizeof(double));
    }
    d->qpos[3] += 0.1;
    stages(m, d);
    sn_taskRows(m, d, t, SN_CONTROL_ACCELERATION, 0, m->nv, A, b, b, NULL);
    assert_true(fabs(t->error[0]) + fabs(t->error[1]) + fabs(t->error[2]) > 1e-3);
    sn_freeTask(t);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_of_random_trees),
        cmocka_unit_test(test_accelerations_are_those_of_objects),
        cmocka_unit_test(test_common_motion_does_not_show),
        cmocka_unit_test(test_local_rows_are_turned),
        cmocka_unit_test(test_axes_weights_and_stride),
        cmocka_unit_test(test_contact_is_captured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
