// What a batch allocates: nothing in steps, as much for each simulation as it says, and where memory runs out
// nothing is left behind.
#include "batch/scenes.h"
#include "base/memory.h"

#ifdef SN_TEST_HOOKS // the release preset builds the library without them

static int countDown(size_t size, void* left)
{
    (void)size;
    return --*(int*)left >= 0;
}

static int sum(size_t size, void* total)
{
    *(size_t*)total += size;
    return 1;
}

// All that makes arrays; the first status that is not OK.
static snStatus makeAll(const snModel* m, int width, snBatch** batch)
{
    snError error = {0};
    snBatch* b = *batch = sn_makeBatch(m, 9, &(snBatchOption){.width = width}, &error);
    if (!b) return error.status;
    snStatus status = sn_batchBind(b, "xpos", &error);
    if (!status) status = sn_batchBind(b, "cvel", &error);
    if (!status) status = sn_batchParameter(b, "body_mass", &error);
    return status ? status : sn_batchSetConst(b, NULL, 0, &error);
}

static void check_failures(void** state)
{
    (void)state;
    snModel* m = loadScene(CRATE);
    for (const int* width = widths(m); *width; width++) {
        int failures = 0;
        for (snStatus status = SN_STATUS_NO_MEMORY; status; failures++) {
            int left = failures;
            snBatch* b;
            sn_setAllocHook(countDown, &left);
            status = makeAll(m, *width, &b);
            sn_setAllocHook(NULL, NULL);
            assert_int_equal(status, left < 0 ? SN_STATUS_NO_MEMORY : SN_STATUS_OK);
            if (b) { // what there is goes on
                assert_int_equal(sn_batchStep(b, NULL, NULL), SN_STATUS_OK);
                assert_true(*rowOf(b, "time", 8) == m->opt.timestep);
            }
            sn_deleteBatch(b);
        }
        assert_true(failures > 40);
    }
    sn_deleteModel(m);
}

static void check_no_allocation(void** state)
{
    (void)state;
    for (int scene = 0; scene <= HUMANOID; scene++) {
        snModel* m = loadScene(scene);
        for (const int* width = widths(m); *width; width++) {
            snBatch* b;
            assert_int_equal(makeAll(m, *width, &b), SN_STATUS_OK);
            int none = 0;
            const int ids[] = {3, 4, 1};
            rowOf(b, "qvel", 4)[0] = (double)NAN;
            sn_setAllocHook(countDown, &none);
            sn_batchStep(b, &(snBatchRun){.nstep = 20}, NULL);
            sn_batchStep(b, &(snBatchRun){.ids = ids, .nid = 3}, NULL);
            sn_batchForward(b, NULL, 0, NULL);
            sn_setAllocHook(NULL, NULL);
            assert_int_equal(none, 0);
            sn_deleteBatch(b);
        }
        sn_deleteModel(m);
    }
}

static void check_bytes(void** state)
{
    (void)state;
    for (int scene = 0; scene <= HUMANOID; scene++) {
        snModel* m = loadScene(scene);
        size_t total[2] = {0}, each = 0;
        for (int k = 0; k < 2; k++) {
            sn_setAllocHook(sum, &total[k]);
            snBatch* b = makeBatch(m, 100 + 100 * k, 0, NULL);
            sn_batchBind(b, "xpos", NULL);
            sn_batchParameter(b, "body_mass", NULL);
            sn_setAllocHook(NULL, NULL);
            each = sn_batchBytes(b);
            sn_deleteBatch(b);
        }
        // and once, to see whether there is room
        const int numbers = sn_stateSize(m, SN_STATE_INTEGRATION) + m->nsensordata;
        assert_int_equal(total[1] - total[0], 100 * (each + (size_t)numbers * sizeof(double)));
        if (scene == HUMANOID) assert_in_range(each, 2000, 4000);
        sn_deleteModel(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(check_failures),
                                       cmocka_unit_test(check_no_allocation), cmocka_unit_test(check_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
