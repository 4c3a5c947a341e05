// A step of free boxes and balls that lie upon each other, our rigid contact beside our soft one and other
// engines, in one process in turns, on one core.
//
//   bench_rigid [--quick] MUJOCO_LIBRARY ODE_LIBRARY BULLET_LIBRARY MODEL...
//
// The models are those of bench/scenes.py; ours and MuJoCo read them, the others are given the bodies that we
// have read. ODE's and Bullet's libraries are those that bench/run makes behind rigid.h; one that cannot be
// opened is left out. Each engine goes its own way from the start. After 200 steps the bodies' displacement
// and mean sink are taken. Timed are the steps from `settle`, which the scene names, to three times that,
// again and again from the start: pyramids of balls come apart later on in most engines. The figure is the
// median over batches of steps, contacts and sweeps are means. An engine that does not come to step `settle`
// in some seconds is timed as far as it goes. The second table has the sweeps that our methods need for one
// step from step `settle`.
#include <dlfcn.h>
#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "peer.h"
#include "rigid.h"

enum { MANY_STEPS = 200, MOST_BATCHES = 51, LEAST_BATCHES = 3 };
enum { FEW_SWEEPS = 10, ODE_SWEEPS = 20, BULLET_SWEEPS = 10 };

typedef struct Engine {
    const char* name;
    int sweeps; // where the engine is told how many
    void* (*make)(const RigidScene* scene);
    void (*delete)(void* world);
    void (*restart)(void* world); // NULL: a new world
    void (*step)(void* world);
    int (*contacts)(const void* world);
    void (*place)(const void* world, double* pos);
    int (*work)(const void* world); // sweeps or iterations of the last step; NULL: so many sweeps
} Engine;

// How long to measure, in seconds for all engines, and how long one may run to a state.
typedef struct Effort {
    double measuring, settling;
} Effort;

// An engine at work.
typedef struct Run {
    const Engine* engine;
    const RigidScene* scene; // as the engine gets it
    void* world;             // NULL: the engine is not here
    double patience;         // for settling, s
    bool slow;               // has not settled in that time: timed as it went there
    int step;                // from the start
    int moved;               // steps before the displacement was taken
    double largest, sink;    // displacement, m
    int nbatch, timed;
    double contacts, work, residual; // sums over timed steps; the largest
    double times[MOST_BATCHES];      // of a step, us
} Run;

static const char* path; // of the scene
static int settling;     // steps, as the scene says

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void* newMemory(size_t count, size_t size)
{
    void* memory = calloc(count, size);
    if (!memory) abort();
    return memory;
}

// ---- ours

typedef struct Ours {
    snModel* m;
    snData* d;
} Ours;

static void deleteOurs(void* world)
{
    Ours* o = world;
    sn_deleteData(o->d);
    sn_deleteModel(o->m);
    free(o);
}

static Ours* makeOurs(int contact)
{
    snError error;
    Ours* o = newMemory(1, sizeof *o);
    o->m = sn_loadModel(path, &(snLoadOptions){.physics = "3.3.7"}, &error); // as the pinned MuJoCo
    o->d = o->m ? sn_makeData(o->m) : NULL;
    if (o->d) {
        o->m->opt.contact = contact;
        return o;
    }
    fprintf(stderr, "bench: %s\n", o->m ? "no memory" : error.message);
    deleteOurs(o);
    return NULL;
}

static void* makeRigid(const RigidScene* scene)
{
    (void)scene;
    return makeOurs(SN_CONTACT_LCP);
}

// Where nothing comes to rest few sweeps do as well as many.
static void* makeShort(const RigidScene* scene)
{
    Ours* o = makeRigid(scene);
    if (o) o->m->opt.lcp_sweeps = FEW_SWEEPS;
    return o;
}

static void* makeSoft(const RigidScene* scene)
{
    (void)scene;
    return makeOurs(SN_CONTACT_SOFT);
}

static void restartOurs(void* world)
{
    const Ours* o = world;
    sn_resetData(o->m, o->d);
}

static void stepOurs(void* world)
{
    const Ours* o = world;
    sn_step(o->m, o->d);
}

static int contactsOurs(const void* world)
{
    const Ours* o = world;
    return o->d->ncon;
}

