// The list of things to draw by itself: order, room, memory, what follows the camera, what is picked.
#include "model_text.h"
#include "base/memory.h"
#include <math.h>

static const char world[] =
    "<mujoco><asset><texture name='t' type='2d' builtin='checker' width='8' height='8'/>"
    "<material name='m' texture='t' texrepeat='3 5'/><skin name='skin' vertex='0 0 0 1 0 0 0 1 0' face='0 1 "
    "2'>"
    "<bone body='a' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/></skin></asset>"
    "<worldbody><geom name='ground' type='plane' size='0 0 1' material='m'/><site name='origin'/>"
    "<body name='a' pos='0 0 1'><freejoint/><geom size='.2'/><site/>"
    "<body pos='1 0 0'><joint axis='0 1 0'/><geom type='box' size='.1 .2 .3'/></body></body>"
    "<body pos='0 5 .1'><freejoint/><geom size='.2'/></body></worldbody></mujoco>";

/// A model, its data after a forward, and a scene with all that one needs to fill it.
typedef struct Stage {
    snModel* m;
    snData* d;
    snvScene* scene;
    snvOption opt;
    snvPerturb pert;
    snvCamera cam;
} Stage;

static Stage setUp(int maxgeom)
{
    Stage s = {.m = load(world)};
    s.d = sn_makeData(s.m);
    sn_forward(s.m, s.d);
    s.scene = snv_makeScene(s.m, maxgeom, NULL);
    assert_non_null(s.scene);
    snv_defaultOption(&s.opt);
    snv_defaultPerturb(&s.pert);
    snv_defaultCamera(&s.cam);
    return s;
}

static void tearDown(Stage* s)
{
    snv_freeScene(s->scene);
    sn_deleteData(s->d);
    sn_deleteModel(s->m);
}

static void update(Stage* s)
{
    snError error = {0};
    if (snv_updateScene(s->m, s->d, &s->opt, &s->pert, &s->cam, SN_CAT_ALL, s->scene, &error))
        fail_msg("%s", error.message);
}

static void test_parts_come_in_the_order_of_the_peer(void** state)
{
    (void)state;
    static const int kinds[] = {SN_OBJ_SKIN, SN_OBJ_GEOM, SN_OBJ_GEOM, SN_OBJ_GEOM,
                                SN_OBJ_GEOM, SN_OBJ_SITE, SN_OBJ_SITE};
    static const int ids[] = {0, 0, 1, 2, 3, 0, 1};
    Stage s = setUp(100);
    update(&s);
    assert_int_equal(s.scene->ngeom, 7);
    for (int i = 0; i < 7; i++) {
        const snvGeom* geom = s.scene->geoms + i;
        assert_int_equal(geom->objtype, kinds[i]);
        assert_int_equal(geom->objid, ids[i]);
        assert_int_equal(geom->segid, i);
        assert_int_equal(geom->category, i == 1 || i == 5 ? SN_CAT_STATIC : SN_CAT_DYNAMIC);
    }
    tearDown(&s);
}

static void test_categories_are_what_is_asked_for(void** state)
{
    (void)state;
    Stage s = setUp(1000);
    memset(s.opt.flags, 1, sizeof s.opt.flags);
    for (int category = 1; category < 8; category *= 2) {
        s.scene->ngeom = 0;
        snv_addGeoms(s.m, s.d, &s.opt, &s.pert, category, s.scene);
        assert_true(s.scene->ngeom > 1);
        for (int i = 0; i < s.scene->ngeom; i++) assert_int_equal(s.scene->geoms[i].category, category);
    }
    snv_addGeoms(s.m, s.d, &s.opt, NULL, 0, s.scene); // none of them, behind those that are there
    const int count = s.scene->ngeom;
    snv_addGeoms(s.m, s.d, &s.opt, NULL, 0, s.scene);
    assert_int_equal(s.scene->ngeom, count);
    tearDown(&s);
}

static void test_what_has_no_room_is_left_out(void** state)
{
    (void)state;
    Stage s = setUp(3);
    s.scene->geoms[2].type = -7;
    for (int maxgeom = 0; maxgeom < 3; maxgeom++) {
        s.scene->maxgeom = maxgeom;
        update(&s);
        assert_int_equal(s.scene->ngeom, maxgeom);
        assert_int_equal(s.scene->status, 1);
        assert_int_equal(s.d->warning[SN_WARN_VGEOMFULL].number, maxgeom + 1);
        assert_int_equal(s.d->warning[SN_WARN_VGEOMFULL].lastinfo, maxgeom);
    }
    assert_int_equal(s.scene->geoms[2].type, -7); // never begun
    s.scene->maxgeom = 1000000;                   // says nothing about the room
    update(&s);
    assert_int_equal(s.scene->ngeom, 3);
    tearDown(&s);
}

#ifdef SN_TEST_HOOKS // the release preset builds the library without them
static void test_nothing_is_allocated(void** state)
{
    (void)state;
    Stage s = setUp(1000);
    const size_t used = s.d->pstack;
    int left = 0;
    memset(s.opt.flags, 1, sizeof s.opt.flags);
    s.pert.select = 1;
    s.pert.active = SN_PERT_TRANSLATE | SN_PERT_ROTATE;
    sn_setAllocHook(countdown, &left);
    for (int label = 0; label <= SN_LABEL_ISLAND; label++) {
        s.opt.label = label;
        s.opt.frame = label % (SN_FRAME_WORLD + 1);
        update(&s);
    }
    sn_setAllocHook(NULL, NULL);
    assert_int_equal(left, 0);
    assert_int_equal(s.d->pstack, used);
    tearDown(&s);
}
#endif

