// Several mistakes in one model: all are told, in the order of the document, a line each.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sinew/sinew.h>
#include "format/mjcf/mjcf.h"

#define ARM "<x>\n<body><geom sise='1'/></body></x>"
#define FAR                                                                                                  \
    "<mujoco model='far'><worldbody>\n<body><geom sise='1'/>\n<site gruop='1'/></body></worldbody></mujoco>"
static const snAsset files[] = {{"arm.xml", ARM, sizeof ARM - 1}, {"far.xml", FAR, sizeof FAR - 1}};

// The error of a text that is no model; nothing comes out.
static snError errorIn(const char* name, const char* text)
{
    snError error = {.status = SN_STATUS_OK};
    const snLoadOptions strict = {.strict = true, .silent = "3.3.7"};
    snSpec* spec = sn_readMJCFText(text, strlen(text), name, files, 2, &strict, &error);
    snModel* m = spec ? sn_compile(spec, &strict, &error) : NULL;
    assert_null(m);
    sn_deleteSpec(spec);
    return error;
}

static snError errorOf(const char* text)
{
    return errorIn("m.xml", text);
}

typedef struct Case {
    const char *text, *message;
} Case;

// clang-format off
static const Case cases[] = {
    // attributes of one element; what would follow from them is not told
    {"<mujoco><worldbody><geom sise='1' pos='1 2' type='spere' rgba='1 1 1 1'/></worldbody></mujoco>",
     "<geom>: unknown attribute 'sise', did you mean 'size'? at m.xml:1\n"
     "<geom>: pos=\"1 2\": expected 3 numbers at m.xml:1\n"
     "<geom>: type=\"spere\": unknown word, did you mean 'sphere'? at m.xml:1"},
    {"<mujoco><asset><texture name='t' builtin='flat' width='x'/></asset></mujoco>",
     "<texture name=\"t\">: width=\"x\": expected a whole number at m.xml:1"},
    {"<mujoco><worldbody><body><inertial ps='0 0 0' mass='1'/></body></worldbody></mujoco>",
     "<inertial>: unknown attribute 'ps', did you mean 'pos'? at m.xml:1"},
    {"<mujoco><worldbody><body><inertial/></body></worldbody></mujoco>",
     "<inertial>: attribute 'pos' is missing at m.xml:1\n<inertial>: attribute 'mass' is missing at m.xml:1"},
    // settings and defaults are read before the bodies, and told where they stand
    {"<mujoco>\n<worldbody><gem/></worldbody>\n<option timstep='1'/>\n"
     "<default><default class='a'><geom foo='1'/></default></default>\n<actuator><motor/></actuator></mujoco>",
     "<gem>: unknown element in <worldbody>, did you mean <geom>? at m.xml:2\n"
     "<option>: unknown attribute 'timstep', did you mean 'timestep'? at m.xml:3\n"
     "<geom>: unknown attribute 'foo' at m.xml:4\n"
     "<motor>: it drives nothing, give it a joint, a tendon, a site or a body at m.xml:5"},
    // a class with a mistake is a class; one that is not there stops nothing
    {"<mujoco>\n<default><default class='arm'><geom sise='1'/></default></default>\n"
     "<worldbody><body childclass='arn'>\n<geom class='arm' size='x'/></body></worldbody></mujoco>",
     "<geom>: unknown attribute 'sise', did you mean 'size'? at m.xml:2\n"
     "<body>: childclass=\"arn\": there is no such default class, did you mean \"arm\"? at m.xml:3\n"
     "<geom>: size=\"x\": expected a number at m.xml:4"},
    // names, and plugins
    {"<mujoco><worldbody>\n<geom name='a' size='.1'/>\n<geom name='a' size='.1'/>\n"
     "<body name='b'><plugin/></body>\n<site name='s' type='plane'/></worldbody></mujoco>",
     "<geom name=\"a\">: line 2 of m.xml has this name already, names must differ at m.xml:3\n"
     "<plugin>: give 'plugin' or 'instance' at m.xml:4\n"
     "<site name=\"s\">: a site is a sphere, capsule, ellipsoid, cylinder or box, nothing else at m.xml:5"},
    // what could not be expanded is told once, its children and others, too
    {"<mujoco><worldbody>\n<flexcomp name='f' count='2 2 1'>\n<pin id='4'/></flexcomp>\n<geom foo='1'/>\n"
     "<flexcomp name='g' count='2 2 1' colour='1'><edge solref='x'/></flexcomp></worldbody></mujoco>",
     "<pin>: id has point 4, there are 0 to 3 at m.xml:3\n<geom>: unknown attribute 'foo' at m.xml:4\n"
     "<flexcomp name=\"g\">: unknown attribute 'colour' at m.xml:5"},
    // one wrong setting is one mistake, however often the settings are read
    {"<mujoco>\n<compiler eulerseq='xy'/>\n<compiler angle='radian'/>\n"
     "<worldbody><replicate count='2'><geom size='.1'/></replicate></worldbody></mujoco>",
     "<compiler>: eulerseq=\"xy\": expected three letters of xyzXYZ at m.xml:2"},
    // copies stand at one line: told once; the mistakes of elements that make others
    {"<mujoco><worldbody>\n<replicate count='30'><geom name='g' sise='1'/></replicate>\n"
     "<replicate count='-3'/>\n<composite type='cable' count='4'><geom tpe='1'/><joint kind='mai'/></composite>\n"
     "<attach model='none' prefix='p'/></worldbody></mujoco>",
     "<geom name=\"g00\">: unknown attribute 'sise', did you mean 'size'? at m.xml:2\n"
     "<replicate>: count is -3, must not be negative at m.xml:3\n"
     "<geom>: unknown attribute 'tpe' in a composite's geom at m.xml:4\n"
     "<joint>: kind=\"mai\": expected main at m.xml:4\n"
     "<attach>: model=\"none\": there is no such model among the assets at m.xml:5"},
    // files: each line has its own
    {"<mujoco><worldbody>\n<geom sise='1'/>\n<include file='arm.xml'/>\n<geom sise='1'/></worldbody></mujoco>",
     "<geom>: unknown attribute 'sise', did you mean 'size'? at m.xml:2\n"
     "<geom>: unknown attribute 'sise', did you mean 'size'? at arm.xml:2\n"
     "<geom>: unknown attribute 'sise', did you mean 'size'? at m.xml:4"},
    {"<mujoco><asset><model name='far' file='far.xml'/></asset>\n<worldbody>\n"
     "<attach model='far' prefix='p'/>\n<gem/></worldbody></mujoco>",
     "<attach>: <geom>: unknown attribute 'sise', did you mean 'size'? at far.xml:2 at m.xml:3\n"
     "<site>: unknown attribute 'gruop', did you mean 'group'? at far.xml:3\n"
     "<gem>: unknown element in <worldbody>, did you mean <geom>? at m.xml:4"},
    // references
    {"<mujoco>\n<worldbody><body><joint name='knee'/><geom size='.1' material='steel'/></body></worldbody>\n"
     "<actuator><motor joint='kne'/><motor name='b' joint='kneee'/></actuator>\n"
     "<sensor><framepos objtype='body' objname='foot'/></sensor></mujoco>",
     "<geom>: material=\"steel\": there is no such material at m.xml:2\n"
     "<motor>: joint=\"kne\": there is no such joint, did you mean \"knee\"? at m.xml:3\n"
     "<motor name=\"b\">: joint=\"kneee\": there is no such joint, did you mean \"knee\"? at m.xml:3\n"
     "<framepos>: objname=\"foot\": there is no such body at m.xml:4"},
};
// clang-format on