static void placeOurs(const void* world, double* pos)
{
    const Ours* o = world;
    for (int i = 0; i < o->m->njnt; i++)
        memcpy(pos + 3 * i, o->d->qpos + o->m->jnt_qposadr[i], 3 * sizeof *pos);
}

static int workOurs(const void* world)
{
    const Ours* o = world;
    return o->d->solver_niter;
}

// After how many steps the scene says that it has settled.
static int settleSteps(const snModel* m)
{
    const int id = sn_name2id(m, SN_OBJ_NUMERIC, "settle");
    if (id < 0) abort();
    return (int)m->numeric_data[m->numeric_adr[id]];
}

// ---- MuJoCo

typedef struct Theirs {
    mjModel* m;
    mjData* d;
} Theirs;

static Peer peer;

static void* makeTheirs(const RigidScene* scene)
{
    char message[1000] = "";
    Theirs* t = newMemory(1, sizeof *t);
    (void)scene;
    t->m = peer.mj_loadXML(path, NULL, message, sizeof message);
    t->d = t->m ? peer.mj_makeData(t->m) : NULL;
    if (t->d) return t;
    fprintf(stderr, "bench: MuJoCo: %s\n", message);
    free(t);
    return NULL;
}

static void deleteTheirs(void* world)
{
    Theirs* t = world;
    peer.mj_deleteData(t->d);
    peer.mj_deleteModel(t->m);
    free(t);
}

static void restartTheirs(void* world)
{
    const Theirs* t = world;
    peer.mj_resetData(t->m, t->d);
}

static void stepTheirs(void* world)
{
    const Theirs* t = world;
    peer.mj_step(t->m, t->d);
}

static int contactsTheirs(const void* world)
{
    const Theirs* t = world;
    return (int)t->d->ncon;
}

static void placeTheirs(const void* world, double* pos)
{
    const Theirs* t = world;
    for (int i = 0; i < (int)t->m->njnt; i++)
        for (int k = 0; k < 3; k++) pos[3 * i + k] = t->d->qpos[t->m->jnt_qposadr[i] + k];
}

static int workTheirs(const void* world)
{
    const Theirs* t = world;
    int most = 0;
    for (int i = 0; i < mjNISLAND; i++)
        if (t->d->solver_niter[i] > most) most = t->d->solver_niter[i];
    return most;
}

// ---- all of them

static Engine engines[] = {
    {"Sinew, rigid", 0, makeRigid, deleteOurs, restartOurs, stepOurs, contactsOurs, placeOurs, workOurs},
    {"Sinew, 10 sweeps", 0, makeShort, deleteOurs, restartOurs, stepOurs, contactsOurs, placeOurs, workOurs},
    {"Sinew, soft", 0, makeSoft, deleteOurs, restartOurs, stepOurs, contactsOurs, placeOurs, workOurs},
    {"MuJoCo, Newton", 0, makeTheirs, deleteTheirs, restartTheirs, stepTheirs, contactsTheirs, placeTheirs,
     workTheirs},
    {.name = "ODE, quick step", .sweeps = ODE_SWEEPS},
    {.name = "Bullet (float)", .sweeps = BULLET_SWEEPS},
};
enum { NENGINES = sizeof engines / sizeof engines[0] };

static bool isRigid(const Engine* e)
{
    return e->make == makeRigid || e->make == makeShort;
}

static void openLibrary(Engine* e, const char* file)
{
    void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        printf("%s is left out: %s\n", e->name, dlerror());
        return;
    }
    const char* const names[] = {"rigidDelete", "rigidStep", "rigidContacts", "rigidPlace", "rigidMake"};
    void* const functions[] = {&e->delete, &e->step, &e->contacts, &e->place, &e->make};
    for (int i = 0; i < 5; i++) {
        void* symbol = dlsym(library, names[i]);
        if (!symbol) abort();
        memcpy(functions[i], &symbol, sizeof symbol);
    }
}

