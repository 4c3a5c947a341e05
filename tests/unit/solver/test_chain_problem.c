// Problems of islands that are one chain against what is made of any island, bit by bit; and which islands
// are none.
#include <stdio.h>
#include <string.h>
#include "model/arena.h"
#include "model_text.h"
#include "solver/hessian.h"

enum { TEXT = 1 << 12 };

// A world with a floor, whose bodies are `bodies`, after a few steps.
typedef struct World {
    snModel* m;
    snData* d;
    snIslands islands;
} World;

static void setUp(World* w, const char* option, const char* bodies)
{
    char xml[TEXT];
    snprintf(
        xml, TEXT,
        "<mujoco><option %s/><worldbody><geom type='plane' size='5 5 1' condim='1'/>%s</worldbody></mujoco>",
        option, bodies);
    *w = (World){.m = load(xml)};
    w->d = sn_makeData(w->m);
    for (int i = 0; i < 20; i++) sn_step(w->m, w->d);
    sn_forward(w->m, w->d);
    assert_true(w->d->nefc > 0 && sn_findIslands(w->m, w->d, NULL, &w->islands));
}

static void tearDown(World* w)
{
    sn_deleteData(w->d);
    sn_deleteModel(w->m);
}

static void assertSame(const double* a, const double* b, int count)
{
    assert_memory_equal(a, b, (size_t)count * sizeof *a);
}

// All that is read of M.
static void compareInertia(const snProblem* a, const snProblem* b)
{
    for (int i = 0; i < a->n; i++) assertSame(a->M + i * a->n, b->M + i * a->n, (i & ~3) + 4);
}

static void comparePattern(const snBlockPattern* a, const snBlockPattern* b)
{
    assert_int_equal(a->nb, b->nb);
    assert_memory_equal(a->adr, b->adr, (size_t)(a->nb + 1) * sizeof *a->adr);
    assert_memory_equal(a->col, b->col, (size_t)a->adr[a->nb] * sizeof *a->col);
}

static void compareRows(const snProblem* a, const snProblem* b)
{
    const int count = a->rows.count;
    assert_int_equal(count, b->rows.count);
    assert_int_equal(a->nsimple, b->nsimple);
    assert_int_equal(a->nquad, b->nquad);
    assertSame(a->rows.D, b->rows.D, count);
    assertSame(a->rows.lo, b->rows.lo, count);
    assertSame(a->rows.hi, b->rows.hi, count);
    assertSame(a->b, b->b, count);
    assert_memory_equal(a->efc, b->efc, (size_t)count * sizeof *a->efc);
    for (int q = 0; q < a->nquad; q++) {
        assert_int_equal(a->quad[q].count, b->quad[q].count);
        assert_memory_equal(a->quad[q].col, b->quad[q].col, (size_t)a->quad[q].count * sizeof(int));
        assertSame(a->quad[q].value, b->quad[q].value, 16 * a->quad[q].count);
    }
    assert_int_equal(a->rows.ncone, b->rows.ncone);
    for (int c = 0; c < a->rows.ncone; c++) {
        assert_int_equal(a->rows.cone[c].row, b->rows.cone[c].row);
        assert_int_equal(a->rows.cone[c].dim, b->rows.cone[c].dim);
        assertSame(&a->rows.cone[c].mu, &b->rows.cone[c].mu, 1);
    }
}

static void compareIsland(World* w, int island)
{
    snProblem chain, any;
    const int nquad = sn_chainQuads(w->m, w->d, &w->islands, island);
    assert_true(nquad > 0);
    assert_true(sn_buildChainProblem(w->m, w->d, &w->islands, island, nquad, &chain));
    assert_true(sn_buildProblem(w->m, w->d, &w->islands, island, false, &any));
    assert_int_equal(chain.n, any.n);
    assert_int_equal(chain.ndof, any.ndof);
    assert_int_equal(chain.nfollow, any.nfollow);
    assert_true(!chain.large && !chain.loops && !chain.elastic.adr && !chain.points.count);
    compareInertia(&chain, &any);
    comparePattern(&chain.pattern, &any.pattern);
    comparePattern(&chain.treePattern, &any.treePattern);
    compareRows(&chain, &any);
}

