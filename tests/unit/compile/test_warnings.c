// Warnings: what is told, where, how often, by whom; and that they can be errors.
#include "base/memory.h"
#include "model_text.h"
#include "model/warnings.h"
#include <stdio.h>
#include <stdlib.h>

static const char text[] =
    "<?xml version='1.0' encoding='utf8'?>\n"
    "<mujoco>words\n"
    "<option gravity='0 0 nan' iterations='-3'/>\n"
    "<worldbody><replicate count='3' offset='1 0 0' prefix='p'><body name='b'><freejoint/>\n"
    "<geom size='.1' user='nan' name='g'/></body></replicate></worldbody>\n"
    "<keyframe><key qpos='1'/></keyframe></mujoco>";

// Of the text, then of what it says.
static const char* const of_text[] = {
    "encoding=\"utf8\" is taken for UTF-8, write that at text:1",
    "<mujoco>: text inside it is passed over, only elements may stand here at text:2",
    "<replicate>: unknown attribute 'prefix' is passed over at text:4"};
static const char* const of_model[] = {
    "<option>: gravity=\"0 0 nan\": nan is not a number at text:3",
    "<geom name=\"g0\">: user=\"nan\": nan is not a number at text:5",
    "<option>: iterations is -3, must not be negative at text:3",
    "<key>: qpos has 1 numbers, the model has 21 position coordinates: give all at text:6"};
enum { NTEXT = sizeof of_text / sizeof *of_text, NMODEL = sizeof of_model / sizeof *of_model };

static void expect(const snWarnings* w, int first, const char* const* messages, int n)
{
    assert_int_equal(w->count, first + n);
    for (int i = 0; i < n; i++) {
        const char* colon = strrchr(messages[i], ':');
        assert_string_equal(w->list[first + i].message, messages[i]);
        assert_string_equal(w->list[first + i].file, "text");
        assert_int_equal(w->list[first + i].line, atoi(colon + 1));
    }
    assert_int_equal(w->more, 0);
}

static void aModelTellsEachOnce(void** state)
{
    (void)state;
    snWarnings w = {NULL, 0, 0};
    const snLoadOptions options = {.warnings = &w};
    snModel* m = sn_loadModelText(text, strlen(text), NULL, 0, &options, NULL);
    assert_non_null(m);
    assert_int_equal(w.count, NTEXT + NMODEL);
    // a compiled one tells nothing
    const size_t size = sn_sizeModel(m);
    char* bytes = malloc(size);
    assert_int_equal(sn_saveModelBytes(m, bytes, size, NULL), SN_STATUS_OK);
    snModel* back = sn_loadModelBytes(bytes, size, &options, NULL);
    assert_non_null(back);
    assert_int_equal(sn_compareModel(m, back), -1);
    assert_int_equal(w.count, NTEXT + NMODEL);
    free(bytes);
    sn_deleteModel(back);
    sn_deleteModel(m);
    sn_freeWarnings(&w);
    assert_null(w.list);
    assert_int_equal(w.count, 0);
}

