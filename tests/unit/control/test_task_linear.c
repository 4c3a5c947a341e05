// Rows of the user come back as they are, whatever the stride.
#include "task_case.h"

static void testRows(void** state)
{
    (void)state;
    Random r = {51};
    snTaskSettings s;
    sn_defaultTask(&s);
    s.type = SN_TASK_LINEAR;
    s.rows = 3;
    snModel* m = randomTree(&r);
    for (int extra = 0; extra <= 5; extra += 5) { // columns of forces: fewer or more than there are
        TaskCase c = {.m = m, .d = sn_makeData(m), .columns = m->nv + 3};
        s.columns = m->nv + extra;
        c.t = makeTask(m, &s);
        randomNumbers(&r, c.t->A, s.rows * s.columns);
        for (int i = 0; i < 3; i++) {
            c.t->lower[i] = i ? randomReal(&r) : (double)-INFINITY;
            c.t->upper[i] = 2;
        }
        const int rows =
            sn_taskRows(m, c.d, c.t, SN_CONTROL_VELOCITY, 0.001, c.columns, c.A, c.lower, c.upper, c.weight);
        assert_int_equal(rows, 3);
        for (int i = 0; i < 3; i++) {
            assert_true(c.lower[i] == c.t->lower[i] && c.upper[i] == 2 && c.t->error[i] == 0);
            for (int k = 0; k < c.columns; k++)
                assert_true(c.A[i * c.columns + k] == (k < s.columns ? c.t->A[i * s.columns + k] : 0));
        }
        sn_freeTask(c.t);
        sn_deleteData(c.d);
    }
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testRows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
