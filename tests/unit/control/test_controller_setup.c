// Controllers set up, refused, switched: errors with the mend, ramps, memory.
#include "controller_case.h"
#include <stdio.h>
#include "base/memory.h"

static const char* const MODEL = BIPED_MODEL("<option timestep='.001'><flag contact='disable'/></option>");

typedef struct Case {
    snModel* m;
    snData* d;
    snController* c;
} Case;

static Case begin(const snControllerSettings* set)
{
    snModel* m = load(MODEL);
    Case k = {m, sn_makeData(m), controllerOf(m, set)};
    crouch(m, k.d);
    return k;
}

static void end(Case* k)
{
    sn_freeController(k->c);
    sn_deleteData(k->d);
    sn_deleteModel(k->m);
}

// ---- errors

static void says(const snError* error, const char* words)
{
    assert_int_equal(error->status, SN_STATUS_ARGUMENT);
    if (!strstr(error->message, words)) fail_msg("\"%s\" does not say \"%s\"", error->message, words);
}

static void test_settings_that_are_refused(void** state)
{
    (void)state;
    Case k = begin(NULL);
    snControllerSettings s;
    snError error = {0};
#define REFUSED(field, value, words)                                                                         \
    sn_defaultController(&s);                                                                                \
    s.field = (value);                                                                                       \
    assert_null(sn_makeController(k.m, &s, &error));                                                         \
    says(&error, words)
    REFUSED(mode, 2, "mode 2");
    REFUSED(dt, -1, "dt of a controller is -1");
    REFUSED(dt, (double)NAN, "dt");
    REFUSED(max_contacts, -1, "max_contacts");
    REFUSED(limit_level, SN_CONTROL_LEVELS, "limit_level");
    REFUSED(force_norm, 0, "force_norm");
    REFUSED(friction_velocity, -1, "friction_velocity");
#undef REFUSED
    snModel* still = load("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
    sn_defaultController(&s);
    assert_null(sn_makeController(still, &s, &error));
    says(&error, "joints");
    sn_deleteModel(still);
    end(&k);
}

static void test_contacts_that_are_refused(void** state)
{
    (void)state;
    Case k = begin(NULL);
    const snContactSettings good = soleOn(k.m, "left_foot");
    snContactSettings s;
    snError error = {0};
#define REFUSED(field, value, words)                                                                         \
    s = good;                                                                                                \
    s.field = (value);                                                                                       \
    assert_int_equal(sn_controllerAddContact(k.c, &s, &error), -1);                                          \
    says(&error, words);                                                                                     \
    says(&error, "left_foot")
    REFUSED(objid, 99, "frame 99");
    REFUSED(objtype, SN_OBJ_CAMERA, "frame");
    REFUSED(reftype, SN_OBJ_MESH, "touches");
    REFUSED(npoint, 0, "0 points");
    REFUSED(npoint, SN_CONTACT_POINTS + 1, "1 to 8");
    REFUSED(point[2][1], (double)NAN, "finite");
    REFUSED(normal[2], 0, "normal");
    REFUSED(mu, -.1, "mu is -0.1");
    REFUSED(facets, 2, "2 facets");
    REFUSED(force_min, -1, "at least -1");
    REFUSED(force_max, -1, "at most -1");
    REFUSED(cop[0], 1, "centre of pressure");
    REFUSED(ramp, -1, "ramp");
    REFUSED(rows, 4, "4 rows");
    REFUSED(level, -1, "level -1");
    REFUSED(weight, -1, "weight");
    REFUSED(kp, -1, "kp");
#undef REFUSED
    for (int i = 0; i < 8; i++) assert_int_equal(sn_controllerAddContact(k.c, &good, &error), i);
    assert_int_equal(sn_controllerAddContact(k.c, &good, &error), -1);
    says(&error, "raise max_contacts");
    assert_int_equal(sn_controllerContact(k.c, 8, true, &error), SN_STATUS_ARGUMENT);
    says(&error, "no contact 8");
    end(&k);
}

static void test_tasks_that_are_refused(void** state)
{
    (void)state;
    snControllerSettings set;
    sn_defaultController(&set);
    set.max_tasks = 1;
    Case k = begin(&set);
    snTaskSettings s;
    snError error = {0};
    sn_defaultTask(&s);
    s.name = "reach";
    s.objtype = SN_OBJ_SITE;
    s.objid = 77;
    assert_int_equal(sn_controllerAddTask(k.c, &s, &error), -1);
    says(&error, "reach");
    s.objid = 0;
    s.level = SN_CONTROL_LEVELS;
    assert_int_equal(sn_controllerAddTask(k.c, &s, &error), -1);
    says(&error, "level 32");
    s.level = 0;
    s.type = SN_TASK_FORCE;
    assert_int_equal(sn_controllerAddTask(k.c, &s, &error), -1);
    says(&error, "add the contact first");
    s.type = SN_TASK_POSITION;
    assert_int_equal(sn_controllerAddTask(k.c, &s, &error), 0);
    assert_int_equal(sn_controllerAddTask(k.c, &s, &error), -1);
    says(&error, "raise max_tasks");
    k.c->task[0]->set.weight = -1;
    assert_int_equal(sn_controllerSolve(k.c, k.d, &error), SN_STATUS_ARGUMENT);
    says(&error, "weight");
    end(&k);
}

static void test_limits_that_contradict(void** state)
{
    (void)state;
    Case k = begin(NULL);
    const int knee = k.m->jnt_dofadr[idOf(k.m, SN_OBJ_JOINT, "left_knee")];
    snError error = {0};
    double* const array[] = {k.c->qpos_lower + knee, k.c->torque_lower + knee, k.c->velocity_max + knee,
                             k.c->acceleration_max + knee};
    const double value[] = {9, 9, -1, (double)NAN};
    const char* const words[] = {"position at least 9", "torque at least 9", "velocity", "acceleration"};
    k.c->torque_upper[knee] = 8;
    for (int i = 0; i < 4; i++) {
        const double old = *array[i];
        *array[i] = value[i];
        assert_int_equal(sn_controllerSolve(k.c, k.d, &error), SN_STATUS_ARGUMENT);
        says(&error, "left_knee");
        says(&error, words[i]);
        *array[i] = old;
    }
    k.d->qpos[9] = (double)NAN;
    assert_int_equal(sn_controllerSolve(k.c, k.d, &error), SN_STATUS_ARGUMENT);
    says(&error, "finite");
    end(&k);
}

static void test_no_more_points_than_room(void** state)
{
    (void)state;
    snControllerSettings set;
    sn_defaultController(&set);
    set.max_points = 4;
    Case k = begin(&set);
    const snContactSettings left = soleOn(k.m, "left_foot"), right = soleOn(k.m, "right_foot");
    snError error = {0};
    sn_controllerAddContact(k.c, &left, &error);
    sn_controllerAddContact(k.c, &right, &error);
    assert_int_equal(sn_controllerContact(k.c, 0, true, &error), SN_STATUS_OK);
    assert_int_equal(sn_controllerContact(k.c, 1, true, &error), SN_STATUS_ARGUMENT);
    says(&error, "raise max_points");
    assert_false(k.c->contact[1]->active);
    assert_int_equal(sn_controllerContact(k.c, 0, false, &error), SN_STATUS_OK);
    assert_int_equal(sn_controllerContact(k.c, 1, true, &error), SN_STATUS_OK);
    end(&k);
}

// ---- switching

#ifdef SN_TEST_HOOKS // the release preset builds the library without them
static int refuse(size_t size, void* user)
{
    (void)size;
    ++*(int*)user;
    return 0;
}
#endif

static void standOn(Case* k, double ramp)
{
    snContactSettings left = soleOn(k->m, "left_foot"), right = soleOn(k->m, "right_foot");
    left.ramp = right.ramp = ramp;
    left.force_max = right.force_max = 600;
    addContact(k->c, &left);
    addContact(k->c, &right);
    addWhole(k->c, SN_TASK_COM, 1);
    addSite(k->c, SN_TASK_POSITION, "left_hand", 2);
    addWhole(k->c, SN_TASK_POSTURE, 3);
}

static void test_switching_allocates_nothing(void** state)
{
    (void)state;
    Case k = begin(NULL);
    standOn(&k, 0);
    snError error = {0};
    solve(k.c, k.d);
    const int whole = k.c->nx;
    int calls = 0;
#ifdef SN_TEST_HOOKS
    sn_setAllocHook(refuse, &calls);
#endif
    for (int i = 0; i < 6; i++) {
        assert_int_equal(sn_controllerContact(k.c, 1, i & 1, &error), SN_STATUS_OK);
        solve(k.c, k.d);
        assert_int_equal(k.c->nx, whole - (i & 1 ? 0 : 12));
        assert_true(i & 1 || largest(k.c->contact[1]->force, 12) == 0);
        assert_true(!(i & 1) || k.c->contact[1]->wrench[2] > 50);
    }
#ifdef SN_TEST_HOOKS
    sn_setAllocHook(NULL, NULL);
#endif
    assert_int_equal(calls, 0);
    end(&k);
}

// The bound of the force rises and falls in steps of dt / ramp; then the contact is gone.
static void test_ramps(void** state)
{
    (void)state;
    Case k = begin(NULL);
    standOn(&k, 10e-3);
    snError error = {0};
    k.c->contact[0]->set.ramp = 0;
    k.c->contact[0]->set.force_max = INFINITY;
    for (int i = 1; i <= 25; i++) {
        if (i == 13) sn_controllerContact(k.c, 1, false, &error);
        solve(k.c, k.d);
        const double scale = i < 11 ? .1 * i : i < 13 ? 1 : fmax(0, 1 - .1 * (i - 12));
        near(k.c->contact[1]->scale, scale, 1e-12);
        double sum = 0;
        for (int p = 0; p < 4; p++) sum += k.c->contact[1]->force[3 * p + 2];
        assert_true(sum <= 600 * scale + 1e-6);
        assert_int_equal(k.c->contact[1]->address >= 0, i < 22);
    }
    end(&k);
}

// What a contact holds is where it is when it is switched on.
static void test_contact_is_held_where_it_is_switched_on(void** state)
{
    (void)state;
    Case k = begin(NULL);
    standOn(&k, 0);
    snError error = {0};
    k.c->contact[1]->motion->kp[2] = 100;
    solve(k.c, k.d);
    sn_controllerContact(k.c, 1, false, &error);
    solve(k.c, k.d);
    k.d->qpos[2] += .01;
    sn_controllerContact(k.c, 1, true, &error);
    solve(k.c, k.d);
    near(largest(k.c->contact[1]->motion->error, 6), 0, 1e-15);
    near(k.c->contact[0]->motion->error[2], -.01, 1e-15);
    end(&k);
}

// ---- memory

#ifdef SN_TEST_HOOKS
static snController* build(const snModel* m, snData* d, snError* error)
{
    snControllerSettings set;
    sn_defaultController(&set);
    snController* c = sn_makeController(m, &set, error);
    if (!c) return NULL;
    const snContactSettings left = soleOn(m, "left_foot");
    snTaskSettings com;
    sn_defaultTask(&com);
    com.type = SN_TASK_COM;
    com.level = 1;
    if (sn_controllerAddContact(c, &left, error) == 0 && sn_controllerAddTask(c, &com, error) == 0 &&
        sn_controllerContact(c, 0, true, error) == SN_STATUS_OK &&
        sn_controllerSolve(c, d, error) == SN_STATUS_OK)
        return c;
    sn_freeController(c);
    return NULL;
}

static void test_no_memory(void** state)
{
    (void)state;
    Case k = begin(NULL);
    snController* c = NULL;
    for (int n = 0; !c && n < 1000; n++) {
        int left = n;
        snError error = {0};
        sn_setAllocHook(countdown, &left);
        c = build(k.m, k.d, &error);
        sn_setAllocHook(NULL, NULL);
        if (!c) assert_int_equal(error.status, SN_STATUS_NO_MEMORY);
    }
    assert_non_null(c);
    sn_freeController(c);
    sn_freeController(NULL);
    end(&k);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings_that_are_refused),
        cmocka_unit_test(test_contacts_that_are_refused),
        cmocka_unit_test(test_tasks_that_are_refused),
        cmocka_unit_test(test_limits_that_contradict),
        cmocka_unit_test(test_no_more_points_than_room),
        cmocka_unit_test(test_switching_allocates_nothing),
        cmocka_unit_test(test_ramps),
        cmocka_unit_test(test_contact_is_held_where_it_is_switched_on),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(test_no_memory),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
