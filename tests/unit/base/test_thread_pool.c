// The pool of threads: every index once, whatever the numbers; runs in runs and from several threads;
// creation that fails; processes that fork. The thread sanitizer looks on.
#include <sinew/thread_pool.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "base/memory.h"

enum { MOST = 1000 };

// What the calls of a run leave behind: plain memory an index, so that what is not ordered shows.
typedef struct Trace {
    snThreadPool* pool;
    int calls[MOST];
    int thread[MOST];
    atomic_int inside[SN_MAX_THREADS]; // calls that go on, a thread
    atomic_int together;               // calls that met another of the same thread
} Trace;

static void leaveTrace(void* arg, int index, int thread)
{
    Trace* trace = arg;
    if (atomic_fetch_add(&trace->inside[thread], 1)) trace->together++;
    trace->calls[index]++;
    trace->thread[index] = thread;
    atomic_fetch_sub(&trace->inside[thread], 1);
}

static void holdTrace(const Trace* trace, int count, int nthread)
{
    for (int i = 0; i < MOST; i++) {
        assert_int_equal(trace->calls[i], i < count);
        assert_in_range(trace->thread[i], 0, nthread - 1);
    }
    assert_int_equal(trace->together, 0);
}

static void everyIndexComesOnce(void** state)
{
    (void)state;
    static const int counts[] = {0, 1, 2, 3, 7, MOST};
    static Trace trace;
    for (int nthread = 1; nthread <= 5; nthread++) {
        snThreadPool* pool = sn_makeThreadPool(nthread);
        assert_int_equal(sn_threadCount(pool), nthread);
        for (int round = 0; round < 60; round++) {
            const int count = counts[round % 6];
            memset(&trace, 0, sizeof trace);
            sn_runThreads(pool, count, leaveTrace, &trace);
            holdTrace(&trace, count, nthread);
        }
        sn_deleteThreadPool(pool);
    }
}

static void noPoolIsTheCaller(void** state)
{
    (void)state;
    static Trace trace;
    memset(&trace, 0, sizeof trace);
    assert_int_equal(sn_threadCount(NULL), 1);
    sn_runThreads(NULL, 9, leaveTrace, &trace);
    holdTrace(&trace, 9, 1);
    sn_runThreads(NULL, -1, leaveTrace, &trace);
    sn_runThreads(NULL, INT_MIN, leaveTrace, &trace);
    holdTrace(&trace, 9, 1);
    sn_deleteThreadPool(NULL);
}

// Two calls that wait for each other can only both end in two threads.
static void meet(void* arg, int index, int thread)
{
    (void)index;
    (void)thread;
    atomic_int* come = arg;
    atomic_fetch_add(come, 1);
    while (atomic_load(come) < 2) sched_yield();
}

static void threadsWorkAtOnce(void** state)
{
    (void)state;
    snThreadPool* pool = sn_makeThreadPool(2);
    for (int round = 0; round < 100; round++) {
        atomic_int come = 0;
        sn_runThreads(pool, 2, meet, &come);
    }
    sn_deleteThreadPool(pool);
}

// A pool that was never used has threads that may not have begun.
static void manyAreMadeAndFreed(void** state)
{
    (void)state;
    for (int i = 0; i < 100; i++) sn_deleteThreadPool(sn_makeThreadPool(1 + i % 8));
}

typedef struct Nest {
    snThreadPool* pool;
    Trace inner[4];
} Nest;

static void runInside(void* arg, int index, int thread)
{
    (void)thread;
    Nest* nest = arg;
    sn_runThreads(nest->pool, 20, leaveTrace, &nest->inner[index]);
}

static void aRunInsideARunIsOfOneThread(void** state)
{
    (void)state;
    static Nest nest;
    nest.pool = sn_makeThreadPool(3);
    sn_runThreads(nest.pool, 4, runInside, &nest);
    for (int i = 0; i < 4; i++) holdTrace(&nest.inner[i], 20, 1);
    sn_deleteThreadPool(nest.pool);
}

