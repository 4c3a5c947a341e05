// Models and data as text: whole, in the asked format, and no format does harm.
#include <setjmp.h>
#include <sinew/sinew.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/platform/files.h"
#include "model_text.h"

static const char scene[] =
    "<mujoco model='mine'><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
    "<body name='ball' pos='0 0 .09'><freejoint name='free'/><geom name='round' size='.1'/></body>"
    "<body name='arm' pos='1 0 1'><joint name='hinge' axis='0 1 0'/><geom size='.1' pos='.2 0 0'/></body>"
    "</worldbody><actuator><motor name='motor' joint='hinge'/></actuator></mujoco>";

static const char path[] = "test_print.txt";

static char* take(void)
{
    FILE* file = sn_openStream(path, "rb");
    assert_non_null(file);
    char* text = calloc(1, 1 << 20);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    assert_int_equal(sn_removeFile(path), 0);
    return text;
}

static void holds(const char* text, const char* part)
{
    if (!strstr(text, part)) fail_msg("\"%s\" is missing in\n%s", part, text);
}

static void formatsAreOneConversion(void** state)
{
    (void)state;
    static const char* const good[] = {"%f", "%.20f", "%- 9.2g", "%+ -#012.3G", "%lE", "%999.999a"};
    static const char* const bad[] = {"",    "%",    "f",    "%d",  "%s",   "%n",     "%f ",
                                      " %f", "%f%f", "%%f",  "%*f", "%.*f", "%1000f", "%Lf",
                                      "%hf", "%5$f", "%f%n", "%'f", "%.f%", "%.2",    "%llf"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) assert_true(sn_isFloatFormat(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (sn_isFloatFormat(bad[i])) fail_msg("\"%s\" is taken", bad[i]);
}

static void modelHasEveryField(void** state)
{
    (void)state;
    snModel* m = load(scene);
    snError error = {0};
    assert_int_equal(sn_printModel(m, path, "%.17g", &error), SN_STATUS_OK);
    char* text = take();
    holds(text, "model name     mine\n");
    holds(text, "  nbody                 3\n");
    holds(text, "  gravity               0 0 -9.8100000000000005\n");
    holds(text, "  headlight.ambient     0.10000000149011612 ");
    holds(text, "BODY 1:\n  name                  ball\n");
    holds(text, "  jnt_axis              0 1 0\n");
    holds(text, "ACTUATOR 0:\n  name                  motor\n");
    int count, rows, columns;
    const snField* fields = sn_modelFields(&count);
    for (int i = 0; i < count; i++) {
        char name[64];
        sn_modelFieldShape(m, i, &rows, &columns);
        snprintf(name, sizeof name, "%s", fields[i].name);
        for (char* c = name; *c; c++)
            if (!strstr(text, fields[i].name)) *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 32 : *c);
        if (rows && columns) holds(text, name);
    }
    free(text);
    sn_deleteModel(m);
}

static void dataHasContactsAndArrays(void** state)
{
    (void)state;
    snModel* m = load(scene);
    snData* d = sn_makeData(m);
    snError error = {0};
    for (int i = 0; i < 3; i++) sn_step(m, d);
    assert_int_equal(d->ncon, 1);
    assert_int_equal(sn_printData(m, d, path, "%.3f", &error), SN_STATUS_OK);
    char* text = take();
    holds(text, "\nTIME = 0.006\n");
    holds(text, "geoms          floor : round\n");
    holds(text, "\nACTUATOR_MOMENT\n     6: 1.000\n");
    holds(text, "\nEFC_J\n");
    holds(text, "\nXPOS\n  0.000 0.000 0.000\n");
    assert_null(strstr(text, "INTEGRATOR_STAGE"));
    free(text);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void faultsAreTold(void** state)
{
    (void)state;
    snModel* m = load("<mujoco/>");
    snError error = {0};
    assert_int_equal(sn_printModel(m, path, "%s", &error), SN_STATUS_ARGUMENT);
    assert_non_null(strstr(error.message, "\"%s\" is no format"));
    assert_int_equal(sn_printModel(m, "/nowhere/at/all.txt", NULL, &error), SN_STATUS_FILE);
    assert_non_null(strstr(error.message, "/nowhere/at/all.txt"));
    assert_int_equal(sn_printModel(m, "/dev/full", NULL, &error), SN_STATUS_FILE);
    assert_int_equal(sn_printModel(m, path, NULL, NULL), SN_STATUS_OK);
    free(take());
    sn_deleteModel(m);
}

// What is filled is written by the stages before it is read: steps after it have the bits of plain ones.
static void debugValuesAreNeverRead(void** state)
{
    (void)state;
    snModel* m = load(scene);
    snData *d = sn_makeData(m), *plain = sn_makeData(m);
    sn_step(m, d);
    sn_resetDataDebug(m, d, 0xff);
    assert_true(d->xpos[3] != d->xpos[3] && d->qfrc_bias[0] != d->qfrc_bias[0]);
    assert_memory_equal(d->qpos, plain->qpos, (size_t)m->nq * sizeof(double));
    assert_true(d->time == 0 && d->ncon == 0 && d->qacc[0] == 0);
    for (int i = 0; i < 20; i++) {
        sn_step(m, d);
        sn_step(m, plain);
    }
    assert_memory_equal(d->qpos, plain->qpos, (size_t)m->nq * sizeof(double));
    assert_memory_equal(d->efc_force, plain->efc_force, (size_t)d->nefc * sizeof(double));
    sn_deleteData(d);
    sn_deleteData(plain);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formatsAreOneConversion),  cmocka_unit_test(modelHasEveryField),
        cmocka_unit_test(dataHasContactsAndArrays), cmocka_unit_test(faultsAreTold),
        cmocka_unit_test(debugValuesAreNeverRead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
