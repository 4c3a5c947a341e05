// Time of the derivatives A, B, C, D of one step on one core, in turns in one process, from the same states:
// the peer's finite differences, ours, and our exact ones. Forward differences, eps 1e-6, RK4 as Euler's
// method.
//
//   bench_derivative PEER_LIBRARY MODEL...
//
// States: a rollout by the peer under Gaussian noise controls (standard deviation 0.3, fixed seed), sampled
// after it has settled into contact. The figure is the mean over the states of the least time that any round
// took for it.
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "gaussian.h"
#include "pair.h"
#include "peer.h"
#if __has_include(<sinew/derivative.h>)
#include <sinew/derivative.h>
#define HAS_EXACT 1
#else
#define HAS_EXACT 0
#endif

enum {
    NSTATES = 20,
    SETTLE = 300,
    SPACING = 17,
    MINROUNDS = 5,
    MAXROUNDS = 41,
    BUDGET = 4
}; // seconds a model
enum { PEER, DIFFERENCE, EXACT, NMETHODS };
static const double eps = 1e-6;

typedef struct Scene {
    const Peer* p;
    snModel* m;
    snData* d;
    mjModel* pm;
    mjData* pd;
    double* states; // [NSTATES x stride] qpos, qvel, warm start, ctrl, act
    int stride;
    double* out; // A, B, C, D
    double contacts;
} Scene;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

// X(field, size): a state, one array behind the other
#define STATE(X) X(qpos, nq) X(qvel, nv) X(qacc_warmstart, nv) X(ctrl, nu) X(act, na)

static void sampleStates(Scene* s)
{
    const snModel* m = s->m;
    uint64_t seed = 1;
    s->stride = m->nq + 2 * m->nv + m->nu + m->na;
    s->states = malloc(sizeof(double) * (size_t)s->stride * NSTATES);
    if (!s->states) abort();
    s->p->mj_resetData(s->pm, s->pd);
    for (int k = 0, i = -SETTLE; k < NSTATES; i++) {
        for (int a = 0; a < m->nu; a++) s->pd->ctrl[a] = 0.3 * gaussian(&seed);
        if (i >= 0 && i % SPACING == 0) {
            double* x = s->states + (size_t)s->stride * (size_t)k++;
#define X(field, size) memcpy(x, s->pd->field, sizeof(double) * (size_t)m->size), x += m->size;
            STATE(X)
#undef X
        }
        s->p->mj_step(s->pm, s->pd);
    }
}

// Sets both engines to a state, with all that is computed from it.
static void setState(const Scene* s, int k)
{
    const snModel* m = s->m;
    const double* x = s->states + (size_t)s->stride * (size_t)k;
#define X(field, size)                                                                                       \
    memcpy(s->d->field, x, sizeof(double) * (size_t)m->size);                                                \
    memcpy(s->pd->field, x, sizeof(double) * (size_t)m->size);                                               \
    x += m->size;
    STATE(X)
#undef X
    sn_forward(m, s->d);
    s->p->mj_forward(s->pm, s->pd);
}

// Time of one derivative by a method; 0: there is none.
static double timeMethod(const Scene* s, int method)
{
    const snModel* m = s->m;
    const size_t nx = 2 * (size_t)m->nv + (size_t)m->na, nu = (size_t)m->nu, ns = (size_t)m->nsensordata;
    double *A = s->out, *B = A + nx * nx, *C = B + nx * nu, *D = C + ns * nx;
    bool ok = true;
    const double start = now();
    if (method == PEER) s->p->mjd_transitionFD(s->pm, s->pd, eps, 0, A, B, C, D);
    if (method == DIFFERENCE) ok = sn_transitionFD(m, s->d, eps, 0, A, B, C, D, NULL, NULL) == SN_STATUS_OK;
#if HAS_EXACT
    if (method == EXACT) ok = sn_transitionDerivative(m, s->d, A, B, C, D, NULL) == SN_STATUS_OK;
#else
    ok = ok && method != EXACT;
#endif
    return ok ? now() - start : 0;
}

static void benchScene(Scene* s, const char* path)
{
    double least[NMETHODS][NSTATES] = {{0}}, sum[NMETHODS] = {0};
    const double start = now();
    for (int round = 0; round < MAXROUNDS; round++) {
        for (int k = 0; k < NSTATES; k++) {
            setState(s, k);
            if (round == 0) s->contacts += (double)s->d->ncon / NSTATES;
            for (int i = 0; i < NMETHODS; i++) {
                const double t = timeMethod(s, i);
                if (round == 0 || t < least[i][k]) least[i][k] = t;
            }
        }
        if (round + 1 >= MINROUNDS && now() - start > 1e6 * BUDGET) break;
    }
    for (int i = 0; i < NMETHODS; i++)
        for (int k = 0; k < NSTATES; k++) sum[i] += least[i][k] / NSTATES;
    const char* slash = strrchr(path, '/');
    printf("%-20s %5d %9.1f %10.1f %10.1f %6.2f", slash ? slash + 1 : path, s->m->nv, s->contacts, sum[PEER],
           sum[DIFFERENCE], sum[PEER] / sum[DIFFERENCE]);
    if (sum[EXACT] > 0) printf(" %10.1f %6.2f", sum[EXACT], sum[PEER] / sum[EXACT]);
    printf("\n");
    fflush(stdout);
}

static bool makeScene(const Engines* e, Scene* s)
{
    const size_t nx = 2 * (size_t)e->m->nv + (size_t)e->m->na;
    s->m = e->m;
    s->d = e->d;
    s->pm = e->pm;
    s->pd = e->pd;
    if (s->m->opt.integrator == SN_INT_RK4) s->m->opt.integrator = s->pm->opt.integrator = SN_INT_EULER;
    s->out = malloc(sizeof(double) * (nx + (size_t)s->m->nsensordata) * (nx + (size_t)s->m->nu) + 1);
    return s->out;
}

static bool benchModel(const Peer* p, const char* path)
{
    Engines e;
    Scene s = {.p = p};
    const bool ok = openEngines(p, path, &e) && makeScene(&e, &s);
    if (ok) {
        sampleStates(&s);
        benchScene(&s, path);
    }
    free(s.states);
    free(s.out);
    closeEngines(p, &e);
    return ok;
}

int main(int argc, char** argv)
{
    Peer peer;
    if (argc < 3) {
        fprintf(stderr, "usage: bench_derivative PEER_LIBRARY MODEL...\n");
        return 2;
    }
    if (!openPeer(&peer, argv[1])) return 1;
    printf("Sinew %s against MuJoCo %d, one core, %d states\n", sn_version(), peer.mj_version(), NSTATES);
    printf("%-20s %5s %9s %10s %10s %6s %10s %6s\n", "model", "dofs", "contacts", "peer us", "diff us",
           "ratio", "exact us", "ratio");
    bool ok = true;
    for (int i = 2; i < argc; i++) ok &= benchModel(&peer, argv[i]);
    return ok ? 0 : 1;
}
