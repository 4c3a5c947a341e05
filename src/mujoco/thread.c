// Pools of threads: for steps of a data a pool of the library, for tasks of the program a queue. Either has
// its threads from when it is first asked for.
#include "inside.h"
#include <stdlib.h>
#include "base/platform/threads.h"

typedef struct Pool {
    mjThreadPool shown; ///< what programs see, first
    snThreadPool* steps;
    snMutex mutex;
    snCondition more;
    mjTask** queue; ///< [room] a ring
    int room, first, count;
    bool ending;
    int nstarted;
    snThread threads[]; ///< [nworker]
} Pool;

mjThreadPool* mju_threadPoolCreate(size_t number_of_threads)
{
    if (number_of_threads < 1 || number_of_threads > mjMAXTHREAD) return NULL;
    Pool* pool = calloc(1, sizeof *pool + number_of_threads * sizeof(snThread));
    if (!pool) return NULL;
    pool->shown.nworker = (int)number_of_threads;
    sn_initMutex(&pool->mutex);
    sn_initCondition(&pool->more);
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
    sn_lock(&pool->mutex);
    while (!pool->count && !pool->ending) sn_await(&pool->more, &pool->mutex);
    if (pool->count) {
        task = pool->queue[pool->first];
        pool->first = (pool->first + 1) % pool->room;
        pool->count--;
    }
    sn_unlock(&pool->mutex);
    return task;
}

static void work(void* arg)
{
    mjTask* task;
    while ((task = takeTask(arg))) runTask(task);
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
    while (pool->nstarted < pool->shown.nworker && sn_startThread(pool->threads + pool->nstarted, work, pool))
        pool->nstarted++;
    if (!pool->nstarted || !growQueue(pool)) return false;
    pool->queue[(pool->first + pool->count++) % pool->room] = task;
    sn_wakeOne(&pool->more);
    return true;
}

void mju_threadPoolEnqueue(mjThreadPool* thread_pool, mjTask* task)
{
    Pool* pool = (Pool*)thread_pool;
    __atomic_store_n(&task->status, mjTASK_QUEUED, __ATOMIC_RELEASE);
    sn_lock(&pool->mutex);
    const bool queued = enqueue(pool, task);
    sn_unlock(&pool->mutex);
    if (!queued) runTask(task);
}

void mju_threadPoolDestroy(mjThreadPool* thread_pool)
{
    Pool* pool = (Pool*)thread_pool;
    if (!pool) return;
    sn_lock(&pool->mutex);
    pool->ending = true;
    sn_wakeAll(&pool->more);
    sn_unlock(&pool->mutex);
    for (int i = 0; i < pool->nstarted; i++) sn_joinThread(pool->threads + i);
    sn_deleteThreadPool(pool->steps);
    sn_endCondition(&pool->more);
    sn_endMutex(&pool->mutex);
    free(pool->queue);
    free(pool);
}

void mju_defaultTask(mjTask* task)
{
    *task = (mjTask){.status = mjTASK_NEW};
}

void mju_taskJoin(mjTask* task)
{
    while (__atomic_load_n(&task->status, __ATOMIC_ACQUIRE) != mjTASK_COMPLETED) sn_yield();
}
