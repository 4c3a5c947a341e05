// The arena of snData: arrays of variable size grow from its start, scratch grows from its end.
#ifndef SINEW_MODEL_ARENA_H
#define SINEW_MODEL_ARENA_H

#include <assert.h>
#include <sinew/data.h>
#include "math/real.h"

/// Room for an array in the arena, cache-line aligned, or NULL when it does not fit (never out of bounds).
void* sn_arenaAlloc(snData* d, size_t bytes);

/// The same for an array that stands there already: where this puts it, so much of it had been written.
void* sn_arenaKeep(snData* d, size_t bytes);
/// Where the next array in the arena goes.
static inline void* sn_arenaNext(const snData* d)
{
    return (char*)d->arena + d->parena;
}

/// Frees all arena arrays: contacts and rows are gone, their counts 0 and pointers NULL.
void sn_arenaClear(snData* d);

/// No loops: their counts are 0.
void sn_dropLoops(snData* d);

/// Scratch memory, cache-line aligned, uninitialised, or NULL when it does not fit. Take a mark first and
/// release to it: { const size_t mark = sn_scratchMark(d); ... sn_scratchRelease(d, mark); }
void* sn_scratchAlloc(snData* d, size_t bytes);
static inline size_t sn_scratchMark(const snData* d)
{
    return d->pstack;
}
static inline void sn_scratchRelease(snData* d, size_t mark)
{
    assert(mark <= d->pstack);
    d->pstack = mark;
}
static inline real* sn_scratchReal(snData* d, int count)
{
    assert(count >= 0);
    return sn_scratchAlloc(d, (size_t)count * sizeof(real));
}
static inline int* sn_scratchInt(snData* d, int count)
{
    assert(count >= 0);
    return sn_scratchAlloc(d, (size_t)count * sizeof(int));
}

/// Cuts what was taken at once for several arrays: the first `count` of what is left. Reals stay aligned for
/// SIMD where counts are whole fours.
static inline real* sn_cutReal(real** left, int count)
{
    real* p = *left;
    *left += count;
    return p;
}
static inline int* sn_cutInt(int** left, int count)
{
    int* p = *left;
    *left += count;
    return p;
}

/// Counts a warning.
void sn_warn(snData* d, snWarning warning, int info);

/// Counts SN_WARN_CNSTRFULL, with the size of the arena (KiB): something had no room in it.
static inline void sn_warnFull(snData* d)
{
    sn_warn(d, SN_WARN_CNSTRFULL, (int)(d->narena / 1024));
}

#endif
