// Memory of threads that make finite differences.
#include "call/call.h"

bool makeDifferenceThreads(Call* call, snDifferenceThreads* threads)
{
    const snCallbacks* c = &call->d->callback;
    const bool calls = c->passive || c->control || c->contactfilter || c->sensor || c->act_dyn ||
                       c->act_gain || c->act_bias || (c->time && c->time != readClock);
    const int count = calls || sn_isSerial(call->m) ? 0 : sn_threadCount(call->d->pool) - 1;
    *threads = (snDifferenceThreads){0};
    if (count <= 0) return true;
    snData** data = calloc((size_t)count, sizeof *data);
    bool made = data != NULL;
    for (int i = 0; i < count && made; i++) made = (data[i] = sn_makeData(call->m)) != NULL;
    *threads = (snDifferenceThreads){.pool = call->d->pool, .data = data, .ndata = data ? count : 0};
    if (made) return true;
    freeDifferenceThreads(threads);
    call->error.status = SN_STATUS_NO_MEMORY;
    snprintf(call->error.message, sizeof call->error.message, "out of memory for %d threads", count + 1);
    return false;
}

void freeDifferenceThreads(snDifferenceThreads* threads)
{
    for (int i = 0; i < threads->ndata; i++) sn_deleteData(threads->data[i]);
    free((void*)threads->data);
}
