// Tasks are made: defaults, sizes, where references start, what may stand in the settings.
#include <stdio.h>
#include "base/memory.h"
#include "control/arm_case.h"
#include "math/vec.h"

typedef struct Cases {
    const snModel* m;
    int count;
} Cases;

// The task is refused with an error that has its name, its type and all of `says`.
static void refused(Cases* c, snTaskSettings s, const char* type, const char* says)
{
    snError error = {0};
    s.name = "mine";
    assert_null(sn_makeTask(c->m, &s, &error));
    assert_int_equal(error.status, SN_STATUS_ARGUMENT);
    char begin[64];
    snprintf(begin, sizeof begin, "task 'mine' (%s): ", type);
    if (strncmp(error.message, begin, strlen(begin)) || !strstr(error.message, says))
        fail_msg("%s%s: %s", begin, says, error.message);
    assert_null(sn_makeTask(c->m, &s, NULL));
    c->count++;
}

static void checkRefusedGains(Cases* c)
{
    snTaskSettings s = taskOn(c->m, SN_TASK_POSE, "left_hand"), bad = s;
    bad.level = -1;
    refused(c, bad, "pose", "level is -1");
    bad = s, bad.weight = -2;
    refused(c, bad, "pose", "weight is -2");
    bad = s, bad.weight = NAN;
    refused(c, bad, "pose", "weight is nan");
    bad = s, bad.kp = -1;
    refused(c, bad, "pose", "kp is -1");
    bad = s, bad.kp = INFINITY;
    refused(c, bad, "pose", "kp is inf");
    bad = s, bad.kd = NAN;
    refused(c, bad, "pose", "kd is nan");
    bad = s, bad.axes = 1 << 6;
    refused(c, bad, "pose", "axes 0x40 select no row; bits 0 to 5");
    bad.type = SN_TASK_POSITION, bad.axes = 1 << 3;
    refused(c, bad, "position", "bits 0 to 2");
    bad.type = 99;
    refused(c, bad, "unknown", "type 99 is none");
}

static void checkRefusedFrames(Cases* c)
{
    snTaskSettings s = taskOn(c->m, SN_TASK_POSITION, "left_hand"), bad = s;
    bad.objid = 3;
    refused(c, bad, "position", "there is no site 3; objid is 0 to 2");
    bad = s, bad.objid = -1;
    refused(c, bad, "position", "there is no site -1");
    bad = s, bad.objtype = SN_OBJ_JOINT;
    refused(c, bad, "position", "is no frame; give SN_OBJ_BODY");
    bad = s, bad.reftype = SN_OBJ_BODY, bad.refid = 1000;
    refused(c, bad, "position", "there is no body 1000; refid is");
    bad = s, bad.objid = sn_name2id(c->m, SN_OBJ_SITE, "mark");
    refused(c, bad, "position", "no dof moves site 0 'mark' against the world");
    bad = s, bad.reftype = SN_OBJ_BODY, bad.refid = sn_name2id(c->m, SN_OBJ_BODY, "left_wrist");
    refused(c, bad, "position", "against its reference frame");
    bad = s, bad.offset[1] = NAN;
    refused(c, bad, "position", "offset is not finite");
    bad = s, bad.type = SN_TASK_COM, bad.objid = -1;
    refused(c, bad, "com", "there is no body -1");
    bad = s, bad.type = SN_TASK_CAPTURE_POINT, bad.objid = 0, bad.height = -1;
    refused(c, bad, "capture_point", "height is -1");
    bad = s, bad.type = SN_TASK_GAZE, bad.axis[2] = 0;
    refused(c, bad, "gaze", "axis has the length 0");
}

