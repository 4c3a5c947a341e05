// Meshes on several threads: models, warnings and errors are those of one after the other, whatever is wrong
// with which of them.
#include <stdio.h>
#include <stdlib.h>
#include "model_text.h"
#include "random_tree.h"

enum { POINTS = 80, NMESH = 90, ROOM = 1 << 20 };
typedef enum Kind { SOUND, CONCAVE, FLAT, LOST, NKIND } Kind;

// A cloud of points; a pyramid whose base is dented, of which a warning tells; points in a plane, which have
// no hull; a file that is not there.
static int writeMesh(char* to, Random* r, int i, Kind kind)
{
    int n = sprintf(to, "<mesh name='m%d' ", i);
    if (kind == LOST) return n + sprintf(to + n, "file='lost%d.stl'/>\n", i);
    if (kind == CONCAVE)
        return n + sprintf(to + n, "vertex='0 0 0 1 0 0 0 1 0 0 0 1 .2 .2 .2' "
                                   "face='0 2 1 0 1 3 0 3 2 1 2 4 2 3 4 3 1 4'/>\n");
    n += sprintf(to + n, "vertex='");
    for (int k = 0; k < POINTS; k++)
        n += sprintf(to + n, "%.6f %.6f %.6f ", randomReal(r), randomReal(r),
                     kind == FLAT ? 0 : randomReal(r));
    return n + sprintf(to + n, "'/>\n");
}

static char* writeModel(const Kind* kind, unsigned seed, bool threads)
{
    Random r = {seed};
    char* text = malloc(ROOM);
    int n = sprintf(text, "<mujoco><compiler usethread='%s'/><asset>\n", threads ? "true" : "false");
    for (int i = 0; i < NMESH; i++) n += writeMesh(text + n, &r, i, kind[i]);
    n += sprintf(text + n, "</asset><worldbody>");
    for (int i = 0; i < NMESH; i++)
        n += sprintf(text + n, "<body><freejoint/><geom type='mesh' mesh='m%d'/></body>\n", i);
    sprintf(text + n, "</worldbody></mujoco>");
    return text;
}

typedef struct Outcome {
    snModel* m;
    snWarnings warnings;
    snError error;
} Outcome;

static Outcome compile(const Kind* kind, unsigned seed, bool threads, bool strict)
{
    Outcome o = {0};
    char* text = writeModel(kind, seed, threads);
    const snLoadOptions options = {.strict = strict, .warnings = &o.warnings};
    o.m = sn_loadModelText(text, strlen(text), NULL, 0, &options, &o.error);
    free(text);
    return o;
}

static void assertSame(Outcome* a, Outcome* b)
{
    assert_int_equal(a->m == NULL, b->m == NULL);
    if (a->m)
        assert_int_equal(sn_compareModel(a->m, b->m), -1);
    else
        assert_string_equal(a->error.message, b->error.message);
    assert_int_equal(a->error.line, b->error.line);
    assert_int_equal(a->warnings.count, b->warnings.count);
    for (int i = 0; i < a->warnings.count; i++) {
        assert_string_equal(a->warnings.list[i].message, b->warnings.list[i].message);
        assert_int_equal(a->warnings.list[i].line, b->warnings.list[i].line);
    }
}

static void finish(Outcome* o)
{
    sn_deleteModel(o->m);
    sn_freeWarnings(&o->warnings);
}

// Compiles both ways; returns whether there is a model.
static bool checkBoth(const Kind* kind, unsigned seed, bool strict, int* warnings)
{
    Outcome several = compile(kind, seed, true, strict), one = compile(kind, seed, false, strict);
    assertSame(&several, &one);
    const bool good = several.m;
    *warnings = several.warnings.count;
    finish(&several);
    finish(&one);
    return good;
}

static void modelsAndWarningsAreTheSame(void** state)
{
    (void)state;
    Kind kind[NMESH];
    int warnings;
    for (int i = 0; i < NMESH; i++) kind[i] = i % 7 == 3 ? CONCAVE : SOUND;
    assert_true(checkBoth(kind, 1, false, &warnings));
    assert_int_equal(warnings, 13);
    assert_false(checkBoth(kind, 1, true, &warnings)); // the first warning is an error
}

static void theFirstMistakeIsTold(void** state)
{
    (void)state;
    Random r = {2};
    int failed = 0, warnings;
    for (int trial = 0; trial < 40; trial++) {
        Kind kind[NMESH];
        for (int i = 0; i < NMESH; i++) kind[i] = randomInt(&r, 40) ? SOUND : (Kind)randomInt(&r, NKIND);
        failed += !checkBoth(kind, (unsigned)trial + 10, trial % 5 == 4, &warnings);
    }
    assert_in_range(failed, 20, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(modelsAndWarningsAreTheSame),
                                       cmocka_unit_test(theFirstMistakeIsTold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
