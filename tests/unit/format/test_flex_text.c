// Flexes as text: what is refused and what is warned of, and the names in their lists under edits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <sinew/sinew.h>
#include "format/mjcf/mjcf.h"

static snError error;

static snSpec* load(const char* text)
{
    snSpec* spec = sn_loadSpecText(text, strlen(text), NULL, 0, NULL, &error);
    if (!spec) fail_msg("%s\n%s", error.message, text);
    return spec;
}

static const char* attribute(snSpec* spec, int kind, const char* name, const char* which)
{
    const snElement* e = sn_findElement(spec, kind, name);
    const char* text = e ? sn_getText(spec, e, which) : NULL;
    return text ? text : "";
}

static const char* bodiesOf(snSpec* spec, const char* flex)
{
    return attribute(spec, SN_OBJ_FLEX, flex, "body");
}

// ---- reading

#define F(attributes, children) "<deformable><flex name='f' " attributes ">" children "</flex></deformable>"
#define T "body='a b c' element='0 1 2' "
#define S "dim='3' body='a b c d' element='0 1 2 3' "
#define MODEL SN_STATUS_MODEL
#define LATER SN_STATUS_UNSUPPORTED

typedef struct Case {
    const char* text;
    snStatus status;
    const char* message;
} Case;

// clang-format off
static const Case mistakes[] = {
    {F("element='0 1 2'", ""), MODEL, "attribute 'body' is missing"},
    {F("body='a b c'", ""), MODEL, "attribute 'element' is missing"},
    {F("body=' ' element='0 1 2'", ""), MODEL, "<flex name=\"f\">: 'body' names no body at m.xml:2"},
    {F(T "dim='0'", ""), MODEL, "dim is 0, must be 1, 2 or 3"},
    {F(T "dim='2.5'", ""), MODEL, "expected a whole number"},
    {F("body='a b c' element=''", ""), MODEL, "'element' is empty"},
    {F("body='a b c' element='0 1'", ""), MODEL, "element has 2 numbers, must have 3 an element"},
    {F("body='a b c' element='0 1 3'", ""), MODEL, "element 0: vertex 3 is not there, 3 are"},
    {F("body='a b c' element='0 1 2 0 -1 2'", ""), MODEL, "element 1: vertex -1 is not there"},
    {F("body='a b c' element='0 1 2 2 1 2'", ""), MODEL, "element 1: vertex 2 stands twice in it"},
    {F("body='a b c' element='0 1 1.5'", ""), MODEL, "expected whole numbers"},
    {F("body='a' element='0 1 2'", ""), MODEL, "1 vertex, an element of dim=\"2\" needs 3: give 'vertex', or a body for each"},
    {F("body='a b' element='0 1 2'", ""), MODEL, "2 vertices, an element of dim=\"2\" needs 3"},
    {F(T "vertex='0 0 0 1'", ""), MODEL, "vertex has 4 numbers, must have three a vertex"},
    {F("body='a b' vertex='0 0 0 1 0 0 0 1 0' element='0 1 2'", ""), MODEL, "2 bodies for 3 vertices: name one of each, or one of all"},
    {F(T "texcoord='0 0 1'", ""), MODEL, "texcoord has 3 numbers, must have an even count"},
    {F(T "texcoord='0 0 1 0'", ""), MODEL, "texcoord has 4 numbers for 3 vertices, must have two each"},
    {F(T "texcoord='0 0 1 0' elemtexcoord='0 1'", ""), MODEL, "elemtexcoord has 2 numbers, must have 3 as element"},
    {F(T "texcoord='0 0 1 0' elemtexcoord='0 1 2'", ""), MODEL, "elemtexcoord: coordinate 2 is not there, 2 are"},
    {F(T "radius='-1'", ""), MODEL, "radius is -1, must not be negative"},
    {F(T, "<contact condim='2'/>"), MODEL, "condim is 2, must be 1, 3, 4 or 6"},
    {F(S, "<contact activelayers='0'/>"), MODEL, "activelayers is 0, must be at least 1; contype and conaffinity 0"},
    {F(T, "<contact selfcollide='yes'/>"), MODEL, "expected one of: none, narrow, bvh, sap, auto"},
    {F(T, "<contact friction='1 1 1 1'/>"), MODEL, "expected 1 to 3 numbers"},
    {F(T, "<contact/><contact/>"), MODEL, "only one may stand in <flex>"},
    {F(T, "<contact><geom/></contact>"), MODEL, "<contact> has no children"},
    {F(T, "<edge stiffness='1'/>"), MODEL, "stiffness of edges is for dim 1 alone"},
    {F(T, "<elasticity young='1' poisson='.5'/>"), MODEL, "poisson is 0.5, must be from 0 to below 0.5"},
    {F(S, "<elasticity young='1' poisson='-.1'/>"), MODEL, "poisson is -0.1"},
    {F(T, "<elasticity young='1' elastic2d='bend'/>"), MODEL, "elastic2d needs a thickness: give it in <elasticity>"},
    {F(T, "<elasticity elastic2d='all'/>"), MODEL, "expected one of: none, bend, stretch, both"},
    {F(T "colour='1'", ""), MODEL, "unknown attribute 'colour'"},
    {F(T, "<node/>"), MODEL, "unknown element in <flex>"},
    // what is not there yet, by its name
    {F("dim='1' body='a b' element='0 1'", "<elasticity young='1'/>"), LATER, "not supported yet: 'young' of dim=\"1\", rods that bend and twist"},
    {F(S "dof='trilinear'", ""), LATER, "not supported yet: 'dof' of <flex>"},
    {F(S "node='a b'", ""), LATER, "not supported yet: 'node' of <flex>"},
    {F(S "nodecoord='0 0 0'", ""), LATER, "not supported yet: 'nodecoord' of <flex>"},
    {F(S "cellcount='1 1 1'", ""), LATER, "not supported yet: 'cellcount' of <flex>"},
    {F(T, "<elasticity shear='1'/>"), LATER, "not supported yet: 'shear' of <elasticity>"},
    {F(T, "<elasticity yield='0 .1'/>"), LATER, "not supported yet: 'yield' of <elasticity>"},
    {F(T, "<elasticity section='box'/>"), LATER, "not supported yet: 'section' of <elasticity>"},
    {F(T, "<elasticity sectionsize='0 1'/>"), LATER, "not supported yet: 'sectionsize' of <elasticity>"},
    {F(T, "<contact passive='true'/>"), LATER, "not supported yet: 'passive' of <contact>"},
    {F(T, "") "<equality><flexstrain flex='f'/></equality>", LATER, "<flexstrain>: it came after"},
    {F(T, "") "<equality><flexvert flex='f'/></equality>", LATER, "<flexvert>: it is neither in 3.3.7 nor in 4.0.1: write <flex>, which holds the lengths of edges"},
    {F(T, "") "<equality><flex/></equality>", MODEL, "attribute 'flex' is missing"},
};

