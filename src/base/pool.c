#include "base/pool.h"
#include "base/memory.h"
#include <stdalign.h>
#include <string.h>

#define BLOCK_SIZE 65536

struct snPoolBlock {
    snPoolBlock* next;
    size_t used, size;
    _Alignas(max_align_t) char data[];
};

void* sn_poolAlloc(snPool* pool, size_t size)
{
    const size_t align = _Alignof(max_align_t);
    if (size > (size_t)1 << 40) return NULL;
    size = (size + align - 1) / align * align;
    snPoolBlock* block = pool->blocks;
    if (!block || block->size - block->used < size) {
        const size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        block = sn_malloc(sizeof *block + room);
        if (!block) return NULL;
        block->size = room;
        block->used = 0;
        // a block for one large item goes behind the current one, which may still have room
        snPoolBlock** link = size > BLOCK_SIZE / 2 && pool->blocks ? &pool->blocks->next : &pool->blocks;
        block->next = *link;
        *link = block;
    }
    void* item = block->data + block->used;
    block->used += size;
    memset(item, 0, size);
    return item;
}

char* sn_poolText(snPool* pool, const char* text, size_t length)
{
    char* copy = sn_poolAlloc(pool, length + 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

bool sn_poolDrop(snPool* pool, const void* item)
{
    for (snPoolBlock** link = &pool->blocks; *link; link = &(*link)->next) {
        snPoolBlock* block = *link;
        if (block->data != item || block->size <= BLOCK_SIZE) continue;
        *link = block->next;
        sn_free(block);
        return true;
    }
    return false;
}

void sn_clearPool(snPool* pool)
{
    for (snPoolBlock *block = pool->blocks, *next; block; block = next) {
        next = block->next;
        sn_free(block);
    }
    pool->blocks = NULL;
}
