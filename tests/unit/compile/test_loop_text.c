// Loops in model files: what text fields can say wrong and where that is told, what attachments, edits and
// copies make of them, and the sensors that show their forces.
#include "model_text.h"
#include <stdio.h>
#include <stdlib.h>
#include "base/memory.h"

// A four-bar, open between the sites s1 and s2; w and w2 are sites of the world.
#define BARS                                                                                                 \
    "<site name='w' pos='1 0 0' euler='90 0 0'/><site name='w2'/>"                                           \
    "<body name='a'><joint name='j1' axis='0 1 0'/><geom size='.05' fromto='0 0 0 0 0 1' type='capsule'/>"   \
    "<site name='s1' pos='0 0 1' euler='90 0 0'/><site name='t1'/></body>"                                   \
    "<body name='b' pos='1 0 0'><joint name='j2' axis='0 1 0'/>"                                             \
    "<geom size='.05' fromto='0 0 0 0 0 1' type='capsule'/><body name='c' pos='0 0 1'>"                      \
    "<joint name='j3' axis='0 1 0'/><geom size='.05' fromto='0 0 0 -1 0 0' type='capsule'/>"                 \
    "<site name='s2' pos='-1 0 0' euler='90 0 0'/><body name='d'><site name='u2'/></body></body></body>"
#define HEAD "<mujoco><worldbody>" BARS "<body name='m' mocap='true'><site name='m1'/></body></worldbody>\n"
#define LOOP(data) "<custom><text name='sinew_loop_x' data='" data "'/></custom>"
#define OPTIONS(data) "<custom><text name='sinew_loops' data='" data "'/></custom>"
#define GOOD LOOP("revolute s1 s2")
#define SENSOR(name, rest) "<sensor><user name='" name "' " rest "/></sensor>" GOOD

