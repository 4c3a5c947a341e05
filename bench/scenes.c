// Time and memory of a step on large scenes, ours and the peer's, on one core, as a table in Markdown.
//
//   bench_scenes [--quick | --short] PEER_LIBRARY MODEL...
//
// States: ours runs each scene until it has settled, as the scene says, and a few steps between states. Both
// engines get these states, warm starts included, in one process in turns. The figure is the mean over blocks
// of states of the least time that any round took for the block. Memory is measured in a process of its own
// for each engine. Each scene runs in processes of its own, so that one that ends badly ends alone.
#include <sinew/sinew.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include "engine.h"

enum { STATES = 20, BLOCK = 5, NBLOCKS = STATES / BLOCK, SPACING = 7, MAXROUNDS = 61 };
enum { MANY_DOFS = 5000 }; // from there on one block of states
enum { PATIENCE = 60 };    // seconds for an engine in a scene
enum { STEP, COLLISION, NTIMES };

// How long to measure.
typedef struct Effort {
    int min_rounds;
    double seconds; // of measuring, unless the rounds take longer
    int settling;   // seconds that our run to the first state may take
} Effort;

// What the processes of a scene tell each other, in shared memory.
typedef struct Scene {
    const char* path;
    Effort effort;
    Sizes sizes;
    int nstates;
    const Engine* at_work; // who runs now: who is to blame when time runs out
    char trouble[200];     // why the scene is left out; "": it is not
    double contacts[2], rows[2];
    bool dropped[2];
    double times[2][NTIMES];        // of a step, us
    double model_mb[2], data_mb[2]; // negative: not known
    double states[];
} Scene;

static const Engine* const engines[2] = {&ours, &theirs};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static void leaveOut(Scene* s, const char* format, ...) __attribute__((format(printf, 2, 3)));

static void leaveOut(Scene* s, const char* format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(s->trouble, sizeof s->trouble, format, list);
    va_end(list);
}

static int stride(const Scene* s)
{
    return s->sizes.nq + 2 * s->sizes.nv + s->sizes.nu + s->sizes.na;
}

static const double* state(const Scene* s, int k)
{
    return s->states + (size_t)stride(s) * (size_t)k;
}

// From now on the engine runs, and is given so many seconds.
static void giveTime(Scene* s, const Engine* engine, int seconds)
{
    s->at_work = engine;
    alarm((unsigned)seconds);
}

static bool startEngine(Scene* s, const Engine* engine)
{
    if (engine->load(s->path) && engine->make()) return true;
    leaveOut(s, "%s does not load it", engine->name);
    return false;
}

// ---- the processes of a scene
// ------------------------------------------------------------------------------

// Bytes that a scene may have for its states; pages are taken when they are written.
enum { ROOM = 1 << 28 };

static void takeStates(Scene* s)
{
    giveTime(s, &ours, s->effort.settling);
    if (!startEngine(s, &ours)) return;
    s->sizes = ours.sizes();
    s->nstates = s->sizes.nv < MANY_DOFS ? STATES : BLOCK;
    if (sizeof *s + sizeof(double) * (size_t)stride(s) * (size_t)s->nstates > ROOM) {
        leaveOut(s, "its states need too much room");
        return;
    }
    settleOurs();
    for (int k = 0; k < s->nstates; k++) {
        copyState(s->states + (size_t)stride(s) * (size_t)k);
        advanceOurs(SPACING);
    }
}

// Adds the times of one block.
static void timeBlock(const Scene* s, const Engine* engine, int first, double* sum)
{
    for (int k = first; k < first + BLOCK; k++) {
        engine->set(state(s, k));
        const double start = now();
        engine->step();
        sum[STEP] += now() - start;
    }
    for (int k = first; k < first + BLOCK; k++) {
        engine->set(state(s, k));
        engine->place();
        const double start = now();
        engine->collide();
        sum[COLLISION] += now() - start;
    }
}

// One step of each state, for the work in it; false when the rounds to come would take too long.
static bool tryEngine(Scene* s, int i)
{
    giveTime(s, engines[i], PATIENCE);
    if (!startEngine(s, engines[i])) return false;
    const Sizes sizes = engines[i]->sizes();
    if (memcmp(&sizes, &s->sizes, sizeof sizes) != 0) {
        leaveOut(s, "the engines differ in their coordinates");
        return false;
    }
    const double start = now();
    for (int k = 0; k < s->nstates; k++) {
        engines[i]->set(state(s, k));
        engines[i]->step();
        const Work work = engines[i]->work();
        s->contacts[i] += (double)work.contacts / s->nstates;
        s->rows[i] += (double)work.rows / s->nstates;
        s->dropped[i] |= work.dropped;
    }
    if (s->effort.min_rounds * (now() - start) > 1e6 * PATIENCE) raise(SIGALRM);
    alarm(0);
    return true;
}

static void timeEngines(Scene* s)
{
    double least[2][NTIMES][NBLOCKS] = {{{0}}};
    if (!tryEngine(s, 0) || !tryEngine(s, 1)) return;
    const int nblocks = s->nstates / BLOCK;
    const double start = now();
    for (int round = 0; round < MAXROUNDS; round++) {
        for (int block = 0; block < nblocks; block++)
            for (int i = 0; i < 2; i++) {
                double sum[NTIMES] = {0};
                timeBlock(s, engines[i], block * BLOCK, sum);
                for (int t = 0; t < NTIMES; t++) {
                    double* x = &least[i][t][block];
                    if (*x == 0 || sum[t] < *x) *x = sum[t];
                }
            }
        if (round + 1 >= s->effort.min_rounds && now() - start > 1e6 * s->effort.seconds) break;
    }
    for (int i = 0; i < 2; i++)
        for (int t = 0; t < NTIMES; t++)
            for (int block = 0; block < nblocks; block++) s->times[i][t] += least[i][t][block] / s->nstates;
}

