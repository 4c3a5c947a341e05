// Address space without memory: pages come as they are touched, and stay.
#ifndef SINEW_BASE_RESERVE_H
#define SINEW_BASE_RESERVE_H

#include <stddef.h>

/// Reserves *size bytes of zeros, page aligned. Where the system refuses (a limit on address space, strict
/// accounting, a locked process) half of it, and so on down to `least`; *size receives what it is then. NULL:
/// not even that. Counts as one call of the test hook of memory.h.
void* sn_reserve(size_t* size, size_t least);

/// Gives back what sn_reserve gave; takes NULL. size: as received.
void sn_release(void* block, size_t size);

/// Bytes of address space that the process may still take: what its limit (ulimit -v) leaves; SIZE_MAX: there
/// is no limit.
size_t sn_spareSpace(void);

#endif