static const char* const options[] = {"cone='pyramidal'", "cone='elliptic'", "cone='elliptic' solver='CG'"};

// Islands of a world that are all chains.
static void compareAll(const char* bodies, int count)
{
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        World w;
        setUp(&w, options[k], bodies);
        assert_int_equal(w.islands.count, count);
        for (int island = 0; island < count; island++) compareIsland(&w, island);
        tearDown(&w);
    }
}

static void test_free_bodies(void** state)
{
    (void)state;
    compareAll("<body pos='0 0 .099'><freejoint/><geom size='.1' condim='1'/></body>"
               "<body pos='1 0 .099'><freejoint/><geom size='.1' condim='3'/></body>"
               "<body pos='2 0 .099'><freejoint/><geom size='.1' condim='4'/></body>"
               "<body pos='3 0 .099' euler='10 20 30'><freejoint/><geom size='.1' condim='6'/></body>"
               "<body pos='4 0 .099'><freejoint/><geom type='box' size='.1 .1 .1'/></body>",
               5);
}

// Of one, three, five, seven and eight dofs.
static void test_chains_of_joints(void** state)
{
    (void)state;
#define LINK(rest)                                                                                           \
    "<body pos='.1 0 0'><joint axis='0 1 0'/><geom size='.03' contype='0' conaffinity='0'/>" rest "</body>"
#define END "<body pos='.1 0 0'><joint axis='1 1 0'/><geom size='.1'/></body>"
    compareAll(
        "<body pos='0 0 .099'><joint type='slide' axis='0 0 1'/><geom size='.1'/></body>"
        "<body pos='0 1 .099'><joint axis='0 1 0'/><geom size='.03' contype='0' conaffinity='0'/>" LINK(
            END) "</body>"
                 "<body pos='0 2 .099'><joint axis='0 1 0'/><geom size='.03' contype='0' "
                 "conaffinity='0'/>" LINK(
                     LINK(LINK(END))) "</body>"
                                      "<body pos='0 3 .099'><freejoint/><geom size='.03' contype='0' "
                                      "conaffinity='0'/>" END "</body>"
                                      "<body pos='0 4 .099'><freejoint/><geom size='.03' contype='0' "
                                      "conaffinity='0'/>" LINK(END) "</body>",
        5);
}

static void refuse(const char* bodies)
{
    World w;
    setUp(&w, "", bodies);
    assert_int_equal(w.islands.count, 1);
    assert_int_equal(sn_chainQuads(w.m, w.d, &w.islands, 0), 0);
    tearDown(&w);
}

// A limit, dry friction, two bodies, a link that hangs on, nine dofs, branches.
static void test_others(void** state)
{
    (void)state;
    refuse("<body pos='0 0 .099'><joint type='slide' axis='0 0 1' limited='true' range='.05 1'/><geom "
           "size='.1'/></body>");
    refuse(
        "<body pos='0 0 .099'><joint type='slide' axis='0 0 1' frictionloss='1'/><geom size='.1'/></body>");
    refuse("<body pos='0 0 .099'><freejoint/><geom size='.1'/></body>"
           "<body pos='.199 0 .099'><freejoint/><geom size='.1'/></body>");
    refuse("<body pos='0 0 .099'><joint axis='0 1 0'/><geom size='.1'/>" LINK("") "</body>");
    refuse("<body pos='0 4 .099'><freejoint/><geom size='.03' contype='0' conaffinity='0'/>" LINK(
        LINK(END)) "</body>");
    refuse("<body pos='0 0 .099'><freejoint/><geom size='.01'/>" END
           "<body pos='-.1 0 0'><joint/><geom size='.1'/></body></body>");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_bodies),
        cmocka_unit_test(test_chains_of_joints),
        cmocka_unit_test(test_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
