// A run is published under the lock; threads that wake while it is open join it, take indices from a counter
// until there are none, and leave. The caller closes the run when it finds no index left and waits only for
// those that joined: a thread that wakes late finds the run closed and sleeps on, so a run never waits for a
// thread to wake up. Waking takes longer than much of the work, so that both look on for a moment before they
// sleep: who has done its work for the next run, the caller for the last to leave.
#include <sinew/thread_pool.h>
#include <stdatomic.h>
#include "base/memory.h"
#include "base/platform/threads.h"
#include "base/spin.h"

struct snThreadPool {
    snMutex lock;     // over all below but `next`
    snCondition wake; // a run is open, or the pool ends
    snCondition idle; // nobody is in the run any more
    bool busy, open, ends;
    atomic_int joined; // threads in the run, the caller not counted; changed under the lock
    atomic_uint run;   // number of the run: nobody joins one twice; changed under the lock
    snWork task;
    void* arg;
    int count;
    atomic_int next; // index
    int process;     // that made the pool
    int nthread, started, moment;
    struct Worker {
        snThreadPool* pool;
        int thread;
        snThread id;
    } worker[];
};

static void takePieces(snThreadPool* pool, int thread)
{
    const snWork task = pool->task;
    void* arg = pool->arg;
    const int count = pool->count;
    for (;;) {
        const int index = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (index >= count) return;
        task(arg, index, thread);
    }
}

// How often those that look on do so, some 30 us in all. Not where threads wait for processors.
enum { MOMENT = 1000 };

static void awaitRun(snThreadPool* pool, unsigned seen)
{
    for (int k = 0; k < pool->moment; k++) {
        if (atomic_load_explicit(&pool->run, memory_order_relaxed) != seen) return;
        sn_spin(k);
    }
}

static void awaitIdle(snThreadPool* pool)
{
    for (int k = 0; k < pool->moment && atomic_load_explicit(&pool->joined, memory_order_relaxed); k++)
        sn_spin(k);
}

static void work(void* argument)
{
    const struct Worker* self = argument;
    snThreadPool* pool = self->pool;
    unsigned seen = 0;
    sn_lock(&pool->lock);
    while (!pool->ends) {
        if (!pool->open || pool->run == seen) {
            sn_await(&pool->wake, &pool->lock);
            continue;
        }
        seen = pool->run;
        pool->joined++;
        sn_unlock(&pool->lock);
        takePieces(pool, self->thread);
        sn_lock(&pool->lock);
        if (--pool->joined == 0) sn_wakeOne(&pool->idle);
        sn_unlock(&pool->lock);
        awaitRun(pool, seen);
        sn_lock(&pool->lock);
    }
    sn_unlock(&pool->lock);
}

// Starts the threads; false: not all of them.
static bool startThreads(snThreadPool* pool)
{
    for (; pool->started < pool->nthread - 1; pool->started++) {
        struct Worker* worker = &pool->worker[pool->started];
        *worker = (struct Worker){.pool = pool, .thread = pool->started + 1};
        if (!sn_mayAllocate(1) || !sn_startThread(&worker->id, work, worker)) break;
    }
    return pool->started == pool->nthread - 1;
}

snThreadPool* sn_makeThreadPool(int nthread)
{
    if (nthread < 1 || nthread > SN_MAX_THREADS) return NULL;
    snThreadPool* pool = sn_calloc(sizeof *pool + (size_t)(nthread - 1) * sizeof *pool->worker);
    if (!pool) return NULL;
    sn_initMutex(&pool->lock);
    sn_initCondition(&pool->wake);
    sn_initCondition(&pool->idle);
    pool->nthread = nthread;
    pool->process = sn_processId();
    pool->moment = sn_processorCount() >= nthread ? MOMENT : 0;
    if (startThreads(pool)) return pool;
    sn_deleteThreadPool(pool);
    return NULL;
}

void sn_deleteThreadPool(snThreadPool* pool)
{
    if (!pool) return;
    if (pool->process == sn_processId()) {
        sn_lock(&pool->lock);
        pool->ends = true;
        sn_wakeAll(&pool->wake);
        sn_unlock(&pool->lock);
        for (int i = 0; i < pool->started; i++) sn_joinThread(&pool->worker[i].id);
        sn_endCondition(&pool->idle);
        sn_endCondition(&pool->wake);
        sn_endMutex(&pool->lock);
    }
    sn_free(pool);
}

int sn_threadCount(const snThreadPool* pool)
{
    return pool ? pool->nthread : 1;
}

// Opens a run, if none goes on.
static bool openRun(snThreadPool* pool, int count, snWork task, void* arg)
{
    sn_lock(&pool->lock);
    const bool free = !pool->busy;
    if (free) {
        pool->busy = pool->open = true;
        pool->run++;
        pool->task = task;
        pool->arg = arg;
        pool->count = count;
        atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
        sn_wakeAll(&pool->wake);
    }
    sn_unlock(&pool->lock);
    return free;
}

static void closeRun(snThreadPool* pool)
{
    sn_lock(&pool->lock);
    pool->open = false;
    sn_unlock(&pool->lock);
    awaitIdle(pool);
    sn_lock(&pool->lock);
    while (pool->joined) sn_await(&pool->idle, &pool->lock);
    pool->busy = false;
    sn_unlock(&pool->lock);
}

void sn_runThreads(snThreadPool* pool, int count, snWork task, void* arg)
{
    // after a fork the lock is as another thread had it
    const bool alone = sn_threadCount(pool) == 1 || count <= 1 || pool->process != sn_processId();
    if (!alone && openRun(pool, count, task, arg)) {
        takePieces(pool, 0);
        closeRun(pool);
    } else {
        for (int index = 0; index < count; index++) task(arg, index, 0);
    }
}
