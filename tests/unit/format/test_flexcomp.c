// What a flexcomp leaves in the tree: elements that share attributes until one is changed, frames that are
// split, texts that are the same in every locale; and that memory may run out anywhere.
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sinew/sinew.h>
#include "base/memory.h"
#include "format/mjcf/mjcf.h"
#include "model/spec/tree.h"

static snError error;

static snSpec* load(const char* text)
{
    snSpec* spec = sn_loadSpecText(text, strlen(text), NULL, 0, NULL, &error);
    if (!spec) fail_msg("%s\n%s", error.message, text);
    return spec;
}

static void sharedAttributesPart(void** state)
{
    (void)state;
    snSpec* spec = load("<mujoco><worldbody><flexcomp name='f' count='2 2 1'/></worldbody></mujoco>");
    snElement *first = sn_findElement(spec, SN_OBJ_BODY, "f_0"),
              *second = sn_findElement(spec, SN_OBJ_BODY, "f_1");
    assert_non_null(first);
    assert_non_null(second);
    snElement *inertial = sn_childElement(first, "inertial"), *joint = sn_childElement(first, "joint");
    const snElement *other = sn_childElement(second, "inertial"), *beside = sn_childElement(second, "joint");
    assert_ptr_equal(inertial->attributes, other->attributes);
    assert_true(sn_putAttribute(&spec->tree, inertial, "mass", "7"));
    assert_true(sn_putAttribute(&spec->tree, joint, "axis", NULL));
    assert_true(sn_putAttribute(&spec->tree, joint, "name", "own"));
    assert_string_equal(sn_attributeText(inertial, "mass"), "7");
    assert_null(sn_attributeText(joint, "axis"));
    assert_string_equal(sn_attributeText(other, "mass"), "0.25");
    assert_string_equal(sn_attributeText(beside, "axis"), "1 0 0");
    assert_null(sn_attributeText(beside, "name"));
    sn_deleteSpec(spec);
}

static void framesAreSplit(void** state)
{
    (void)state;
    snSpec* spec =
        load("<mujoco><worldbody><frame name='a' pos='1 0 0'><body name='one'/><flexcomp name='f' count='2 2 "
             "1' spacing='.5 .5 .5'>"
             "<pin range='1 3'/></flexcomp><geom size='1'/><body name='two'/></frame></worldbody></mujoco>");
    const snElement* world = sn_findElement(spec, SN_OBJ_BODY, "world");
    const snElement *frame = world->first, *body = frame->next, *rest = body->next;
    assert_string_equal(sn_attributeText(frame, "name"), "a");
    assert_string_equal(sn_attributeText(frame->first, "name"), "one");
    assert_null(frame->first->next);
    assert_string_equal(sn_attributeText(body, "name"), "f_0");
    assert_string_equal(sn_attributeText(body, "pos"), "0.75 -0.25 0");
    assert_string_equal(rest->tag, "frame");
    assert_null(sn_attributeText(rest, "name"));
    assert_string_equal(sn_attributeText(rest, "pos"), "1 0 0");
    assert_string_equal(rest->first->tag, "geom");
    assert_string_equal(sn_attributeText(rest->last, "name"), "two");
    const snElement* flex = sn_findElement(spec, SN_OBJ_FLEX, "f");
    assert_string_equal(sn_attributeText(flex, "body"), "f_0 world world world");
    assert_string_equal(sn_attributeText(flex, "element"), "0 2 3 0 3 1");
    assert_string_equal(sn_attributeText(flex, "vertex"), "0 0 0 0.75 0.25 0 1.25 -0.25 0 1.25 0.25 0");
    sn_deleteSpec(spec);
}

// Every way that points come, in one model.
static const char all[] =
    "<mujoco><asset><material name='a'/><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 1 0 1 3 1 "
    "2 3 0 3 2'/>"
    "<mesh name='b' builtin='box' params='2 2 2 .1 .1 .1'/><mesh name='c' builtin='cone' params='5 "
    ".5'/></asset><worldbody><frame euler='0 0 10'>"
    "<flexcomp name='g' dim='3' count='2 2 3' material='a'><pin gridrange='0 0 0 1 1 0'/><edge "
    "equality='true'/></flexcomp>"
    "<flexcomp name='o' type='ellipsoid' dim='3' count='3 3 3' dof='radial'/><body name='x'/></frame>"
    "<flexcomp name='d' type='direct' point='0 0 0 1 0 0 0 1 0' element='0 1 2' texcoord='0 0 1 0 0 1' "
    "dof='2d'/>"
    "<flexcomp name='s' mesh='m' dim='3' origin='.1 .1 .1'/><flexcomp name='l' mesh='b'/>"
    "<flexcomp name='c' mesh='c'/>"
    "<flexcomp name='f' type='mesh' file='a.obj'/><flexcomp name='q' type='gmsh' "
    "file='a.msh'/></worldbody></mujoco>";
static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n";
static const char msh[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n7 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n"
    "$Elements\n1\n1 2 0 7 2 3\n$EndElements\n";
static const snAsset files[] = {{"a.obj", obj, sizeof obj - 1}, {"a.msh", msh, sizeof msh - 1}};

static void localeDoesNotMatter(void** state)
{
    (void)state;
    size_t size;
    char* texts[2];
    for (int i = 0; i < 2; i++) {
        if (i && !setlocale(LC_ALL, "de_DE.UTF-8")) setlocale(LC_ALL, "");
        snSpec* spec = sn_loadSpecText(all, strlen(all), files, 2, NULL, &error);
        if (!spec) fail_msg("%s", error.message);
        texts[i] = sn_writeSpec(spec, NULL, &size, NULL, &error);
        setlocale(LC_ALL, "C");
        sn_deleteSpec(spec);
        assert_non_null(texts[i]);
    }
    assert_string_equal(texts[0], texts[1]);
    for (int i = 0; i < 2; i++) sn_freeText(texts[i]);
}

#ifdef SN_TEST_HOOKS // the release preset builds the library without them
static int countdown(size_t size, void* left)
{
    (void)size;
    return (*(int*)left)-- > 0;
}

static void memoryRunsOut(void** state)
{
    (void)state;
    bool enough = false;
    for (int n = 0; !enough; n++) {
        int left = n;
        assert_true(n < 1000);
        error = (snError){.status = SN_STATUS_OK};
        sn_setAllocHook(countdown, &left);
        snSpec* spec = sn_readMJCFText(all, strlen(all), NULL, files, 2, NULL, &error);
        sn_setAllocHook(NULL, NULL);
        enough = spec != NULL;
        if (!enough && error.status != SN_STATUS_NO_MEMORY) fail_msg("allocation %d: %s", n, error.message);
        sn_deleteSpec(spec);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sharedAttributesPart),
                                       cmocka_unit_test(framesAreSplit),
#ifdef SN_TEST_HOOKS
                                       cmocka_unit_test(memoryRunsOut),
#endif
                                       cmocka_unit_test(localeDoesNotMatter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
