// A run is published under the lock; threads that wake while it is open join it, take indices from a counter
// until there are none, and leave. The caller closes the run when it finds no index left and waits only for
// those that joined: a thread that wakes late finds the run closed and sleeps on, so a run never waits for a
// thread to wake up. Waking takes longer than much of the work, so that both look on for a moment before they
// sleep: who has done its work for the next run, the caller for the last to leave.
#include <sinew/thread_pool.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/spin.h"

struct snThreadPool {
    pthread_mutex_t lock; // over all below but `next`
    pthread_cond_t wake;  // a run is open, or the pool ends
    pthread_cond_t idle;  // nobody is in the run any more
    bool busy, open, ends;
    atomic_int joined; // threads in the run, the caller not counted; changed under the lock
    atomic_uint run;   // number of the run: nobody joins one twice; changed under the lock
    snWork task;
    void* arg;
    int count;
    atomic_int next; // index
    pid_t process;   // that made the pool
    int nthread, started, moment;
    struct Worker {
        snThreadPool* pool;
        int thread;
        pthread_t id;
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

static void* work(void* argument)
{
    const struct Worker* self = argument;
    snThreadPool* pool = self->pool;
    unsigned seen = 0;
    pthread_mutex_lock(&pool->lock);
    while (!pool->ends) {
        if (!pool->open || pool->run == seen) {
            pthread_cond_wait(&pool->wake, &pool->lock);
            continue;
        }
        seen = pool->run;
        pool->joined++;
        pthread_mutex_unlock(&pool->lock);
        takePieces(pool, self->thread);
        pthread_mutex_lock(&pool->lock);
        if (--pool->joined == 0) pthread_cond_signal(&pool->idle);
        pthread_mutex_unlock(&pool->lock);
        awaitRun(pool, seen);
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

// Starts the threads, with all signals left to those of the program; false: not all of them.
static bool startThreads(snThreadPool* pool)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (; pool->started < pool->nthread - 1; pool->started++) {
        struct Worker* worker = &pool->worker[pool->started];
        *worker = (struct Worker){.pool = pool, .thread = pool->started + 1};
        if (!sn_mayAllocate(1) || pthread_create(&worker->id, NULL, work, worker)) break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pool->started == pool->nthread - 1;
}

snThreadPool* sn_makeThreadPool(int nthread)
{
    if (nthread < 1 || nthread > SN_MAX_THREADS) return NULL;
    snThreadPool* pool = sn_calloc(sizeof *pool + (size_t)(nthread - 1) * sizeof *pool->worker);
    if (!pool) return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->idle, NULL);
    pool->nthread = nthread;
    pool->process = getpid();
    pool->moment = sysconf(_SC_NPROCESSORS_ONLN) >= nthread ? MOMENT : 0;
    if (startThreads(pool)) return pool;
    sn_deleteThreadPool(pool);
    return NULL;
}

void sn_deleteThreadPool(snThreadPool* pool)
{
    if (!pool) return;
    if (pool->process == getpid()) {
        pthread_mutex_lock(&pool->lock);
        pool->ends = true;
        pthread_cond_broadcast(&pool->wake);
        pthread_mutex_unlock(&pool->lock);
        for (int i = 0; i < pool->started; i++) pthread_join(pool->worker[i].id, NULL);
        pthread_cond_destroy(&pool->idle);
        pthread_cond_destroy(&pool->wake);
        pthread_mutex_destroy(&pool->lock);
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
    pthread_mutex_lock(&pool->lock);
    const bool free = !pool->busy;
    if (free) {
        pool->busy = pool->open = true;
        pool->run++;
        pool->task = task;
        pool->arg = arg;
        pool->count = count;
        atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
        pthread_cond_broadcast(&pool->wake);
    }
    pthread_mutex_unlock(&pool->lock);
    return free;
}

static void closeRun(snThreadPool* pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->open = false;
    pthread_mutex_unlock(&pool->lock);
    awaitIdle(pool);
    pthread_mutex_lock(&pool->lock);
    while (pool->joined) pthread_cond_wait(&pool->idle, &pool->lock);
    pool->busy = false;
    pthread_mutex_unlock(&pool->lock);
}

void sn_runThreads(snThreadPool* pool, int count, snWork task, void* arg)
{
    // after a fork the lock is as another thread had it
    const bool alone = sn_threadCount(pool) == 1 || count <= 1 || pool->process != getpid();
    if (!alone && openRun(pool, count, task, arg)) {
        takePieces(pool, 0);
        closeRun(pool);
    } else {
        for (int index = 0; index < count; index++) task(arg, index, 0);
    }
}
