// The acceleration of a chain of closed loops, ours beside Pinocchio's and MuJoCo's, from the same states in
// turns, on one core.
//
//   bench_loops MUJOCO_LIBRARY [PINOCCHIO_LIBRARY]
//
// The chain: planar four-bars of thin rods, 2 kg a metre, ground 0.5 m, crank 0.3, coupler 0.55, rocker 0.4,
// the first on the world, each of the others on the tip of the coupler before it, turned with it. Gravity is
// along -z. A loop is a revolute loop joint for us, a 3D point for Pinocchio, a connect for MuJoCo, where it
// is soft. States: closed, at rest and moving, around a crank at 1.2 rad. A figure is the median over the
// batches, each of which visits all states.
#include <dlfcn.h>
#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "gaussian.h"
#include "peer.h"
#include "pinocchio.h"

enum { NSTATES = 16, NBATCHES = 101 };

// What is timed.
enum { OURS, FORWARD, STEP_PEER, FORWARD_PEER, TREE, CONSTRAINT, LCABA, NENGINES };

typedef struct Bench {
    int bars;
    const Peer* p;
    snModel* m;
    snData *d, *d_forward;
    mjModel* pm;
    mjData* pd;
    void* chain; // Pinocchio's; NULL: there is none
    void (*pin)(void* chain, int method, const double* q, const double* v, double* a);
    double *states, *zero; // q [nv] and v [nv] of each; tau
    double* qacc[NENGINES];
} Bench;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

// ---- the model as MJCF

static void rod(FILE* f, double x, double length)
{
    const double mass = 2 * length, moment = mass * length * length / 12;
    fprintf(f,
            "<body pos='%g 0 0'><joint axis='0 1 0'/><inertial pos='%g 0 0' mass='%.17g' diaginertia='%.17g "
            "%.17g "
            "%.17g'/>\n",
            x, length / 2, mass, 1e-12, moment, moment);
}

// The bars from number i on, whose ground begins at x of the body around.
static void bars(FILE* f, int i, int count, double x)
{
    if (i == count) return;
    rod(f, x + 0.5, 0.4);
    fprintf(f, "<site name='r%d' pos='.4 0 0' euler='90 0 0'/></body>\n", i);
    rod(f, x, 0.3);
    rod(f, 0.3, 0.55);
    fprintf(f, "<site name='c%d' pos='.55 0 0' euler='90 0 0'/>\n", i);
    bars(f, i + 1, count, 0.55);
    fprintf(f, "</body></body>\n");
}

// A new string. exact: loop joints; else connects.
static char* modelText(int count, bool exact)
{
    char* text = NULL;
    size_t size;
    FILE* f = open_memstream(&text, &size);
    if (!f) abort();
    fprintf(f, "<mujoco><option gravity='0 0 -9.81'/><size memory='64M'/><worldbody>");
    bars(f, 0, count, 0);
    fprintf(f, "</worldbody>%s", exact ? "<custom>" : "<equality>");
    for (int i = 0; i < count; i++)
        fprintf(f,
                exact ? "<text name='sinew_loop_%d' data='revolute c%d r%d'/>"
                      : "<connect name='%d' site1='c%d' site2='r%d'/>",
                i, i, i);
    fprintf(f, "%s</mujoco>", exact ? "</custom>" : "</equality>");
    fclose(f);
    return text;
}

static bool save(const char* path, const char* text)
{
    FILE* f = fopen(path, "w");
    return f && fputs(text, f) >= 0 && fclose(f) == 0;
}

// ----

static double* newNumbers(int count)
{
    double* x = calloc((size_t)count, sizeof *x);
    if (!x) abort();
    return x;
}

static void setState(const Bench* b, int k, double* qpos, double* qvel)
{
    const size_t nv = (size_t)b->m->nv;
    memcpy(qpos, b->states + 2 * nv * (size_t)k, nv * sizeof(double));
    memcpy(qvel, b->states + 2 * nv * (size_t)k + nv, nv * sizeof(double));
}

