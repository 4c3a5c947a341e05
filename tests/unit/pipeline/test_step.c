// Whole steps: nothing is allocated, the same state gives the same bits, a full arena is survived, energy and
// momentum are kept where they must be.
#include <sinew/sinew.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/memory.h"
#include "model/arena_size.h"
#include "model_text.h"

static const char heap[] =
    "<mujoco><option timestep='0.004'/><worldbody><geom type='plane' size='0 0 1'/>"
    "<body pos='0 0 0.3'><freejoint/><geom type='box' size='.1 .2 .1'/>"
    "  <body pos='.2 0 0'><joint axis='0 1 0' range='-60 60' frictionloss='.1' damping='.1'/>"
    "    <geom type='capsule' fromto='0 0 0 .3 0 0' size='.05'/><site name='s' pos='.3 0 0'/></body></body>"
    "<body pos='.1 .1 .7'><freejoint/><geom type='capsule' size='.1 .1' condim='6'/></body>"
    "<body pos='0 .1 1'><freejoint/><geom type='ellipsoid' size='.1 .15 .2' condim='4'/></body>"
    "<body pos='0 -.1 1.4'><joint type='ball' range='0 40'/><geom size='.1' pos='0 0 -.3' condim='1'/></body>"
    "</worldbody></mujoco>";

static const char chain[] =
    "<mujoco><option integrator='RK4' timestep='0.001'><flag energy='enable' contact='disable'/></option>"
    "<default><geom type='capsule' size='.02' fromto='0 0 0 0 0 -.2'/></default>"
    "<worldbody><body><joint axis='0 1 0'/><geom/><body pos='0 0 -.2'><joint axis='0 .6 .8'/><geom/>"
    "<body pos='0 0 -.2'><joint axis='1 0 0' armature='.001'/><geom/><body pos='0 0 -.2'>"
    "<joint type='slide' axis='1 0 1' stiffness='50'/><joint axis='0 1 0' "
    "stiffness='.2'/><geom/></body></body></body></body></worldbody></mujoco>";

// Servos that reach their limits and leave them in a step, in a tree and in an exact loop.
static const char servos[] =
    "<mujoco><option integrator='implicit' timestep='0.004'/><custom><text name='sinew_loops' data='exact'/>"
    "<text name='sinew_servo' data='end'/></custom>"
    "<default><geom type='capsule' size='.02' fromto='0 0 0 .2 0 0' contype='0' conaffinity='0'/></default>"
    "<worldbody><body><joint name='a' axis='0 1 0'/><geom/>"
    "<body pos='.2 0 0'><joint name='b' axis='0 1 0'/><geom/></body></body>"
    "<body pos='0 0 .2'><joint name='c' axis='0 1 0'/><geom/></body>"
    "<body pos='0 1 0'><joint name='d' axis='0 1 0'/><geom/><body pos='.2 0 0'><joint name='e' axis='1 0 0'/>"
    "<geom size='.002'/></body></body></worldbody>"
    "<equality><joint joint1='a' joint2='c'/></equality>"
    "<actuator><position joint='a' kp='50' kv='5' forcerange='-1 1'/>"
    "<velocity joint='b' kv='9' forcerange='-.1 .1'/><velocity joint='d' kv='9' forcerange='-2 2'/>"
    "<velocity joint='e' kv='1' forcerange='-.01 .01'/></actuator></mujoco>";

static snModel* loadServos(int integrator)
{
    snModel* m = load(servos);
    m->opt.integrator = integrator;
    return m;
}

// Every solver, with both cones, with and without noslip.
static const struct {
    int solver, cone, noslip;
} solvers[] = {{SN_SOL_NEWTON, SN_CONE_PYRAMIDAL, 0},
               {SN_SOL_NEWTON, SN_CONE_ELLIPTIC, 3},
               {SN_SOL_CG, SN_CONE_ELLIPTIC, 0},
               {SN_SOL_PGS, SN_CONE_PYRAMIDAL, 3},
               {SN_SOL_PGS, SN_CONE_ELLIPTIC, 0}};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static snModel* loadHeap(int solver)
{
    snModel* m = load(heap);
    m->opt.solver = solvers[solver].solver;
    m->opt.cone = solvers[solver].cone;
    m->opt.noslip_iterations = solvers[solver].noslip;
    return m;
}

