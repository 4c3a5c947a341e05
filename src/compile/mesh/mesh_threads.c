// Meshes on several threads. Sources are read by the caller's, one after the other, as they may ask the
// program for files; what follows from them touches nothing that meshes share. What each has to say waits,
// and is told in the order of the list, as if they had been made in turn.
#include <sinew/thread_pool.h>
#include <stdio.h>
#include "base/memory.h"
#include "base/platform/threads.h"
#include "compile/mesh/mesh.h"
#include "model/warnings.h"

enum {
    AT_ONCE = 64,      // meshes that are read before the first is made: what they say takes room
    MOST_THREADS = 16, // more have little left to do
    WORTH_IT = 1000,   // vertices in all; fewer are done before a thread has begun
};

// A mesh with a build of its own, whose error, warnings and marks in the description are its own, too.
typedef struct Job {
    snBuild build;
    snSpec spec;
    snError error;
    snLoadOptions options;
    snWarnings warnings;
    snMesh* mesh;
    bool loaded, made;
} Job;

static void begin(const snBuild* b, snMesh* mesh, Job* job)
{
    *job = (Job){.build = *b, .mesh = mesh};
    job->build.error = &job->error;
    if (b->options) job->options = *b->options;
    job->options.warnings = b->options && b->options->warnings ? &job->warnings : NULL;
    job->build.options = b->options ? &job->options : NULL;
}

static void make(void* jobs, int index, int thread)
{
    Job* job = (Job*)jobs + index;
    (void)thread;
    if (!job->loaded) return;
    job->spec = *job->build.spec;
    job->spec.warned = false;
    for (int k = 0; k < SN_NCTIMER; k++) job->spec.times[k] = 0;
    job->build.spec = &job->spec;
    job->made = sn_processMesh(&job->build, job->mesh);
}

// Passes warnings on; false: strict loading takes none, or there is no room.
static bool tellWarnings(snBuild* b, const snWarnings* warnings)
{
    for (int i = 0; i < warnings->count; i++) {
        const snModelWarning* w = warnings->list + i;
        snError text = {.status = SN_STATUS_MODEL, .line = w->line};
        snprintf(text.file, sizeof text.file, "%s", w->file);
        snprintf(text.message, sizeof text.message, "%s", w->message);
        if (sn_addWarning(b->options, &text)) continue;
        *b->error = text;
        return false;
    }
    return true;
}

static bool tell(snBuild* b, const Job* job)
{
    if (job->loaded) {
        b->spec->warned |= job->spec.warned;
        for (int k = 0; k < SN_NCTIMER; k++) b->spec->times[k] += job->spec.times[k];
    }
    if (!tellWarnings(b, &job->warnings)) return false;
    if (job->made) return true;
    *b->error = job->error;
    if (job->loaded) b->spec->blamed = job->spec.blamed;
    return false;
}

// Reads the first meshes of a list; returns how many there are to tell of, the last maybe of its error.
static int loadSome(const snBuild* b, const snMeshOrder* orders, int count, Job* jobs, int64_t* vertices)
{
    for (int i = 0; i < count; i++) {
        Job* job = jobs + i;
        begin(b, orders[i].mesh, job);
        job->loaded = sn_loadMesh(&job->build, orders[i].spec, orders[i].needs, job->mesh);
        if (!job->loaded) return i + 1;
        *vertices += job->mesh->nvert;
    }
    return count;
}

// False with the error of the first that is wrong.
static bool makeSome(snBuild* b, const snMeshOrder* orders, int count, int nthread, snThreadPool** pool,
                     Job* jobs)
{
    int64_t vertices = 0;
    const int loaded = loadSome(b, orders, count, jobs, &vertices);
    if (!*pool && vertices >= WORTH_IT) *pool = sn_makeThreadPool(nthread); // NULL: the caller's does all
    sn_runThreads(*pool, loaded, make, jobs);
    bool good = true;
    for (int i = 0; i < loaded; i++) {
        good = good && tell(b, jobs + i);
        sn_freeWarnings(&jobs[i].warnings);
    }
    return good;
}

static bool makeInTurn(snBuild* b, const snMeshOrder* orders, int count)
{
    for (int i = 0; i < count; i++)
        if (!sn_loadMesh(b, orders[i].spec, orders[i].needs, orders[i].mesh) ||
            !sn_processMesh(b, orders[i].mesh))
            return false;
    return true;
}

// How many threads to take for so many meshes.
static int threadsFor(const snBuild* b, int count)
{
    const int processors = sn_processorCount();
    if (!b->spec->compiler.usethread || sn_isAllocHooked() || count < 2 || processors < 2) return 1;
    const int most = count < MOST_THREADS ? count : MOST_THREADS;
    return processors < most ? processors : most;
}

bool sn_makeMeshList(snBuild* b, const snMeshOrder* orders, int count)
{
    const int nthread = threadsFor(b, count), room = count < AT_ONCE ? count : AT_ONCE;
    Job* jobs = nthread > 1 ? sn_malloc((size_t)room * sizeof *jobs) : NULL;
    if (!jobs) return makeInTurn(b, orders, count);
    snThreadPool* pool = NULL;
    bool good = true;
    for (int i = 0; i < count && good; i += room)
        good = makeSome(b, orders + i, count - i < room ? count - i : room, nthread, &pool, jobs);
    sn_free(jobs);
    sn_deleteThreadPool(pool);
    return good;
}
