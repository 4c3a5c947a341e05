// Dynamics of robots, ours beside Pinocchio's, from the same states in turns, on one core.
//
//   bench_dynamics PINOCCHIO_LIBRARY ROBOT...
//
// A robot is a path that bench/robots.py prints: the same tree of bodies for both, without geometry. Before
// anything is timed its numbers must agree. A figure is the median over the batches, each of which visits all
// states; where Pinocchio has two ways, its faster one counts.
#include <dlfcn.h>
#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "gaussian.h"
#include "robots.h"

enum { NSTATES = 16, NBATCHES = 201 };

typedef struct Library {
    void* (*robot)(const char* path);
    void (*sizes)(const void* robot, int* nbody, int* nq, int* nv);
    void (*set_state)(void* robot, int k, const double* qpos, const double* qvel, const double* qacc,
                      const double* tau);
    void (*run)(void* robot, int task, int k);
    void (*result)(void* robot, int task, int k, double* out);
} Library;

typedef struct State {
    double *qpos, *qvel, *qacc, *tau;
} State;

typedef struct Bench {
    const Library* pin;
    void* robot;
    snModel* m;
    snData* d;
    State states[NSTATES];
    bool stages; // ours are the stages of the step, else the functions of dynamics.h
    double *ours, *theirs, *xpos, *xmat;
} Bench;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static double* newNumbers(int count)
{
    double* x = calloc((size_t)count + 1, sizeof *x);
    if (!x) abort();
    return x;
}

// ---- ours

static void position(const Bench* b, const State* s)
{
    memcpy(b->d->qpos, s->qpos, sizeof(double) * (size_t)b->m->nq);
    sn_kinematics(b->m, b->d);
}

static void mass(const Bench* b, const State* s)
{
    position(b, s);
    sn_comPos(b->m, b->d);
    sn_crb(b->m, b->d);
    sn_factorM(b->m, b->d);
}

static void inverse(const Bench* b, const State* s)
{
    const size_t size = sizeof(double) * (size_t)b->m->nv;
    position(b, s);
    memcpy(b->d->qvel, s->qvel, size);
    memcpy(b->d->qacc, s->qacc, size);
    sn_comPos(b->m, b->d);
    sn_comVel(b->m, b->d);
    sn_rne(b->m, b->d, 1, b->ours);
}

static void forward(const Bench* b, const State* s)
{
    mass(b, s);
    memcpy(b->d->qvel, s->qvel, sizeof(double) * (size_t)b->m->nv);
    sn_comVel(b->m, b->d);
    sn_rne(b->m, b->d, 0, b->d->qfrc_bias);
    for (int i = 0; i < b->m->nv; i++) b->ours[i] = s->tau[i] - b->d->qfrc_bias[i];
    sn_solveM(b->m, b->d, b->ours, b->ours, 1);
}

// By q, v and a: what they need first is part of it.
static void inverseDerivative(const Bench* b, const State* s)
{
    const int size = b->m->nv * b->m->nv;
    snError error;
    inverse(b, s);
    sn_crb(b->m, b->d);
    sn_rneDerivative(b->m, b->d, s->qacc, b->ours, b->ours + size, b->ours + 2 * size, &error);
}

// By q, v and tau.
static void forwardDerivative(const Bench* b, const State* s)
{
    const int size = b->m->nv * b->m->nv;
    snError error;
    forward(b, s);
    memcpy(b->d->qacc, b->ours, sizeof(double) * (size_t)b->m->nv);
    sn_forwardDynamicsDerivative(b->m, b->d, b->d->qacc, b->ours, b->ours + size, b->ours + 2 * size, &error);
}