// The bodies of the scene as the other engines get them. False: the model does not load.
static bool readScene(RigidScene* s)
{
    Ours* o = makeOurs(SN_CONTACT_SOFT);
    if (!o) return false;
    const snModel* m = o->m;
    RigidBody* body = newMemory((size_t)m->njnt, sizeof *body);
    *s = (RigidScene){.count = m->njnt,
                      .body = body,
                      .timestep = m->opt.timestep,
                      .mu = m->geom_friction[0],
                      .gravity = {m->opt.gravity[0], m->opt.gravity[1], m->opt.gravity[2]}};
    for (int i = 0; i < m->njnt; i++) {
        const int id = m->jnt_bodyid[i], geom = m->body_geomadr[id];
        const double* qpos = m->qpos0 + m->jnt_qposadr[i];
        body[i].mass = m->body_mass[id];
        memcpy(body[i].half, m->geom_size + 3 * geom, sizeof body[i].half);
        memcpy(body[i].pos, qpos, sizeof body[i].pos);
        memcpy(body[i].quat, qpos + 3, sizeof body[i].quat);
    }
    settling = settleSteps(m);
    deleteOurs(o);
    return true;
}

static void restart(Run* r)
{
    if (r->engine->restart) {
        r->engine->restart(r->world);
    } else {
        r->engine->delete (r->world);
        r->world = r->engine->make(r->scene);
        if (!r->world) abort();
    }
    r->step = 0;
}

// To so many steps from the start, as far as patience goes.
static void advance(Run* r, int steps)
{
    const double start = now();
    while (r->step < steps && now() - start < r->patience) {
        r->engine->step(r->world);
        r->step++;
    }
}

static void measurePlace(Run* r)
{
    const RigidScene* s = r->scene;
    double* pos = newMemory(3 * (size_t)s->count, sizeof *pos);
    advance(r, MANY_STEPS);
    r->moved = r->step;
    r->engine->place(r->world, pos);
    for (int i = 0; i < s->count; i++) {
        const double *p = pos + 3 * i, *q = s->body[i].pos;
        r->largest = fmax(r->largest, hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]));
        r->sink += (q[2] - p[2]) / s->count;
    }
    free(pos);
    restart(r);
    const double start = now();
    advance(r, settling);
    if (r->step == settling) return;
    r->slow = true;
    r->times[r->nbatch++] = 1e6 * (now() - start) / r->step;
    r->contacts = r->engine->contacts(r->world);
    r->work = r->engine->work ? r->engine->work(r->world) : r->engine->sweeps;
    r->timed = 1;
}

static double timeStep(Run* r)
{
    if (r->step >= 3 * settling) {
        restart(r);
        advance(r, settling);
    }
    const double start = now();
    r->engine->step(r->world);
    const double time = now() - start;
    r->step++;
    return time;
}

// About 20 ms, after a step that brings back what the others have put out of the cache.
static void timeBatch(Run* r)
{
    double sum = 0;
    int steps = 0;
    timeStep(r);
    for (; steps == 0 || sum < 0.02; steps++) {
        sum += timeStep(r);
        r->contacts += r->engine->contacts(r->world);
        r->work += r->engine->work ? r->engine->work(r->world) : r->engine->sweeps;
        if (isRigid(r->engine)) r->residual = fmax(r->residual, ((const Ours*)r->world)->d->solver_residual);
    }
    r->timed += steps;
    r->times[r->nbatch++] = 1e6 * sum / steps;
}