static void steps(const snModel* m, snData* d, int count)
{
    for (int i = 0; i < count; i++) sn_step(m, d);
}

#ifdef SN_TEST_HOOKS
static int count(size_t size, void* user)
{
    (void)size;
    ++*(int*)user;
    return 1;
}

static void nothingIsAllocated(void** state)
{
    (void)state;
    static const int integrators[] = {SN_INT_EULER, SN_INT_IMPLICITFAST, SN_INT_IMPLICIT, SN_INT_DISCRETE};
    for (int i = 0; i < SOLVERS + 4; i++) {
        snModel* m = i < SOLVERS    ? loadHeap(i)
                     : i == SOLVERS ? load(chain)
                                    : loadServos(integrators[i - SOLVERS]);
        snData* d = sn_makeData(m);
        if (i > SOLVERS) d->qvel[4] = 100; // e, chattering without end if limits held at the beginning
        int allocations = 0;
        sn_setAllocHook(count, &allocations);
        steps(m, d, 300);
        sn_resetData(m, d);
        sn_setAllocHook(NULL, NULL);
        assert_int_equal(allocations, 0);
        sn_deleteData(d);
        sn_deleteModel(m);
    }
}
#endif

static void sameBits(int solver)
{
    snModel* m = loadHeap(solver);
    snData *a = sn_makeData(m), *b = sn_makeData(m), *c = sn_makeData(m);
    steps(m, a, 250);
    assert_true(a->nefc > 0);
    // b continues from a copy, c from the integration state alone
    const int n = sn_stateSize(m, SN_STATE_INTEGRATION);
    double* x = malloc(sizeof(double) * (size_t)n);
    sn_copyData(b, m, a);
    sn_getState(m, a, x, SN_STATE_INTEGRATION);
    sn_setState(m, c, x, SN_STATE_INTEGRATION);
    steps(m, a, 250);
    steps(m, b, 250);
    steps(m, c, 250);
    const size_t bytes = sizeof(double) * (size_t)m->nq;
    assert_memory_equal(a->qpos, b->qpos, bytes);
    assert_memory_equal(a->qpos, c->qpos, bytes);
    assert_true(a->time == c->time);
    assert_memory_equal(a->efc_force, b->efc_force, sizeof(double) * (size_t)a->nefc);
    free(x);
    sn_deleteData(a);
    sn_deleteData(b);
    sn_deleteData(c);
    sn_deleteModel(m);
}

static void sameStateSameBits(void** state)
{
    (void)state;
    for (int solver = 0; solver < SOLVERS; solver++) sameBits(solver);
}

static int rowsOf(const snModel* m, const snContact* c)
{
    return c->dim == 1 || m->opt.cone == SN_CONE_ELLIPTIC ? c->dim : 2 * (c->dim - 1);
}

// A contact has all of its rows or none.
static void assertWholeContacts(const snModel* m, const snData* d)
{
    int row = d->ne + d->nf + d->nl;
    for (int c = 0; c < d->ncon; c++) {
        if (d->contact[c].efc_address < 0) continue;
        assert_int_equal(d->contact[c].efc_address, row);
        for (int end = row + rowsOf(m, d->contact + c); row < end; row++)
            assert_true(row < d->nefc && d->efc_id[row] == c);
    }
    assert_int_equal(row, d->nefc);
}

// Every arena size from almost nothing on: no crash (the sanitizer pass looks), finite numbers, a warning.
static void surviveFullArena(snModel* m, int part)
{
    int warned = 0, clean = 0;
    for (size_t narena = 64; narena < 200000; narena += 64 + narena / (size_t)part) {
        m->narena = narena;
        snData* d = sn_makeData(m);
        steps(m, d, 120);
        assertWholeContacts(m, d);
        for (int i = 0; i < m->nq; i++) assert_true(isfinite(d->qpos[i]));
        const int full = d->warning[SN_WARN_CONTACTFULL].number + d->warning[SN_WARN_CNSTRFULL].number;
        assert_true(d->maxuse_arena <= d->narena);
        warned += full > 0;
        clean += full == 0;
        sn_deleteData(d);
    }
    assert_true(warned > 3 && clean > 3);
    sn_deleteModel(m);
}

