// Loaded before the C library (LD_PRELOAD): lets the N-th allocation of main fail, N in $FAIL_AT, or with
// $FAIL_ON all from the N-th on. Their number goes to the file descriptor $FAIL_COUNT at the end.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t n, size_t size);
void* __libc_realloc(void* block, size_t size);
void* __libc_memalign(size_t align, size_t size);

static bool counting, all;
static long count, fail_at;

static bool fails(void)
{
    if (!counting) return false;
    count++;
    if (all ? count < fail_at : count != fail_at) return false;
    errno = ENOMEM;
    return true;
}

void* malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void* calloc(size_t n, size_t size)
{
    return fails() ? NULL : __libc_calloc(n, size);
}

void* realloc(void* block, size_t size)
{
    return fails() ? NULL : __libc_realloc(block, size);
}

void* aligned_alloc(size_t align, size_t size)
{
    return fails() ? NULL : __libc_memalign(align, size);
}

int posix_memalign(void** block, size_t align, size_t size)
{
    if (fails()) return ENOMEM;
    *block = __libc_memalign(align, size);
    return *block ? 0 : ENOMEM;
}

static int (*real_main)(int, char**, char**);

static void report(void)
{
    const char* file = getenv("FAIL_COUNT");
    char text[32];
    counting = false;
    if (file && write(atoi(file), text, (size_t)snprintf(text, sizeof text, "%ld", count)) < 0) _exit(99);
}

static int countedMain(int argc, char** argv, char** environment)
{
    const char* at = getenv("FAIL_AT");
    fail_at = at ? atol(at) : 0;
    all = getenv("FAIL_ON") != NULL;
    counting = true;
    const int code = real_main(argc, argv, environment);
    report();
    return code;
}

// Libraries that start before main are no matter of the command's.
int __libc_start_main(int (*start)(int, char**, char**), int argc, char** argv, void (*init)(void),
                      void (*finish)(void), void (*loader_finish)(void), void* stack)
{
    int (*next)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void),
                void*);
    *(void**)&next = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = start;
    return next(countedMain, argc, argv, init, finish, loader_finish, stack);
}