// What goes on with a warning, which is an error where all are.
static const Case doubts[] = {
    {F(T "radius='0'", ""), MODEL, "radius is 0, must be positive where dim is 1 or 2"},
    {F(T "elemtexcoord='0 1 2'", ""), MODEL, "'elemtexcoord' has no effect without 'texcoord', remove it"},
    {F(T, "<contact internal='true'/>"), MODEL, "'internal' is of 3.3.7 alone and has no effect, remove it: 'selfcollide' says which"},
    {F(T, "<contact vertcollide='false'/>"), MODEL, "'vertcollide' is of 3.3.7 alone and has no effect, remove it at m.xml:2"},
    {F(T, "<elasticity young='-1'/>"), MODEL, "young is -1: there is no elasticity below 0"},
    {F(S, "<elasticity young='1' elastic2d='both' thickness='1'/>"), MODEL, "elastic2d has no effect where dim is 3, it is for 2: remove it"},
    {F(T, "<elasticity elastic2d='both'/>"), MODEL, "elastic2d has no effect without 'young'"},
    {F(T, "<elasticity young='1' thickness='0' elastic2d='both'/>"), MODEL, "elastic2d has no effect where thickness is 0"},
};

// What says nothing beyond what is there.
static const char* const fine[] = {
    F(T, ""), F(S "radius='0'", ""), F("dim='1' body='a b' element='0 1'", "<edge stiffness='1' damping='1'/>"),
    F("body='world' vertex='0 0 0 1 0 0 0 1 0' element='0 1 2'", ""), F("body='a a a' element='0 1 2'", ""),
    F(T "vertex=''", ""), F("body='a b c d' element='0 1 2'", ""), F(T "group='-7'", ""),
    F(T "texcoord='0 0 1 0 0 1' material='' rgba='1 0 0 2' flatskin='true'", ""),
    F(T "texcoord='0 0 1 0' elemtexcoord='0 1 1'", ""),
    F(S "dof='full' node='' cellcount=' '", ""),
    F(T, "<contact passive='false' activelayers='0' selfcollide='bvh' solref='1'/><edge damping='1'/>"
         "<elasticity shear='0' yield='0 0.0' section='circle' sectionsize='0 0' poisson='.7'/>"),
    F(S, "<elasticity young='1' poisson='.499' damping='1'/>"),
    F(T, "") "<equality><flex flex='f'/><flex flex='f' active='false'/></equality>",
};
// clang-format on

