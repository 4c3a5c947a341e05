// The sparse matrix method on mechanisms of 10 to 10,000 bodies: numbers in its factor and time a body.
//
//   bench_sparse
//
// The mechanisms are those of tests/unit/loop/long_mechanism.h: chains of four-bars, each on the coupler of
// the one before, closed redundantly (revolute) or not (sphere in cylinder); the ladder of figure 8.4 of seed
// 002, whose rungs close loops, in space (ball joints) and in the plane (hinges, redundant); a hub with n
// children. Time is the least of many calls, of the call alone: poses are there.
#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "loop/long_mechanism.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static void fail(const char* what)
{
    fprintf(stderr, "bench_sparse: %s\n", what);
    exit(1);
}

// A start as it is: these models have no trees in which it could be assembled.
static snData* startOf(snModel* m)
{
    m->opt.disableflags = SN_DSBL_EQUALITY;
    snData* d = sn_makeData(m);
    m->opt.disableflags = 0;
    if (!d) fail("out of memory");
    memcpy(d->qpos, m->qpos0, (size_t)m->nq * sizeof(double));
    for (int i = 0; i < m->nv; i++) d->qvel[i] = 0.3 * sin(1.7 * i);
    return d;
}

static void report(const char* name, snModel* m, bool four_bars)
{
    const int bodies = m->nbody - 1, calls = bodies > 2000 ? 10 : 20000 / bodies;
    snError error = {0};
    snData* d = startOf(m);
    if (four_bars) fourBarPose(m, d);
    sn_kinematics(m, d);
    snSparseDynamics* s = sn_makeSparseDynamics(m, &error);
    double *qacc = calloc((size_t)m->nv, sizeof *qacc), best = HUGE_VAL;
    if (!s || !qacc) fail(error.message);
    for (int i = 0; i < calls; i++) {
        const double start = now();
        if (sn_sparseDynamics(s, m, d, NULL, qacc, NULL, &error)) fail(error.message);
        best = fmin(best, now() - start);
    }
    printf("| %s | %d | %d | %.0f | %.2f |\n", name, bodies, m->nloop,
           (double)sn_sparseCount(s).nonzeros / bodies, best / bodies);
    fflush(stdout);
    free(qacc);
    sn_deleteSparseDynamics(s);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    printf("| mechanism | bodies | loops | numbers of L a body | us a body |\n| --- | --- | --- | --- | --- "
           "|\n");
    for (int n = 10; n <= 10000; n *= 10) {
        const int bars = n / 3 + (n == 10);
        report("four-bars, revolute", fourBarChain(bars, SN_LOOP_REVOLUTE), true);
        report("four-bars, sphere in cylinder", fourBarChain(bars, SN_LOOP_SPHERE_IN_CYLINDER), true);
        report("ladder, ball joints", ladder(n / 2, SN_JNT_BALL, SN_LOOP_SPHERICAL), false);
        report("ladder, planar", ladder(n / 2, SN_JNT_HINGE, SN_LOOP_REVOLUTE), false);
        report("hub with children", star(n), false);
    }
    return 0;
}