static void* runOften(void* arg)
{
    Trace* trace = arg;
    snThreadPool* pool = trace->pool;
    for (int round = 0; round < 50; round++) {
        memset(trace, 0, sizeof *trace);
        sn_runThreads(pool, 30, leaveTrace, trace);
        holdTrace(trace, 30, 3);
    }
    return NULL;
}

static void severalThreadsMayShareAPool(void** state)
{
    (void)state;
    enum { CALLERS = 3 };
    static Trace trace[CALLERS];
    snThreadPool* pool = sn_makeThreadPool(3);
    pthread_t caller[CALLERS];
    for (int i = 0; i < CALLERS; i++) {
        trace[i].pool = pool;
        assert_int_equal(pthread_create(&caller[i], NULL, runOften, &trace[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++) pthread_join(caller[i], NULL);
    sn_deleteThreadPool(pool);
}

static void wrongNumbersAreRefused(void** state)
{
    (void)state;
    static const int wrong[] = {0, -1, INT_MIN, INT_MAX, SN_MAX_THREADS + 1};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) assert_null(sn_makeThreadPool(wrong[i]));
}

// The only process left after a fork is the one that called it: runs go on, nothing waits for the others.
static void aForkedProcessGoesOn(void** state)
{
    (void)state;
    static Trace trace;
    memset(&trace, 0, sizeof trace);
    snThreadPool* pool = sn_makeThreadPool(3);
    sn_runThreads(pool, 5, leaveTrace, &trace);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(1200);
        memset(&trace, 0, sizeof trace);
        sn_runThreads(pool, 50, leaveTrace, &trace);
        sn_deleteThreadPool(pool);
        for (int i = 0; i < 50; i++)
            if (trace.calls[i] != 1) _exit(1);
        _exit(0);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    sn_deleteThreadPool(pool);
}

static pthread_t signalled;

static void noteThread(int number)
{
    (void)number;
    signalled = pthread_self();
}

// A signal of the process comes to the thread that had it before there were others.
static void threadsTakeNoSignals(void** state)
{
    (void)state;
    snThreadPool* pool = sn_makeThreadPool(4);
    struct sigaction note = {.sa_handler = noteThread}, before;
    sigset_t set, mask;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaction(SIGUSR1, &note, &before);
    pthread_sigmask(SIG_BLOCK, &set, &mask); // so that another thread would be chosen
    kill(getpid(), SIGUSR1);
    for (int i = 0; i < 20; i++) {
        static Trace trace;
        sn_runThreads(pool, 100, leaveTrace, &trace);
    }
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    assert_true(pthread_equal(signalled, pthread_self()));
    sigaction(SIGUSR1, &before, NULL);
    sn_deleteThreadPool(pool);
}

#ifdef SN_TEST_HOOKS
static int refuseLater(size_t size, void* left)
{
    (void)size;
    return (*(int*)left)-- > 0;
}

// Memory, or the N-th thread: nothing is left behind, as the sanitizers see.
static void creationMayFail(void** state)
{
    (void)state;
    for (int n = 0; n < 5; n++) {
        int left = n;
        sn_setAllocHook(refuseLater, &left);
        snThreadPool* pool = sn_makeThreadPool(5);
        assert_null(pool);
    }
    int left = 5;
    sn_setAllocHook(refuseLater, &left);
    snThreadPool* pool = sn_makeThreadPool(5);
    assert_non_null(pool);
    static Trace trace; // and a run asks for nothing
    sn_runThreads(pool, 100, leaveTrace, &trace);
    assert_int_equal(left, 0);
    sn_setAllocHook(NULL, NULL);
    holdTrace(&trace, 100, 5);
    sn_deleteThreadPool(pool);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everyIndexComesOnce),
        cmocka_unit_test(noPoolIsTheCaller),
        cmocka_unit_test(threadsWorkAtOnce),
        cmocka_unit_test(manyAreMadeAndFreed),
        cmocka_unit_test(aRunInsideARunIsOfOneThread),
        cmocka_unit_test(severalThreadsMayShareAPool),
        cmocka_unit_test(wrongNumbersAreRefused),
        cmocka_unit_test(aForkedProcessGoesOn),
        cmocka_unit_test(threadsTakeNoSignals),
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(creationMayFail),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