static void run(const Bench* b, int task, int k)
{
    const State* s = b->states + k;
    switch (task) {
    case PIN_POSES:
        if (b->stages)
            position(b, s);
        else
            sn_bodyPoses(b->m, b->d, s->qpos, b->xpos, b->xmat);
        break;
    case PIN_INVERSE:
        if (b->stages)
            inverse(b, s);
        else
            sn_inverseDynamics(b->m, b->d, s->qpos, s->qvel, s->qacc, b->ours);
        break;
    case PIN_MASS:
        if (b->stages)
            mass(b, s);
        else
            sn_massMatrix(b->m, b->d, s->qpos, b->d->qM, b->d->qLD, b->d->qLDiagInv);
        break;
    case PIN_INVERSE_DERIVATIVE: inverseDerivative(b, s); break;
    case PIN_FORWARD_DERIVATIVE: forwardDerivative(b, s); break;
    default: forward(b, s);
    }
}

static int result(const Bench* b, int task, int k)
{
    const int nv = b->m->nv, n = b->m->nbody - 1;
    run(b, task, k);
    switch (task) {
    case PIN_POSES:
        memcpy(b->ours, (b->stages ? b->d->xpos : b->xpos) + 3, sizeof(double) * 3 * (size_t)n);
        memcpy(b->ours + 3 * n, (b->stages ? b->d->xmat : b->xmat) + 9, sizeof(double) * 9 * (size_t)n);
        return 12 * n;
    case PIN_MASS:
        sn_fullM(b->m, b->d->qM, b->ours);
        sn_solveM(b->m, b->d, b->ours + nv * nv, b->states[k].tau, 1);
        return nv * nv + nv;
    case PIN_INVERSE_DERIVATIVE:
    case PIN_FORWARD_DERIVATIVE: return 3 * nv * nv;
    default: return nv;
    }
}

// ----

// The largest difference of a task's results over all states, beside the largest result.
static double difference(const Bench* b, int task, int theirs)
{
    double largest = 0, most = 0;
    for (int k = 0; k < NSTATES; k++) {
        b->pin->run(b->robot, theirs, k);
        b->pin->result(b->robot, theirs, k, b->theirs);
        const int count = result(b, task, k);
        for (int i = 0; i < count; i++) {
            largest = fmax(largest, fabs(b->theirs[i]));
            most = fmax(most, fabs(b->ours[i] - b->theirs[i]));
        }
    }
    return most / largest;
}

