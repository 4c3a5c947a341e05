#include "base/memory.h"
#include <stdint.h>
#include <string.h>
#include "base/platform/pages.h"

#ifdef SN_TEST_HOOKS
static snAllocHook alloc_hook;
static void* alloc_user;

void sn_setAllocHook(snAllocHook hook, void* user)
{
    alloc_hook = hook;
    alloc_user = user;
}

int sn_mayAllocate(size_t size)
{
    return !alloc_hook || alloc_hook(size, alloc_user);
}

int sn_isAllocHooked(void)
{
    return alloc_hook != NULL;
}
#endif

static void* allocate(size_t size)
{
    if (!sn_mayAllocate(size) || size > (size_t)1 << 48) return NULL;
    return sn_allocAligned(SN_ALIGN, sn_alignUp(size ? size : 1));
}

#ifdef SN_POISON
void sn_poison(void* block, size_t size)
{
    const uint32_t word = SN_POISON_WORD;
    char* to = block;
    for (size_t k = 0; k < size / sizeof word; k++) memcpy(to + k * sizeof word, &word, sizeof word);
    memset(to + size / sizeof word * sizeof word, 0xff, size % sizeof word);
}
#endif

void* sn_malloc(size_t size)
{
    void* block = allocate(size);
    if (block) sn_poison(block, size);
    return block;
}

void* sn_calloc(size_t size)
{
    void* block = allocate(size);
    if (block) memset(block, 0, size);
    return block;
}

void* sn_realloc(void* block, size_t old_size, size_t size)
{
    void* grown = sn_malloc(size);
    if (!grown) return NULL;
    if (block) memcpy(grown, block, old_size < size ? old_size : size);
    sn_free(block);
    return grown;
}

void sn_free(void* block)
{
    sn_freeAligned(block);
}
