// Pools of threads: for steps of a data a pool of the library, for tasks of the program a queue. Either has
// its threads from when it is first asked for.
#include "inside.h"
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

typedef struct Pool {
    mjThreadPool shown; ///< what programs see, first
    snThreadPool* steps;
    pthread_mutex_t mutex;
    pthread_cond_t more;
    mjTask** queue; ///< [room] a ring
    int room, first, count;
    bool ending;
    int nstarted;
    pthread_t threads[]; ///< [nworker]
} Pool;

mjThreadPool* mju_threadPoolCreate(size_t number_of_threads)
{
    if (number_of_threads < 1 || number_of_threads > mjMAXTHREAD) return NULL;
    Pool* pool = calloc(1, sizeof *pool + number_of_threads * sizeof(pthread_t));
    if (!pool) return NULL;
    pool->shown.nworker = (int)number_of_threads;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->more, NULL);
    return &pool->shown;
}

void mju_bindThreadPool(mjData* d, void* thread_pool)
{
    Pool* pool = thread_pool;
    if (pool && !pool->steps) pool->steps = sn_makeThreadPool(pool->shown.nworker + 1);
    d->pool = pool ? pool->steps : NULL;
    d->callback.user = pool; // mjData.threadpool
}

// ---- tasks

static void runTask(mjTask* task)
{
    task->func(task->args);
    __atomic_store_n(&task->status, mjTASK_COMPLETED, __ATOMIC_RELEASE);
}

static mjTask* takeTask(Pool* pool)
{
    mjTask* task = NULL;
    pthread_mutex_lock(&pool->mutex);
    while (!pool->count && !pool->ending) pthread_cond_wait(&pool->more, &pool->mutex);
    if (pool->count) {
        task = pool->queue[pool->first];
        pool->first = (pool->first + 1) % pool->room;
        pool->count--;
    }
    pthread_mutex_unlock(&pool->mutex);
    return task;
}

static void* work(void* arg)
{
    mjTask* task;
    while ((task = takeTask(arg))) runTask(task);
    return NULL;
}

// Room for one more; the tasks stand from the beginning then.
static bool growQueue(Pool* pool)
{
    if (pool->count < pool->room) return true;
    const int room = pool->room ? 2 * pool->room : 64;
    mjTask** queue = malloc((size_t)room * sizeof *queue);
    if (!queue) return false;
    for (int i = 0; i < pool->count; i++) queue[i] = pool->queue[(pool->first + i) % pool->room];
    free(pool->queue);
    pool->queue = queue;
    pool->room = room;
    pool->first = 0;
    return true;
}

// With the mutex held. False: no thread could be started, or no memory.
static bool enqueue(Pool* pool, mjTask* task)
{
    while (pool->nstarted < pool->shown.nworker &&
           pthread_create(pool->threads + pool->nstarted, NULL, work, pool) == 0)
        pool->nstarted++;
    if (!pool->nstarted || !growQueue(pool)) return false;
    pool->queue[(pool->first + pool->count++) % pool->room] = task;
    pthread_cond_signal(&pool->more);
    return true;
}

void mju_threadPoolEnqueue(mjThreadPool* thread_pool, mjTask* task)
{
    Pool* pool = (Pool*)thread_pool;
    __atomic_store_n(&task->status, mjTASK_QUEUED, __ATOMIC_RELEASE);
    pthread_mutex_lock(&pool->mutex);
    const bool queued = enqueue(pool, task);
    pthread_mutex_unlock(&pool->mutex);
    if (!queued) runTask(task);
}

void mju_threadPoolDestroy(mjThreadPool* thread_pool)
{
    Pool* pool = (Pool*)thread_pool;
    if (!pool) return;
    pthread_mutex_lock(&pool->mutex);
    pool->ending = true;
    pthread_cond_broadcast(&pool->more);
    pthread_mutex_unlock(&pool->mutex);
    for (int i = 0; i < pool->nstarted; i++) pthread_join(pool->threads[i], NULL);
    sn_deleteThreadPool(pool->steps);
    pthread_cond_destroy(&pool->more);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->queue);
    free(pool);
}

void mju_defaultTask(mjTask* task)
{
    *task = (mjTask){.status = mjTASK_NEW};
}

void mju_taskJoin(mjTask* task)
{
    while (__atomic_load_n(&task->status, __ATOMIC_ACQUIRE) != mjTASK_COMPLETED) sched_yield();
}
