// Work that threads of a pool take from a counter, some at a time, while the calling thread asks now and then
// whether to go on: also when it has none left and waits for the others.
#ifndef SINEW_BASE_PORTIONS_H
#define SINEW_BASE_PORTIONS_H

#include <sinew/thread_pool.h>
#include <stdatomic.h>
#include "base/platform/threads.h"

typedef struct snPortions {
    size_t count;       // items
    size_t chunk;       // that a thread takes at a time
    atomic_size_t next; // item that nobody has taken
    atomic_bool ended;  // nothing more is to be begun
    snMutex lock;       // over `left`
    snCondition done;
    size_t left; // items that are not done
} snPortions;

/// Asks the caller; false: it is to end.
typedef bool (*snAsk)(void* user);

/// Begins with `count` items; sn_endPortions ends. Allocates nothing.
void sn_beginPortions(snPortions* p, size_t count, size_t chunk);
void sn_endPortions(snPortions* p);

/// Takes the next items, from *first on; returns how many, 0: none is left.
size_t sn_takePortion(snPortions* p, size_t* first);
/// Tells that so many of the items that were taken are done.
void sn_portionDone(snPortions* p, size_t count);

/// Sleeps until all items are done or ask says no, which it is asked every sn_asking ns.
void sn_awaitPortions(snPortions* p, snAsk ask, void* user);

/// Between two questions (ns).
static const long long sn_asking = 20000000;

#endif
