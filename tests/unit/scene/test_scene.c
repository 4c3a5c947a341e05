// Scenes: memory of their own, copies, defaults, cameras, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <sinew/scene.h>
#include <string.h>

static void test_copies_have_their_own_memory(void** state)
{
    (void)state;
    snvScene* scene = snv_makeScene(NULL, 3, NULL);
    assert_non_null(scene);
    scene->geoms[2].type = SN_GEOM_BOX;
    scene->maxgeom = 1000; // says nothing about the room
    snvScene* copy = snv_copyScene(scene);
    assert_non_null(copy);
    snv_freeScene(scene);
    assert_int_equal(copy->room, 3);
    assert_int_equal(copy->geoms[2].type, SN_GEOM_BOX);
    copy->geomorder[2] = 1;
    snv_freeScene(copy);
    snv_freeScene(NULL);
}

static void test_refusals(void** state)
{
    (void)state;
    snError error = {0};
    double height, pos[3];
    assert_null(snv_makeScene(NULL, -1, &error));
    assert_int_equal(error.status, SN_STATUS_ARGUMENT);
    snvScene* scene = snv_makeScene(NULL, 0, &error);
    assert_int_equal(snv_frustumHeight(scene, &height, &error), SN_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "frustum_near"));
    assert_int_equal(snv_cameraInModel(pos, pos, pos, scene, NULL), SN_STATUS_ARGUMENT);
    snvGeom geom;
    assert_int_equal(snv_connector(&geom, SN_GEOM_BOX, 1, pos, pos, NULL), SN_STATUS_ARGUMENT);
    snv_freeScene(scene);
}

static void test_a_connector_reaches_from_one_point_to_the_other(void** state)
{
    (void)state;
    const double from[3] = {1, 2, 3}, to[3] = {1, 4, 3};
    snvGeom geom;
    memset(&geom, 0, sizeof geom);
    snv_initGeom(&geom, SN_GEOM_CAPSULE, NULL, NULL, NULL, NULL);
    assert_int_equal(snv_connector(&geom, SN_GEOM_CAPSULE, 0.1, from, to, NULL), SN_STATUS_OK);
    assert_true(fabsf(geom.size[2] - 1) < 1e-6f && fabsf(geom.pos[1] - 3) < 1e-6f);
    assert_true(fabsf(geom.mat[5] - 1) < 1e-6f); // local z is along y
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies_have_their_own_memory),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_a_connector_reaches_from_one_point_to_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
