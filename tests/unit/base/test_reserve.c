// Reserved address space: as much as the system gives, memory only where it is touched; and the arenas of
// datas that live in it.
#include <sinew/sinew.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/reserve.h"
#include "model/arena.h"
#include "model/arena_size.h"
#include "model_text.h"

static const char ball[] = "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
                           "<body pos='0 0 .09'><freejoint/><geom size='.1'/></body></worldbody></mujoco>";

static void itIsZeroAtBothEnds(void** state)
{
    (void)state;
    size_t size = SN_ARENA_LIMIT;
    unsigned char* block = sn_reserve(&size, 1);
    assert_non_null(block);
    assert_true((size_t)block % 4096 == 0);
    block[0]++, block[size - 1]++;
    assert_int_equal(block[0] + block[size - 1] + block[size / 2], 2);
    sn_release(block, size);
    sn_release(NULL, 0);
}

// Parts that are asked for are zeros, keep what is written when they are asked for again, and are zeros again
// in a block that comes later.
static void aSparseBlockGrowsFromBothEnds(void** state)
{
    (void)state;
    enum { PIECE = 100000 };
    for (int round = 0; round < 20; round++) {
        size_t size = SN_ARENA_LIMIT - 4096u * (size_t)round;
        const size_t least = size;
        unsigned char* block = sn_reserveSparse(&size, least);
        assert_non_null(block);
        unsigned char* const piece[] = {block, block + size - PIECE, block + size / 2};
        for (int i = 0; i < 3; i++) {
            assert_true(sn_commit(piece[i], PIECE));
            for (int k = 0; k < PIECE; k += 999) assert_int_equal(piece[i][k], 0);
            memset(piece[i], i + 1, PIECE);
        }
        assert_true(sn_commit(block, 2 * PIECE) && sn_commit(block + size - 2 * PIECE, 2 * PIECE));
        assert_true(sn_commit(block, 0) && sn_commit(block + size / 2, 1));
        for (int i = 0; i < 3; i++) assert_true(piece[i][0] == i + 1 && piece[i][PIECE - 1] == i + 1);
        assert_true(block[2 * PIECE - 1] == 0 && block[size - 2 * PIECE] == 0);
        sn_release(block, size);
    }
}

// No process has 2^60 bytes of addresses.
static void tooMuchBecomesLess(void** state)
{
    (void)state;
    const size_t much = (size_t)1 << 60;
    size_t size = much;
    char* block = sn_reserve(&size, 4096);
    assert_non_null(block);
    assert_true(size >= 4096 && size < much);
    block[size - 1] = 1;
    sn_release(block, size);
    size = much;
    assert_null(sn_reserve(&size, much));
    size = SIZE_MAX;
    assert_null(sn_reserve(&size, SIZE_MAX));
}

static void anyLimitGivesAData(void** state)
{
    (void)state;
    static const size_t limits[] = {0, 1, 65, 4096, 4097, (size_t)1 << 60, SIZE_MAX - 3, SIZE_MAX};
    snModel* m = load(ball);
    assert_true(m->narena == SN_ARENA_LIMIT);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        m->narena = limits[i];
        snData* d = sn_makeData(m);
        assert_non_null(d);
        if (limits[i] < (size_t)1 << 20) assert_true(d->narena >= limits[i] && d->narena < limits[i] + 64);
        sn_step(m, d);
        if (d->narena > (size_t)1 << 20) assert_int_equal(d->ncon, 1);
        sn_deleteData(d);
    }
    sn_deleteModel(m);
}

static void thousandsLiveTogether(void** state)
{
    (void)state;
    enum { COUNT = 3000 };
    snModel* m = load(ball);
    static snData* d[COUNT];
    for (int i = 0; i < COUNT; i++) {
        d[i] = sn_makeData(m);
        assert_non_null(d[i]);
        d[i]->qvel[0] = 1e-5 * i;
        sn_step(m, d[i]);
    }
    for (int i = 0; i < COUNT; i++) {
        sn_step(m, d[i]);
        assert_int_equal(d[i]->ncon, 1);
        assert_true(i == 0 || d[i]->qpos[0] > d[i - 1]->qpos[0]);
    }
    for (int i = 0; i < COUNT; i++) sn_deleteData(d[i]);
    sn_deleteModel(m);
}

// The system may give two datas of a model different arenas: each keeps its own, and contacts that do not fit
// are left to the next step, which is the same.
static void copiesKeepTheirArena(void** state)
{
    (void)state;
    snModel* m = load(ball);
    snData *large = sn_makeData(m), *other = sn_makeData(m);
    m->narena = 128;
    snData* small = sn_makeData(m);
    sn_step(m, large);
    assert_int_equal(large->ncon, 1);
    sn_copyData(small, m, large);
    assert_true(small->narena == 128 && small->ncon == 0 && small->nefc == 0 && !small->contact);
    assert_memory_equal(small->qpos, large->qpos, 7 * sizeof(double));
    sn_copyData(other, m, small);
    assert_true(other->narena == SN_ARENA_LIMIT);
    sn_step(m, large);
    sn_step(m, other);
    assert_memory_equal(other->qpos, large->qpos, 7 * sizeof(double));
    assert_memory_equal(other->contact, large->contact, sizeof(snContact));
    sn_deleteData(small);
    sn_deleteData(other);
    sn_deleteData(large);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(itIsZeroAtBothEnds),    cmocka_unit_test(aSparseBlockGrowsFromBothEnds),
        cmocka_unit_test(tooMuchBecomesLess),    cmocka_unit_test(anyLimitGivesAData),
        cmocka_unit_test(thousandsLiveTogether), cmocka_unit_test(copiesKeepTheirArena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
