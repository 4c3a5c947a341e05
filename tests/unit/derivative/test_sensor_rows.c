// Every type of sensor says how it is differentiated, if only that it is not.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "derivative/sensor/rows.h"
#include "model/sensor_kind.h"

static void check(const char* name, int type)
{
    const snSensorRow* row = sn_sensorRow(type);
    if (!row) fail_msg("SN_SENS_%s has no row in derivative/sensor/rows.c", name);
    if (row->shows < SN_SHOWS_FRAMES) fail_msg("SN_SENS_%s: what it shows is missing", name);
    if (sn_sensorKind(type)->on == SN_ON_LATER && row->along != sn_refusedAlong)
        fail_msg("SN_SENS_%s is not computed, its derivative neither", name);
}

static void every_type_has_a_row(void** state)
{
    (void)state;
#define X(name, value, ...) check(#name, value);
    SN_SENSOR_TABLE(X)
#undef X
    assert_null(sn_sensorRow(-1));
    assert_null(sn_sensorRow(1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_type_has_a_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