// The angles of a closed four-bar whose crank stands at an angle: those of our joints, in the order rocker,
// crank, coupler, which turn z to x where the angles here turn x to z.
static void closeBar(double crank, double* q)
{
    const double x = 0.3 * cos(crank), z = 0.3 * sin(crank), way = hypot(x - 0.5, z);
    const double rocker = atan2(z, x - 0.5) - acos((way * way + 0.4 * 0.4 - 0.55 * 0.55) / (2 * 0.4 * way));
    const double coupler = atan2(0.4 * sin(rocker) - z, 0.5 + 0.4 * cos(rocker) - x);
    q[0] = -rocker;
    q[1] = -crank;
    q[2] = crank - coupler;
}

static void makeStates(Bench* b)
{
    const int nv = b->m->nv, bars = b->bars;
    uint64_t seed = 1;
    double* G = newNumbers(nv * bars);
    b->states = newNumbers(2 * nv * NSTATES);
    b->zero = newNumbers(nv);
    for (int k = 0; k < NSTATES; k++) {
        double *q = b->states + 2 * nv * k, *v = q + nv;
        for (int i = 0; i < bars; i++) closeBar(1.2 + (k ? 0.2 * gaussian(&seed) : 0), q + 3 * i);
        memcpy(b->d->qpos, q, sizeof(double) * (size_t)nv);
        sn_fwdPosition(b->m, b->d);
        sn_loopG(b->m, b->d, G);
        for (int y = 0; y < bars; y++) {
            const double rate = k ? 0.5 * gaussian(&seed) : 0;
            for (int i = 0; i < nv; i++) v[i] += G[i * bars + y] * rate;
        }
    }
    free(G);
}

static void run(const Bench* b, int engine, int k)
{
    const double *q = b->states + 2 * b->m->nv * k, *v = q + b->m->nv;
    switch (engine) {
    case OURS:
        setState(b, k, b->d->qpos, b->d->qvel);
        sn_loopDynamics(b->m, b->d, b->zero, b->qacc[engine]);
        break;
    case FORWARD:
        setState(b, k, b->d_forward->qpos, b->d_forward->qvel);
        sn_forward(b->m, b->d_forward);
        memcpy(b->qacc[engine], b->d_forward->qacc, sizeof(double) * (size_t)b->m->nv);
        break;
    case STEP_PEER:
    case FORWARD_PEER:
        setState(b, k, b->pd->qpos, b->pd->qvel);
        (engine == STEP_PEER ? b->p->mj_step : b->p->mj_forward)(b->pm, b->pd);
        memcpy(b->qacc[engine], b->pd->qacc, sizeof(double) * (size_t)b->m->nv);
        break;
    default: b->pin(b->chain, engine - TREE, q, v, b->qacc[engine]);
    }
}

// The largest difference of the accelerations of two engines over all states, beside the largest
// acceleration.
static double difference(const Bench* b, int engine)
{
    double largest = 0, most = 0;
    for (int k = 0; k < NSTATES; k++) {
        run(b, OURS, k);
        run(b, engine, k);
        for (int i = 0; i < b->m->nv; i++) {
            largest = fmax(largest, fabs(b->qacc[OURS][i]));
            most = fmax(most, fabs(b->qacc[OURS][i] - b->qacc[engine][i]));
        }
    }
    return most / largest;
}

