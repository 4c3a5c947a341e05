// Heap allocation through one door, so that tests can count calls and make the N-th fail; and layout of many
// arrays in one block.
#ifndef SINEW_BASE_MEMORY_H
#define SINEW_BASE_MEMORY_H

#include <stddef.h>

#define SN_ALIGN 64 ///< alignment of blocks and of every array in them: a cache line, a SIMD register

/// In builds for tests (SN_POISON) fills memory that nobody has written yet, so that a read shows: doubles
/// and floats are NaN, an int is neither an id nor -1. Nothing else writes this word.
#ifdef SN_POISON
#define SN_POISON_WORD 0xfff8deadu
void sn_poison(void* block, size_t size);
#else
#define sn_poison(block, size) ((void)(block), (void)(size))
#endif

/// Aligned block of `size` bytes (uninitialised; poisoned), or NULL.
void* sn_malloc(size_t size);
/// As sn_malloc, zeroed.
void* sn_calloc(size_t size);
/// Grows or shrinks a block from sn_malloc; `old_size` bytes at most are kept. NULL leaves it alone.
void* sn_realloc(void* block, size_t old_size, size_t size);
void sn_free(void* block);

/// Rounds up to SN_ALIGN.
static inline size_t sn_alignUp(size_t size)
{
    return (size + SN_ALIGN - 1) & ~(size_t)(SN_ALIGN - 1);
}

/// Test hook: called before every allocation; returning 0 makes it fail. NULL: none. Only for tests; not
/// thread safe, the library itself keeps no other global.
typedef int (*snAllocHook)(size_t size, void* user);
#ifdef SN_TEST_HOOKS
void sn_setAllocHook(snAllocHook hook, void* user);
/// What the hook says to an allocation of `size` bytes, for those that are made elsewhere.
int sn_mayAllocate(size_t size);
/// Whether there is one: then all is done by one thread, in one order.
int sn_isAllocHooked(void);
#else
#define sn_isAllocHooked() 0
#define sn_mayAllocate(size) 1
#endif

#endif
