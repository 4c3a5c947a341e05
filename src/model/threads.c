// The threads that a data has of its own.
#include <sinew/data.h>
#include <sinew/thread_pool.h>
#include "base/error.h"

snStatus sn_setThreads(snData* d, int nthread, snError* error)
{
    if (nthread < 1 || nthread > SN_MAX_THREADS)
        return sn_fail(error, SN_STATUS_ARGUMENT, "threads are %d, must be 1 to %d", nthread, SN_MAX_THREADS);
    snThreadPool* pool = nthread > 1 ? sn_makeThreadPool(nthread) : NULL;
    if (nthread > 1 && !pool)
        return sn_fail(error, SN_STATUS_NO_MEMORY, "the system has no more threads for %d, or no memory",
                       nthread);
    sn_deleteThreadPool(d->own_pool);
    d->pool = d->own_pool = pool;
    return SN_STATUS_OK;
}
