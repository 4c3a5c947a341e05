// Constraint forces in lanes are those of the scalar engine: every kind of row, each lane with rows of its
// own.
#include "batch/lane_compare.h"

static const char* const fields[] = {"qacc", "qfrc_constraint", NULL};

// One tree with limits, dry friction and contacts of its branches with each other and the floor.
#define TREE(option, condim)                                                                                 \
    "<mujoco><option " option "</option><default><geom condim='" condim "' friction='.8 .02 .003'/>"         \
    "<joint frictionloss='.2' range='-30 40' limited='true' damping='.1'/></default>"                        \
    "<worldbody><geom type='plane' size='5 5 1'/><body name='t' pos='0 0 .25'><freejoint/>"                  \
    "<geom type='box' size='.3 .2 .05'/>"                                                                    \
    "<body pos='.35 .1 0'><joint axis='0 1 0'/><geom type='capsule' size='.08' fromto='0 0 0 .2 0 -.25'/>"   \
    "<body pos='.2 0 -.25'><joint axis='1 0 1'/><geom size='.12'/></body></body>"                            \
    "<body pos='.35 -.1 0'><joint axis='0 1 0'/><geom type='capsule' size='.08' fromto='0 0 0 .2 0 -.25'/>"  \
    "<body pos='.2 0 -.25'><joint type='ball' limited='true' range='0 20'/><geom size='.12'/></body></body>" \
    "<body pos='-.35 0 0'><joint name='x' axis='1 0 0'/><joint name='y' axis='0 1 0'/>"                      \
    "<geom type='capsule' size='.05' fromto='0 0 0 -.2 0 -.2'/><site name='end' pos='-.2 0 -.2'/></body>"    \
    "</body></worldbody><tendon><fixed name='xy' range='-.2 .2' limited='true' frictionloss='.3'>"           \
    "<joint joint='x' coef='1'/><joint joint='y' coef='-.5'/></fixed></tendon></mujoco>"

// Several trees, tied and piled.
#define PILE(option, condim)                                                                                 \
    "<mujoco><option " option "</option><default><geom condim='" condim "' friction='.6 .01 .002'/>"         \
    "</default><worldbody><geom type='plane' size='5 5 1'/>"                                                 \
    "<body name='a' pos='0 0 .15'><freejoint/><geom type='box' size='.3 .3 .1'/></body>"                     \
    "<body name='b' pos='.1 0 .3'><freejoint/><geom size='.15'/></body>"                                     \
    "<body name='c' pos='-.2 0 .3'><freejoint/><geom type='capsule' size='.1 .2'/></body>"                   \
    "<body name='d' pos='.5 .5 .2'><joint type='slide' axis='0 0 1' frictionloss='3'/>"                      \
    "<joint axis='1 0 0' range='-5 5' limited='true'/><geom type='box' size='.1 .2 .2' mass='30'/></body>"   \
    "<body name='e' pos='0 0 2'><joint name='h' axis='0 1 0'/><geom size='.1' pos='.2 0 "                    \
    "0'/></body></worldbody>"                                                                                \
    "<equality><connect body1='b' body2='c' anchor='-.1 0 .1'/>"                                             \
    "<joint joint1='h' polycoef='.1'/></equality></mujoco>"

// Starts of all rows; the warm start is near the answer in some, far away in others.
static void begin(snBatch* b)
{
    scatter(b, 0);
    sn_batchForward(b, NULL, 0, NULL);
    for (int i = 0; i < sn_batchCount(b); i++)
        for (int k = 0; k < sn_batchModel(b)->nv; k++)
            rowOf(b, "qacc_warmstart", i)[k] = rowOf(b, "qacc", i)[k] * (1 + (i % 3) * noise(i, 400 + k));
}

static void compareRows(snBatch* x, snBatch* y, double most)
{
    for (const char* const* field = fields; *field; field++) {
        int columns = 0;
        sn_batchArray(x, *field, &columns);
        for (int i = 0; i < sn_batchCount(x); i++) {
            double size = 1;
            for (int k = 0; k < columns; k++) size = fmax(size, fabs(rowOf(y, *field, i)[k]));
            for (int k = 0; k < columns; k++)
                if (!(fabs(rowOf(x, *field, i)[k] - rowOf(y, *field, i)[k]) <= most * size))
                    fail_msg("%s[%d] of %d is %.17g, should be %.17g of %g", *field, k, i,
                             rowOf(x, *field, i)[k], rowOf(y, *field, i)[k], size);
        }
    }
}

