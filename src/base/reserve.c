#include "base/reserve.h"
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include "base/memory.h"

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define FORBID(block, size) ASAN_POISON_MEMORY_REGION(block, size)
#define PERMIT(block, size) ASAN_UNPOISON_MEMORY_REGION(block, size)
enum { GUARD = 4096 }; ///< bytes on either side that the sanitizer knows to be out of bounds
#else
#define FORBID(block, size)
#define PERMIT(block, size)
enum { GUARD = 0 };
#endif

static void* map(size_t size)
{
    if (size > (size_t)-1 - 2 * SN_ALIGN - 2 * GUARD) return NULL;
    const size_t whole = sn_alignUp(size ? size : 1) + 2 * GUARD;
    char* start =
        mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) return NULL;
#ifdef MADV_NOHUGEPAGE
    madvise(start, whole, MADV_NOHUGEPAGE); // a first touch at either end would commit 2 MiB
#endif
    FORBID(start, GUARD);
    FORBID(start + whole - GUARD, GUARD);
    return start + GUARD;
}

void* sn_reserve(size_t* size, size_t least)
{
    if (!sn_mayAllocate(*size)) return NULL;
    if (least > *size) least = *size;
    for (;;) {
        void* block = map(*size);
        if (block || *size <= least) return block;
        *size = *size / 2 > least ? sn_alignUp(*size / 2) : least;
    }
}

void sn_release(void* block, size_t size)
{
    if (!block) return;
    const size_t whole = sn_alignUp(size ? size : 1) + 2 * GUARD;
    char* start = (char*)block - GUARD;
    PERMIT(start, GUARD);
    PERMIT(start + whole - GUARD, GUARD);
    munmap(start, whole);
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
