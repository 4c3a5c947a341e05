// Meshes of shapes that plugins give: closed, turned outwards, on the surface; shapes that have none.
#include "model_text.h"
#include <math.h>
#include <sinew/plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include "math/vec.h"
#include "sdf/sdf.h"

static const char* const text =
    "<mujoco><extension><plugin plugin='%s'><instance name='i'>%s</instance></plugin></extension>"
    "<asset><mesh name='m' inertia='exact'><plugin instance='i'/></mesh></asset>"
    "<worldbody><body><freejoint/><geom type='sdf' mesh='m'><plugin "
    "instance='i'/></geom></body></worldbody></mujoco>";

static snModel* shape(const char* plugin, const char* config)
{
    char xml[1200];
    snprintf(xml, sizeof xml, text, plugin, config);
    return load(xml);
}

static int byEdge(const void* a, const void* b)
{
    const uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

// Each side of a triangle is that of another one, the other way around.
static void assertClosed(const snModel* m)
{
    const int n = 3 * m->mesh_facenum[0];
    uint64_t* edge[2];
    for (int k = 0; k < 2; k++) edge[k] = malloc((size_t)n * sizeof *edge[k]);
    for (int i = 0; i < n; i++) {
        const uint64_t a = (uint64_t)m->mesh_face[i], b = (uint64_t)m->mesh_face[i % 3 == 2 ? i - 2 : i + 1];
        edge[0][i] = a << 32 | b;
        edge[1][i] = b << 32 | a;
    }
    for (int k = 0; k < 2; k++) qsort(edge[k], (size_t)n, sizeof *edge[k], byEdge);
    assert_memory_equal(edge[0], edge[1], (size_t)n * sizeof *edge[0]);
    for (int k = 0; k < 2; k++) free(edge[k]);
}

static void test_meshes_are_closed_and_on_the_surface(void** state)
{
    (void)state;
    snModel* m = shape("mujoco.sdf.torus", "");
    assertClosed(m);
    assert_true(m->mesh_graphadr[0] >= 0); // for planes
    for (int v = 0; v < m->mesh_vertnum[0]; v++) {
        double x[3];
        for (int k = 0; k < 3; k++) x[k] = (double)m->mesh_vert[3 * v + k];
        const double d = sn_sdfDistance(m, NULL, 0, x, NULL);
        if (!(fabs(d) < 1e-6)) fail_msg("vertex %d is %g off", v, d);
    }
    const double pi = 3.14159265358979323846, mass = 1000 * 2 * pi * pi * 0.35 * 0.15 * 0.15;
    assert_true(fabs(m->body_mass[1] / mass - 1) < 2e-3); // positive: turned outwards
    sn_deleteModel(m);
}

// Where the mesh was moved to its centre of mass, the shape went with it.
static void test_a_shape_stands_where_its_mesh_does(void** state)
{
    (void)state;
    snModel* m = shape("mujoco.sdf.bolt", "<config key='radius' value='.2'/>");
    snData* d = sn_makeData(m);
    sn_kinematics(m, d);
    const snVec3 top = sn_v3(0.1, 0.1, 0.3),
                 at = sn_v3Load(d->geom_xpos); // over the head, which ends at z = 0
    double point[3], g[3];
    sn_v3Store(point, sn_m3TMul(sn_m3Load(d->geom_xmat), sn_v3Sub(top, at)));
    assert_true(fabs(sn_sdfDistance(m, d, 0, point, g) - 0.3) < 1e-6);
    const snVec3 up = sn_m3Mul(sn_m3Load(d->geom_xmat), sn_v3Load(g));
    assert_true(fabs(up.z - 1) < 1e-6);
    assert_true(at.z < -0.3 && at.z > -0.45);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static double nothing(const double* numbers, const double point[3], double gradient[3], void* user)
{
    (void)numbers, (void)point, (void)user;
    if (gradient) memset(gradient, 0, 3 * sizeof *gradient);
    return HUGE_VAL - HUGE_VAL;
}

static void unitBox(const double* numbers, double box[6], void* user)
{
    (void)numbers, (void)user;
    for (int k = 0; k < 6; k++) box[k] = k >= 3;
}

static void flatBox(const double* numbers, double box[6], void* user)
{
    (void)numbers, (void)user;
    memset(box, 0, 6 * sizeof *box);
}

static void assertRefused(const char* plugin, const char* config, const char* words)
{
    char xml[1200];
    snError error = {.message = ""};
    snprintf(xml, sizeof xml, text, plugin, config);
    assert_null(sn_loadModelText(xml, strlen(xml), NULL, 0, NULL, &error));
    if (!strstr(error.message, words)) fail_msg("no '%s' in '%s'", words, error.message);
}

static void test_shapes_without_a_surface(void** state)
{
    (void)state;
    snError error;
    const snPlugin empty = {
        .size = sizeof empty, .name = "test.empty", .sdf_distance = nothing, .sdf_box = unitBox};
    const snPlugin flat = {
        .size = sizeof flat, .name = "test.flat", .sdf_distance = nothing, .sdf_box = flatBox};
    assert_int_equal(sn_registerPlugin(&empty, &error), SN_STATUS_OK);
    assert_int_equal(sn_registerPlugin(&flat, &error), SN_STATUS_OK);
    assertRefused("test.empty", "", "gives the distance nan at -1.03125 -1.03125 -1.03125, must be finite");
    assertRefused("test.flat", "", "no box");
    assertRefused("mujoco.sdf.torus", "<config key='radius1' value='wide'/>", "must be one number");
    assertRefused("mujoco.sdf.gear", "<config key='teeth' value='300'/>", "teeth 4 to 113");
    assertRefused("mujoco.pid", "", "is no shape");
}

// A ball; what is wrong with it, `user` says: no gradient, nothing above the middle, all of it far away.
static double ball(const double* numbers, const double point[3], double gradient[3], void* user)
{
    (void)numbers;
    const char* fault = user;
    const double length = sn_v3Norm(sn_v3Load(point));
    for (int k = 0; k < 3 && gradient; k++)
        gradient[k] = strchr(fault, 'g') ? (double)NAN : point[k] / length;
    if (strchr(fault, 'h') && point[2] > 0) return NAN;
    return strchr(fault, 'f') ? 1 : length - 0.7;
}

static int batches; // calls for many points

static void balls(const double* numbers, int n, const double* points, double* distances, double* gradients,
                  void* user)
{
    batches++;
    for (int i = 0; i < n; i++)
        distances[i] = ball(numbers, points + 3 * i, gradients ? gradients + 3 * i : NULL, user);
}

static void registerBall(const char* name, const char* fault, bool many)
{
    snError error;
    const snPlugin plugin = {.size = sizeof plugin,
                             .name = name,
                             .user = (void*)(uintptr_t)fault,
                             .sdf_distance = ball,
                             .sdf_box = unitBox,
                             .sdf_distances = many ? balls : NULL};
    assert_int_equal(sn_registerPlugin(&plugin, &error), SN_STATUS_OK);
}

static void test_shapes_that_give_no_numbers(void** state)
{
    (void)state;
    registerBall("test.half", "h", false);
    registerBall("test.steep", "g", true);
    registerBall("test.far", "f", true);
    assertRefused("test.half", "", "its plugin \"test.half\" gives the distance nan at ");
    assertRefused("test.steep", "", "its plugin \"test.steep\" gives the gradient nan nan nan at ");
    assertRefused("test.far", "", "has no surface in the box");
}

static void test_many_points_at_once_are_the_same_mesh(void** state)
{
    (void)state;
    registerBall("test.one", "", false);
    registerBall("test.many", "", true);
    batches = 0;
    snModel *one = shape("test.one", ""), *many = shape("test.many", "");
    assert_true(batches > 0 && batches < 200);
    assert_int_equal(one->nmeshvert, many->nmeshvert);
    assert_memory_equal(one->mesh_vert, many->mesh_vert, 3 * (size_t)one->nmeshvert * sizeof(float));
    sn_deleteModel(one);
    sn_deleteModel(many);
}

// Each mesh is of the instance that it names.
static void test_instances_of_their_own(void** state)
{
    (void)state;
    snModel* m = load(
        "<mujoco><extension><plugin plugin='mujoco.sdf.torus'>"
        "<instance name='a'><config key='radius1' value='.5'/><config key='radius2' value='.1'/></instance>"
        "<instance name='b'><config key='radius1' value='.3'/><config key='radius2' value='.2'/></instance>"
        "</plugin></extension><asset><mesh name='b' inertia='exact'><plugin instance='b'/></mesh>"
        "<mesh name='a' inertia='exact'><plugin instance='a'/></mesh></asset><worldbody>"
        "<geom type='sdf' mesh='b'><plugin instance='b'/></geom>"
        "<geom type='sdf' mesh='a'><plugin instance='a'/></geom></worldbody></mujoco>");
    for (int g = 0; g < 2; g++)
        for (int v = 0; v < m->mesh_vertnum[g]; v++) {
            double x[3];
            for (int k = 0; k < 3; k++) x[k] = (double)m->mesh_vert[3 * (m->mesh_vertadr[g] + v) + k];
            assert_true(fabs(sn_sdfDistance(m, NULL, g, x, NULL)) < 1e-6);
        }
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meshes_are_closed_and_on_the_surface),
        cmocka_unit_test(test_a_shape_stands_where_its_mesh_does),
        cmocka_unit_test(test_shapes_without_a_surface),
        cmocka_unit_test(test_shapes_that_give_no_numbers),
        cmocka_unit_test(test_many_points_at_once_are_the_same_mesh),
        cmocka_unit_test(test_instances_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