static snSpec* readAs(const char* text, const snLoadOptions* options)
{
    char all[1000];
    error = (snError){.status = SN_STATUS_OK};
    snprintf(all, sizeof all, "<mujoco>\n%s</mujoco>", text);
    return sn_readMJCFText(all, strlen(all), "m.xml", NULL, 0, options, &error);
}

static void expectError(const Case* c, const snLoadOptions* options)
{
    snSpec* spec = readAs(c->text, options);
    if (spec || error.status != c->status || !strstr(error.message, c->message))
        print_error("%s\n  said: %s\n  not: %s\n", c->text, spec ? "nothing" : error.message, c->message);
    assert_null(spec);
    assert_int_equal(error.status, c->status);
    assert_non_null(strstr(error.message, c->message));
    assert_non_null(strstr(error.message, "m.xml:2"));
}

static void mistakesAreNamed(void** state)
{
    (void)state;
    const snLoadOptions old = {.silent = "3.3.7"};
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) expectError(&mistakes[i], &old);
}

static void doubtsAreWarningsUnderEitherPhysics(void** state)
{
    (void)state;
    const char* const physics[] = {"3.3.7", "4.0"};
    for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++)
        for (int k = 0; k < 2; k++) {
            const snLoadOptions strict = {.strict = true, .silent = physics[k]},
                                lenient = {.silent = physics[k]};
            expectError(&doubts[i], &strict);
            snSpec* spec = readAs(doubts[i].text, &lenient);
            if (!spec) fail_msg("%s\n%s", doubts[i].text, error.message);
            sn_deleteSpec(spec);
        }
}

static void theRestIsRead(void** state)
{
    (void)state;
    const snLoadOptions strict = {.strict = true, .silent = "3.3.7"};
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        snSpec* spec = readAs(fine[i], &strict);
        if (!spec) fail_msg("%s\n%s", fine[i], error.message);
        sn_deleteSpec(spec);
    }
}

// ---- names in lists

#define CLOTH                                                                                                \
    "<mujoco><asset><material name='m'/><material name='n'/></asset><worldbody><body name='top'>"            \
    "<body name='a'/><body name='b'/><body name='ab'/></body><body name='c'/></worldbody><deformable>"       \
    "<flex name='f' body='a b  ab  world' material='m n' element='0 1 2 0 1 3'/>"                            \
    "<flex name='g' body='a b c' element='0 1 2'/></deformable><equality><flex name='e' flex='f'/>"          \
    "<flex name='h' flex='g'/></equality></mujoco>"

