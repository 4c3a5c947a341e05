#include "base/reserve.h"
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
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

// ---- which chunks of addresses wait to become memory

#ifdef SN_EXPLICIT_COMMIT
// A bit each, set while nobody has asked for the chunk, in leaves of 4 GiB of addresses, which stay once they
// are there: addresses come again. All of the 48 bits that processors give programs. What is not reserved
// here is memory as far as anybody may write to it.
enum { LEAF_BITS = 16, LEAVES = 1 << 16 };

typedef struct Leaf {
    atomic_uchar bits[(1 << LEAF_BITS) / 8];
} Leaf;

static _Atomic(Leaf*) leaves[LEAVES];

static size_t chunkOf(const void* at)
{
    return (uintptr_t)at / SN_COMMIT_SIZE;
}

static bool growLeaves(const char* start, size_t size)
{
    for (size_t k = chunkOf(start) >> LEAF_BITS; k <= chunkOf(start + size - 1) >> LEAF_BITS; k++) {
        if (k >= LEAVES) return false;
        if (atomic_load(leaves + k)) continue;
        Leaf *leaf = calloc(1, sizeof *leaf), *none = NULL;
        if (!leaf) return false;
        if (!atomic_compare_exchange_strong(leaves + k, &none, leaf)) free(leaf);
    }
    return true;
}

// The eight bits that the chunk's is one of; NULL: none of them is set.
static atomic_uchar* byteOf(size_t chunk)
{
    const size_t k = chunk >> LEAF_BITS;
    Leaf* leaf = k < LEAVES ? atomic_load_explicit(leaves + k, memory_order_acquire) : NULL;
    return leaf ? leaf->bits + (chunk & ((1 << LEAF_BITS) - 1)) / 8 : NULL;
}

static void setBit(size_t chunk, bool waits)
{
    atomic_uchar* byte = byteOf(chunk);
    const unsigned char bit = (unsigned char)(1 << chunk % 8);
    if (byte && waits)
        atomic_fetch_or_explicit(byte, bit, memory_order_release);
    else if (byte)
        atomic_fetch_and_explicit(byte, (unsigned char)~bit, memory_order_release);
}

// Of all chunks of a block; whole bytes are its own.
static void setBits(const char* start, size_t size, bool waits)
{
    for (size_t k = chunkOf(start), last = chunkOf(start + size - 1); k <= last; k++) {
        atomic_uchar* byte = k % 8 == 0 && k + 7 <= last ? byteOf(k) : NULL;
        if (!byte) {
            setBit(k, waits);
        } else {
            atomic_store_explicit(byte, waits ? 0xff : 0, memory_order_release);
            k += 7;
        }
    }
}

static bool isMemory(size_t chunk)
{
    const atomic_uchar* byte = byteOf(chunk);
    return !byte || !(atomic_load_explicit(byte, memory_order_acquire) >> chunk % 8 & 1);
}

bool sn_commit(const void* start, size_t size)
{
    if (!size) return true;
    for (size_t k = chunkOf(start), last = chunkOf((const char*)start + size - 1); k <= last; k++) {
        if (isMemory(k)) continue;
        if (!sn_commitPages((void*)(uintptr_t)(k * SN_COMMIT_SIZE), SN_COMMIT_SIZE)) return false;
        setBit(k, false);
    }
    return true;
}

static void forget(const char* start, size_t size)
{
    setBits(start, size, false);
}

// What lies between two blocks is nobody's: all of a block are whole chunks.
static size_t wholeSize(size_t size)
{
    return (size + SN_COMMIT_SIZE - 1) & ~(size_t)(SN_COMMIT_SIZE - 1);
}

static bool prepare(char* start, size_t size, bool sparse)
{
    if (!sparse) return sn_commitPages(start, size);
    if (!growLeaves(start, size)) return false;
    setBits(start, size, true);
    return true;
}
#else
static void forget(const char* start, size_t size)
{
    (void)start, (void)size;
}

static size_t wholeSize(size_t size)
{
    return size;
}

static bool prepare(const char* start, size_t size, bool sparse)
{
    (void)start, (void)size, (void)sparse;
    return true;
}
#endif

// ---- blocks

static size_t mappedSize(size_t size)
{
    return wholeSize(sn_alignUp(size ? size : 1) + 2 * GUARD);
}

static void* map(size_t size, bool sparse)
{
    if (size > (size_t)-1 / 2) return NULL;
    const size_t whole = mappedSize(size);
    char* start = sn_reservePages(whole);
    if (!start) return NULL;
    if (!prepare(start, whole, sparse)) {
        sn_releasePages(start, whole);
        return NULL;
    }
    FORBID(start, GUARD);
    FORBID(start + GUARD + sn_alignUp(size ? size : 1), GUARD);
    return start + GUARD;
}

static void* reserve(size_t* size, size_t least, bool sparse)
{
    if (!sn_mayAllocate(*size)) return NULL;
    if (least > *size) least = *size;
    for (;;) {
        void* block = map(*size, sparse);
        if (block || *size <= least) return block;
        *size = *size / 2 > least ? sn_alignUp(*size / 2) : least;
    }
}

void* sn_reserve(size_t* size, size_t least)
{
    return reserve(size, least, false);
}

void* sn_reserveSparse(size_t* size, size_t least)
{
    return reserve(size, least, true);
}

void sn_release(void* block, size_t size)
{
    if (!block) return;
    const size_t whole = mappedSize(size);
    char* start = (char*)block - GUARD;
    PERMIT(start, GUARD);
    PERMIT(start + GUARD + sn_alignUp(size ? size : 1), GUARD);
    forget(start, whole);
    sn_releasePages(start, whole);
}
