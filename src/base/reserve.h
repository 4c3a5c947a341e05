// Address space without memory: pages come as they are touched, and stay.
#ifndef SINEW_BASE_RESERVE_H
#define SINEW_BASE_RESERVE_H

#include "base/platform/pages.h"

/// Reserves *size bytes of zeros, page aligned. Where the system refuses (a limit on address space, strict
/// accounting, a locked process) half of it, and so on down to `least`; *size receives what it is then. NULL:
/// not even that. Counts as one call of the test hook of memory.h.
void* sn_reserve(size_t* size, size_t least);

/// The same for a block that is mostly left alone: what is written must have been asked for by sn_commit.
void* sn_reserveSparse(size_t* size, size_t least);

/// Makes sure that a part of a sparse block is memory; false: there is none. Costs a look where it is
/// already, and nothing where pages come by themselves.
#ifdef SN_EXPLICIT_COMMIT
bool sn_commit(const void* start, size_t size);
#else
static inline bool sn_commit(const void* start, size_t size)
{
    (void)start, (void)size;
    return true;
}
#endif

/// Gives back what sn_reserve or sn_reserveSparse gave; takes NULL. size: as received.
void sn_release(void* block, size_t size);

#endif