static void checkRefusedSizes(Cases* c)
{
    const int free_dof[2] = {12, 5}, outside[1] = {23};
    snTaskSettings s = taskOn(c->m, SN_TASK_POSTURE, "left_hand"), bad = s;
    bad.dof = free_dof, bad.ndof = 2;
    refused(c, bad, "posture", "dof[1] is 5, of a free joint");
    bad.dof = outside, bad.ndof = 1;
    refused(c, bad, "posture", "dof[0] is 23; dofs are 0 to 22");
    bad.ndof = 0;
    refused(c, bad, "posture", "ndof is 0");
    bad.ndof = 24;
    refused(c, bad, "posture", "ndof is 24");
    bad = s, bad.type = SN_TASK_LINEAR;
    refused(c, bad, "linear", "rows is 0");
    bad.rows = 2, bad.columns = 22;
    refused(c, bad, "linear", "columns is 22; A has nv = 23 columns");
    bad.rows = 1 << 16, bad.columns = 1 << 11;
    refused(c, bad, "linear", "A has 65536 x 2048 numbers");
    bad.rows = 2, bad.type = SN_TASK_FORCE;
    refused(c, bad, "force", "rows is 2; a force has 3 a point");
    bad = s, bad.type = SN_TASK_IMPEDANCE, bad.mass[4] = 0;
    refused(c, bad, "impedance", "mass[4] is 0");
    bad.mass[4] = 1, bad.type = SN_TASK_ADMITTANCE, bad.follow = 0;
    refused(c, bad, "admittance", "follow is 0");
    bad = s, bad.type = SN_TASK_DISTANCE;
    refused(c, bad, "distance", "set objtype and reftype to SN_OBJ_GEOM");
    bad.objtype = bad.reftype = SN_OBJ_GEOM, bad.objid = bad.refid = 1;
    refused(c, bad, "distance", "both are geom 1");
    bad.refid = 5, bad.distance_min = 0.3;
    refused(c, bad, "distance", "distance_min is 0.3, distance_max 0.2");
}

static void test_wrong_settings_are_refused(void** state)
{
    (void)state;
    snModel* const m = load(TWO_ARMS);
    Cases c = {m, 0};
    checkRefusedGains(&c);
    checkRefusedFrames(&c);
    checkRefusedSizes(&c);
    assert_int_equal(c.count, 9 + 10 + 13);
    sn_deleteModel(m);
}

// A model without joints but a free one has no posture; a name is not needed.
static void test_error_without_a_name(void** state)
{
    (void)state;
    snModel* const m =
        load("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>");
    snTaskSettings s;
    snError error = {0};
    sn_defaultTask(&s);
    s.type = SN_TASK_POSTURE;
    assert_null(sn_makeTask(m, &s, &error));
    assert_string_equal(error.message, "task (posture): the model has no joint but free ones to hold");
    sn_deleteModel(m);
}

static void test_defaults_and_copies(void** state)
{
    (void)state;
    snModel* const m = load(TWO_ARMS);
    char name[] = "arm";
    int dofs[2] = {22, 9};
    snTaskSettings s = taskOn(m, SN_TASK_POSTURE, "left_hand");
    s.name = name;
    s.dof = dofs;
    s.ndof = 2;
    s.kp = 25;
    snTask* const t = makeTask(m, &s);
    name[0] = 'X';
    dofs[0] = 0;
    assert_string_equal(t->set.name, "arm");
    assert_int_equal(t->set.dof[0], 22);
    assert_int_equal(t->rows, 2);
    assert_int_equal(t->npos, m->nq);
    assert_int_equal(t->nvel, m->nv);
    assert_true(t->active && t->fresh && t->kp[1] == 25 && t->kd[1] == 10 && t->weight[1] == 1);
    assert_memory_equal(t->pos, m->qpos0, (size_t)m->nq * sizeof(double));
    sn_freeTask(t);
    s.dof = NULL;
    snTask* const all = makeTask(m, &s);
    assert_int_equal(all->rows, m->nv - 6);
    assert_int_equal(all->set.dof[0], 6);
    sn_freeTask(all);
    sn_freeTask(NULL);
    sn_deleteModel(m);
}

static void test_gains_of_a_mass(void** state)
{
    (void)state;
    snModel* const m = load(TWO_ARMS);
    snTaskSettings s = taskOn(m, SN_TASK_IMPEDANCE, "left_hand");
    s.mass[2] = 4;
    snTask* const t = makeTask(m, &s);
    assert_true(t->kd[0] == 20 && t->kd[2] == 40);
    sn_freeTask(t);
    s.kd = 3;
    snTask* const given = makeTask(m, &s);
    assert_true(given->kd[2] == 3);
    sn_freeTask(given);
    sn_deleteModel(m);
}