static int ascending(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double median(Run* r)
{
    qsort(r->times, (size_t)r->nbatch, sizeof r->times[0], ascending);
    return r->times[r->nbatch / 2];
}

static void printRun(Run* r, double ours)
{
    const char* file = strrchr(path, '/') + 1;
    const double t = median(r), contacts = r->contacts / r->timed;
    printf("| %.*s | %s | %.1f | %.1f | %.2f | %.3f | %.1f |", (int)strcspn(file, "."), file, r->engine->name,
           contacts, t, t / ours, t / contacts, r->work / r->timed);
    if (isRigid(r->engine))
        printf(" %.0e |", r->residual);
    else
        printf(" |");
    printf(" %.5f | %.5f |", r->largest, r->sink);
    if (r->moved < MANY_STEPS) printf(" after %d steps", r->moved);
    printf("\n");
}

static void timeAll(Run* runs, double seconds)
{
    const double start = now();
    for (int batch = 0; batch < MOST_BATCHES; batch++) {
        // one batch does where some engine takes seconds for a step
        if (batch > 0 && now() - start > (batch < LEAST_BATCHES ? 5 * seconds : seconds)) return;
        for (int i = 0; i < NENGINES; i++)
            if (runs[i].world && !runs[i].slow) timeBatch(&runs[i]);
    }
}

static bool benchScene(Effort effort)
{
    RigidScene scene, told[NENGINES];
    if (!readScene(&scene)) return false;
    Run* runs = newMemory(NENGINES, sizeof *runs);
    for (int i = 0; i < NENGINES; i++) {
        const Engine* e = &engines[i];
        told[i] = scene;
        told[i].sweeps = e->sweeps;
        runs[i] = (Run){.engine = e, .scene = &told[i], .patience = effort.settling};
        runs[i].world = e->make ? e->make(&told[i]) : NULL;
        if (!runs[i].world && e->make) return false;
        if (runs[i].world) measurePlace(&runs[i]);
    }
    timeAll(runs, effort.measuring);
    for (int i = 0; i < NENGINES; i++) {
        if (!runs[i].world) continue;
        printRun(&runs[i], median(&runs[0]));
        engines[i].delete(runs[i].world);
    }
    fflush(stdout);
    free(runs);
    free((void*)scene.body);
    return true;
}

// ---- sweeps

// Sweeps of one step from a state, as text.
static void printSweeps(Ours* o, const snData* state, int method, bool warm)
{
    enum { MOST = 1000 };
    snOption* opt = &o->m->opt;
    opt->lcp_method = method;
    opt->lcp_omega = method == SN_LCP_JACOBI ? 0 : 1; // Jacobi: from the spectral radius
    opt->lcp_tolerance = 1e-4;
    opt->lcp_sweeps = MOST;
    opt->lcp_fallback = 0;
    sn_copyData(o->d, o->m, state);
    if (!warm) o->d->nimpulse = 0;
    sn_step(o->m, o->d);
    if (o->d->solver_residual > opt->lcp_tolerance)
        printf(" > %d (%.0e) |", MOST, o->d->solver_residual);
    else
        printf(" %d |", o->d->solver_niter);
}

static void countSweeps(void)
{
    static const int methods[] = {SN_LCP_JACOBI, SN_LCP_GS, SN_LCP_BLOCKGS};
    const char* file = strrchr(path, '/') + 1;
    Ours* o = makeOurs(SN_CONTACT_LCP);
    snData* state = o ? sn_makeData(o->m) : NULL;
    if (!state) abort();
    for (int i = settleSteps(o->m); i > 0; i--) stepOurs(o);
    sn_copyData(state, o->m, o->d);
    printf("| %.*s |", (int)strcspn(file, "."), file);
    for (int i = 0; i < 3; i++)
        for (int warm = 0; warm <= 1; warm++) printSweeps(o, state, methods[i], warm);
    printf("\n");
    fflush(stdout);
    sn_deleteData(state);
    deleteOurs(o);
}

int main(int argc, char** argv)
{
    const bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    const Effort effort = quick ? (Effort){0.3, 1} : (Effort){2, 5};
    argv += quick;
    argc -= quick;
    if (argc < 5) {
        fprintf(stderr, "usage: bench_rigid [--quick] MUJOCO ODE BULLET MODEL...\n");
        return 2;
    }
    if (!openPeer(&peer, argv[1])) return 1;
    openLibrary(&engines[NENGINES - 2], argv[2]);
    openLibrary(&engines[NENGINES - 1], argv[3]);
    printf("Sinew %s against MuJoCo %d, ODE and Bullet, one core; times in us a step\n\n", sn_version(),
           peer.mj_version());
    printf("| scene | engine | contacts | us | ratio | us a contact | sweeps | residual | displacement m | "
           "mean sink "
           "m |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int i = 4; i < argc; i++) {
        path = argv[i];
        if (!benchScene(effort)) return 1;
    }
    printf("\nSweeps to a residual of 1e-4\n\n| scene | Jacobi, cold | warm | Gauss-Seidel, cold | warm | "
           "blocks, cold | warm |\n| --- | --- | --- | --- | --- | --- | --- |\n");
    for (int i = 4; i < argc; i++) {
        path = argv[i];
        countSweeps();
    }
    return 0;
}
