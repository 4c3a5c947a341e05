// The table of sensors: what its columns must agree in.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include "model/sensor_kind.h"

typedef struct Row {
    const char* name;
    int value;
    const char *keyword, *meaning;
} Row;

static const Row rows[] = {
#define X(name, value, keyword, meaning, ...) {#name, value, keyword, meaning},
    SN_SENSOR_TABLE(X)
#undef X
};
enum { ROWS = sizeof rows / sizeof *rows };

static void rows_are_in_order_and_named(void** state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        if (rows[i].value != i) fail_msg("%s is row %d, not %d", rows[i].name, i, rows[i].value);
        if (!*rows[i].meaning) fail_msg("%s has no meaning", rows[i].name);
        if (sn_sensorType(rows[i].keyword) != i) fail_msg("%s: keyword of another", rows[i].name);
    }
    assert_int_equal(sn_sensorType("nothing"), -1);
    assert_int_equal(sn_sensorKind(-1)->on, SN_ON_LATER);
    assert_int_equal(sn_sensorKind(ROWS)->on, SN_ON_LATER);
}

// What is computed can be read, is of a stage, and somebody computes it in lanes, but for the user's, and for
// skins, which batches leave to the scalar engine; what is not has none of it.
static void columns_agree(void** state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        const snSensorKind* kind = sn_sensorKind(i);
        const bool later = kind->on == SN_ON_LATER;
        const bool alone = kind->needs == SN_NEEDS_CALLBACK || kind->needs == SN_NEEDS_PLUGIN ||
                           kind->needs == SN_NEEDS_TAXELS;
        if (later != (kind->form == SN_FORM_LATER)) fail_msg("%s: form or object", rows[i].name);
        if (kind->dim < 1 || kind->stage == SN_STAGE_NONE) fail_msg("%s: dim or stage", rows[i].name);
        if ((kind->lanes == SN_INLANES_NONE) != (later || alone)) fail_msg("%s: lanes", rows[i].name);
        if (kind->datatype == SN_DATATYPE_AXIS && kind->dim != 3) fail_msg("%s: an axis", rows[i].name);
        if (kind->datatype == SN_DATATYPE_QUATERNION && kind->dim != 4)
            fail_msg("%s: a quaternion", rows[i].name);
    }
}

static void sets_hold_their_rows(void** state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        assert_true(sn_sensorsThatNeed(sn_sensorKind(i)->needs) >> i & 1);
        assert_true(sn_sensorsInLanes(sn_sensorKind(i)->lanes) >> i & 1);
    }
    assert_int_equal(sn_sensorsThatNeed(SN_NEEDS_KINETIC), 1ULL << SN_SENS_E_KINETIC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_in_order_and_named),
        cmocka_unit_test(columns_agree),
        cmocka_unit_test(sets_hold_their_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