// At qpos0 no task of a frame has an error, relative or not.
static void test_references_start_at_qpos0(void** state)
{
    (void)state;
    static const int types[7] = {SN_TASK_POSITION,  SN_TASK_ORIENTATION, SN_TASK_POSE,      SN_TASK_CONTACT,
                                 SN_TASK_IMPEDANCE, SN_TASK_GAZE,        SN_TASK_ADMITTANCE};
    snModel* const m = load(TWO_ARMS);
    snData* const d = sn_makeData(m);
    stages(m, d);
    for (int i = 0; i < 14; i++) {
        snTaskSettings s = taskOn(m, types[i / 2], "left_hand");
        s.offset[0] = 0.1;
        if (i & 1) s.reftype = SN_OBJ_SITE, s.refid = sn_name2id(m, SN_OBJ_SITE, "right_hand");
        snTask* const t = makeTask(m, &s);
        t->fresh = false;
        if (t->state) memcpy(t->state, t->pos, 7 * sizeof(double));
        double A[6 * ARM_MOST], b[6], w[6];
        const int rows = sn_taskRows(m, d, t, SN_CONTROL_ACCELERATION, 1e-3, m->nv, A, b, b, w);
        assert_int_equal(rows, t->rows);
        for (int r = 0; r < rows; r++) assert_true(fabs(t->error[r]) < 1e-15 && fabs(b[r]) < 1e-11);
        sn_freeTask(t);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

#ifdef SN_TEST_HOOKS // the release preset builds the library without them
static void test_failing_allocations_are_errors(void** state)
{
    (void)state;
    snModel* const m = load(TWO_ARMS);
    snTaskSettings s = taskOn(m, SN_TASK_ADMITTANCE, "left_hand");
    s.name = "yield";
    int calls = 0;
    for (snTask* t = NULL; !t; calls++) {
        assert_true(calls < 20);
        int left = calls;
        snError error = {0};
        sn_setAllocHook(countdown, &left);
        t = sn_makeTask(m, &s, &error);
        sn_setAllocHook(NULL, NULL);
        assert_int_equal(error.status, t ? SN_STATUS_OK : SN_STATUS_NO_MEMORY);
        if (!t) continue;
        sn_freeTask(t);
        break;
    }
    assert_true(calls >= 2);
    sn_deleteModel(m);
}

// No allocation in a cycle, and no scratch is kept.
static void test_rows_allocate_nothing(void** state)
{
    (void)state;
    static const int types[7] = {SN_TASK_POSITION,  SN_TASK_ORIENTATION, SN_TASK_POSE,      SN_TASK_CONTACT,
                                 SN_TASK_IMPEDANCE, SN_TASK_GAZE,        SN_TASK_ADMITTANCE};
    snModel* const m = load(TWO_ARMS);
    snData* const d = sn_makeData(m);
    stages(m, d);
    const size_t stack = d->pstack;
    for (int i = 0; i < 7; i++) {
        const snTaskSettings s = taskOn(m, types[i], "left_hand");
        snTask* const t = makeTask(m, &s);
        double A[6 * ARM_MOST], b[6], w[6];
        int none = 0;
        sn_setAllocHook(countdown, &none);
        const int rows = sn_taskRows(m, d, t, SN_CONTROL_ACCELERATION, 1e-3, m->nv, A, b, b, w);
        sn_setAllocHook(NULL, NULL);
        assert_int_equal(rows, t->rows);
        assert_int_equal(none, 0);
        assert_true(d->pstack == stack);
        sn_freeTask(t);
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_settings_are_refused),
        cmocka_unit_test(test_error_without_a_name),
        cmocka_unit_test(test_defaults_and_copies),
        cmocka_unit_test(test_gains_of_a_mass),
        cmocka_unit_test(test_references_start_at_qpos0),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(test_failing_allocations_are_errors),
        cmocka_unit_test(test_rows_allocate_nothing),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