// Megabytes of this process's own pages that are in memory; negative where the system does not say.
static double resident(void)
{
    long pages = 0, resident = 0, shared = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    if (!file) return -1;
    const int n = fscanf(file, "%ld %ld %ld", &pages, &resident, &shared);
    fclose(file);
    return n == 3 ? 1e-6 * (double)(resident - shared) * (double)sysconf(_SC_PAGESIZE) : -1;
}

// Gives back what loading has freed, so that what follows does not hide in it.
static void trim(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

// The most that stays in memory over the states, beside what the model takes.
static void measureMemory(Scene* s, int i)
{
    giveTime(s, engines[i], PATIENCE);
    const double before = resident();
    s->model_mb[i] = s->data_mb[i] = -1;
    if (!engines[i]->load(s->path)) return;
    trim();
    const double loaded = resident();
    if (before < 0 || !engines[i]->make()) return;
    double most = 0;
    for (int k = 0; k < s->nstates; k++) {
        engines[i]->set(state(s, k));
        engines[i]->step();
        const double size = resident();
        if (size > most) most = size;
    }
    s->model_mb[i] = loaded - before;
    s->data_mb[i] = most - loaded;
}

static void measureOurs(Scene* s)
{
    measureMemory(s, 0);
}

static void measureTheirs(Scene* s)
{
    measureMemory(s, 1);
}

// Runs a task in a process of its own; false, with the scene left out, when it does not end well.
static bool run(Scene* s, void (*task)(Scene*))
{
    if (s->trouble[0]) return false;
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0) abort();
    if (child == 0) {
        const int quiet = open("/dev/null", O_WRONLY);
        dup2(quiet, 1);
        if (chdir("/tmp")) _exit(1); // where a log may be left
        task(s);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM && task == takeStates)
        leaveOut(s, "%s takes more than %d s to settle", s->at_work->name, s->effort.settling);
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        leaveOut(s, "%s takes more than a minute", s->at_work->name);
    else if (status)
        leaveOut(s, "%s ends with %s %d", s->at_work->name, WIFSIGNALED(status) ? "signal" : "status",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return !s->trouble[0];
}

// ---- the table
// ---------------------------------------------------------------------------------------------

static void printHead(void)
{
    printf("| scene | dofs | contacts | rows | Sinew us | MuJoCo us | ratio | collision | data MB | model MB "
           "|\n");
    printf("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
}

static void printMemory(const double* mb)
{
    if (mb[0] < 0 || mb[1] < 0)
        printf(" not known |");
    else
        printf(" %.1f, %.1f |", mb[0], mb[1]);
}

static void printScene(const Scene* s)
{
    const char* name = strrchr(s->path, '/') + 1;
    printf("| %.*s | ", (int)strcspn(name, "."), name);
    if (s->trouble[0]) {
        printf("%d | left out: %s |\n", s->sizes.nv, s->trouble);
        return;
    }
    const double(*t)[NTIMES] = s->times;
    printf("%d | %.1f, %.1f | %.1f, %.1f | ", s->sizes.nv, s->contacts[0], s->contacts[1], s->rows[0],
           s->rows[1]);
    printf("%.2f | %.2f | %.2f | %.2f |", t[0][STEP], t[1][STEP], t[1][STEP] / t[0][STEP],
           t[1][COLLISION] / t[0][COLLISION]);
    printMemory(s->data_mb);
    printMemory(s->model_mb);
    for (int i = 0; i < 2; i++)
        if (s->dropped[i]) printf(" %s dropped contacts or rows", engines[i]->name);
    printf("\n");
}

// False when the scene is left out for another reason than the peer's time.
static bool benchScene(const char* path, Effort effort)
{
    Scene* s = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (s == MAP_FAILED) abort();
    s->path = path;
    s->effort = effort;
    if (run(s, takeStates) && run(s, timeEngines) && run(s, measureOurs)) run(s, measureTheirs);
    printScene(s);
    fflush(stdout);
    const bool ok = !s->trouble[0] || s->at_work == &theirs;
    munmap(s, ROOM);
    return ok;
}

// What runs where; Linux tells the processor's name.
static void printMachine(void)
{
    char line[200] = "";
    FILE* file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "model name", 10) == 0) break;
    if (file) fclose(file);
    const char* name = strchr(line, ':');
    printf("Sinew %s against the newest MuJoCo, one core%s%s\n", sn_version(), name ? "," : "\n",
           name ? name + 1 : "");
}

int main(int argc, char** argv)
{
    const bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    const bool brief = argc > 1 && strcmp(argv[1], "--short") == 0;
    const int first = quick || brief ? 2 : 1;
    if (argc - first < 2) {
        fprintf(stderr, "usage: bench_scenes [--quick | --short] PEER_LIBRARY MODEL...\n");
        return 2;
    }
    if (!openTheirs(argv[first])) return 1;
    printMachine();
    printHead();
    const Effort effort = quick ? (Effort){1, 0.2, 60} : brief ? (Effort){3, 2, 60} : (Effort){3, 10, 600};
    bool ok = true;
    for (int i = first + 1; i < argc; i++) ok &= benchScene(argv[i], effort);
    return ok ? 0 : 1;
}