static int ascending(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// Who holds the loops exactly must agree. Returns whether they do.
static bool printTimes(const Bench* b)
{
    static double times[NENGINES][NBATCHES];
    static const char* const names[NENGINES] = {"sn_loopDynamics",    "sn_forward",
                                                "mj_step, connect",   "mj_forward, connect",
                                                "pin aba, tree only", "pin constraintDynamics",
                                                "pin lcaba"};
    const int engines = b->chain ? NENGINES : TREE;
    int batches = 0;
    for (const double start = now(); batches < NBATCHES && now() - start < 1e6 * 3; batches++)
        for (int e = 0; e < engines; e++) {
            const int visits = 1 + 64 / b->bars / b->bars;
            const double before = now();
            for (int i = 0; i < visits; i++)
                for (int k = 0; k < NSTATES; k++) run(b, e, k);
            times[e][batches] = (now() - before) / (NSTATES * visits);
        }
    run(b, OURS, 0);
    double norm = 0;
    for (int i = 0; i < b->m->nv; i++) norm += b->qacc[OURS][i] * b->qacc[OURS][i];
    printf("\nN = %d, %d dofs; |qacc| at rest %.12f\n  %-24s %9s %8s %12s\n", b->bars, b->m->nv, sqrt(norm),
           "", "us", "ratio", "difference");
    for (int e = 0; e < engines; e++) qsort(times[e], (size_t)batches, sizeof(double), ascending);
    bool agree = true;
    for (int e = 0; e < engines; e++) {
        const double t = times[e][batches / 2], off = difference(b, e);
        printf("  %-24s %9.2f %8.2f %12.1e\n", names[e], t, t / times[OURS][batches / 2], off);
        if ((e == FORWARD || e == CONSTRAINT) && !(off < 1e-8)) agree = false;
    }
    fflush(stdout);
    if (!agree) fprintf(stderr, "bench: accelerations of N = %d differ\n", b->bars);
    return agree;
}

static bool openModels(Bench* b)
{
    const char* path = "build/bench-loops.xml";
    char message[1000] = "";
    snError error;
    for (int exact = 1; exact >= 0; exact--) {
        char* text = modelText(b->bars, exact);
        const bool saved = save(path, text);
        free(text);
        if (!saved) {
            fprintf(stderr, "bench: cannot write %s\n", path);
            return false;
        }
        if (exact) {
            b->m = sn_loadModel(path, NULL, &error);
            if (!b->m) {
                fprintf(stderr, "bench: %s\n", error.message);
                return false;
            }
        }
    }
    b->pm = b->p->mj_loadXML(path, NULL, message, sizeof message);
    if (!b->pm) fprintf(stderr, "bench: %s\n", message);
    return b->pm != NULL;
}

static bool benchChain(Bench* b)
{
    if (!openModels(b)) return false;
    b->d = sn_makeData(b->m);
    b->d_forward = sn_makeData(b->m);
    b->pd = b->p->mj_makeData(b->pm);
    if (!b->d || !b->d_forward || !b->pd) return false;
    for (int e = 0; e < NENGINES; e++) b->qacc[e] = newNumbers(b->m->nv);
    makeStates(b);
    return printTimes(b);
}

int main(int argc, char** argv)
{
    static const int counts[] = {1, 4, 16, 64};
    Peer peer;
    if (argc < 2) {
        fprintf(stderr, "usage: bench_loops MUJOCO_LIBRARY [PINOCCHIO_LIBRARY]\n");
        return 2;
    }
    if (!openPeer(&peer, argv[1])) return 1;
    void* library = argc > 2 ? dlopen(argv[2], RTLD_NOW | RTLD_LOCAL) : NULL;
    void* (*make)(int bars) = NULL;
    Bench b = {.p = &peer};
    if (library) {
        void *chain = dlsym(library, "pinChain"), *accelerate = dlsym(library, "pinAccelerate");
        memcpy(&make, &chain, sizeof chain);
        memcpy(&b.pin, &accelerate, sizeof accelerate);
    } else {
        printf("Pinocchio is not here%s%s; ours and MuJoCo's alone\n", argc > 2 ? ": " : "",
               argc > 2 ? dlerror() : "");
    }
    printf("Acceleration of chains of four-bars: Sinew %s, MuJoCo %d, one core, %d states\n", sn_version(),
           peer.mj_version(), NSTATES);
    for (int i = 0; i < 4; i++) {
        b.bars = counts[i];
        b.chain = make ? make(counts[i]) : NULL;
        if (!benchChain(&b)) return 1;
    }
    return 0;
}
