// Time of runs of ten seconds under smooth random controls, ours and the peer's, on one core, in turns in one
// process.
//
//   bench_rollout PEER_LIBRARY MODEL...
//
// Four seeds a model. With each seed both engines run from the model's first keyframe, or its initial pose,
// under the same controls, each by itself; then both step once from each state that one of them passed
// through. Runs are timed in pieces, by turns; of each piece the least time of all rounds counts, so that
// what interrupts a round does not. Printed are medians over the seeds.
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "gaussian.h"
#include "pair.h"
#include "peer.h"

enum { SEEDS = 4, PIECES = 20, MINROUNDS = 5, MAXROUNDS = 41 };
static const double SECONDS = 10; // of a run
static const double BUDGET = 4e6; // us a seed
static const double FADE = 0.25;  // s: how fast controls forget
static const double SPREAD = 0.5; // their standard deviation, in halves of their range

// X(field, size): a state, one array behind the other
#define STATE(X) X(qpos, nq) X(qvel, nv) X(qacc_warmstart, nv) X(act, na)

// What is timed: runs of their own, and steps from the states of ours and of theirs.
enum { OWN, FROM_OURS, FROM_THEIRS, WAYS };

// What an engine did in its own run, a step in the mean; microseconds a step.
typedef struct Side {
    double contacts, rows, iterations, us[WAYS];
} Side;

// Both engines on one model, with the controls of a seed and the states that the engines passed through.
typedef struct Pair {
    const Peer* p;
    snModel* m;
    snData* d;
    mjModel* pm;
    mjData* pd;
    int steps, stride;
    double *ctrl, *states[2]; // [steps][nu], [steps][stride] of ours and theirs
} Pair;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static void* room(size_t count)
{
    double* p = calloc(count + 1, sizeof(double));
    if (!p) abort();
    return p;
}

// Noise that fades (Ornstein and Uhlenbeck's process), scaled to the range of each control.
static void makeControls(Pair* s, uint64_t seed)
{
    const int nu = s->m->nu;
    const double keep = exp(-s->m->opt.timestep / FADE), add = sqrt(1 - keep * keep);
    double* x = room((size_t)nu);
    for (int a = 0; a < nu; a++) x[a] = gaussian(&seed);
    for (int k = 0; k < s->steps; k++)
        for (int a = 0; a < nu; a++) {
            const double *range = s->m->actuator_ctrlrange + 2 * a, limited = s->m->actuator_ctrllimited[a];
            const double half = limited ? (range[1] - range[0]) / 2 : 1;
            const double middle = limited ? (range[1] + range[0]) / 2 : 0;
            x[a] = keep * x[a] + add * gaussian(&seed);
            s->ctrl[(size_t)k * (size_t)nu + (size_t)a] = middle + SPREAD * half * x[a];
        }
    free(x);
}

#define COPY(field, size) memcpy(x, d->field, sizeof(double) * (size_t)m->size), x += m->size;
#define WRITE(field, size) memcpy(d->field, x, sizeof(double) * (size_t)m->size), x += m->size;

// The functions of an engine, of the same names behind its own.
#define ENGINE(name, Model, Data, MODEL, DATA, RESET, STEP)                                                  \
    static void name##Reset(const Pair* s)                                                                   \
    {                                                                                                        \
        RESET;                                                                                               \
    }                                                                                                        \
    static void name##Step(const Pair* s, int k)                                                             \
    {                                                                                                        \
        const size_t nu = (size_t)s->m->nu;                                                                  \
        memcpy(DATA->ctrl, s->ctrl + (size_t)k * nu, nu * sizeof(double));                                   \
        STEP;                                                                                                \
    }                                                                                                        \
    static void name##Read(const Pair* s, double* x)                                                         \
    {                                                                                                        \
        const Model* m = MODEL;                                                                              \
        const Data* d = DATA;                                                                                \
        STATE(COPY)                                                                                          \
    }                                                                                                        \
    static void name##Write(const Pair* s, const double* x)                                                  \
    {                                                                                                        \
        const Model* m = MODEL;                                                                              \
        Data* d = DATA;                                                                                      \
        STATE(WRITE)                                                                                         \
    }

static void resetTheirs(const Pair* s)
{
    s->pm->nkey ? s->p->mj_resetDataKeyframe(s->pm, s->pd, 0) : s->p->mj_resetData(s->pm, s->pd);
}

static void resetOurs(const Pair* s)
{
    s->m->nkey ? sn_resetDataKeyframe(s->m, s->d, 0) : sn_resetData(s->m, s->d);
}

ENGINE(ours, snModel, snData, s->m, s->d, resetOurs(s), sn_step(s->m, s->d))
ENGINE(theirs, mjModel, mjData, s->pm, s->pd, resetTheirs(s), s->p->mj_step(s->pm, s->pd))

typedef struct Engine {
    void (*reset)(const Pair*);
    void (*step)(const Pair*, int k);
    void (*read)(const Pair*, double* x);
    void (*write)(const Pair*, const double* x);
} Engine;

static const Engine engines[2] = {{oursReset, oursStep, oursRead, oursWrite},
                                  {theirsReset, theirsStep, theirsRead, theirsWrite}};

static int theirIterations(const mjData* d)
{
    int sum = 0;
    for (int i = 0; i < (d->nisland > 0 ? d->nisland : 1) && i < mjNISLAND; i++) sum += d->solver_niter[i];
    return sum;
}