static const char* const faults[][2] = {
    {LOOP(""), "data is empty at text:2"},
    {LOOP(" "), "<text name=\"sinew_loop_x\">: data must be a type and two sites"},
    {LOOP("revolute"), "data must be a type and two sites"},
    {LOOP("revolute s1"), "data must be a type and two sites"},
    {LOOP("revolut s1 s2"),
     "<text name=\"sinew_loop_x\">: type \"revolut\" is not known, did you mean \"revolute\"? at text:2"},
    {LOOP("qqqqqqqq s1 s2"), "type \"qqqqqqqq\" is not known, expected one of: fixed, revolute, prismatic,"},
    {LOOP("revolute s1 s3"), "SITE2=\"s3\": there is no such site, did you mean \"s1\"? at text:2"},
    {LOOP("revolute zzzzz s2"), "SITE1=\"zzzzz\": there is no such site at text:2"},
    {LOOP("revolute s1 s1"), "SITE1 and SITE2 are the same"},
    {LOOP("revolute s1 t1"), "both sites are on one body"},
    {LOOP("revolute s2 u2"), "both sites are on bodies that do not move against each other"},
    {LOOP("revolute m1 w"), "both sites are fixed in the world"}, // a mocap body
    {LOOP("revolute w w2"), "both sites are fixed in the world: put one of them on a body that moves"},
    {LOOP("revolute s1 s2 stifness=1"), "key \"stifness\" is not known, did you mean \"stiffness\"?"},
    {LOOP("revolute s1 s2 stiffness"), "stiffness wants a number: stiffness=VALUE"},
    {LOOP("revolute s1 s2 stiffness=1x"), "stiffness=1x is not a finite number"},
    {LOOP("revolute s1 s2 stiffness="), "stiffness= is not a finite number"},
    {LOOP("revolute s1 s2 stiffness=nan"), "stiffness=nan is not a finite number"},
    {LOOP("revolute s1 s2 stiffness=-1"), "stiffness=-1 must be 0 or more"},
    {LOOP("revolute s1 s2 damping=1 damping=2"), "damping stands twice"},
    {LOOP("revolute s1 s2 pitch=1"), "pitch is nothing that a revolute joint has: it is for helical ones"},
    {LOOP("revolute s1 s2 length=1"), "length is nothing that a revolute joint has: it is for distances"},
    {LOOP("fixed s1 s2 damping=1"), "it is for revolute, prismatic and helical ones"},
    {LOOP("helical s1 s2"), "a helical joint needs pitch=VALUE"},
    {LOOP("distance s1 s2"), "a distance joint needs length=VALUE"},
    {LOOP("distance s1 s2 length=0"), "length=0 must be positive"},
    {LOOP("distance s1 s2 length=1 length=1"), "length stands twice"},
    {GOOD GOOD, "has this name already"},
    {GOOD "<equality><connect name='x' site1='s1' site2='s2'/></equality>",
     "<text name=\"sinew_loop_x\">: an equality has the name \"x\" already: give this loop another"},
    {LOOP("fixed s1 s2") "<custom><text name='p_sinew_loop_q' data='fixed s1 s2'/>"
                         "<text name='sinew_loop_p_q' data='fixed s1 s2'/></custom>",
     "another loop joint has the name \"p_q\" already"},
    {OPTIONS("exakt"), "<text name=\"sinew_loops\">: data \"exakt\" must begin with soft or exact, did you "
                       "mean \"exact\"? at text:2"},
    {OPTIONS("solution=1"), "must begin with soft or exact"},
    {OPTIONS("exact soluton=1"), "setting \"soluton\" is not known, did you mean \"solution\"?"},
    {OPTIONS("exact solution=4"), "solution=4 must be 1, 2 or 3"},
    {OPTIONS("exact solution=1 solution=1"), "solution stands twice"},
    {OPTIONS("exact tstab=0"), "tstab=0 must be positive"},
    {OPTIONS("exact tstab=0.003"), "tstab=0.003 is too small for the timestep 0.002: make it 0.004 or more"},
    {OPTIONS("exact ranktol=1"), "ranktol=1 must be 0 or more, and below 1"},
    {OPTIONS("exact project=2"), "project=2 must be 0 or 1"},
    {OPTIONS("soft tstab=x"), "tstab=x is not a finite number"},
    {"<option timestep='.06'/>" GOOD,
     "<text name=\"sinew_loop_x\">: tstab=0.1 is too small for the timestep 0.06"},
    {SENSOR("sinew_loop_y", "dim='6'"),
     "<user name=\"sinew_loop_y\">: there is no loop joint and no equality \"y\" whose force it could show"},
    {SENSOR("sinew_loop_x", "dim='1'"),
     "dim is 1: the force of loop \"x\" has 6 numbers (torque, force) or 3 (force) at text:2"},
    {SENSOR("sinew_loop_x", "dim='5'"), "has 6 numbers (torque, force) or 3 (force)"},
    {SENSOR("sinew_loop_x", "dim='6' needstage='vel'"), "needstage must be acc and datatype real"},
    {SENSOR("sinew_loop_x", "dim='3' datatype='axis'"), "needstage must be acc and datatype real"},
    {SENSOR("sinew_loop_knee",
            "dim='6'") "<custom><text name='sinew_loop_knie' data='fixed s1 s2'/></custom>",
     "did you mean \"knie\"?"},
    {"<equality><joint name='g' joint1='j1' joint2='j2'/></equality>" SENSOR("sinew_loop_g", "dim='6'"),
     "dim is 6: the force of loop \"g\" is 1 number"},
    {"<sensor><user name='sinew_loop_x' dim='2'/></sensor>" LOOP("distance s1 s2 length='1'"), ""},
    {"<sensor><user name='sinew_loop_x' dim='2'/></sensor>" LOOP("distance s1 s2 length=1"),
     "dim is 2: the force of loop \"x\" has 6 numbers (torque, force) or 3 (force), or 1 along its row"},
};

static void everyFaultIsTold(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        char text[4000];
        snError error = {0};
        snprintf(text, sizeof text, HEAD "%s</mujoco>", faults[i][0]);
        snModel* m = sn_loadModelText(text, strlen(text), NULL, 0, NULL, &error);
        if (m || !strstr(error.message, faults[i][1]))
            fail_msg("%s\n  %s\n  wants %s", faults[i][0], error.message, faults[i][1]);
    }
}

