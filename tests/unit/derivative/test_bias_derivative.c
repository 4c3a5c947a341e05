// Derivatives of inverse dynamics against differences of the engine's own, on random trees of every joint
// type.
#include "central.h"
#include "derivative/smooth/bias.h"
#include "math/spatial.h"
#include "random_tree.h"
#include "smooth/kinematics/jacobian.h"

enum { TREES = 30, MAXV = 64 };

typedef struct Held {
    double wrench[6 * TREE_BODIES], about[3 * TREE_BODIES]; // about: the points that the torques refer to
} Held;

static void stages(const snModel* m, snData* d)
{
    sn_kinematics(m, d);
    sn_comPos(m, d);
    sn_crb(m, d);
    sn_comVel(m, d);
}

// Inverse dynamics less what wrenches give that stay as they are in the world.
static void force(const snModel* m, snData* d, void* user, double* out)
{
    const Held* held = user;
    stages(m, d);
    sn_rne(m, d, 1, out);
    for (int b = 1; b < m->nbody && held; b++) {
        const double* x = held->wrench + 6 * b;
        const snForce f =
            sn_forceAtCom(m, d, b, sn_v3Load(x + 3), sn_v3Load(x), sn_v3Load(held->about + 3 * b));
        sn_addForce(m, d, b, (snForce){sn_v3Neg(f.ang), sn_v3Neg(f.lin)}, out);
    }
}

static void randomWrenches(const snModel* m, const snData* d, Random* r, Held* held)
{
    for (int b = 0; b < m->nbody; b++) {
        for (int k = 0; k < 6; k++) held->wrench[6 * b + k] = 10 * randomReal(r);
        sn_v3Store(held->about + 3 * b, sn_treeCom(m, d, b));
    }
}

static void agrees(const snModel* m, snData* d, Held* held)
{
    const int count = m->nv * m->nv;
    double q[MAXV * MAXV] = {0}, v[MAXV * MAXV] = {0}, expected[MAXV * MAXV];
    snError error;
    stages(m, d);
    assert_int_equal(sn_biasDerivative(m, d, d->qacc, held ? held->wrench : NULL, q, v, &error),
                     SN_STATUS_OK);
    central(m, d, BY_POSITION, force, held, m->nv, expected);
    assertClose(q, expected, count, 1e-10);
    central(m, d, BY_VELOCITY, force, held, m->nv, expected);
    assertClose(v, expected, count, 1e-10);
}

static void inverse_dynamics(void** state)
{
    (void)state;
    Random r = {2718};
    for (int t = 0; t < TREES; t++) {
        snModel* m = randomTree(&r);
        snData* d = sn_makeData(m);
        Held held;
        assert_true(m->nv > 0 && m->nv <= MAXV);
        if (t % 5 == 4) m->opt.disableflags |= SN_DSBL_GRAVITY;
        randomState(m, d, &r);
        stages(m, d);
        randomWrenches(m, d, &r, &held);
        agrees(m, d, t % 2 ? &held : NULL);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}

// It adds, and a matrix may be left out; an arena without room is an error that changes nothing.
static void adds(void** state)
{
    (void)state;
    Random r = {31};
    snModel* m = randomTree(&r);
    snData* d = sn_makeData(m);
    snError error;
    const int count = m->nv * m->nv;
    double q[MAXV * MAXV] = {0}, v[MAXV * MAXV] = {0}, twice[MAXV * MAXV] = {0};
    randomState(m, d, &r);
    stages(m, d);
    assert_int_equal(sn_biasDerivative(m, d, d->qacc, NULL, q, v, &error), SN_STATUS_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(sn_biasDerivative(m, d, d->qacc, NULL, twice, NULL, &error), SN_STATUS_OK);
    for (int i = 0; i < count; i++) assert_true(twice[i] == q[i] + q[i]);
    d->pstack = d->narena - d->parena - 64;
    assert_int_equal(sn_biasDerivative(m, d, d->qacc, NULL, twice, v, &error), SN_STATUS_NO_MEMORY);
    assert_non_null(strstr(error.message, "size memory"));
    for (int i = 0; i < count; i++) assert_true(twice[i] == q[i] + q[i]);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(inverse_dynamics), cmocka_unit_test(adds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
