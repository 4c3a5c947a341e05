// Time of one step and of its stages, ours and the peer's, on one core, in turns in one process, from the
// same states under the same controls.
//
//   bench_step PEER_LIBRARY MODEL...
//
// States: a rollout by the peer under Gaussian noise controls (standard deviation 0.3, fixed seed), sampled
// after it has settled into contact. Each round visits all states; both engines take blocks of states in
// turns. The figure is the mean over the blocks of the least time that any round took for the block: what
// interrupts a round does not count.
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "gaussian.h"
#include "pair.h"
#include "peer.h"
#include "stages.h"

enum { NSTATES = 200, SETTLE = 300, SPACING = 7, BLOCK = 20, NBLOCKS = NSTATES / BLOCK };
enum { MINROUNDS = 7, MAXROUNDS = 61, BUDGET = 15 }; // seconds a model

// One engine pair on one model, with the sampled states: qpos, qvel, warm start, ctrl, act one behind
// the other.
typedef struct Scene {
    const Peer* p;
    snModel* m;
    snData* d;
    mjModel* pm;
    mjData* pd;
    double* states;
    int stride;
    int integrator; // that of the model
} Scene;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static void sampleStates(Scene* s)
{
    const int nq = s->m->nq, nv = s->m->nv, nu = s->m->nu, na = s->m->na;
    uint64_t seed = 1;
    s->stride = nq + 2 * nv + nu + na;
    s->states = malloc(sizeof(double) * (size_t)s->stride * NSTATES);
    if (!s->states) abort();
    s->p->mj_resetData(s->pm, s->pd);
    for (int k = 0, i = -SETTLE; k < NSTATES; i++) {
        for (int a = 0; a < nu; a++) s->pd->ctrl[a] = 0.3 * gaussian(&seed);
        if (i >= 0 && i % SPACING == 0) {
            double* x = s->states + (size_t)s->stride * (size_t)k++;
            memcpy(x, s->pd->qpos, sizeof(double) * (size_t)nq);
            memcpy(x + nq, s->pd->qvel, sizeof(double) * (size_t)nv);
            memcpy(x + nq + nv, s->pd->qacc_warmstart, sizeof(double) * (size_t)nv);
            memcpy(x + nq + 2 * nv, s->pd->ctrl, sizeof(double) * (size_t)nu);
            memcpy(x + nq + 2 * nv + nu, s->pd->act, sizeof(double) * (size_t)na);
        }
        s->p->mj_step(s->pm, s->pd);
    }
}

// Sets the data d of model m, either engine's, to state k.
#define SET_STATE(s, k, m, d)                                                                                \
    {                                                                                                        \
        const double* x = (s)->states + (size_t)(s)->stride * (size_t)(k);                                   \
        memcpy((d)->qpos, x, sizeof(double) * (size_t)(m)->nq);                                              \
        x += (m)->nq;                                                                                        \
        memcpy((d)->qvel, x, sizeof(double) * (size_t)(m)->nv);                                              \
        x += (m)->nv;                                                                                        \
        memcpy((d)->qacc_warmstart, x, sizeof(double) * (size_t)(m)->nv);                                    \
        x += (m)->nv;                                                                                        \
        memcpy((d)->ctrl, x, sizeof(double) * (size_t)(m)->nu);                                              \
        x += (m)->nu;                                                                                        \
        memcpy((d)->act, x, sizeof(double) * (size_t)(m)->na);                                               \
    }

static void setOurs(const Scene* s, int k)
{
    SET_STATE(s, k, s->m, s->d)
}

static void setPeers(const Scene* s, int k)
{
    SET_STATE(s, k, s->pm, s->pd)
}

// One integration of state k with its forces; Runge and Kutta's method would run all stages again and is
// left out.
static void integrateOurs(const Scene* s, int k, int integrator)
{
    setOurs(s, k);
    s->m->opt.integrator = integrator;
    if (integrator == SN_INT_IMPLICIT || integrator == SN_INT_IMPLICITFAST)
        sn_implicit(s->m, s->d);
    else
        sn_Euler(s->m, s->d);
    s->m->opt.integrator = s->integrator;
}

static void integratePeers(const Scene* s, int k, int integrator)
{
    setPeers(s, k);
    s->pm->opt.integrator = integrator;
    if (integrator == SN_INT_IMPLICIT || integrator == SN_INT_IMPLICITFAST)
        s->p->mj_implicit(s->pm, s->pd);
    else
        s->p->mj_Euler(s->pm, s->pd);
    s->pm->opt.integrator = s->integrator;
}