// Runs each engine once by itself, keeps its states and counts its work.
static void record(Pair* s, Side side[2])
{
    for (int e = 0; e < 2; e++) {
        engines[e].reset(s);
        for (int k = 0; k < s->steps; k++) {
            engines[e].read(s, s->states[e] + (size_t)k * (size_t)s->stride);
            engines[e].step(s, k);
            side[e].contacts += (double)(e ? s->pd->ncon : s->d->ncon) / s->steps;
            side[e].rows += (double)(e ? s->pd->nefc : s->d->nefc) / s->steps;
            side[e].iterations += (double)(e ? theirIterations(s->pd) : s->d->solver_niter) / s->steps;
        }
    }
}

// Steps [first, end) of one way; from given states also what it takes to write them.
static double timePiece(const Pair* s, int e, int way, int first, int end)
{
    const double start = now();
    for (int k = first; k < end; k++) {
        if (way != OWN) engines[e].write(s, s->states[way - FROM_OURS] + (size_t)k * (size_t)s->stride);
        engines[e].step(s, k);
    }
    return now() - start;
}

static void timeRounds(const Pair* s, Side side[2])
{
    double least[2][WAYS][PIECES] = {{{0}}};
    const double start = now();
    for (int round = 0; round < MAXROUNDS; round++) {
        if (round >= MINROUNDS && now() - start > BUDGET) break;
        for (int way = 0; way < WAYS; way++) {
            for (int e = 0; e < 2; e++) engines[e].reset(s);
            for (int i = 0; i < PIECES; i++)
                for (int e = 0; e < 2; e++) {
                    const double t = timePiece(s, e, way, s->steps * i / PIECES, s->steps * (i + 1) / PIECES);
                    if (!round || t < least[e][way][i]) least[e][way][i] = t;
                }
        }
    }
    for (int e = 0; e < 2; e++)
        for (int way = 0; way < WAYS; way++)
            for (int i = 0; i < PIECES; i++) side[e].us[way] += least[e][way][i] / s->steps;
}

// Whether a state was so bad that a step began anew: such a run says nothing.
static bool wentBad(const Pair* s)
{
    const snWarningStat* w = s->d->warning;
    const mjWarningStat* pw = s->pd->warning;
    return w[SN_WARN_BADQPOS].number || w[SN_WARN_BADQVEL].number || w[SN_WARN_BADQACC].number ||
           pw[mjWARN_BADQPOS].number || pw[mjWARN_BADQVEL].number || pw[mjWARN_BADQACC].number;
}

static int ascending(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double median(const double* x, size_t stride)
{
    double sorted[SEEDS];
    for (int i = 0; i < SEEDS; i++) sorted[i] = *(const double*)((const char*)x + (size_t)i * stride);
    qsort(sorted, SEEDS, sizeof *sorted, ascending);
    return (sorted[SEEDS / 2] + sorted[(SEEDS - 1) / 2]) / 2;
}

static void print(const Pair* s, const char* path, const Side side[SEEDS][2], bool bad)
{
    double ratio[WAYS][SEEDS], shown[2][4];
    const size_t stride = sizeof side[0];
    for (int e = 0; e < 2; e++) {
        shown[e][0] = median(&side[0][e].contacts, stride);
        shown[e][1] = median(&side[0][e].rows, stride);
        shown[e][2] = median(&side[0][e].iterations, stride);
        shown[e][3] = median(&side[0][e].us[OWN], stride);
    }
    for (int way = 0; way < WAYS; way++)
        for (int i = 0; i < SEEDS; i++) ratio[way][i] = side[i][1].us[way] / side[i][0].us[way];
    printf("| %s | %d | %d |", path, s->m->nv, s->steps);
    for (int k = 0; k < 3; k++) printf(" %.1f, %.1f |", shown[0][k], shown[1][k]);
    printf(" %.2f, %.2f |", shown[0][3], shown[1][3]);
    for (int way = 0; way < WAYS; way++) printf(" %.2f |", median(ratio[way], sizeof ratio[0][0]));
    printf("%s\n", bad ? " a run went bad" : "");
    fflush(stdout);
}

static void benchPair(Pair* s, const char* path)
{
    Side side[SEEDS][2] = {0};
    bool bad = false;
    s->steps = (int)(SECONDS / s->m->opt.timestep + 0.5);
    s->stride = s->m->nq + 2 * s->m->nv + s->m->na;
    s->ctrl = room((size_t)s->steps * (size_t)s->m->nu);
    for (int e = 0; e < 2; e++) s->states[e] = room((size_t)s->steps * (size_t)s->stride);
    for (int i = 0; i < SEEDS; i++) {
        makeControls(s, (uint64_t)i + 1);
        record(s, side[i]);
        bad |= wentBad(s);
        timeRounds(s, side[i]);
    }
    print(s, path, (const Side(*)[2])side, bad);
    free(s->ctrl);
    for (int e = 0; e < 2; e++) free(s->states[e]);
}

static bool benchModel(const Peer* p, const char* path)
{
    Engines e;
    const bool ok = openEngines(p, path, &e);
    if (ok) {
        Pair s = {.p = p, .m = e.m, .d = e.d, .pm = e.pm, .pd = e.pd};
        benchPair(&s, path);
    }
    closeEngines(p, &e);
    return ok;
}

int main(int argc, char** argv)
{
    Peer peer;
    if (argc < 3) {
        fprintf(stderr, "usage: bench_rollout PEER_LIBRARY MODEL...\n");
        return 2;
    }
    if (!openPeer(&peer, argv[1])) return 1;
    openPeersShapes(argv[1]);
    printf("Sinew %s against MuJoCo %d, one core, %g s, medians of %d seeds; ours first\n\n", sn_version(),
           peer.mj_version(), SECONDS, SEEDS);
    printf(
        "| model | dofs | steps | contacts | rows | iterations | us a step | ratio | from our states | from "
        "theirs |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    bool ok = true;
    for (int i = 2; i < argc; i++) ok &= benchModel(&peer, argv[i]);
    return ok ? 0 : 1;
}
