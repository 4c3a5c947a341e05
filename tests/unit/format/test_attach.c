// Attaching against the table of the language: whatever refers to what came along goes on to do so.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <sinew/sinew.h>
#include "base/memory.h"
#include "format/mjcf/language/table.h"
#include "model/spec/tree.h"
#include "model/spec/spec.h"

static snError error;

static snSpec* load(const char* text)
{
    snSpec* spec = sn_loadSpecText(text, strlen(text), NULL, 0, NULL, &error);
    if (!spec) fail_msg("%s\n%s", error.message, text);
    return spec;
}

#define NEWEST "<custom><text name='sinew_physics' data='4.0'/></custom>"
#define EMPTY "<mujoco>" NEWEST "</mujoco>"
#define ASSETS                                                                                               \
    "<asset><texture name='n' builtin='flat' type='2d' width='1' height='1'/><material name='n'/>"           \
    "<mesh name='n' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/><hfield name='n' nrow='2' ncol='2' size='1 1 1 1'/>"   \
    "</asset>"

// The reference of an element of a tag below root.
static const char* referenceIn(const snElement* root, const char* tag, const char* attribute)
{
    for (const snElement* e = root; (e = sn_nextInTree(root, e));)
        if (!strcmp(e->tag, tag) && sn_attributeText(e, attribute)) return sn_attributeText(e, attribute);
    return "";
}

static void attachTwiceAndRename(const char* tag, const char* attribute)
{
    char text[1000];
    snprintf(text, sizeof text,
             "<mujoco>" NEWEST "<default><default class='c'><%s %s='n'/></default></default>" ASSETS
             "<worldbody><body name='b'/></worldbody></mujoco>",
             tag, attribute);
    snSpec *child = load(text), *middle = load(EMPTY), *spec = load(EMPTY);
    snElement* world = sn_section(middle, "worldbody", &error);
    assert_non_null(sn_attach(middle, world, child, NULL, "x/", "!", &error));
    assert_string_equal(referenceIn(middle->origins->settings, tag, attribute), "x/n!");
    world = sn_section(spec, "worldbody", &error);
    assert_non_null(sn_attach(spec, world, middle, NULL, "y/", NULL, &error));
    bool found = false;
    for (const snOrigin* o = spec->origins; o; o = o->next)
        found |= !strcmp(referenceIn(o->settings, tag, attribute), "y/x/n!");
    assert_true(found);
    sn_deleteSpec(child);
    sn_deleteSpec(middle);
    sn_deleteSpec(spec);
}

static void defaultClassesReferToWhatCameAlong(void** state)
{
    (void)state;
    int count, tried = 0;
    const snMjcfElement* elements = sn_mjcfElements(&count);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < elements[i].nattributes; k++) {
            const snAttribute* a = &elements[i].attributes[k];
            const bool listed =
                strcmp(elements[i].tag, "fixed") != 0 && strcmp(elements[i].tag, "spatial") != 0;
            if (a->kind != SN_ATTR_REF || !(a->where & SN_IN_DEFAULT) || !listed) continue;
            attachTwiceAndRename(elements[i].tag, a->name);
            tried++;
        }
    assert_int_equal(tried, 7); // three of geoms, two of sites, materials of tendons, textures of materials
}

static void attachedClassesFollowTheirAssets(void** state)
{
    (void)state;
    snSpec* child = load("<mujoco><default><geom material='n' mesh='n'/></default>" ASSETS
                         "<worldbody><body name='b'/></worldbody></mujoco>");
    snSpec* spec = load("<mujoco/>");
    snElement* world = sn_section(spec, "worldbody", &error);
    assert_non_null(sn_attach(spec, world, child, NULL, "x/", NULL, &error));
    snElement* material = sn_findElement(spec, SN_OBJ_MATERIAL, "x/n");
    assert_int_equal(sn_setText(spec, material, "name", "steel", &error), SN_STATUS_OK);
    assert_string_equal(referenceIn(spec->origins->settings, "geom", "material"), "steel");
    assert_string_equal(referenceIn(spec->origins->settings, "geom", "mesh"), "x/n");
    assert_int_equal(sn_removeElement(spec, material, &error), SN_STATUS_OK);
    assert_string_equal(referenceIn(spec->origins->settings, "geom", "material"), "");
    sn_deleteSpec(child);
    sn_deleteSpec(spec);
}

static const char keyed[] =
    "<mujoco><worldbody><body name='a'><joint name='aj' type='slide'/><geom size='1'/></body><body name='b'>"
    "<joint name='bj' type='slide'/><geom size='1'/></body></worldbody><actuator><motor name='m' joint='bj'/>"
    "</actuator><keyframe><key name='k' qpos='1 2' ctrl='3'/></keyframe></mujoco>";

static void expectKey(snSpec* spec, const char* name, const char* numbers)
{
    char text[200] = "";
    snModel* m = sn_compile(spec, NULL, &error);
    if (!m) fail_msg("%s", error.message);
    const int id = sn_name2id(m, SN_OBJ_KEY, name);
    assert_true(id >= 0);
    for (int i = 0; i < m->nq; i++) snprintf(text + strlen(text), 20, "%g ", m->key_qpos[id * m->nq + i]);
    for (int i = 0; i < m->nu; i++)
        snprintf(text + strlen(text), 20, "%s%g", i ? " " : "| ", m->key_ctrl[id * m->nu + i]);
    assert_string_equal(text, numbers);
    sn_deleteModel(m);
}