static void aSpecTellsOfItsTextThenOfItself(void** state)
{
    (void)state;
    snWarnings w = {NULL, 0, 0};
    const snLoadOptions options = {.warnings = &w};
    snSpec* spec = sn_loadSpecText(text, strlen(text), NULL, 0, &options, NULL);
    assert_non_null(spec);
    expect(&w, 0, of_text, NTEXT);
    for (int i = 0; i < 2; i++) { // each time that it is compiled
        snModel* m = sn_compile(spec, &options, NULL);
        assert_non_null(m);
        expect(&w, NTEXT, of_model, NMODEL);
        sn_deleteModel(m);
        sn_freeWarnings(&w);
        m = sn_compile(spec, &options, NULL);
        assert_non_null(m);
        expect(&w, 0, of_model, NMODEL);
        sn_deleteModel(m);
        sn_freeWarnings(&w);
        if (sn_loadSpecText(text, 0, NULL, 0, &options, NULL)) fail(); // what fails may add, it frees nothing
        sn_freeWarnings(&w);
        sn_deleteSpec(spec);
        spec = sn_loadSpecText(text, strlen(text), NULL, 0, &options, NULL);
    }
    // what is mended is told no more
    snElement* option = sn_section(spec, "option", NULL);
    assert_int_equal(sn_setText(spec, option, "iterations", "3", NULL), SN_STATUS_OK);
    assert_int_equal(sn_setText(spec, option, "gravity", "0 0 -9.81", NULL), SN_STATUS_OK);
    // and the interface goes on to refuse it
    assert_int_equal(sn_setText(spec, option, "gravity", "0 0 nan", NULL), SN_STATUS_MODEL);
    sn_freeWarnings(&w);
    sn_deleteModel(sn_compile(spec, &options, NULL));
    assert_int_equal(w.count, NMODEL - 2);
    sn_freeWarnings(&w);
    sn_deleteSpec(spec);
}

static void strictMakesErrorsOfThem(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "<mujoco>words</mujoco>", "<mujoco><option gravity='0 0 nan'/></mujoco>",
        "<mujoco><option timestep='-1'/></mujoco>", "<mujoco><size nkey='-1'/></mujoco>",
        "<mujoco><worldbody><replicate count='-1'/></worldbody></mujoco>"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        snWarnings w = {NULL, 0, 0};
        snError error = {0};
        const snLoadOptions options = {.strict = true, .warnings = &w};
        const snLoadOptions lenient = {.warnings = &w};
        assert_null(sn_loadModelText(texts[i], strlen(texts[i]), NULL, 0, &options, &error));
        assert_int_equal(error.line, 1);
        assert_string_equal(error.file, "text");
        assert_int_equal(w.count, 0);
        snModel* m = sn_loadModelText(texts[i], strlen(texts[i]), NULL, 0, &lenient, NULL);
        assert_non_null(m);
        assert_int_equal(w.count, 1);
        assert_string_equal(w.list[0].message, error.message);
        sn_deleteModel(m);
        sn_freeWarnings(&w);
    }
}

static void theListIsBounded(void** state)
{
    (void)state;
    snWarnings w = {NULL, 0, 0};
    const snLoadOptions options = {.warnings = &w};
    for (int i = 0; i < SN_MOST_WARNINGS + 7; i++) {
        snError warning = {.line = i + 1, .file = "f"};
        snprintf(warning.message, sizeof warning.message, "<a>: b at f:%d", i + 1);
        assert_true(sn_addWarning(&options, &warning));
        assert_true(sn_addWarning(NULL, &warning));
    }
    assert_int_equal(w.count, SN_MOST_WARNINGS);
    assert_int_equal(w.more, 7);
    sn_freeWarnings(&w);
    sn_freeWarnings(NULL);
}

#ifdef SN_TEST_HOOKS
static void noMemoryForThemIsAnError(void** state)
{
    (void)state;
    bool loaded = false;
    for (int n = 0; !loaded; n++) {
        snWarnings w = {NULL, 0, 0};
        const snLoadOptions options = {.warnings = &w};
        snError error = {0};
        int left = n;
        sn_setAllocHook(countdown, &left);
        snModel* m = sn_loadModelText(text, strlen(text), NULL, 0, &options, &error);
        sn_setAllocHook(NULL, NULL);
        loaded = m != NULL;
        if (loaded) assert_int_equal(w.count, NTEXT + NMODEL);
        if (!loaded) assert_int_equal(error.status, SN_STATUS_NO_MEMORY);
        sn_deleteModel(m);
        sn_freeWarnings(&w);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aModelTellsEachOnce),      cmocka_unit_test(aSpecTellsOfItsTextThenOfItself),
        cmocka_unit_test(strictMakesErrorsOfThem),  cmocka_unit_test(theListIsBounded),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(noMemoryForThemIsAnError),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
