// Trees of boxes against all boxes one by one, and keys against qsort.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <float.h>
#include <math.h>
#include <sinew/data.h>
#include <sinew/model.h>
#include <stdlib.h>
#include <string.h>
#include "collision/flex/key.h"
#include "collision/flex/tree.h"
#include "model/arena.h"
#include "model_text.h"
#include "random_tree.h"

enum { MOST = 700 };

static snTreeBox randomBox(Random* r, double size)
{
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = randomReal(r);
        high[k] = low[k] + size * fabs(randomReal(r));
    }
    return sn_treeBox(low, high, 0);
}

static unsigned char seen[MOST][MOST];

static void note(void* user, int id)
{
    (void)user;
    assert_int_equal(seen[0][id], 0); // each once
    seen[0][id] = 1;
}

static void notePair(void* user, int a, int b)
{
    const bool one = *(const bool*)user;
    const int i = one && a > b ? b : a, k = one && a > b ? a : b;
    assert_int_equal(seen[i][k], 0);
    seen[i][k] = 1;
}

static void checkTrees(snData* d, Random* r, int n1, int n2)
{
    static snTreeBox box[2][MOST];
    static int id[MOST];
    const size_t mark = sn_scratchMark(d);
    snBoxTree tree[2];
    for (int i = 0; i < MOST; i++) {
        box[0][i] = randomBox(r, 0.3);
        box[1][i] = randomBox(r, 0.3);
        id[i] = i;
    }
    assert_true(sn_growTree(d, box[0], id, n1, tree) && sn_growTree(d, box[1], id, n2, tree + 1));
    for (int pass = 0; pass < 2; pass++) {
        bool one = pass;
        memset(seen, 0, sizeof seen);
        sn_pairTrees(tree, one ? tree : tree + 1, notePair, &one);
        for (int i = 0; i < n1; i++)
            for (int k = one ? i + 1 : 0; k < (one ? n1 : n2); k++)
                if (n1 > 1 || n2 > 1) assert_int_equal(seen[i][k], sn_boxesMeet(box[0] + i, box[!one] + k));
    }
    const snTreeBox asked = randomBox(r, 0.5);
    memset(seen, 0, sizeof seen);
    sn_askTree(tree, &asked, note, NULL);
    for (int i = 0; i < n1 && n1 > 1; i++) assert_int_equal(seen[0][i], sn_boxesMeet(&asked, box[0] + i));
    sn_scratchRelease(d, mark);
}

static void test_trees(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><size memory='10M'/></mujoco>");
    snData* d = sn_makeData(m);
    Random r = {3};
    static const int counts[] = {1, 2, 7, 8, 9, 64, 65, 100, 513, MOST};
    for (int i = 0; i < 10; i++)
        for (int k = 0; k < 10; k += 3) checkTrees(d, &r, counts[i], counts[k]);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static int compare(const void* a, const void* b)
{
    const uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return x < y ? -1 : x > y;
}

// Margins may be what they like: boxes without end are met, the empty ones beside them are not.
static void test_endless_boxes(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><size memory='10M'/></mujoco>");
    snData* d = sn_makeData(m);
    const double zero[3] = {0, 0, 0}, reaches[] = {INFINITY, 1e300, DBL_MAX, NAN, FLT_MAX};
    int id[13];
    snTreeBox box[13];
    for (int k = 0; k < 5; k++)
        for (int n = 2; n <= 13; n++) {
            for (int i = 0; i < n; i++) box[id[i] = i] = sn_treeBox(zero, zero, i % 2 ? reaches[k] : 1);
            const snTreeBox asked = sn_treeBox(zero, zero, reaches[k]);
            const size_t mark = sn_scratchMark(d);
            snBoxTree tree;
            assert_true(sn_growTree(d, box, id, n, &tree));
            memset(seen, 0, sizeof seen);
            sn_askTree(&tree, &asked, note, NULL);
            for (int i = n; i < MOST; i++) assert_int_equal(seen[0][i], 0);
            for (int i = 0; i < n; i += 2) assert_int_equal(seen[0][i], !isnan(reaches[k]));
            memset(seen, 0, sizeof seen);
            bool one = true;
            sn_pairTrees(&tree, &tree, notePair, &one);
            for (int i = 0; i < MOST; i++)
                for (int j = 0; j < MOST; j++) assert_true(!seen[i][j] || (i < n && j < n));
            sn_scratchRelease(d, mark);
        }
    sn_deleteData(d);
    sn_deleteModel(m);
}

// Boxes of NaN meet none, and hide none of those that stand in a group with them, wherever they stand.
static void test_boxes_of_no_numbers(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><size memory='4M'/></mujoco>");
    snData* d = sn_makeData(m);
    enum { COUNT = 70 };
    snTreeBox box[COUNT];
    int id[COUNT];
    for (int axis = 0; axis < 4; axis++)
        for (int every = 2; every < 12; every++) {
            const size_t mark = sn_scratchMark(d);
            snBoxTree tree;
            for (int i = 0; i < COUNT; i++) {
                double low[3] = {i, 0, 0}, high[3] = {i + 0.5, 1, 1};
                for (int k = 0; k < 3; k++)
                    if (i % every == 0 && (axis == 3 || axis == k)) low[k] = high[k] = NAN;
                box[i] = sn_treeBox(low, high, 0.1);
                id[i] = i;
            }
            assert_true(sn_growTree(d, box, id, COUNT, &tree));
            const snTreeBox all =
                sn_treeBox((const double[3]){-1, -1, -1}, (const double[3]){COUNT, 2, 2}, 0);
            memset(seen, 0, sizeof seen);
            sn_askTree(&tree, &all, note, NULL);
            for (int i = 0; i < COUNT; i++) assert_int_equal(seen[0][i], i % every != 0);
            bool one = false;
            memset(seen, 0, sizeof seen);
            snBoxTree other = tree;
            sn_pairTrees(&tree, &other, notePair, &one);
            for (int i = 0; i < COUNT; i++)
                for (int k = 0; k < COUNT; k++) assert_int_equal(seen[i][k], i == k && i % every != 0);
            sn_scratchRelease(d, mark);
        }
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void test_keys(void** state)
{
    (void)state;
    static uint64_t key[9000], other[9000], expected[9000];
    Random r = {4};
    for (int count = 0; count <= 9000; count += count < 40 ? 1 : 1493) {
        for (int i = 0; i < count; i++)
            key[i] = (uint64_t)(1e6 * fabs(randomReal(&r))) << 32 | (uint64_t)(1e5 * fabs(randomReal(&r)));
        memcpy(expected, key, sizeof key);
        qsort(expected, (size_t)count, sizeof *key, compare);
        sn_sortKeys(key, other, count, 0);
        for (int i = 0; i < count; i++) assert_true(key[i] == expected[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_trees), cmocka_unit_test(test_endless_boxes),
                                       cmocka_unit_test(test_boxes_of_no_numbers),
                                       cmocka_unit_test(test_keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
