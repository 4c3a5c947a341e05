// The field tables and the structs agree; allocation gives every array its own place.
#include <sinew/sinew.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static void modelTableMatchesSizes(void** state)
{
    (void)state;
    int nsizes, nfields;
    const char* const* sizes = sn_modelSizes(&nsizes);
    const snField* fields = sn_modelFields(&nfields);
    assert_string_equal(sizes[0], "nq");
    for (int i = 0; i < nfields; i++) {
        int found = 0;
        for (int j = 0; j < nsizes; j++) found |= !strcmp(fields[i].rows, sizes[j]);
        assert_true(found);
    }
}

static void arraysDoNotOverlap(void** state)
{
    (void)state;
    int nsizes, nfields, sizes[128];
    sn_modelSizes(&nsizes);
    assert_true(nsizes <= 128);
    for (int i = 0; i < nsizes; i++) sizes[i] = 1 + i % 3;
    snModel* m = sn_makeModel(sizes, NULL);
    assert_non_null(m);
    const snField* fields = sn_modelFields(&nfields);
    const char* end = m->buffer;
    for (int i = 0; i < nfields; i++) {
        int rows, columns;
        sn_modelFieldShape(m, i, &rows, &columns);
        const char* start = *(char* const*)((char*)m + fields[i].offset);
        assert_true(start >= end);
        end = start + (size_t)rows * (size_t)columns * fields[i].itemsize;
    }
    assert_true(end <= (char*)m->buffer + m->nbuffer);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(modelTableMatchesSizes),
                                       cmocka_unit_test(arraysDoNotOverlap)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
