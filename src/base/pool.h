// Memory that is freed at once: pieces cut from blocks.
#ifndef SINEW_BASE_POOL_H
#define SINEW_BASE_POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct snPoolBlock snPoolBlock;

/// All zero: an empty pool.
typedef struct snPool {
    snPoolBlock* blocks; ///< the first one has room
} snPool;

/// Zeroed memory that lives as long as the pool, aligned for any type; NULL when out of memory.
void* sn_poolAlloc(snPool* pool, size_t size);
/// A copy of length bytes of text, closed by a 0; NULL when out of memory.
char* sn_poolText(snPool* pool, const char* text, size_t length);
/// Frees an item that has a block of its own, as those of more than 64 KiB have; others stay, as does what is
/// none of the pool's. Whether it has been freed.
bool sn_poolDrop(snPool* pool, const void* item);
/// Frees all of it; the pool is empty then and can be used again.
void sn_clearPool(snPool* pool);

#endif