static void includedFilesAreNamed(void** state)
{
    (void)state;
    static const char text[] = HEAD "<include file='loops.xml'/></mujoco>",
                      loops[] = "<mujoco>\n\n<custom>\n<text name='sinew_loop_x' data='revolute s1 s9'/>"
                                "</custom></mujoco>";
    const snAsset asset = {"loops.xml", loops, strlen(loops)};
    snError error = {0};
    assert_null(sn_loadModelText(text, strlen(text), &asset, 1, NULL, &error));
    assert_non_null(
        strstr(error.message, "<text name=\"sinew_loop_x\">: SITE2=\"s9\": there is no such site"));
    assert_non_null(strstr(error.message, " at loops.xml:4"));
    assert_int_equal(error.line, 4);
    assert_string_equal(error.file, "loops.xml");
}

static void attachedFilesAreNamed(void** state)
{
    (void)state;
    static const char text[] = "<mujoco><asset><model name='arm' file='arm.xml'/></asset><worldbody>"
                               "<attach model='arm' body='a' prefix='l_'/></worldbody></mujoco>",
                      arm[] = "<mujoco><worldbody>\n<body name='a'><body><joint/><geom size='.1'/>"
                              "<site name='p'/></body></body></worldbody>\n"
                              "<custom>\n<text name='sinew_loop_x' data='revolut p p'/></custom></mujoco>";
    const snAsset asset = {"arm.xml", arm, strlen(arm)};
    snError error = {0};
    assert_null(sn_loadModelText(text, strlen(text), &asset, 1, NULL, &error));
    assert_non_null(strstr(error.message, "<text name=\"l_sinew_loop_x\">: type \"revolut\" is not known"));
    assert_int_equal(error.line, 4);
    assert_string_equal(error.file, "arm.xml");
}

static int warningsOf(const char* name, const char* part)
{
    char text[3000];
    snWarnings w = {NULL, 0, 0};
    const snLoadOptions options = {.warnings = &w};
    snprintf(text, sizeof text, HEAD "<custom><text name='%s' data='exact'/></custom></mujoco>", name);
    snModel* m = sn_loadModelText(text, strlen(text), NULL, 0, &options, NULL);
    assert_non_null(m);
    const int count = w.count;
    if (count && !strstr(w.list[0].message, part)) fail_msg("%s", w.list[0].message);
    sn_freeWarnings(&w);
    sn_deleteModel(m);
    return count;
}

static void nearlyOursIsWarnedOf(void** state)
{
    (void)state;
    static const char* const near[] = {"sinew_loop", "sinew_lops", "sinew_Loops", "sinew_loop_"};
    static const char* const other[] = {"sinew_loops", "sinew_inertia", "loops", "x"};
    for (size_t i = 0; i < sizeof near / sizeof *near; i++)
        if (warningsOf(near[i], "did you mean sinew_loop") != 1) fail_msg("%s", near[i]);
    assert_int_equal(warningsOf("sinew_lop_knee", "<text name=\"sinew_lop_knee\">: no field of this name is "
                                                  "known, did you mean sinew_loop_NAME? at text:2"),
                     1);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (warningsOf(other[i], "") != 0) fail_msg("%s", other[i]);
}

// ---- specs

static snSpec* loadSpec(const char* text)
{
    snError error = {0};
    snSpec* spec = sn_loadSpecText(text, strlen(text), NULL, 0, NULL, &error);
    if (!spec) fail_msg("%s", error.message);
    return spec;
}

static snModel* compile(snSpec* spec)
{
    snError error = {0};
    snModel* m = sn_compile(spec, NULL, &error);
    if (!m) fail_msg("%s", error.message);
    return m;
}

