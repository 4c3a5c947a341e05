// Decoration of scenes: never beyond the room of a scene, nothing of nothing, and any state without a crash.
#include "model_text.h"
#include <math.h>

static const char everything[] =
    "<mujoco><default><geom margin='.05' gap='.03'/></default>"
    "<asset><mesh name='m' vertex='0 0 0  .1 0 0  0 .2 0  0 0 .3  .1 .1 .1'/></asset><worldbody>"
    "<geom type='plane' size='3 3 .1'/><light pos='0 0 3'/><camera pos='1 1 1'/>"
    "<camera sensorsize='.1 .1' resolution='10 10' focal='.1 .1'/><site name='w' pos='0 0 2'/>"
    "<body name='a' pos='0 0 .1'><freejoint/><geom type='box' size='.11 .11 .11'/><geom type='mesh' "
    "mesh='m'/>"
    "<site name='s' pos='0 0 .2'/><body name='b' pos='.3 0 0'><joint name='j' range='-1 1' pos='0 .1 0'/>"
    "<geom size='.1'/><site name='e'/><body pos='.3 0 0'><joint type='ball'/><geom "
    "size='.1'/></body></body></body>"
    "<body pos='2 0 .1'><joint type='slide' axis='0 0 1'/><geom type='sphere' size='.11'/></body></worldbody>"
    "<tendon><spatial name='t' limited='true' range='0 9'><site site='w'/><site site='s'/></spatial>"
    "<spatial name='u' limited='true' range='.1 .11'><site site='w'/><site site='e'/></spatial></tendon>"
    "<equality><connect body1='a' body2='b' anchor='0 0 0'/><weld body1='a'/><tendon tendon1='u'/></equality>"
    "<actuator><motor joint='j'/><motor tendon='u'/><motor site='s'/><adhesion body='a' ctrlrange='0 1'/>"
    "<motor cranksite='s' slidersite='e' cranklength='.1'/></actuator><sensor><rangefinder "
    "site='w'/></sensor></mujoco>";

static void showAll(snvOption* opt, int label, int frame)
{
    snv_defaultOption(opt);
    memset(opt->flags, 1, sizeof opt->flags);
    opt->label = label;
    opt->frame = frame;
}

static const snvPerturb held = {.select = 1, .active = 3, .active2 = 3, .refquat = {1}, .scale = 1};

static void test_a_list_ends_where_its_room_ends(void** state)
{
    (void)state;
    snModel* m = load(everything);
    snData* d = sn_makeData(m);
    sn_forward(m, d);
    snvOption opt;
    showAll(&opt, SN_LABEL_CONTACTFORCE, SN_FRAME_CONTACT);
    snvScene* whole = snv_makeScene(m, 1000, NULL);
    snv_addGeoms(m, d, &opt, &held, SN_CAT_ALL, whole);
    assert_in_range(whole->ngeom, 100, 999);
    assert_int_equal(whole->status, 0);
    for (int most = 0; most <= whole->ngeom + 1; most++) {
        snvScene* scene = snv_makeScene(m, most, NULL); // memory of its own, so that sanitizers see its end
        snv_addGeoms(m, d, &opt, &held, SN_CAT_ALL, scene);
        assert_int_equal(scene->ngeom, most < whole->ngeom ? most : whole->ngeom);
        assert_int_equal(scene->status, most < whole->ngeom);
        assert_memory_equal(scene->geoms, whole->geoms, (size_t)scene->ngeom * sizeof *scene->geoms);
        snv_freeScene(scene);
    }
    snv_freeScene(whole);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void test_nothing_of_nothing(void** state)
{
    (void)state;
    snModel* m = load("<mujoco/>");
    snData* d = sn_makeData(m);
    snvScene* scene = snv_makeScene(m, 10, NULL);
    snvOption opt;
    for (int forward = 0; forward < 2; forward++) {
        showAll(&opt, SN_LABEL_BODY, SN_FRAME_BODY);
        snv_addGeoms(m, d, &opt, &held, SN_CAT_ALL, scene);
        assert_int_equal(scene->ngeom, 0);
        sn_forward(m, d);
    }
    snv_freeScene(scene);
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Writes a number into all that is a double, but for what a caller may not break: arrays of the arena.
static void fill(const snModel* m, snData* d, double value)
{
    int count, narena, rows, columns;
    const snField* fields = sn_dataFields(&count, &narena);
    for (int i = 0; i < count; i++) {
        if (strcmp(fields[i].type, "double") != 0) continue;
        sn_dataFieldShape(m, d, i, &rows, &columns);
        double* numbers;
        memcpy(&numbers, (char*)d + fields[i].offset, sizeof numbers);
        for (int k = 0; k < rows * columns; k++) numbers[k] = value;
    }
    for (int i = 0; i < d->ncon; i++) {
        d->contact[i].dist = value;
        for (int k = 0; k < 9; k++) d->contact[i].frame[k] = value;
    }
}

static void test_states_that_are_no_numbers(void** state)
{
    (void)state;
    snModel* m = load(everything);
    snvScene* scene = snv_makeScene(m, 1000, NULL);
    const double values[] = {NAN, INFINITY, -INFINITY, 1e308, 0};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        for (int label = 0; label <= SN_LABEL_ISLAND; label++) {
            snData* d = sn_makeData(m);
            snvOption opt;
            sn_forward(m, d);
            fill(m, d, values[i]);
            showAll(&opt, label, label % 8);
            scene->ngeom = 0;
            snv_addGeoms(m, d, &opt, &held, SN_CAT_ALL, scene);
            assert_in_range(scene->ngeom, 50, 999);
            sn_deleteData(d);
        }
    }
    snv_freeScene(scene);
    sn_deleteModel(m);
}

static void test_a_selection_that_is_not_there(void** state)
{
    (void)state;
    snModel* m = load(everything);
    snData* d = sn_makeData(m);
    sn_forward(m, d);
    snvScene* scene = snv_makeScene(m, 1000, NULL);
    snvOption opt;
    snv_defaultOption(&opt);
    memset(opt.flags, 0, sizeof opt.flags);
    opt.flags[SN_VIS_SELECT] = opt.flags[SN_VIS_PERTOBJ] = 1;
    opt.label = SN_LABEL_SELECTION;
    const int none[] = {-1, 0, m->nbody, 1 << 30, -1000};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        snvPerturb pert = held;
        pert.select = none[i];
        scene->ngeom = 0;
        snv_addGeoms(m, d, &opt, &pert, SN_CAT_DECOR, scene);
        assert_int_equal(scene->ngeom, 0);
    }
    snv_addGeoms(m, d, &opt, NULL, SN_CAT_DECOR, scene);
    assert_int_equal(scene->ngeom, 0);
    snv_addGeoms(m, d, &opt, &held, SN_CAT_DECOR, scene);
    assert_int_equal(scene->ngeom, 4); // spring, its end, the body, the point; no bodies, so no label of one
    snv_freeScene(scene);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_list_ends_where_its_room_ends),
        cmocka_unit_test(test_nothing_of_nothing),
        cmocka_unit_test(test_states_that_are_no_numbers),
        cmocka_unit_test(test_a_selection_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