static void allAreTold(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const snError error = errorOf(cases[i].text);
        if (strcmp(error.message, cases[i].message) != 0)
            print_error("%s\n  said:\n%s\n  not:\n%s\n", cases[i].text, error.message, cases[i].message);
        assert_string_equal(error.message, cases[i].message);
    }
}

// File and line are those of the first mistake of the document, which the message begins with.
static void placeIsThatOfTheFirst(void** state)
{
    (void)state;
    const snError error =
        errorOf("<mujoco><worldbody>\n<include file='arm.xml'/>\n<geom surfacevel='1'/></worldbody>\n"
                "<option timstep='1'/></mujoco>");
    assert_int_equal(error.status, SN_STATUS_MODEL);
    assert_string_equal(error.file, "arm.xml");
    assert_int_equal(error.line, 2);
    const snError later =
        errorOf("<mujoco><worldbody>\n<geom surfacevel='1'/></worldbody>\n<option timstep='1'/></mujoco>");
    assert_int_equal(later.status, SN_STATUS_UNSUPPORTED);
    assert_int_equal(later.line, 2);
}

static int lines(const char* text)
{
    int n = 1;
    for (; *text; text++) n += *text == '\n';
    return n;
}

static void twentyAndTheRest(void** state)
{
    (void)state;
    static char text[300000];
    const struct {
        int count;
        const char* rest;
    } counts[] = {
        {20, NULL}, {21, "\nand 1 more"}, {70, "\nand 50 more"}, {12000, "\nand at least 9980 more"}};
    for (int k = 0; k < 2; k++) // mistakes of reading, then references
        for (size_t i = 0; i < sizeof counts / sizeof counts[0] - (size_t)k; i++) {
            char* at = text + sprintf(text, "<mujoco><actuator>\n");
            for (int n = 0; n < counts[i].count; n++)
                at += sprintf(at, k ? "<motor joint='j%d'/>\n" : "<motor a%d=''/>\n", n);
            sprintf(at, "</actuator></mujoco>");
            const snError error = errorOf(text);
            assert_int_equal(lines(error.message), counts[i].rest ? 21 : 20);
            assert_int_equal(error.line, 2);
            if (counts[i].rest)
                assert_string_equal(error.message + strlen(error.message) - strlen(counts[i].rest),
                                    counts[i].rest);
        }
}

// Long names and paths: the message ends with a whole line and the count of the rest, wherever it gets full.
static void longLinesAreNotCut(void** state)
{
    (void)state;
    char path[200], text[20000];
    memset(path, 'p', sizeof path - 1);
    for (size_t length = 120; length < sizeof path; length++) {
        path[length] = 0;
        char* at = text + sprintf(text, "<mujoco><worldbody>\n");
        for (int n = 0; n < 20; n++)
            at += sprintf(at, "<geom name='%.60s%d' type='%.60s'/>\n", path, n, path);
        sprintf(at, "</worldbody></mujoco>");
        const snError error = errorIn(path, text);
        const char* last = strrchr(error.message, '\n');
        int more = 0, end = 0;
        assert_int_equal(sscanf(last, "\nand %d more%n", &more, &end), 1);
        assert_int_equal(end, (int)strlen(last));
        assert_int_equal(lines(error.message) - 1 + more, 20);
        path[length] = 'p';
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(allAreTold), cmocka_unit_test(placeIsThatOfTheFirst),
                                       cmocka_unit_test(twentyAndTheRest),
                                       cmocka_unit_test(longLinesAreNotCut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
