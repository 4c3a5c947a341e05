// Gaze: how the direction of the point moves when rows are met, by differences of order 6 along the motion.
#include "control/arm_case.h"
#include "derivative/central_slope.h"
#include "random_tree.h"

typedef struct Look {
    const snModel* m;
    snData *d, *base;
    const snTask* t;
    const double* x; // [nv] qvel in velocity mode, else qacc
    int mode;
} Look;

static snVec3 originOf(const snData* d, int site, const double* offset)
{
    return sn_v3Add(sn_v3Load(d->site_xpos + 3 * site),
                    sn_m3Mul(sn_m3Load(d->site_xmat + 9 * site), sn_v3Load(offset)));
}

// Direction of the point in the frame, by poses alone. The point moves in its own frame by `own`.
static snVec3 direction(const snModel* m, snData* d, const snTask* t, snVec3 own)
{
    double place[3];
    sn_kinematics(m, d);
    sn_v3Store(place, sn_v3Add(sn_v3Load(t->pos), own));
    const snVec3 point =
        t->set.reftype == SN_OBJ_UNKNOWN ? sn_v3Load(place) : originOf(d, t->set.refid, place);
    const snVec3 y = sn_v3Sub(point, originOf(d, t->set.objid, t->set.offset));
    return sn_v3Normalize(sn_m3TMul(sn_m3Load(d->site_xmat + 9 * t->set.objid), y));
}

static void alongMotion(void* context, double t, double* out)
{
    const Look* k = context;
    const bool velocity = k->mode == SN_CONTROL_VELOCITY;
    double path[ARM_MOST];
    sn_copyData(k->d, k->m, k->base);
    for (int i = 0; i < k->m->nv; i++)
        path[i] = velocity ? t * k->x[i] : t * k->base->qvel[i] + t * t / 2 * k->x[i];
    sn_integratePos(k->m, k->d->qpos, path, 1);
    snVec3 own = sn_v3Scale(sn_v3Load(k->t->vel), t);
    if (!velocity) own = sn_v3AddScaled(own, t * t / 2, sn_v3Load(k->t->acc));
    sn_v3Store(out, direction(k->m, k->d, k->t, own));
}

static void secondSlope(Look* k, double h, double out[3])
{
    static const double weight[4] = {-490, 270, -27, 2};
    memset(out, 0, 3 * sizeof *out);
    for (int i = -3; i <= 3; i++) {
        double s[3];
        alongMotion(k, i * h, s);
        for (int r = 0; r < 3; r++) out[r] += weight[abs(i)] * s[r] / (180 * h * h);
    }
}

// The way from s to the axis: angle times direction.
static snVec3 wayTo(snVec3 s, snVec3 axis)
{
    const snVec3 across = sn_v3AddScaled(axis, -sn_v3Dot(axis, s), s);
    return sn_v3Scale(across, acos(sn_v3Dot(axis, s)) / sn_v3Norm(across));
}

// s' = kp way, and along the sphere s'' = kp way - kd s'.
static void checkLook(Look* k)
{
    double now[3], rate[3], second[3];
    alongMotion(k, 0, now);
    centralSlope(alongMotion, k, 1e-3, 3, rate);
    const snVec3 s = sn_v3Load(now), way = wayTo(s, sn_v3Load(k->t->set.axis));
    const double kp = k->t->set.kp, kd = 2 * sqrt(kp);
    double wanted[3];
    if (k->mode == SN_CONTROL_VELOCITY) {
        sn_v3Store(wanted, sn_v3Scale(way, kp));
        assert_true(relativeError(rate, wanted, 3, 1) < 1e-9);
        return;
    }
    secondSlope(k, 4e-3, second);
    const double along = sn_v3Dot(s, sn_v3Load(second));
    for (int r = 0; r < 3; r++) second[r] -= along * now[r];
    sn_v3Store(wanted, sn_v3AddScaled(sn_v3Scale(way, kp), -kd, sn_v3Load(rate)));
    assert_true(relativeError(second, wanted, 3, 1) < 1e-8);
}