static void assertLoop(const snModel* m, int loop, const char* name, const char* site1, const char* site2)
{
    assert_in_range(loop, 0, m->nloop - 1);
    assert_string_equal(sn_loopName(m, loop), name);
    assert_string_equal(sn_id2name(m, SN_OBJ_SITE, m->loop_siteid[2 * loop]), site1);
    assert_string_equal(sn_id2name(m, SN_OBJ_SITE, m->loop_siteid[2 * loop + 1]), site2);
}

// The text that a spec writes is read as the same model.
static void assertWrittenSame(snSpec* spec, const snModel* m)
{
    snError error = {0};
    size_t size;
    char* text = sn_writeSpec(spec, NULL, &size, NULL, &error);
    if (!text) fail_msg("%s", error.message);
    snModel* back = sn_loadModelText(text, size, NULL, 0, NULL, &error);
    if (!back) fail_msg("%s\n%s", error.message, text);
    assert_int_equal(back->nloop, m->nloop);
    for (int l = 0; l < m->nloop; l++)
        assertLoop(back, l, sn_loopName(m, l), sn_id2name(m, SN_OBJ_SITE, m->loop_siteid[2 * l]),
                   sn_id2name(m, SN_OBJ_SITE, m->loop_siteid[2 * l + 1]));
    assert_int_equal(back->opt.loops, m->opt.loops);
    assert_true(back->opt.loop_tstab == m->opt.loop_tstab);
    sn_deleteModel(back);
    sn_freeText(text);
}

static void prefixAndSuffixGoAlong(void** state)
{
    (void)state;
    snError error = {0};
    snSpec *child =
               loadSpec(HEAD "<custom><text name='sinew_loops' data='exact'/></custom>"
                             "<sensor><user name='sinew_loop_x' dim='6'/></sensor>"
                             "<custom><text name='sinew_loop_x' data='sphere-in-plane  s1 w'/>"
                             "<text name='sinew_loop_y' data='distance s1 s2 length=1'/></custom></mujoco>"),
           *spec = loadSpec("<mujoco><worldbody><site name='s1'/><site name='w'/></worldbody></mujoco>");
    snElement* world = sn_section(spec, "worldbody", &error);
    assert_non_null(sn_attach(spec, world, child, NULL, "l_", "!", &error));
    assert_non_null(sn_attach(spec, world, child, NULL, "", "_2", &error));
    assert_non_null(sn_attach(spec, world, child, NULL, "a b ", " c", &error));
    snModel* m = compile(spec);
    assert_int_equal(m->nloop, 6);
    assertLoop(m, 0, "l_x!", "l_s1!", "l_w!");
    assertLoop(m, 1, "l_y!", "l_s1!", "l_s2!");
    assertLoop(m, 2, "x_2", "s1_2", "w_2");
    assertLoop(m, 3, "y_2", "s1_2", "s2_2");
    assertLoop(m, 4, "a b x c", "a b s1 c", "a b w c");
    assertLoop(m, 5, "a b y c", "a b s1 c", "a b s2 c");
    assert_int_equal(m->sensor_loopid[0], 0);
    assert_int_equal(m->sensor_loopid[1], 2);
    assert_int_equal(m->opt.loops, SN_LOOPS_SOFT); // options of the child stay behind
    assertWrittenSame(spec, m);
    sn_deleteModel(m);
    sn_deleteSpec(child);
    sn_deleteSpec(spec);
}

// A loop whose sites do not all come along stays behind, as other elements do.
static void loopsToOutsideStayBehind(void** state)
{
    (void)state;
    snError error = {0};
    snSpec *child = loadSpec(HEAD GOOD
                             "<equality><connect name='e' body1='a' body2='b' anchor='0 0 0'/></equality>"
                             "<sensor><user name='sinew_loop_x' dim='6'/>"
                             "<user name='sinew_loop_e' dim='6'/><user name='own' dim='1'/></sensor>"
                             "</mujoco>"),
           *spec = loadSpec("<mujoco/>");
    snElement *world = sn_section(spec, "worldbody", &error), *a = sn_findElement(child, SN_OBJ_BODY, "a");
    assert_non_null(sn_attach(spec, world, child, a, "l_", NULL, &error));
    snModel* m = compile(spec);
    assert_int_equal(m->nloop, 0);
    assert_int_equal(m->nsensor, 1);
    sn_deleteModel(m);
    assert_non_null(sn_attach(spec, world, child, NULL, "all_", NULL, &error));
    m = compile(spec);
    assert_int_equal(m->nloop, 1);
    assert_int_equal(m->nsensor, 4);
    assert_int_equal(m->sensor_loopid[1], 0);
    assert_int_equal(m->sensor_loopid[2], 1);
    sn_deleteModel(m);
    sn_deleteSpec(child);
    sn_deleteSpec(spec);
}