static int ascending(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double median(double* times)
{
    qsort(times, NBATCHES, sizeof *times, ascending);
    return times[NBATCHES / 2];
}

// A task of ours and the ways of theirs from `first` on. Returns whether the numbers agree.
static bool printTask(Bench* b, const char* name, int task, int ways)
{
    static double times[3][NBATCHES];
    double off = 0;
    // derivatives along the tangents of two different free joints are other numbers: tests know the map
    const bool same = task < PIN_INVERSE_DERIVATIVE || b->m->nq == b->m->nv;
    for (int w = 0; w < ways && same; w++) off = fmax(off, difference(b, task, task + w));
    for (int batch = 0; batch < NBATCHES; batch++)
        for (int e = 0; e <= ways; e++) {
            const double start = now();
            for (int k = 0; k < NSTATES; k++)
                if (e == 0)
                    run(b, task, k);
                else
                    b->pin->run(b->robot, task + e - 1, k);
            times[e][batch] = (now() - start) / NSTATES;
        }
    const double ours = median(times[0]);
    double theirs = INFINITY;
    for (int e = 1; e <= ways; e++) theirs = fmin(theirs, median(times[e]));
    printf("  %-32s %9.2f %9.2f %8.2f %12.1e\n", name, ours, theirs, theirs / ours, off);
    fflush(stdout);
    return off < 1e-9;
}

static void makeStates(Bench* b)
{
    const snModel* m = b->m;
    uint64_t seed = 1;
    for (int k = 0; k < NSTATES; k++) {
        State* s = b->states + k;
        *s = (State){newNumbers(m->nq), newNumbers(m->nv), newNumbers(m->nv), newNumbers(m->nv)};
        for (int i = 0; i < m->nv; i++) {
            s->qvel[i] = gaussian(&seed);
            s->qacc[i] = gaussian(&seed);
            s->tau[i] = gaussian(&seed);
        }
        memcpy(s->qpos, m->qpos0, sizeof(double) * (size_t)m->nq);
        sn_integratePos(m, s->qpos, s->qvel, 0.7);
        b->pin->set_state(b->robot, k, s->qpos, s->qvel, s->qacc, s->tau);
    }
}

static bool openRobot(Bench* b, const char* file)
{
    char path[4096];
    snError error;
    int nbody, nq, nv;
    snprintf(path, sizeof path, "%s.tree", file);
    b->robot = b->pin->robot(path);
    if (!b->robot) {
        fprintf(stderr, "bench: cannot read %s\n", path);
        return false;
    }
    snprintf(path, sizeof path, "%s.xml", file);
    b->m = sn_loadModel(path, NULL, &error);
    if (!b->m) {
        fprintf(stderr, "bench: %s\n", error.message);
        return false;
    }
    b->pin->sizes(b->robot, &nbody, &nq, &nv);
    if (b->m->nbody != nbody + 1 || b->m->nq != nq || b->m->nv != nv) {
        fprintf(stderr, "bench: %s: other sizes\n", file);
        return false;
    }
    b->d = sn_makeData(b->m);
    if (!b->d) abort();
    b->xpos = newNumbers(3 * nbody + 3);
    b->xmat = newNumbers(9 * nbody + 9);
    b->ours = newNumbers(3 * nv * nv + 12 * nbody);
    b->theirs = newNumbers(3 * nv * nv + 12 * nbody);
    return true;
}

static bool benchRobot(Bench* b, const char* file)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    if (!openRobot(b, file)) return false;
    makeStates(b);
    printf("\n%s: %d bodies, %d dofs\n  %-32s %9s %9s %8s %12s\n", name, b->m->nbody - 1, b->m->nv, "", "us",
           "Pinocchio", "ratio", "difference");
    bool good = true;
    good &= printTask(b, "poses of all bodies", PIN_POSES, 1);
    good &= printTask(b, "inverse dynamics", PIN_INVERSE, 1);
    good &= printTask(b, "mass matrix and factor", PIN_MASS, 2);
    b->stages = true;
    good &= printTask(b, "poses, by stages", PIN_POSES, 1);
    good &= printTask(b, "inverse dynamics, by stages", PIN_INVERSE, 1);
    good &= printTask(b, "mass matrix, by stages", PIN_MASS, 2);
    good &= printTask(b, "forward dynamics, by stages", PIN_FORWARD, 2);
    good &= printTask(b, "derivative of inverse dynamics", PIN_INVERSE_DERIVATIVE, 1);
    good &= printTask(b, "derivative of forward dynamics", PIN_FORWARD_DERIVATIVE, 1);
    if (!good) fprintf(stderr, "bench: %s: numbers differ\n", name);
    return good;
}

static bool openLibrary(Library* pin, const char* path)
{
    static const char* const names[] = {"pinRobot", "pinSizes", "pinSetState", "pinRun", "pinResult"};
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void* symbols[5];
    for (int i = 0; library && i < 5; i++) {
        symbols[i] = dlsym(library, names[i]);
        if (!symbols[i]) library = NULL;
    }
    if (!library) {
        fprintf(stderr, "bench: %s\n", dlerror());
        return false;
    }
    _Static_assert(sizeof symbols == sizeof *pin, "one pointer a function");
    memcpy(pin, symbols, sizeof symbols);
    return true;
}

int main(int argc, char** argv)
{
    Library pin;
    if (argc < 3) {
        fprintf(stderr, "usage: bench_dynamics PINOCCHIO_LIBRARY ROBOT...\n");
        return 2;
    }
    if (!openLibrary(&pin, argv[1])) return 1;
    printf("Dynamics of robots: Sinew %s, one core, %d states\n", sn_version(), NSTATES);
    bool good = true;
    for (int i = 2; i < argc; i++) {
        Bench b = {.pin = &pin};
        good &= benchRobot(&b, argv[i]);
    }
    return good ? 0 : 1;
}
