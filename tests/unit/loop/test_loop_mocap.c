// MOCAP_WELD: what hangs on a mocap body moves as what hangs on the world, by every way to its accelerations.
#include "model_text.h"
#include <math.h>
#include <stdio.h>

#define MODEL                                                                                                \
    "<mujoco><custom><text name='sinew_physics' data='%s'/><text name='sinew_loops' data='exact'/></custom>" \
    "<worldbody><body mocap='true' pos='.1 0 0' euler='10 20 30'>"                                           \
    "<inertial mass='7' pos='0 0 .1' diaginertia='1 1 1'/>"                                                  \
    "<body name='w' pos='0 .1 0'><inertial mass='3' pos='0 0 .1' diaginertia='1 1 1'/>"                      \
    "<body><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .3 0 0' size='.02'/>"                     \
    "<body pos='.3 0 0'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .3 0 -.2' size='.02'/>"      \
    "<body name='c' pos='.3 0 -.2'><joint axis='0 1 0'/><geom size='.05' pos='0 0 "                          \
    ".1'/></body></body></body>"                                                                             \
    "<body pos='0 .1 0'><joint axis='1 0 0'/><geom size='.05' pos='0 0 -.3'/></body></body></body>"          \
    "<body pos='1 1 1'><freejoint/><geom size='.1'/></body></worldbody>"                                     \
    "<equality><connect body1='c' body2='w' anchor='.3 0 -.2'/></equality></mujoco>"

enum { MOST = 16 };

typedef struct Result {
    double articulated[MOST], sparse[MOST], qacc[MOST];
    int nv;
} Result;

static void solve(const char* physics, Result* r)
{
    char text[4096];
    const double tau[MOST] = {1, -2, 3, -4, 5, -6};
    double lambda[64];
    snError error = {0};
    snprintf(text, sizeof text, MODEL, physics);
    snModel* m = load(text);
    snData* d = sn_makeData(m);
    memset(r, 0, sizeof *r);
    r->nv = m->nv;
    assert_true(m->nv <= MOST);
    for (int i = 0; i < m->nv; i++) d->qvel[i] = 0.3 * i - 0.7;
    sn_forward(m, d);
    memcpy(r->qacc, d->qacc, (size_t)m->nv * sizeof(double));
    sn_loopDynamics(m, d, tau, r->articulated);
    snSparseDynamics* s = sn_makeSparseDynamics(m, &error);
    assert_non_null(s);
    assert_true(sn_sparseRowsMax(s) <= 64);
    assert_int_equal(sn_sparseDynamics(s, m, d, tau, r->sparse, lambda, &error), SN_STATUS_OK);
    sn_deleteSparseDynamics(s);
    sn_deleteData(d);
    sn_deleteModel(m);
}

static void accelerationsAreTheSame(void** state)
{
    (void)state;
    Result old, new;
    solve("3.3.7", &old);
    solve("4.0", &new);
    assert_true(old.nv > 0);
    assert_memory_equal(&old, &new, sizeof old);
    assert_true(fabs(old.articulated[0]) > 1e-3);
    for (int i = 0; i < old.nv; i++)
        assert_true(fabs(old.articulated[i] - old.sparse[i]) <= 1e-9 * (1 + fabs(old.sparse[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(accelerationsAreTheSame)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
