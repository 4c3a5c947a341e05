// Time to load a model from its file, ours and that of two other libraries, one core of work at a time, in
// turns.
//
//   bench_load COUNT PINNED_LIBRARY NEWEST_LIBRARY MODEL...
//
// Of the models that ours and the pinned library load, the COUNT on which the pinned one takes longest. Every
// load is one of a fresh process, so that no library finds in its caches what it read before. The figure is
// the median over the rounds, each of which has all libraries in turn.
#include <sinew/sinew.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LIBRARIES = 3, ROUNDS = 7 };

// A library's way to load a file and to free what it loaded; NULL when it cannot.
typedef struct Library {
    void* (*load)(const char* path);
    int version;
} Library;

static void* (*loaders[LIBRARIES])(const char*, const void*, char*, int);

static void* loadOurs(const char* path)
{
    snError error;
    return sn_loadModel(path, NULL, &error);
}

static void* loadPinned(const char* path)
{
    char error[1000];
    return loaders[1](path, NULL, error, sizeof error);
}

static void* loadNewest(const char* path)
{
    char error[1000];
    return loaders[2](path, NULL, error, sizeof error);
}

static bool openLibrary(int i, const char* path, Library* library)
{
    void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    int (*version)(void) = NULL;
    if (handle) {
        *(void**)&loaders[i] = dlsym(handle, "mj_loadXML");
        *(void**)&version = dlsym(handle, "mj_version");
    }
    if (!handle || !loaders[i] || !version) {
        fprintf(stderr, "bench: cannot use %s: %s\n", path, dlerror());
        return false;
    }
    library->version = version();
    return true;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Seconds of one load in a process of its own; negative: it does not load, or crashes.
static double timeLoad(const Library* library, const char* path)
{
    int ends[2];
    if (pipe(ends)) abort();
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0) abort();
    if (child == 0) {
        const int quiet = open("/dev/null", O_WRONLY);
        dup2(quiet, 1);
        dup2(quiet, 2);
        if (chdir("/tmp")) _exit(1); // where a log may be left
        const double start = now();
        const double taken = library->load(path) ? now() - start : -1;
        _exit(write(ends[1], &taken, sizeof taken) != sizeof taken);
    }
    close(ends[1]);
    double taken = -1;
    if (read(ends[0], &taken, sizeof taken) != sizeof taken) taken = -1;
    close(ends[0]);
    waitpid(child, NULL, 0);
    return taken;
}

typedef struct Model {
    const char* path;
    double seconds; // of the pinned library, once
} Model;

static int slowestFirst(const void* a, const void* b)
{
    const double x = ((const Model*)a)->seconds, y = ((const Model*)b)->seconds;
    return (x < y) - (x > y);
}

static int leastFirst(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double median(double values[ROUNDS])
{
    qsort(values, ROUNDS, sizeof *values, leastFirst);
    return values[ROUNDS / 2];
}

static const char* shortName(const char* path)
{
    const char* name = path + strlen(path);
    for (int slashes = 0; name > path; name--)
        if (name[-1] == '/' && ++slashes == 2) break;
    return name;
}

// One row of the table; adds to the sums.
static void timeModel(const Library* libraries, const Model* model, double* sums)
{
    double times[LIBRARIES][ROUNDS];
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < LIBRARIES; i++) times[i][round] = timeLoad(&libraries[i], model->path);
    double m[LIBRARIES];
    for (int i = 0; i < LIBRARIES; i++) m[i] = 1e3 * median(times[i]);
    for (int i = 0; i < LIBRARIES; i++) sums[i] += m[i];
    printf("  %-36s %9.2f %9.2f %9.2f %9.2f", shortName(model->path), m[0], m[1], m[2], m[1] / m[0]);
    if (m[2] > 0)
        printf(" %9.2f\n", m[2] / m[0]);
    else
        printf("  does not load\n");
    fflush(stdout);
}

int main(int argc, char** argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: bench_load COUNT PINNED_LIBRARY NEWEST_LIBRARY MODEL...\n");
        return 2;
    }
    Library libraries[LIBRARIES] = {{loadOurs, 0}, {loadPinned, 0}, {loadNewest, 0}};
    if (!openLibrary(1, argv[2], &libraries[1]) || !openLibrary(2, argv[3], &libraries[2])) return 1;
    Model* models = calloc((size_t)argc, sizeof *models);
    if (!models) abort();
    int n = 0, tried = 0;
    for (int i = 4; i < argc; i++, tried++) {
        const Model model = {argv[i], timeLoad(&libraries[1], argv[i])};
        if (model.seconds > 0 && timeLoad(&libraries[0], argv[i]) > 0) models[n++] = model;
    }
    qsort(models, (size_t)n, sizeof *models, slowestFirst);
    const int count = atoi(argv[1]) < n ? atoi(argv[1]) : n;
    printf("%d of %d files load in both; the %d slowest:\n", n, tried, count);
    printf("  %-36s %9s %9d %9d %9s %9s\n", "ms", "sinew", libraries[1].version, libraries[2].version,
           "ratio", "ratio");
    fflush(stdout);
    double sums[LIBRARIES] = {0};
    for (int i = 0; i < count; i++) timeModel(libraries, &models[i], sums);
    printf("  %-36s %9.2f %9.2f %9.2f %9.2f %9.2f\n", "sum", sums[0], sums[1], sums[2], sums[1] / sums[0],
           sums[2] / sums[0]);
    free(models);
    return 0;
}
