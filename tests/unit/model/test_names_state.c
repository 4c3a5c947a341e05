// Names are found, state vectors go out and come back, on a model made by hand.
#include <sinew/sinew.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { NBODY = 40, NNAMES = NBODY * 8 };

static snModel* makeNamed(void)
{
    int count, sizes[128] = {0};
    const char* const* names = sn_modelSizes(&count);
    for (int i = 0; i < count; i++) {
        if (!strcmp(names[i], "nbody")) sizes[i] = NBODY;
        if (!strcmp(names[i], "nkey")) sizes[i] = 1;
        if (!strcmp(names[i], "nq") || !strcmp(names[i], "nv")) sizes[i] = 3;
        if (!strcmp(names[i], "nnames")) sizes[i] = NNAMES;
        if (!strcmp(names[i], "nnames_map")) sizes[i] = 2 * (NBODY + 1);
    }
    snModel* m = sn_makeModel(sizes, NULL);
    assert_non_null(m);
    for (int i = 0; i < NBODY; i++) {
        m->body_mocapid[i] = -1;
        m->name_bodyadr[i] = 8 * i;
        if (i != 7) snprintf(m->names + 8 * i, 8, "b%d", i);
    }
    m->name_keyadr[0] = 8 * 7; // the empty name
    m->narena = 1 << 12;
    sn_hashNames(m);
    return m;
}

static void namesRoundTrip(void** state)
{
    (void)state;
    snModel* m = makeNamed();
    assert_int_equal(sn_namesMapSize(m), m->nnames_map);
    for (int i = 0; i < NBODY; i++) {
        const char* name = sn_id2name(m, SN_OBJ_BODY, i);
        if (i == 7)
            assert_null(name);
        else
            assert_int_equal(sn_name2id(m, SN_OBJ_XBODY, name), i);
    }
    assert_int_equal(sn_name2id(m, SN_OBJ_BODY, "nobody"), -1);
    assert_int_equal(sn_name2id(m, SN_OBJ_BODY, ""), -1);
    assert_int_equal(sn_name2id(m, SN_OBJ_BODY, NULL), -1);
    assert_int_equal(sn_name2id(m, SN_OBJ_GEOM, "b1"), -1);
    assert_int_equal(sn_name2id(m, 99, "b1"), -1);
    assert_null(sn_id2name(m, SN_OBJ_BODY, -1));
    assert_null(sn_id2name(m, SN_OBJ_BODY, NBODY));
    assert_int_equal(sn_objectCount(m, SN_OBJ_BODY), NBODY);
    sn_deleteModel(m);
}

static void stateRoundTrip(void** state)
{
    (void)state;
    snModel* m = makeNamed();
    snData* d = sn_makeData(m);
    assert_int_equal(sn_stateSize(m, SN_STATE_INTEGRATION), 1 + 3 * 4 + 6 * NBODY);
    assert_int_equal(sn_stateSize(m, SN_STATE_PHYSICS), 6);
    assert_int_equal(sn_stateSize(m, 0), 0);
    double in[7] = {2.5, 1, 2, 3, 4, 5, 6}, out[7];
    sn_setState(m, d, in, SN_STATE_FULLPHYSICS);
    assert_true(d->time == 2.5 && d->qpos[2] == 3 && d->qvel[0] == 4);
    sn_getState(m, d, out, SN_STATE_FULLPHYSICS);
    assert_memory_equal(in, out, sizeof in);
    assert_int_equal(sn_setKeyframe(m, d, 0, NULL), SN_STATUS_OK);
    snError error;
    assert_int_equal(sn_setKeyframe(m, d, 1, &error), SN_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "no keyframe 1"));
    sn_resetData(m, d);
    assert_true(d->time == 0 && d->qpos[2] == 0);
    sn_resetDataKeyframe(m, d, 0);
    sn_getState(m, d, out, SN_STATE_FULLPHYSICS);
    assert_memory_equal(in, out, sizeof in);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void modelCopiesAndCompares(void** state)
{
    (void)state;
    snModel* m = makeNamed();
    snModel* copy = sn_copyModel(m);
    assert_int_equal(sn_compareModel(m, copy), -1);
    copy->body_mass[3] = 1;
    int count;
    const snField* fields = sn_modelFields(&count);
    assert_string_equal(fields[sn_compareModel(m, copy)].name, "body_mass");
    copy->body_mass[3] = 0;
    copy->opt.timestep = 1;
    assert_int_equal(sn_compareModel(m, copy), -2);
    sn_deleteModel(copy);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(namesRoundTrip), cmocka_unit_test(stateRoundTrip),
                                       cmocka_unit_test(modelCopiesAndCompares)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
