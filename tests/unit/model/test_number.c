// Which numbers may stand in a model: the fields that are 0 or more, and what is said of others.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <sinew/sinew.h>
#include "model/check/number.h"
#include "model_text.h"

static int fieldOf(const char* name)
{
    int count;
    const snField* fields = sn_modelFields(&count);
    for (int i = 0; i < count; i++)
        if (!strcmp(fields[i].name, name) && !strcmp(fields[i].type, "double")) return i;
    return -1;
}

static void eachIsAField(void** state)
{
    (void)state;
    int n;
    const char* const* names = sn_unsignedFields(&n);
    for (int i = 0; i < n; i++)
        if (fieldOf(names[i]) < 0) fail_msg("%s is no field of doubles", names[i]);
}

static void numbersAreHeld(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>");
    snError error;
    const int inertia = fieldOf("body_inertia"), range = fieldOf("jnt_range"), pos = fieldOf("body_pos");
    double numbers[6] = {0, 0, 0, 1, 1, 1};
    assert_int_equal(sn_checkFieldNumbers(m, inertia, numbers, "", &error), SN_STATUS_OK);
    numbers[4] = -1;
    assert_int_equal(sn_checkFieldNumbers(m, inertia, numbers, " of simulation 3", &error),
                     SN_STATUS_ARGUMENT);
    assert_string_equal(error.message, "body_inertia[1][1] of simulation 3 is -1, must not be negative");
    assert_int_equal(sn_checkFieldNumbers(m, pos, numbers, "", &error), SN_STATUS_OK);
    m->body_inertia[4] = -1; // its own
    assert_int_equal(sn_checkFieldNumbers(m, inertia, numbers, "", &error), SN_STATUS_OK);
    numbers[4] = NAN;
    assert_int_equal(sn_checkFieldNumbers(m, pos, numbers, "", NULL), SN_STATUS_ARGUMENT);
    numbers[4] = -INFINITY;
    assert_int_equal(sn_checkFieldNumbers(m, pos, numbers, "", NULL), SN_STATUS_ARGUMENT);
    assert_int_equal(sn_checkFieldNumbers(m, range, (double[]){-INFINITY, INFINITY}, "", NULL), SN_STATUS_OK);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(eachIsAField), cmocka_unit_test(numbersAreHeld)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
