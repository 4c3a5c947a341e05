// The cache of assets, which never holds any: each model reads its own files.
#include "inside.h"

static size_t capacity = (size_t)500 << 20;
static mjCache cache;

mjCache* mj_getCache(void)
{
    return &cache;
}

size_t mj_getCacheSize(const mjCache* c)
{
    (void)c;
    return 0;
}

size_t mj_getCacheCapacity(const mjCache* c)
{
    (void)c;
    return capacity;
}

size_t mj_setCacheCapacity(mjCache* c, size_t size)
{
    (void)c;
    return capacity = size;
}

void mj_clearCache(mjCache* c)
{
    (void)c;
}