static void fullArenaIsSurvived(void** state)
{
    (void)state;
    for (int solver = 0; solver < SOLVERS; solver++) surviveFullArena(loadHeap(solver), solver ? 4 : 8);
    surviveFullArena(loadServos(SN_INT_IMPLICIT), 8);
    surviveFullArena(loadServos(SN_INT_DISCRETE), 8);
}

// The least arena is enough for all that is not contacts and rows.
static void smoothStepsNeedLittle(void** state)
{
    (void)state;
    for (int integrator = SN_INT_EULER; integrator <= SN_INT_DISCRETE; integrator++) {
        for (int tree = 0; tree < 3; tree++) {
            snModel* m = load(tree == 2 ? servos : tree ? chain : heap);
            m->opt.integrator = integrator;
            m->opt.disableflags |= SN_DSBL_CONSTRAINT;
            snData* d = sn_makeData(m);
            steps(m, d, 100);
            sn_inverse(m, d);
            const size_t contacts = d->parena;
            assert_true(d->maxuse_arena > 0 && d->maxuse_arena - contacts <= sn_arenaLeast(m));
            sn_deleteData(d);
            sn_deleteModel(m);
        }
    }
}

static double energyDrift(double timestep)
{
    snModel* m = load(chain);
    m->opt.timestep = timestep;
    snData* d = sn_makeData(m);
    for (int i = 0; i < m->nv; i++) d->qvel[i] = 1 + 0.3 * i;
    sn_forward(m, d);
    const double start = d->energy[0] + d->energy[1];
    steps(m, d, (int)lround(0.5 / timestep));
    sn_forward(m, d);
    const double drift = fabs(d->energy[0] + d->energy[1] - start);
    sn_deleteData(d);
    sn_deleteModel(m);
    return drift;
}

// A passive chain of hinges and slides under RK4 (balls are advanced by a mean velocity, to second order
// only): small drift, and sixteen times smaller at half the step or better
static void energyIsKept(void** state)
{
    (void)state;
    const double coarse = energyDrift(0.002), fine = energyDrift(0.001);
    assert_true(fine < 1e-8);
    assert_true(fine < coarse / 12);
}

// Largest changes of linear and angular momentum of two joined bodies that float without gravity, in 0.2 s,
// under friction, damping, a spring and a limit of the joints between them
static void momentumDrift(double timestep, double drift[2])
{
    snModel* m = load("<mujoco><option gravity='0 0 0' integrator='RK4'/><worldbody>"
                      "<body><freejoint/><geom type='box' size='.1 .2 .3'/><body pos='.3 0 0'>"
                      "<joint axis='0 1 0' damping='.2' frictionloss='.1' range='-20 20'/>"
                      "<joint axis='0 0 1' stiffness='3'/><geom type='capsule' size='.05 .3'/></body></body>"
                      "</worldbody></mujoco>");
    m->opt.timestep = timestep;
    snData* d = sn_makeData(m);
    for (int i = 0; i < m->nv; i++) d->qvel[i] = 0.5 + 0.2 * i;
    sn_forward(m, d);
    sn_subtreeVel(m, d);
    double p[3], L[3];
    memcpy(p, d->subtree_linvel + 3, sizeof p);
    memcpy(L, d->subtree_angmom + 3, sizeof L);
    steps(m, d, (int)lround(0.2 / timestep));
    sn_forward(m, d);
    sn_subtreeVel(m, d);
    drift[0] = drift[1] = 0;
    for (int i = 0; i < 3; i++) {
        drift[0] = fmax(drift[0], fabs(d->subtree_linvel[3 + i] - p[i]));
        drift[1] = fmax(drift[1], fabs(d->subtree_angmom[3 + i] - L[i]));
    }
    sn_deleteData(d);
    sn_deleteModel(m);
}

// What the joints do inside does not move the whole; what is left is the integrator's error, of fourth order
static void momentumIsKept(void** state)
{
    (void)state;
    double coarse[2], fine[2];
    momentumDrift(2e-2, coarse);
    momentumDrift(5e-3, fine);
    for (int i = 0; i < 2; i++) {
        assert_true(fine[i] < 1e-9);
        assert_true(fine[i] < coarse[i] / 200);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(nothingIsAllocated),
#endif
        cmocka_unit_test(sameStateSameBits),     cmocka_unit_test(fullArenaIsSurvived),
        cmocka_unit_test(smoothStepsNeedLittle), cmocka_unit_test(energyIsKept),
        cmocka_unit_test(momentumIsKept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