static snSpec* attachKeyed(void)
{
    snSpec *spec = load("<mujoco><worldbody><body name='o'><joint name='oj'/><geom size='1'/></body>"
                        "</worldbody><keyframe><key name='k' time='1'/></keyframe></mujoco>"),
           *child = load(keyed);
    snElement* world = sn_section(spec, "worldbody", &error);
    for (int i = 0; i < 2; i++)
        assert_non_null(sn_attach(spec, world, child, NULL, i ? "y/" : "x/", NULL, &error));
    sn_deleteSpec(child);
    return spec;
}

static void numbersOfKeyframesGoWithTheirElements(void** state)
{
    (void)state;
    snSpec* spec = attachKeyed();
    expectKey(spec, "k", "0 0 0 0 0 | 0 0");
    expectKey(spec, "x/k", "0 1 2 0 0 | 3 0");
    expectKey(spec, "y/k", "0 0 0 1 2 | 0 3");
    assert_int_equal(sn_removeElement(spec, sn_findElement(spec, SN_OBJ_JOINT, "x/aj"), &error),
                     SN_STATUS_OK);
    expectKey(spec, "x/k", "0 2 0 0 | 3 0");
    snSpec* copy = sn_copySpec(spec);
    sn_deleteSpec(spec);
    expectKey(copy, "x/k", "0 2 0 0 | 3 0");
    const double own[] = {5, 6, 7, 8};
    snElement* key = sn_findElement(copy, SN_OBJ_KEY, "x/k");
    assert_int_equal(sn_setNumbers(copy, key, "qpos", own, 4, &error), SN_STATUS_OK);
    expectKey(copy, "x/k", "5 6 7 8 | 3 0");
    snSpec* outer = load("<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>");
    snElement* world = sn_section(outer, "worldbody", &error);
    assert_non_null(sn_attach(outer, world, copy, NULL, "z/", NULL, &error));
    expectKey(outer, "z/x/k", "0 5 6 7 8 | 3 0");
    expectKey(outer, "z/y/k", "0 0 0 1 2 | 0 3");
    sn_deleteSpec(outer);
    sn_deleteSpec(copy);
}

static void attachedKeyframesAreWritten(void** state)
{
    (void)state;
    snSpec* spec = attachKeyed();
    char* text = sn_writeSpec(spec, NULL, NULL, NULL, &error);
    assert_non_null(text);
    snSpec* again = load(text);
    expectKey(again, "x/k", "0 1 2 0 0 | 3 0");
    expectKey(again, "y/k", "0 0 0 1 2 | 0 3");
    sn_freeText(text);
    sn_deleteSpec(again);
    sn_deleteSpec(spec);
}

static void aKeyframeOfTheWrongLengthIsNamed(void** state)
{
    (void)state;
    snSpec *spec = load("<mujoco/>"), *child = load(keyed);
    const double numbers[] = {1, 2, 3};
    snElement* key = sn_findElement(child, SN_OBJ_KEY, "k");
    assert_int_equal(sn_setNumbers(child, key, "qpos", numbers, 3, &error), SN_STATUS_OK);
    snElement* world = sn_section(spec, "worldbody", &error);
    assert_null(sn_attach(spec, world, child, NULL, "x/", NULL, &error));
    assert_non_null(strstr(error.message, "<key name=\"k\">: qpos has 3 numbers, the model has 2"));
    assert_null(sn_elementFirst(world));
    sn_deleteSpec(child);
    sn_deleteSpec(spec);
}

#ifdef SN_TEST_HOOKS
static int allowed;

static int fewAllocations(size_t size, void* user)
{
    (void)size, (void)user;
    return allowed-- > 0;
}

// The N-th allocation fails, for every N: an error that says so, nothing leaks (the sanitizers watch).
static void memoryRunsOut(void** state)
{
    (void)state;
    const char* text = "<mujoco><asset><model name='m' file='c.xml'/></asset><worldbody><replicate count='2' "
                       "offset='1 0 0'><attach model='m' body='a' prefix='x'/><attach model='m' body='b' "
                       "prefix='y'/></replicate></worldbody></mujoco>";
    const snAsset child = {"c.xml", keyed, sizeof keyed - 1};
    int n = 0;
    for (snModel* m = NULL; !m; n++) {
        assert_true(n < 5000);
        allowed = n;
        sn_setAllocHook(fewAllocations, NULL);
        m = sn_loadModelText(text, strlen(text), &child, 1, NULL, &error);
        sn_setAllocHook(NULL, NULL);
        if (!m) assert_int_equal(error.status, SN_STATUS_NO_MEMORY);
        if (m) assert_true(m->nkey == 2 && m->key_qpos[1] == 2 && m->key_ctrl[0] == 3);
        sn_deleteModel(m);
    }
    assert_true(n > 100);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaultClassesReferToWhatCameAlong),
        cmocka_unit_test(attachedClassesFollowTheirAssets),
        cmocka_unit_test(numbersOfKeyframesGoWithTheirElements),
        cmocka_unit_test(attachedKeyframesAreWritten),
        cmocka_unit_test(aKeyframeOfTheWrongLengthIsNamed),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(memoryRunsOut),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
