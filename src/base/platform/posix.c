// Linux with glibc or musl, and macOS: memory, threads, time, numbers, libraries.
#define _GNU_SOURCE // strtod_l, dladdr
#include <dlfcn.h>
#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __APPLE__
#include <xlocale.h> // locale_t
#endif
#include "base/platform/clock.h"
#include "base/platform/library.h"
#include "base/platform/pages.h"
#include "base/platform/plain_locale.h"
#include "base/platform/threads.h"

#ifndef MAP_NORESERVE // macOS reserves nothing anyway
#define MAP_NORESERVE 0
#endif

// ---- memory

#ifdef SN_EXPLICIT_COMMIT
enum { ALIGN = SN_COMMIT_SIZE, PROTECTION = PROT_NONE };
#else
enum { ALIGN = 1, PROTECTION = PROT_READ | PROT_WRITE };
#endif

void* sn_reservePages(size_t size)
{
    if (size > SIZE_MAX - ALIGN) return NULL;
    const size_t room = size + ALIGN - 1; // less than a page more, or what aligns
    char* mapped = mmap(NULL, room, PROTECTION, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) return NULL;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), end = (room + page - 1) / page * page;
    const size_t before = (size_t)(-(uintptr_t)mapped % ALIGN),
                 after = before + (size + page - 1) / page * page;
    if (before) munmap(mapped, before);
    if (after < end) munmap(mapped + after, end - after);
#ifdef MADV_NOHUGEPAGE
    madvise(mapped + before, size, MADV_NOHUGEPAGE); // a first touch at either end would commit 2 MiB
#endif
    return mapped + before;
}

#ifdef SN_EXPLICIT_COMMIT
bool sn_commitPages(void* start, size_t size)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)start & ~(page - 1);
    return !mprotect((void*)at, (uintptr_t)start + size - at, PROT_READ | PROT_WRITE);
}
#endif

void sn_releasePages(void* start, size_t size)
{
    munmap(start, size);
}

// Pages of addresses that the process has taken; 0 where the system does not say.
static size_t takenPages(void)
{
    FILE* file = fopen("/proc/self/statm", "re");
    size_t pages = 0;
    if (!file) return 0;
    if (fscanf(file, "%zu", &pages) != 1) pages = 0;
    fclose(file);
    return pages;
}

size_t sn_spareSpace(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
    const size_t taken = takenPages() * (size_t)sysconf(_SC_PAGESIZE);
    return limit.rlim_cur > taken ? (size_t)limit.rlim_cur - taken : 0;
}

void* sn_allocAligned(size_t align, size_t size)
{
    return aligned_alloc(align, size);
}

void sn_freeAligned(void* block)
{
    free(block);
}

// ---- threads

void sn_initMutex(snMutex* mutex)
{
    pthread_mutex_init(mutex, NULL);
}

void sn_endMutex(snMutex* mutex)
{
    pthread_mutex_destroy(mutex);
}

void sn_lock(snMutex* mutex)
{
    pthread_mutex_lock(mutex);
}

void sn_unlock(snMutex* mutex)
{
    pthread_mutex_unlock(mutex);
}

void sn_initCondition(snCondition* condition)
{
    pthread_cond_init(condition, NULL);
}

void sn_endCondition(snCondition* condition)
{
    pthread_cond_destroy(condition);
}

void sn_await(snCondition* condition, snMutex* mutex)
{
    pthread_cond_wait(condition, mutex);
}

void sn_awaitFor(snCondition* condition, snMutex* mutex, long long nanoseconds)
{
    enum { SECOND = 1000000000 };
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    nanoseconds += until.tv_nsec;
    until.tv_sec += (time_t)(nanoseconds / SECOND);
    until.tv_nsec = (long)(nanoseconds % SECOND);
    pthread_cond_timedwait(condition, mutex, &until);
}

void sn_wakeOne(snCondition* condition)
{
    pthread_cond_signal(condition);
}

void sn_wakeAll(snCondition* condition)
{
    pthread_cond_broadcast(condition);
}

void sn_callOnce(snOnce* once, void (*function)(void))
{
    pthread_once(once, function);
}

static void* begin(void* argument)
{
    const snThread* self = argument;
    self->run(self->arg);
    return NULL;
}

bool sn_startThread(snThread* thread, void (*run)(void* arg), void* arg)
{
    sigset_t all, before;
    thread->run = run;
    thread->arg = arg;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = !pthread_create(&thread->id, NULL, begin, thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

void sn_joinThread(snThread* thread)
{
    pthread_join(thread->id, NULL);
}

void sn_yield(void)
{
    sched_yield();
}

int sn_processorCount(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

int sn_processId(void)
{
    return (int)getpid();
}

// ---- time

double sn_monotonicTime(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool sn_localTime(time_t moment, struct tm* local)
{
    return localtime_r(&moment, local) != NULL;
}

// ---- numbers in text

snLocale sn_makeLocale(void)
{
    return (snLocale)newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

void sn_freeLocale(snLocale locale)
{
    if (locale) freelocale((locale_t)locale);
}

double sn_readDouble(const char* text, char** end, snLocale locale)
{
    return strtod_l(text, end, (locale_t)locale);
}

snThreadLocale sn_enterLocale(snLocale locale)
{
    return (snThreadLocale){.before = (void*)uselocale((locale_t)locale)};
}

void sn_leaveLocale(snThreadLocale entered)
{
    uselocale((locale_t)entered.before);
}

// ---- libraries

void* sn_openLibrary(const char* path, char* why, size_t size)
{
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) snprintf(why, size, "%s", dlerror());
    return library;
}

void sn_closeLibrary(void* library)
{
    dlclose(library);
}

void (*sn_librarySymbol(void* library, const char* name))(void)
{
    void (*function)(void) = NULL;
    *(void**)&function = dlsym(library, name);
    return function;
}

void sn_showLibraryOf(void (*function)(void))
{
    Dl_info info;
    if (dladdr(*(void**)&function, &info) && info.dli_fname)
        dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}