static void test_an_infinite_plane_keeps_its_texture_in_place(void** state)
{
    (void)state;
    Stage s = setUp(100);
    for (int k = 0; k < 50; k++) {
        s.cam.lookat[0] = 10 * sin(k);
        s.cam.lookat[1] = 10 * cos(2 * k);
        update(&s);
        const snvGeom* plane = s.scene->geoms + 1;
        const double step[2] = {4. / 3, 4. / 5}; // two tiles of the checker
        for (int axis = 0; axis < 2; axis++) {
            const double tiles = (double)plane->pos[axis] / step[axis];
            assert_true(fabs(tiles - round(tiles)) < 1e-5); // float at distance 10
            const double eye = 0.5 * (double)(s.scene->camera[0].pos[axis] + s.scene->camera[1].pos[axis]);
            assert_true(fabs((double)plane->pos[axis] - eye) < 0.5 * step[axis] + 1e-5);
        }
        assert_true(plane->pos[2] == 0);
    }
    tearDown(&s);
}

static void test_a_skin_moves_with_its_bone(void** state)
{
    (void)state;
    Stage s = setUp(100);
    s.d->qpos[0] = 3;
    sn_forward(s.m, s.d);
    update(&s);
    static const float want[] = {3, 0, 1, 4, 0, 1, 3, 1, 1};
    for (int k = 0; k < 9; k++) {
        assert_true(fabsf(s.scene->skinvert[k] - want[k]) < 1e-6f);
        assert_true(fabsf(s.scene->skinnormal[k] - (float)(k % 3 == 2)) < 1e-6f);
    }
    tearDown(&s);
}

// Picks the middle of the picture of a camera that looks along -z at (x, y) from height 4.
static int pick(Stage* s, double x, double y, double point[3], int ids[3])
{
    snvPicked picked = {.body = -7};
    const double lookat[3] = {x, y, 0};
    memcpy(s->cam.lookat, lookat, sizeof lookat);
    s->cam.elevation = -90;
    s->cam.distance = 4;
    update(s);
    assert_int_equal(snv_select(s->m, s->d, &s->opt, 1.5, 0.5, 0.5, s->scene, &picked, NULL), SN_STATUS_OK);
    memcpy(point, picked.point, sizeof picked.point);
    ids[0] = picked.geom, ids[1] = picked.flex, ids[2] = picked.skin;
    return picked.body;
}

static void test_the_middle_of_the_picture_is_what_is_looked_at(void** state)
{
    (void)state;
    Stage s = setUp(100);
    double point[3];
    int ids[3];
    s.opt.flags[SN_VIS_SKIN] = 0;
    assert_int_equal(pick(&s, 0, 0, point, ids), 1); // the sphere at height 1
    assert_int_equal(ids[0], 1);
    assert_true(fabs(point[2] - 1.2) < 1e-6 && fabs(point[0]) < 1e-6);
    assert_int_equal(pick(&s, 3, 3, point, ids), 0); // the ground
    assert_int_equal(ids[0], 0);
    assert_true(fabs(point[0] - 3) < 1e-5 && fabs(point[2]) < 1e-5);
    s.opt.flags[SN_VIS_STATIC] = 0;
    assert_int_equal(pick(&s, 3, 3, point, ids), -1);
    assert_int_equal(ids[0], -1);
    s.opt.flags[SN_VIS_SKIN] = 1;
    assert_int_equal(pick(&s, 0.3, 0.3, point, ids), 1); // the skin, nearest its corner at the origin
    assert_int_equal(ids[0], -1);
    assert_int_equal(ids[2], 0);
    assert_true(fabs(point[0]) < 1e-6 && fabs(point[1]) < 1e-6 && fabs(point[2] - 1) < 1e-6);
    tearDown(&s);
}

static void test_labels_and_options_out_of_range_are_none(void** state)
{
    (void)state;
    Stage s = setUp(1000);
    update(&s);
    const int count = s.scene->ngeom;
    s.opt.label = s.opt.frame = 1 << 30;
    s.opt.bvh_depth = -5;
    s.pert.select = s.pert.skinselect = s.pert.flexselect = 1 << 30;
    s.pert.active = -1;
    update(&s);
    assert_int_equal(s.scene->ngeom, count);
    s.pert.select = -(1 << 30);
    update(&s);
    assert_int_equal(s.scene->ngeom, count);
    tearDown(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_come_in_the_order_of_the_peer),
        cmocka_unit_test(test_categories_are_what_is_asked_for),
        cmocka_unit_test(test_what_has_no_room_is_left_out),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(test_nothing_is_allocated),
#endif
        cmocka_unit_test(test_an_infinite_plane_keeps_its_texture_in_place),
        cmocka_unit_test(test_a_skin_moves_with_its_bone),
        cmocka_unit_test(test_the_middle_of_the_picture_is_what_is_looked_at),
        cmocka_unit_test(test_labels_and_options_out_of_range_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