static void newNamesReachLists(void** state)
{
    (void)state;
    snSpec* spec = load(CLOTH);
    const int rename[][2] = {{SN_OBJ_BODY, 0}, {SN_OBJ_MATERIAL, 1}, {SN_OBJ_FLEX, 2}};
    const char* const names[][2] = {{"a", "long"}, {"n", "blue"}, {"f", "cloth"}};
    for (int i = 0; i < 3; i++) {
        snElement* e = sn_findElement(spec, rename[i][0], names[i][0]);
        assert_int_equal(sn_setText(spec, e, "name", names[i][1], &error), SN_STATUS_OK);
    }
    assert_string_equal(bodiesOf(spec, "cloth"), "long b ab world");
    assert_string_equal(bodiesOf(spec, "g"), "long b c");
    assert_string_equal(attribute(spec, SN_OBJ_FLEX, "cloth", "material"), "m blue");
    assert_string_equal(attribute(spec, SN_OBJ_EQUALITY, "e", "flex"), "cloth");
    sn_deleteSpec(spec);
}

static void aFlexGoesWithItsBodies(void** state)
{
    (void)state;
    snSpec* spec = load(CLOTH);
    assert_int_equal(sn_removeElement(spec, sn_findElement(spec, SN_OBJ_BODY, "ab"), &error), SN_STATUS_OK);
    assert_null(sn_findElement(spec, SN_OBJ_FLEX, "f"));
    assert_null(sn_findElement(spec, SN_OBJ_EQUALITY, "e"));
    assert_string_equal(bodiesOf(spec, "g"), "a b c");
    assert_non_null(sn_findElement(spec, SN_OBJ_EQUALITY, "h"));
    assert_int_equal(sn_removeElement(spec, sn_findElement(spec, SN_OBJ_BODY, "top"), &error), SN_STATUS_OK);
    assert_null(sn_findElement(spec, SN_OBJ_FLEX, "g"));
    sn_deleteSpec(spec);
}

static void aFlexOutlivesItsMaterial(void** state)
{
    (void)state;
    snSpec* spec = load(CLOTH);
    assert_int_equal(sn_removeElement(spec, sn_findElement(spec, SN_OBJ_MATERIAL, "n"), &error),
                     SN_STATUS_OK);
    assert_string_equal(bodiesOf(spec, "f"), "a b  ab  world");
    assert_string_equal(attribute(spec, SN_OBJ_FLEX, "f", "material"), "");
    sn_deleteSpec(spec);
}

static void attachedFlexesKeepTheirBodies(void** state)
{
    (void)state;
    snSpec *child = load(CLOTH), *spec = load("<mujoco/>"), *part = load("<mujoco/>");
    assert_non_null(sn_attach(spec, sn_section(spec, "worldbody", &error), child, NULL, "p/", "!", &error));
    assert_string_equal(bodiesOf(spec, "p/f!"), "p/a! p/b! p/ab! world");
    assert_string_equal(bodiesOf(spec, "p/g!"), "p/a! p/b! p/c!");
    assert_string_equal(attribute(spec, SN_OBJ_FLEX, "p/f!", "material"), "p/m! p/n!");
    assert_string_equal(attribute(spec, SN_OBJ_EQUALITY, "p/e!", "flex"), "p/f!");
    // of a body with two of three, the third does not come
    snElement* top = sn_findElement(child, SN_OBJ_BODY, "top");
    assert_non_null(sn_attach(part, sn_section(part, "worldbody", &error), child, top, "p/", NULL, &error));
    assert_string_equal(bodiesOf(part, "p/f"), "p/a p/b p/ab world");
    assert_null(sn_findElement(part, SN_OBJ_FLEX, "p/g"));
    assert_null(sn_findElement(part, SN_OBJ_EQUALITY, "p/h"));
    // names must differ
    assert_null(sn_attach(spec, sn_section(spec, "worldbody", &error), child, NULL, "p/", "!", &error));
    assert_non_null(strstr(error.message, "this name is taken"));
    sn_deleteSpec(child);
    sn_deleteSpec(spec);
    sn_deleteSpec(part);
}

