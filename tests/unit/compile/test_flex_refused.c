// What a flex may be: each mistake names the flex, its line and the mend; and what elasticity is made of.
#include <math.h>
#include <stdlib.h>
#include "model_text.h"
#include "model/flex.h"
#include "model/warnings.h"

#define SLIDES                                                                                               \
    "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 "     \
    "1'/><geom size='.01'/>"
#define BODIES                                                                                               \
    "<body name='a'>" SLIDES "</body><body name='b' pos='.1 0 0'>" SLIDES "</body>"                          \
    "<body name='c' pos='0 .1 0'>" SLIDES "</body><body name='d' pos='0 0 .1'>" SLIDES "</body>"             \
    "<body name='moved' mocap='true'/>"
#define FLEX(attributes, children)                                                                           \
    "<mujoco><worldbody>" BODIES "</worldbody><deformable>\n<flex name='f' " attributes ">" children         \
    "</flex></deformable></mujoco>"
#define BOTH "<elasticity young='1' thickness='.1' elastic2d='both'/>"

// clang-format off
static const struct {
    const char *text, *message;
    snStatus status;
} mistakes[] = {
    {FLEX("body='a b x' element='0 1 2'", ""), "body=\"x\": there is no such body", SN_STATUS_MODEL},
    {FLEX("body='moved b c' element='0 1 2'", BOTH), "vertex 0 is of body \"moved\", a mocap body", SN_STATUS_MODEL},
    {FLEX("body='a b c' element='0 1 2' vertex='0 0 0 0 0 0 .2 -.1 0'", BOTH), "element 0 has no area at qpos0", SN_STATUS_MODEL},
    {FLEX("body='a b c' element='0 1 2' vertex='.1 0 0 0 0 0 0 0 0'", BOTH), "element 0 has no area at qpos0", SN_STATUS_MODEL},
    {FLEX("dim='3' body='a b c d' element='0 1 2 3' vertex='0 0 0 0 0 0 0 0 0 .1 .2 -.1'", "<elasticity young='1'/>"), "element 0 has no volume at qpos0", SN_STATUS_MODEL},
    {FLEX("dim='1' body='a b' element='0 1' vertex='.1 0 0 0 0 0'", "<edge damping='1'/>"), "vertices 0 and 1 are at one place at qpos0", SN_STATUS_MODEL},
    {FLEX("body='a b c' element='0 1 2' material='m'", ""), "material=\"m\": there is no such material", SN_STATUS_MODEL},
};

static const struct {
    const char *text, *message;
} warnings[] = {
    {FLEX("body='a' element='0 1 2' vertex='0 0 0 1 0 0 0 1 0'", "<edge damping='1'/>"), "<edge> has no effect: all vertices are of one body"},
    {FLEX("body='a b c' element='0 1 2'", "<edge damping='-1'/><elasticity young='1' thickness='.1' elastic2d='both'/>"), "damping of edges is -1, must not be negative"},
    {FLEX("body='a b c' element='0 1 2'", ""), "nothing holds it together: give it <elasticity>, <edge>, or an equality of its own"},
    {FLEX("body='a b c' element='0 1 2'", "<edge damping='1'/><elasticity young='1'/>"), "young has no effect without elastic2d"},
    {FLEX("body='a' element='0 1 2' vertex='0 0 0 1 0 0 0 1 0'", BOTH), "elasticity has no effect: all vertices are of one body"},
    {FLEX("body='a b c d d' vertex='0 0 0 0 0 0 0 0 0 0 0 0 0 .1 .1' element='0 1 2 0 3 1 0 1 4'", BOTH), "more than two triangles have the edge between vertices 0 and 1"},
};
// clang-format on

static void mistakesAreNamed(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        snError error = {0};
        snWarnings w = {NULL, 0, 0};
        const snLoadOptions options = {.warnings = &w};
        const char* text = mistakes[i].text;
        snModel* m = sn_loadModelText(text, strlen(text), NULL, 0, &options, &error);
        if (m) fail_msg("loads: %s", text);
        if (!strstr(error.message, mistakes[i].message) || !strstr(error.message, "<flex name=\"f\">"))
            fail_msg("%s\nwanted: %s", error.message, mistakes[i].message);
        assert_int_equal(error.status, mistakes[i].status);
        assert_int_equal(error.line, 2);
        sn_freeWarnings(&w);
    }
}