static void test_direction_moves_as_asked(void** state)
{
    (void)state;
    snModel* const m = load(TWO_ARMS);
    snData *const d = sn_makeData(m), *const base = sn_makeData(m);
    Random random = {9};
    for (int i = 0; i < 24; i++) {
        snTaskSettings s = taskOn(m, SN_TASK_GAZE, "left_hand");
        if (i & 1)
            s.reftype = SN_OBJ_SITE, s.refid = sn_name2id(m, SN_OBJ_SITE, i & 2 ? "right_hand" : "mark");
        sn_v3Store(s.axis, i & 4 ? sn_v3(0, 0, -2) : randomVec(&random, 1));
        sn_v3Store(s.offset, randomVec(&random, 0.1));
        s.kp = 4;
        snTask* const t = makeTask(m, &s);
        sn_v3Store(t->pos, randomVec(&random, 1));
        sn_v3Store(t->vel, randomVec(&random, 0.3));
        sn_v3Store(t->acc, randomVec(&random, 0.3));
        randomState(m, base, &random);
        for (int k = 0; k < m->nv; k++) base->qvel[k] *= 0.3;
        double x[ARM_MOST];
        Look look = {m, d, base, t, x, i % 3 ? SN_CONTROL_ACCELERATION : SN_CONTROL_VELOCITY};
        meet(m, base, t, look.mode, 0, x);
        checkLook(&look);
        sn_freeTask(t);
    }
    sn_deleteData(base);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Rows and errors at a point `way` along the axis (-1: right behind), moved off by a little.
static int rowsAt(const snModel* m, snData* d, snTask* t, double way, double off, double* A, double* b)
{
    const double* const R = d->site_xmat + 9 * t->set.objid;
    for (int r = 0; r < 3; r++)
        t->pos[r] = d->site_xpos[3 * t->set.objid + r] + way * R[3 * r + 2] + off * R[3 * r];
    return sn_taskRows(m, d, t, SN_CONTROL_ACCELERATION, 0, m->nv, A, b, b, NULL);
}

// The rotation rows of the frame itself see the same two singular values wherever the point is.
static void test_rows_behind_are_as_good(void** state)
{
    (void)state;
    static const double offs[4] = {0, 1e-15, 1e-9, 1e-3};
    snModel* const m = load(TWO_ARMS);
    snData* const d = sn_makeData(m);
    const snTaskSettings s = taskOn(m, SN_TASK_GAZE, "left_hand");
    snTask* const t = makeTask(m, &s);
    Random random = {11};
    randomState(m, d, &random);
    stages(m, d);
    double A[6 * ARM_MOST], b[6];
    for (int i = 0; i < 4; i++) {
        assert_int_equal(rowsAt(m, d, t, -1e6, 1e6 * offs[i], A, b), 2);
        double gram[2][2] = {{0}}; // of the base's rotations: at such a distance the point stands still
        for (int r = 0; r < 2; r++)
            for (int c = 0; c < 2; c++)
                for (int k = 3; k < 6; k++) gram[r][c] += A[r * m->nv + k] * A[c * m->nv + k];
        assert_true(fabs(gram[0][0] - 1) < 1e-5 && fabs(gram[1][1] - 1) < 1e-5 && fabs(gram[0][1]) < 1e-5);
        assert_true(fabs(hypot(t->error[0], t->error[1]) - (SN_PI - offs[i])) < 1e-8);
        assert_true(isfinite(b[0]) && isfinite(b[1]));
        assert_int_equal(rowsAt(m, d, t, 1, offs[i], A, b), 2);
        assert_true(fabs(hypot(t->error[0], t->error[1]) - atan(offs[i])) < 1e-12);
    }
    assert_int_equal(rowsAt(m, d, t, 0, 0, A, b), 0);
    assert_true(t->error[0] == 0 && t->error[1] == 0);
    sn_freeTask(t);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Where the point is behind without any rounding there is no shortest way: one is taken.
static void test_exactly_behind(void** state)
{
    (void)state;
    static const double axes[4][3] = {{0, 0, 1}, {0, 0, -1}, {0, 1, 0}, {-1, 0, 0}};
    snModel* const m =
        load("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>");
    snData* const d = sn_makeData(m);
    stages(m, d);
    snTaskSettings s;
    sn_defaultTask(&s);
    s.type = SN_TASK_GAZE;
    s.objid = 1;
    for (int i = 0; i < 4; i++) {
        memcpy(s.axis, axes[i], sizeof axes[i]);
        snTask* const t = makeTask(m, &s);
        for (int r = 0; r < 3; r++) t->pos[r] = -2 * axes[i][r];
        double A[2 * 6], b[2], turn[3] = {0}, way[2];
        assert_int_equal(sn_taskRows(m, d, t, SN_CONTROL_VELOCITY, 0, 6, A, b, b, NULL), 2);
        way[0] = t->error[0], way[1] = t->error[1];
        assert_true(fabs(hypot(way[0], way[1]) - SN_PI) < 1e-15);
        for (int r = 0; r < 3; r++) turn[r] = A[3 + r] * way[0] + A[9 + r] * way[1];
        assert_true(fabs(sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]) - SN_PI) < 1e-14);
        sn_freeTask(t);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_direction_moves_as_asked),
        cmocka_unit_test(test_exactly_behind),
        cmocka_unit_test(test_rows_behind_are_as_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