static void aModelMayBeAttachedToItself(void** state)
{
    (void)state;
    snSpec* spec = load(CLOTH);
    snElement* top = sn_findElement(spec, SN_OBJ_BODY, "top");
    assert_non_null(sn_attach(spec, sn_section(spec, "worldbody", &error), spec, top, "q/", NULL, &error));
    assert_string_equal(bodiesOf(spec, "f"), "a b  ab  world");
    assert_string_equal(bodiesOf(spec, "q/f"), "q/a q/b q/ab world");
    assert_string_equal(bodiesOf(spec, "q/g"), "q/a q/b c");
    assert_string_equal(attribute(spec, SN_OBJ_FLEX, "q/f", "material"), "m n");
    assert_string_equal(attribute(spec, SN_OBJ_EQUALITY, "q/e", "flex"), "q/f");
    sn_deleteSpec(spec);
}

static void replicasHaveFlexesOfTheirOwn(void** state)
{
    (void)state;
    snSpec* spec =
        load("<mujoco><worldbody><replicate count='2' offset='0 0 1'><body name='a'/><body name='b'/>"
             "</replicate><body name='c'/></worldbody><deformable><flex name='f' body='a b world' "
             "element='0 1 2'/><flex name='g' body='a0 a1 c' element='0 1 2'/></deformable>"
             "<equality><flex name='e' flex='f'/></equality></mujoco>");
    assert_string_equal(bodiesOf(spec, "f0"), "a0 b0 world");
    assert_string_equal(bodiesOf(spec, "f1"), "a1 b1 world");
    assert_string_equal(bodiesOf(spec, "g"), "a0 a1 c");
    assert_null(sn_findElement(spec, SN_OBJ_FLEX, "f"));
    assert_string_equal(attribute(spec, SN_OBJ_EQUALITY, "e0", "flex"), "f0");
    assert_string_equal(attribute(spec, SN_OBJ_EQUALITY, "e1", "flex"), "f1");
    sn_deleteSpec(spec);
}

// ---- flexcomps that are added

static snElement* added(snSpec* spec, const char* name, const char* count)
{
    snElement* world = sn_section(spec, "worldbody", &error);
    snElement* e = sn_addElement(spec, world, "flexcomp", name, &error);
    assert_non_null(e);
    assert_int_equal(sn_setText(spec, e, "count", count, &error), SN_STATUS_OK);
    return e;
}

static void anAddedFlexcompIsExpanded(void** state)
{
    (void)state;
    snSpec* spec = load("<mujoco><worldbody><geom name='unfinished'/></worldbody></mujoco>");
    added(spec, "f", "2 2 1");
    assert_int_equal(sn_expandSpec(spec, &error), SN_STATUS_OK);
    assert_string_equal(bodiesOf(spec, "f"), "f_0 f_1 f_2 f_3");
    assert_non_null(sn_findElement(spec, SN_OBJ_BODY, "f_3"));
    assert_int_equal(sn_expandSpec(spec, &error), SN_STATUS_OK); // nothing is left
    snElement* wrong = added(spec, "g", "2 -2 1");
    assert_int_equal(sn_expandSpec(spec, &error), SN_STATUS_MODEL);
    assert_non_null(strstr(error.message, "<flexcomp name=\"g\">"));
    assert_int_equal(sn_removeElement(spec, wrong, &error), SN_STATUS_OK);
    assert_int_equal(sn_expandSpec(spec, NULL), SN_STATUS_OK);
    assert_null(sn_findElement(spec, SN_OBJ_FLEX, "g"));
    sn_deleteSpec(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mistakesAreNamed),
                                       cmocka_unit_test(doubtsAreWarningsUnderEitherPhysics),
                                       cmocka_unit_test(theRestIsRead),
                                       cmocka_unit_test(newNamesReachLists),
                                       cmocka_unit_test(aFlexGoesWithItsBodies),
                                       cmocka_unit_test(aFlexOutlivesItsMaterial),
                                       cmocka_unit_test(attachedFlexesKeepTheirBodies),
                                       cmocka_unit_test(aModelMayBeAttachedToItself),
                                       cmocka_unit_test(replicasHaveFlexesOfTheirOwn),
                                       cmocka_unit_test(anAddedFlexcompIsExpanded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