static void whatCannotBeMeantWarns(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof warnings / sizeof *warnings; i++) {
        snError error = {0};
        snWarnings w = {NULL, 0, 0};
        const snLoadOptions options = {.warnings = &w};
        const char* text = warnings[i].text;
        snModel* m = sn_loadModelText(text, strlen(text), NULL, 0, &options, &error);
        if (!m) fail_msg("%s", error.message);
        if (w.count != 1) fail_msg("%d warnings, wanted: %s", w.count, warnings[i].message);
        if (!strstr(w.list[0].message, warnings[i].message))
            fail_msg("%s\nwanted: %s", w.list[0].message, warnings[i].message);
        assert_int_equal(w.list[0].line, 2);
        sn_deleteModel(m);
        sn_freeWarnings(&w);
    }
}

static void edgesOfOneBodyAreNotHeld(void** state)
{
    (void)state;
    static const char text[] =
        "<mujoco><worldbody>" BODIES
        "</worldbody><deformable><flex name='f' body='a' element='0 1 2' vertex='0 0 0 1 0 0 0 1 0'/>"
        "</deformable><equality><flex flex='f'/></equality></mujoco>";
    snError error = {0};
    assert_null(sn_loadModelText(text, strlen(text), NULL, 0, NULL, &error));
    if (!strstr(error.message, "leave out the equality that holds it")) fail_msg("%s", error.message);
}

// x' K x > 0 for whatever changes the lengths of a tetrahedron's edges.
static void stiffnessIsPositive(void** state)
{
    (void)state;
    snModel* m =
        load(FLEX("dim='3' body='a b c d' element='0 1 2 3' vertex='.01 .02 0 0 0 .03 .01 0 0 0 .05 0'",
                  "<elasticity young='10' poisson='0.49'/>"));
    srand(3);
    for (int trial = 0; trial < 200; trial++) {
        double x[6], all[21], sum = 0;
        for (int i = 0; i < 6; i++) x[i] = (double)rand() / RAND_MAX - 0.5;
        sn_flexK(3, m->flex_stiffness, all);
        const double* K = all;
        for (int i = 0; i < 6; i++)
            for (int j = i; j < 6; j++) sum += (i == j ? 1 : 2) * x[i] * *K++ * x[j];
        assert_true(sum > 0);
    }
    for (int k = 7; k < sn_flexStiffness(3); k++) assert_true(m->flex_stiffness[k] == 0);
    sn_deleteModel(m);
}

// A square bent about its diagonal into a cylinder has the energy of a plate, D kappa^2/2 an area.
static void bendingIsThatOfAPlate(void** state)
{
    (void)state;
    snModel* m =
        load("<mujoco><worldbody>" BODIES "</worldbody><deformable><flex name='f' body='a b c b' "
             "vertex='0 0 0 0 0 0 0 0 0 0 .1 0' element='0 1 2 1 3 2'><elasticity young='10' poisson='.3' "
             "thickness='.1' elastic2d='bend'/></flex></deformable></mujoco>");
    // the diagonal is the edge of vertices 1 and 2, the others are h from it
    const double kappa = 1e-3, h = 0.1 / sqrt(2), z[4] = {0, 0, kappa * h * h / 2, kappa * h * h / 2};
    const double D = 10 * 0.1 * 0.1 * 0.1 / (12 * (1 - 0.3 * 0.3));
    const double* Q = m->flex_bending;
    assert_int_equal(m->flex_edge[0], 1);
    assert_int_equal(m->flex_edge[1], 2);
    double energy = 0;
    for (int i = 0; i < 4; i++) {
        double row = 0;
        for (int j = 0; j < 4; j++) {
            energy += Q[4 * i + j] * z[i] * z[j] / 2;
            row += Q[4 * i + j];
        }
        assert_true(fabs(row) < 1e-14); // no force from where it is
    }
    const double plate = D * kappa * kappa / 2 * 0.01;
    assert_true(fabs(energy - plate) < 1e-12 * plate);
    assert_true(Q[16] == 0);
    for (int e = 1; e < m->flex_edgenum[0]; e++) assert_true(m->flex_bending[SN_FLEX_BENDING * e] == 0);
    sn_deleteModel(m);
}