static void copyStart(snBatch* from, int i, snBatch* to, int k)
{
    const size_t nv = (size_t)sn_batchModel(from)->nv;
    copyRow(from, i, to, k);
    memcpy(rowOf(to, "qacc_warmstart", k), rowOf(from, "qacc_warmstart", i), nv * sizeof(double));
}

static void compareStarts(const snModel* m, int width, double most)
{
    enum { N = 40 };
    snBatch *x = makeBatch(m, N, width, NULL), *y = makeBatch(m, N, 1, NULL);
    bindFields(x, fields);
    bindFields(y, fields);
    begin(y);
    for (int i = 0; i < N; i++) copyStart(y, i, x, i);
    sn_batchForward(x, NULL, 0, NULL);
    sn_batchForward(y, NULL, 0, NULL);
    compareRows(x, y, most);
    assert_int_equal(leftOf(x), 0);
    sn_deleteBatch(x);
    sn_deleteBatch(y);
}

// A lane has its own bits, however long its neighbours go on and whatever rows they have.
static void holdBitsOfStarts(const snModel* m, int width)
{
    snBatch *x = makeBatch(m, width, width, NULL), *y = makeBatch(m, width, width, NULL);
    bindFields(x, fields);
    bindFields(y, fields);
    begin(x);
    sn_batchForward(x, NULL, 0, NULL);
    for (int i = 0; i < width; i++) {
        for (int k = 0; k < width; k++) copyStart(x, i, y, k);
        sn_batchForward(y, NULL, 0, NULL);
        for (int f = 0; fields[f]; f++)
            holdBits(fields[f], rowOf(y, fields[f], 0), rowOf(x, fields[f], i), m->nv);
    }
    sn_deleteBatch(x);
    sn_deleteBatch(y);
}

static void compare(const char* xml, double most)
{
    snError error = {0};
    snModel* m = sn_loadModelText(xml, strlen(xml), NULL, 0, NULL, &error);
    if (!m) fail_msg("%s", error.message);
    const int* width = widths(m);
    assert_true(width[1]);
    while (*++width) {
        compareStarts(m, *width, most);
        holdOwnBits(m, *width, fields);
        holdBitsOfStarts(m, *width);
    }
    sn_deleteModel(m);
}

static const double rounding = 1e-11; // of sums that cancel, times a condition of some hundreds

static void check_pyramids(void** state)
{
    (void)state;
    compare(TREE(">", "1"), rounding);
    compare(TREE(">", "3"), rounding);
    compare(TREE(">", "4"), rounding);
    compare(TREE(">", "6"), rounding);
}

static void check_cones(void** state)
{
    (void)state;
    compare(TREE("cone='elliptic' tolerance='1e-13'>", "3"), rounding);
    compare(TREE("cone='elliptic' tolerance='1e-13'>", "4"), rounding);
    compare(TREE("cone='elliptic' tolerance='1e-13' impratio='10'>", "6"), rounding);
}

// Trees that touch in some lanes alone: the scalar engine solves them apart.
static void check_islands(void** state)
{
    (void)state;
    compare(PILE(">", "1"), rounding);
    compare(PILE(">", "3"), rounding);
    compare(PILE("cone='elliptic' tolerance='1e-13'>", "4"), rounding);
    compare(PILE("cone='elliptic' tolerance='1e-13'>", "6"), rounding);
    compare(PILE("><flag island='disable'/>", "6"), rounding);
}

// What is found on the way is the same, too: where to start, each step, dofs that no row touches.
static void check_few_iterations(void** state)
{
    (void)state;
    compare(TREE("iterations='0'>", "3"), rounding);
    compare(TREE("iterations='1'>", "3"), rounding);
    compare(TREE("iterations='2'>", "3"), rounding);
    compare(TREE("iterations='2' cone='elliptic'>", "3"), rounding);
    compare(TREE("iterations='1'><flag warmstart='disable'/>", "3"), rounding);
}

static void check_options(void** state)
{
    (void)state;
    compare(TREE("><flag warmstart='disable'/>", "3"), rounding);
    compare(TREE("cone='elliptic' tolerance='1e-13'><flag warmstart='disable'/>", "3"), rounding);
    compare(TREE("tolerance='0'>", "3"), rounding);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_pyramids), cmocka_unit_test(check_cones),
        cmocka_unit_test(check_islands),  cmocka_unit_test(check_few_iterations),
        cmocka_unit_test(check_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
