// Threads and what they wait for each other with.
#ifndef SINEW_BASE_PLATFORM_THREADS_H
#define SINEW_BASE_PLATFORM_THREADS_H

#include <stdbool.h>

#ifdef _WIN32
typedef struct snMutex {
    void* word;
} snMutex;
typedef struct snCondition {
    void* word;
} snCondition;
typedef struct snOnce {
    void* word;
} snOnce;
typedef void* snThreadId;
#define SN_MUTEX_INIT                                                                                        \
    {                                                                                                        \
        0                                                                                                    \
    }
#define SN_ONCE_INIT                                                                                         \
    {                                                                                                        \
        0                                                                                                    \
    }
#else
#include <pthread.h>
typedef pthread_mutex_t snMutex;
typedef pthread_cond_t snCondition;
typedef pthread_once_t snOnce;
typedef pthread_t snThreadId;
#define SN_MUTEX_INIT PTHREAD_MUTEX_INITIALIZER
#define SN_ONCE_INIT PTHREAD_ONCE_INIT
#endif

/// A mutex is SN_MUTEX_INIT, or begun and ended. Nobody locks one twice.
void sn_initMutex(snMutex* mutex);
void sn_endMutex(snMutex* mutex);
void sn_lock(snMutex* mutex);
void sn_unlock(snMutex* mutex);

void sn_initCondition(snCondition* condition);
void sn_endCondition(snCondition* condition);
/// Sleeps, the mutex unlocked meanwhile, until it is woken; at times for no reason.
void sn_await(snCondition* condition, snMutex* mutex);
/// The same for no longer than some nanoseconds.
void sn_awaitFor(snCondition* condition, snMutex* mutex, long long nanoseconds);
void sn_wakeOne(snCondition* condition);
void sn_wakeAll(snCondition* condition);

/// Calls a function once in the process; who comes later returns when it has returned.
void sn_callOnce(snOnce* once, void (*function)(void));

/// A thread, which stays where it is until it is joined.
typedef struct snThread {
    snThreadId id;
    void (*run)(void* arg);
    void* arg;
} snThread;

/// Starts run(arg), with all signals left to the threads of the program; false: there is no thread to be had.
bool sn_startThread(snThread* thread, void (*run)(void* arg), void* arg);
/// Waits until it has returned.
void sn_joinThread(snThread* thread);

/// Lets others of the processor go first.
void sn_yield(void);
/// Processors that are there, 1 at least.
int sn_processorCount(void);
/// The number of the process.
int sn_processId(void);

#endif