// What others attach keeps its text: the field's name tells how the sites are called now.
static void namesTellWhatOthersAttached(void** state)
{
    (void)state;
    static const char format[] =
        "<mujoco><worldbody><site name='s1'/><body><joint/><geom size='1'/><site name='%ss1%s'/></body>"
        "<body><joint/><geom size='1'/><site name='%ss2%s'/></body></worldbody>"
        "<custom><text name='%ssinew_loop_knee%s' data='revolute s1 s2'/></custom></mujoco>";
    static const char* const pairs[][2] = {{"l_", ""}, {"", "_r"}, {"l_", "_r"}, {"a/", "2"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *p = pairs[i][0], *s = pairs[i][1];
        char text[1000], name[40], site[2][40];
        snprintf(text, sizeof text, format, p, s, p, s, p, s);
        snprintf(name, sizeof name, "%sknee%s", p, s);
        for (int k = 0; k < 2; k++) snprintf(site[k], sizeof site[k], "%ss%d%s", p, k + 1, s);
        snModel* m = load(text);
        assertLoop(m, 0, name, site[0], site[1]);
        sn_deleteModel(m);
    }
}

static void editsFollowSites(void** state)
{
    (void)state;
    snError error = {0};
    snSpec* spec = loadSpec(HEAD "</mujoco>");
    snElement* loop = sn_addLoop(spec, "knee", "helical", "s1", "s2", "pitch=.1 stiffness=2", &error);
    assert_non_null(loop);
    assert_string_equal(sn_getText(spec, loop, "data"), "helical s1 s2 pitch=.1 stiffness=2");
    snElement* site = sn_findElement(spec, SN_OBJ_SITE, "s1");
    assert_int_equal(sn_setText(spec, site, "name", "shin_end", &error), SN_STATUS_OK);
    assert_string_equal(sn_getText(spec, loop, "data"), "helical shin_end s2 pitch=.1 stiffness=2");
    assert_int_equal(sn_setLoops(spec, "exact tstab=.25", &error), SN_STATUS_OK);
    assert_int_equal(sn_setLoops(spec, "exact tstab=.2", &error), SN_STATUS_OK);
    snModel* m = compile(spec);
    assertLoop(m, 0, "knee", "shin_end", "s2");
    assert_int_equal(m->opt.loops, SN_LOOPS_EXACT);
    assert_true(m->opt.loop_tstab == .2 && m->loop_parameter[0] == .1 && m->loop_stiffness[0] == 2);
    assertWrittenSame(spec, m);
    sn_deleteModel(m);
    assert_int_equal(sn_setLoops(spec, NULL, &error), SN_STATUS_OK);
    assert_int_equal(sn_removeElement(spec, sn_findElement(spec, SN_OBJ_BODY, "c"), &error), SN_STATUS_OK);
    assert_null(sn_findElement(spec, SN_OBJ_TEXT, "sinew_loop_knee"));
    m = compile(spec);
    assert_int_equal(m->nloop, 0);
    assert_int_equal(m->opt.loops, SN_LOOPS_SOFT);
    sn_deleteModel(m);
    sn_deleteSpec(spec);
}

static void wrongEditsChangeNothing(void** state)
{
    (void)state;
    snError error = {0};
    snSpec* spec = loadSpec(HEAD GOOD "</mujoco>");
    static const char* const bad[][6] = {
        {"x", "fixed", "s1", "s2", NULL, "this name is taken"},
        {"y", "fixd", "s1", "s2", NULL, "did you mean \"fixed\"?"},
        {"y", "fixed", "s 1", "s2", NULL, "words without blanks"},
        {"y", "fixed", "s1", "", NULL, "a type and two sites"},
        {"y", "fixed", "s1", "", "s2", "a type and two sites"},
        {"y", "helical", "s1", "s2", NULL, "needs pitch=VALUE"},
        {"y", "helical", "s1", "s2", "pitch=1 length=1", "length is nothing that a helical joint has"},
        {"", "fixed", "s1", "s2", NULL, "needs a name"},
        {"y\n", "fixed", "s1", "s2", "x\x01", "is not known"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char* const* b = bad[i];
        assert_null(sn_addLoop(spec, b[0], b[1], b[2], b[3], b[4], &error));
        if (!strstr(error.message, b[5])) fail_msg("%s", error.message);
    }
    assert_int_equal(sn_setLoops(spec, "hard", &error), SN_STATUS_MODEL);
    snModel* m = compile(spec);
    assert_int_equal(m->ntext, 1);
    sn_deleteModel(m);
    sn_deleteSpec(spec);
}

static void replicasHaveTheirOwn(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><worldbody><site name='w'/><replicate count='3' offset='1 0 0'>"
                      "<body><joint axis='0 1 0'/><geom size='.1'/><site name='p'/>"
                      "<body><joint axis='0 1 0'/><geom size='.1' pos='1 0 0'/><site name='q'/></body></body>"
                      "</replicate></worldbody>"
                      "<custom><text name='note' data='p q'/><text name='sinew_loop_k' data='spherical p q'/>"
                      "<text name='sinew_loop_l' data='sphere-in-plane w q'/></custom>"
                      "<sensor><user name='sinew_loop_l' dim='1'/></sensor></mujoco>");
    assert_int_equal(m->nloop, 6);
    assert_int_equal(m->ntext, 7);
    assert_int_equal(m->nsensor, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(m->sensor_loopid[i], 2 * i + 1);
        char name[2][16], site[2][16];
        for (int k = 0; k < 2; k++) {
            snprintf(name[k], sizeof name[k], "%c%d", 'k' + k, i);
            snprintf(site[k], sizeof site[k], "%c%d", 'p' + k, i);
        }
        assertLoop(m, 2 * i, name[0], site[0], site[1]);
        assertLoop(m, 2 * i + 1, name[1], "w", site[1]);
    }
    sn_deleteModel(m);
}

#ifdef SN_TEST_HOOKS
static void memoryMayFail(void** state)
{
    (void)state;
    static const char text[] = HEAD "<sensor><user name='p_sinew_loop_x_s' dim='6'/></sensor><custom>"
                                    "<text name='p_sinew_loop_x_s' data='revolute s1 s2'/></custom></mujoco>";
    int left = 0;
    for (int n = 0;; n++) {
        left = n;
        sn_setAllocHook(countdown, &left);
        snError error = {0};
        snModel* m = sn_loadModelText(text, strlen(text), NULL, 0, NULL, &error);
        sn_setAllocHook(NULL, NULL);
        sn_deleteModel(m);
        if (m) break;
        assert_int_equal(error.status, SN_STATUS_NO_MEMORY);
        assert_true(n < 100000);
    }
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everyFaultIsTold),
        cmocka_unit_test(includedFilesAreNamed),
        cmocka_unit_test(attachedFilesAreNamed),
        cmocka_unit_test(nearlyOursIsWarnedOf),
        cmocka_unit_test(prefixAndSuffixGoAlong),
        cmocka_unit_test(loopsToOutsideStayBehind),
        cmocka_unit_test(namesTellWhatOthersAttached),
        cmocka_unit_test(editsFollowSites),
        cmocka_unit_test(wrongEditsChangeNothing),
        cmocka_unit_test(replicasHaveTheirOwn),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(memoryMayFail),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
