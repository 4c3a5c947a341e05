// Time of one step and of its stages, ours and the peer's, on one core, in turns in one process, from the
// same states under the same controls.
//
//   bench_step PEER_LIBRARY MODEL...
//
// States: a rollout by the peer under Gaussian noise controls (standard deviation 0.3, fixed seed), sampled
// after it has settled into contact. Each round visits all states; both engines take blocks of states in
// turns. The figure is the median over the rounds of the mean over the states.
#include <sinew/sinew.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "peer.h"

enum { NSTATES = 200, SETTLE = 300, SPACING = 7, BLOCK = 20, ROUNDS = 31 };

// clang-format off
// X(label, our calls, the peer's calls)
#define STAGES(X) \
    X("kinematics", sn_kinematics(m, d); sn_comPos(m, d); sn_camlight(m, d), \
                    p->mj_kinematics(pm, pd); p->mj_comPos(pm, pd); p->mj_camlight(pm, pd); p->mj_tendon(pm, pd)) \
    X("inertia",    sn_crb(m, d); sn_factorM(m, d), p->mj_makeM(pm, pd); p->mj_factorM(pm, pd)) \
    X("collision",  sn_collision(m, d), p->mj_collision(pm, pd)) \
    X("rows",       sn_makeConstraint(m, d), p->mj_makeConstraint(pm, pd); p->mj_island(pm, pd)) \
    X("transmission", sn_transmission(m, d), p->mj_transmission(pm, pd); p->mj_projectConstraint(pm, pd)) \
    X("velocity",   sn_fwdVelocity(m, d), p->mj_fwdVelocity(pm, pd)) \
    X("actuation",  sn_fwdActuation(m, d); sn_fwdAcceleration(m, d), p->mj_fwdActuation(pm, pd); p->mj_fwdAcceleration(pm, pd)) \
    X("solver",     sn_fwdConstraint(m, d), p->mj_fwdConstraint(pm, pd)) \
    X("sensors",    sn_sensorPos(m, d); sn_sensorVel(m, d); sn_sensorAcc(m, d), \
                    p->mj_sensorPos(pm, pd); p->mj_sensorVel(pm, pd); p->mj_sensorAcc(pm, pd)) \
    X("integration", sn_Euler(m, d), p->mj_Euler(pm, pd))
// clang-format on

static const char* const stage_names[] = {
#define X(label, ours, theirs) label,
    STAGES(X)
#undef X
};
enum { NSTAGES = sizeof(stage_names) / sizeof(stage_names[0]), STEP = NSTAGES, NTIMES = NSTAGES + 1 };

// One engine pair on one model, with the sampled states: qpos, qvel, warm start, ctrl one behind the other.
typedef struct Scene {
    const Peer* p;
    snModel* m;
    snData* d;
    mjModel* pm;
    mjData* pd;
    double* states;
    int stride;
} Scene;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

// Standard normal by Box and Muller from a 64-bit congruential generator; only the bench uses it.
static double gaussian(uint64_t* seed)
{
    double u[2];
    for (int i = 0; i < 2; i++) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        u[i] = ((double)(*seed >> 11) + 0.5) / 9007199254740992.0;
    }
    return sqrt(-2 * log(u[0])) * cos(2 * SN_PI * u[1]);
}

static void sampleStates(Scene* s)
{
    const int nq = s->m->nq, nv = s->m->nv, nu = s->m->nu;
    uint64_t seed = 1;
    s->stride = nq + 2 * nv + nu;
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
        }
        s->p->mj_step(s->pm, s->pd);
    }
}

static void setState(const Scene* s, int k, double* qpos, double* qvel, double* warmstart, double* ctrl)
{
    const int nq = s->m->nq, nv = s->m->nv, nu = s->m->nu;
    const double* x = s->states + (size_t)s->stride * (size_t)k;
    memcpy(qpos, x, sizeof(double) * (size_t)nq);
    memcpy(qvel, x + nq, sizeof(double) * (size_t)nv);
    memcpy(warmstart, x + nq + nv, sizeof(double) * (size_t)nv);
    memcpy(ctrl, x + nq + 2 * nv, sizeof(double) * (size_t)nu);
}

static void setOurs(const Scene* s, int k)
{
    setState(s, k, s->d->qpos, s->d->qvel, s->d->qacc_warmstart, s->d->ctrl);
}

static void setPeers(const Scene* s, int k)
{
    setState(s, k, s->pd->qpos, s->pd->qvel, s->pd->qacc_warmstart, s->pd->ctrl);
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

static int ascending(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double median(double* x, int n)
{
    qsort(x, (size_t)n, sizeof *x, ascending);
    return x[n / 2];
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

static void benchScene(const Scene* s, const char* path)
{
    static double ours[NTIMES][ROUNDS], theirs[NTIMES][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        double a[NTIMES] = {0}, b[NTIMES] = {0};
        for (int first = 0; first < NSTATES; first += BLOCK) {
            timeOurs(s, first, a);
            timePeers(s, first, b);
        }
        for (int i = 0; i < NTIMES; i++) ours[i][round] = a[i] / NSTATES, theirs[i][round] = b[i] / NSTATES;
    }
    printWork(s, path);
    printf("  %-14s %10s %10s %8s\n", "stage", "sinew us", "peer us", "ratio");
    for (int i = 0; i < NTIMES; i++) {
        const double a = median(ours[i], ROUNDS), b = median(theirs[i], ROUNDS);
        printf("  %-14s %10.2f %10.2f %8.2f\n", i == STEP ? "step" : stage_names[i], a, b, a / b);
    }
}

static bool benchModel(const Peer* p, const char* path)
{
    snError error;
    char message[1000] = "";
    Scene s = {.p = p};
    s.m = sn_loadModel(path, &error);
    s.pm = p->mj_loadXML(path, NULL, message, sizeof message);
    if (!s.m || !s.pm) {
        fprintf(stderr, "bench: %s\n", !s.m ? error.message : message);
    } else {
        s.d = sn_makeData(s.m);
        s.pd = p->mj_makeData(s.pm);
        if (s.d && s.pd) {
            sampleStates(&s);
            benchScene(&s, path);
        }
    }
    const bool ok = s.d && s.pd;
    free(s.states);
    sn_deleteData(s.d);
    sn_deleteModel(s.m);
    p->mj_deleteData(s.pd);
    p->mj_deleteModel(s.pm);
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
    printf("Sinew %s against MuJoCo %d, one core, median of %d rounds over %d states\n", sn_version(),
           peer.mj_version(), ROUNDS, NSTATES);
    bool ok = true;
    for (int i = 2; i < argc; i++) ok &= benchModel(&peer, argv[i]);
    return ok ? 0 : 1;
}
