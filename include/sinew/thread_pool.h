// Threads that share out work: made once by the caller, then handed numbered pieces of work again and again.
#ifndef SINEW_THREAD_POOL_H
#define SINEW_THREAD_POOL_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SN_MAX_THREADS = 1024 }; ///< the most that a pool may have

typedef struct snThreadPool snThreadPool;

/// One piece of work. index: which, in [0, count) of sn_runThreads. thread: who, in [0, nthread) of the pool,
/// for memory that a thread has to itself; no two calls of one run have the same at a time.
typedef void (*snWork)(void* arg, int index, int thread);

/// A pool of nthread threads, the caller of sn_runThreads counted: nthread - 1 are started, which sleep until
/// there is work and take no signals. The caller frees it with sn_deleteThreadPool. NULL: nthread is not in
/// [1, SN_MAX_THREADS], or the system has no memory or no more threads.
SN_API snThreadPool* sn_makeThreadPool(int nthread);

/// Ends the threads and frees the pool; takes NULL. Not while a run goes on. In a process that forked from
/// the one that made the pool, where its threads do not exist, it frees the memory.
SN_API void sn_deleteThreadPool(snThreadPool* pool);

/// Number of threads, the caller's counted; 1 for NULL.
SN_API int sn_threadCount(const snThreadPool* pool);

/// Calls task(arg, index, thread) once for each index in [0, count), in any order, and returns when all are
/// done; what they wrote is then seen. The calling thread takes part, as thread 0, so a run ends even where
/// no other thread wakes. Nothing is allocated. All calls are made by the caller, in order of index, when the
/// pool is NULL or of one thread, when count is 1, when the pool is at work already (a run inside a task, or
/// in another thread), and after a fork.
SN_API void sn_runThreads(snThreadPool* pool, int count, snWork task, void* arg);

#ifdef __cplusplus
}
#endif
#endif