// Adds to sum[stage] the time of each stage and to sum[STEP] that of a whole step, over one block of states.
static void timeOurs(const Scene* s, int first, double* sum)
{
    const snModel* m = s->m;
    snData* d = s->d;
    for (int k = first; k < first + BLOCK; k++) {
        setOurs(s, k);
        const double start = now();
        sn_step(m, d);
        sum[STEP] += now() - start;
    }
    for (int k = first; k < first + BLOCK; k++) {
        setOurs(s, k);
        int stage = 0;
        double before = now();
#define X(label, ours, theirs)                                                                               \
    {                                                                                                        \
        ours;                                                                                                \
        const double after = now();                                                                          \
        sum[stage++] += after - before;                                                                      \
        before = after;                                                                                      \
    }
        STAGES(X)
#undef X
    }
}

static void timePeers(const Scene* s, int first, double* sum)
{
    const Peer* p = s->p;
    const mjModel* pm = s->pm;
    mjData* pd = s->pd;
    for (int k = first; k < first + BLOCK; k++) {
        setPeers(s, k);
        const double start = now();
        p->mj_step(pm, pd);
        sum[STEP] += now() - start;
    }
    for (int k = first; k < first + BLOCK; k++) {
        setPeers(s, k);
        int stage = 0;
        double before = now();
#define X(label, ours, theirs)                                                                               \
    {                                                                                                        \
        theirs;                                                                                              \
        const double after = now();                                                                          \
        sum[stage++] += after - before;                                                                      \
        before = after;                                                                                      \
    }
        STAGES(X)
#undef X
    }
}

// Mean contacts, rows and iterations over the sampled states: the work that both engines do.
static void printWork(const Scene* s, const char* path)
{
    double ours[3] = {0}, theirs[3] = {0};
    for (int k = 0; k < NSTATES; k++) {
        setOurs(s, k);
        sn_forward(s->m, s->d);
        setPeers(s, k);
        s->p->mj_forward(s->pm, s->pd);
        ours[0] += s->d->ncon, ours[1] += s->d->nefc, ours[2] += s->d->solver_niter;
        theirs[0] += s->pd->ncon, theirs[1] += s->pd->nefc;
        for (int i = 0; i < (s->pd->nisland > 0 ? s->pd->nisland : 1) && i < mjNISLAND; i++)
            theirs[2] += s->pd->solver_niter[i];
    }
    printf("\n%s: %d dofs; contacts %.1f and %.1f, rows %.1f and %.1f, iterations %.1f and %.1f\n", path,
           s->m->nv, ours[0] / NSTATES, theirs[0] / NSTATES, ours[1] / NSTATES, theirs[1] / NSTATES,
           ours[2] / NSTATES, theirs[2] / NSTATES);
}

static void keepLeast(double (*least)[NBLOCKS], int block, const double* sum)
{
    for (int i = 0; i < NTIMES; i++)
        if (least[i][block] == 0 || sum[i] < least[i][block]) least[i][block] = sum[i];
}

static double mean(const double* blocks)
{
    double sum = 0;
    for (int i = 0; i < NBLOCKS; i++) sum += blocks[i];
    return sum / NSTATES;
}

static void benchScene(const Scene* s, const char* path)
{
    double ours[NTIMES][NBLOCKS] = {{0}}, theirs[NTIMES][NBLOCKS] = {{0}};
    const double start = now();
    for (int round = 0; round < MAXROUNDS; round++) {
        for (int i = 0; i < NBLOCKS; i++) {
            double a[NTIMES] = {0}, b[NTIMES] = {0};
            timeOurs(s, i * BLOCK, a);
            timePeers(s, i * BLOCK, b);
            keepLeast(ours, i, a);
            keepLeast(theirs, i, b);
        }
        if (round + 1 >= MINROUNDS && now() - start > 1e6 * BUDGET) break;
    }
    printWork(s, path);
    printf("  %-14s %10s %10s %8s\n", "stage", "sinew us", "peer us", "ratio");
    for (int i = 0; i < NTIMES; i++) {
        const double a = mean(ours[i]), b = mean(theirs[i]);
        printf("  %-14s %10.2f %10.2f %8.2f\n", i == STEP ? "step" : stage_names[i], a, b, b / a);
    }
    fflush(stdout);
}

static bool benchModel(const Peer* p, const char* path)
{
    Engines e;
    const bool ok = openEngines(p, path, &e);
    if (ok) {
        Scene s = {.p = p, .m = e.m, .d = e.d, .pm = e.pm, .pd = e.pd, .integrator = e.m->opt.integrator};
        sampleStates(&s);
        benchScene(&s, path);
        free(s.states);
    }
    closeEngines(p, &e);
    return ok;
}

int main(int argc, char** argv)
{
    Peer peer;
    if (argc < 3) {
        fprintf(stderr, "usage: bench_step PEER_LIBRARY MODEL...\n");
        return 2;
    }
    if (!openPeer(&peer, argv[1])) return 1;
    printf("Sinew %s against MuJoCo %d, one core, %d states\n", sn_version(), peer.mj_version(), NSTATES);
    bool ok = true;
    for (int i = 2; i < argc; i++) ok &= benchModel(&peer, argv[i]);
    return ok ? 0 : 1;
}
