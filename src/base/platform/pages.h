// Memory from the system: addresses, pages, aligned blocks.
#ifndef SINEW_BASE_PLATFORM_PAGES_H
#define SINEW_BASE_PLATFORM_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/// Where pages are no memory before they are asked for: Windows; and builds for tests, which show what is
/// written without having been asked for.
#if defined(_WIN32) || defined(SN_POISON)
#define SN_EXPLICIT_COMMIT
enum { SN_COMMIT_SIZE = 65536 }; ///< bytes that are asked for at once, and alignment of what is reserved
#endif

/// Reserves `size` bytes of addresses, page aligned; NULL: there are not so many. They are zeros, memory as
/// they are touched, or with SN_EXPLICIT_COMMIT once sn_commitPages has asked for them.
void* sn_reservePages(size_t size);
#ifdef SN_EXPLICIT_COMMIT
/// Makes memory of all pages that a range touches; those that are stay as they are. false: there is none.
bool sn_commitPages(void* start, size_t size);
#endif
/// Gives back what sn_reservePages gave.
void sn_releasePages(void* start, size_t size);

/// Bytes of address space that the process may still take: what its limit (ulimit -v) leaves; SIZE_MAX: there
/// is no limit.
size_t sn_spareSpace(void);

/// A block of the heap; align is a power of two that divides size. NULL: out of memory.
void* sn_allocAligned(size_t align, size_t size);
/// Frees such a block; takes NULL. No other function does.
void sn_freeAligned(void* block);

#endif