// As a copy, as bytes; and bytes in which a vertex is of no element's flex are refused.
static void compiledOnesComeBack(void** state)
{
    (void)state;
    snModel* m = load(FLEX("body='a b c d' element='0 1 2 1 3 2' texcoord='0 0 0 1 1 0 1 1'",
                           "<edge damping='1'/><elasticity young='1' thickness='.1' elastic2d='both'/>"));
    assert_true(m->nflexstiffness > 0 && m->nflexbending > 0 && m->nJfe == 30);
    snModel* copy = sn_copyModel(m);
    assert_int_equal(sn_compareModel(m, copy), -1);
    sn_deleteModel(copy);
    for (int harm = 0; harm < 2; harm++) {
        m->flex_elem[4] += 100 * harm;
        const size_t size = sn_sizeModel(m);
        char* bytes = malloc(size);
        assert_int_equal(sn_saveModelBytes(m, bytes, size, NULL), SN_STATUS_OK);
        snError error = {0};
        snModel* back = sn_loadModelBytes(bytes, size, NULL, &error);
        if (harm)
            assert_non_null(strstr(error.message, "flex_elem[4]: out of range"));
        else
            assert_int_equal(sn_compareModel(m, back), -1);
        sn_deleteModel(back);
        free(bytes);
    }
    sn_deleteModel(m);
}

// What fields may not hold together, though each index is in its range.
static void whatDoesNotFitIsRefused(void** state)
{
    (void)state;
    snModel* m = load(FLEX("body='a b c d' element='0 1 2 1 3 2'",
                           "<edge damping='1'/><elasticity young='1' thickness='.1' elastic2d='both'/>"));
    const struct {
        int* entry;
        int value;
        const char* message;
    } faults[] = {{m->flex_edge, 0, "flex_elemedge[0]: not an edge of the element"},
                  {m->flex_elemedge, 1, "flex_elemedge[0]: not an edge of the element"},
                  {m->flex_edgeflap, -1, "flex_edgeflap[0]: no vertex, but there is a second one"},
                  {m->flexedge_J_colind, 2, "flexedge_J_colind[0]: not the dofs of both ends"},
                  {m->flexedge_J_rownnz, 3, "flexedge_J_rowadr[1]: does not follow"},
                  {m->flex_vertbodyid + 1, 4, "flexedge_J_colind[0]: not the dofs of both ends"},
                  {m->flex_vertbodyid + 1, 3, "flexedge_rigid[0]: not whether both ends are of one body"},
                  {m->flex_dim, 3, "flex_bendingadr[0]: only dim 2 has it"},
                  {m->flex_stiffnessadr, -1, "flex_stiffnessadr[1]: the sizes of all do not match"},
                  {m->flex_bendingadr, 17, "flex_bendingadr[0]: does not follow the flex before"},
                  {m->flex_shellnum, 3, "flex_shelldataadr[1]: the sizes of all do not match"},
                  {m->flex_texcoordadr, 0, "flex_elemtexcoord[0]: out of range"}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const int kept = *faults[i].entry;
        snError error = {0};
        *faults[i].entry = faults[i].value;
        assert_int_not_equal(sn_validateModel(m, &error), SN_STATUS_OK);
        if (!strstr(error.message, faults[i].message)) fail_msg("%s", error.message);
        *faults[i].entry = kept;
    }
    m->flex_rigid[0] = 1;
    assert_int_not_equal(sn_validateModel(m, NULL), SN_STATUS_OK);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakesAreNamed),         cmocka_unit_test(whatCannotBeMeantWarns),
        cmocka_unit_test(edgesOfOneBodyAreNotHeld), cmocka_unit_test(stiffnessIsPositive),
        cmocka_unit_test(bendingIsThatOfAPlate),    cmocka_unit_test(compiledOnesComeBack),
        cmocka_unit_test(whatDoesNotFitIsRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
