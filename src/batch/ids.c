// Lists of simulations, checked before anything is changed.
#include <string.h>
#include "base/error.h"
#include "batch/batch.h"

static snStatus checkId(const snBatch* b, const char* function, const int* ids, int at, snError* error)
{
    if (ids[at] < 0 || ids[at] >= b->n)
        return sn_fail(error, SN_STATUS_ARGUMENT, "%s: ids[%d] is %d, must be in [0, %d)", function, at,
                       ids[at], b->n);
    if (b->mark[ids[at]])
        return sn_fail(error, SN_STATUS_ARGUMENT, "%s: ids[%d] is %d, which stands before; give each id once",
                       function, at, ids[at]);
    return SN_STATUS_OK;
}

snStatus sn_checkIds(const snBatch* b, const char* function, const int* ids, int nid, snError* error)
{
    if (!ids) return SN_STATUS_OK;
    if (nid < 0) return sn_fail(error, SN_STATUS_ARGUMENT, "%s: %d ids, may not be negative", function, nid);
    snStatus status = SN_STATUS_OK;
    int seen = 0;
    for (; seen < nid && !status; seen++) {
        status = checkId(b, function, ids, seen, error);
        if (!status) b->mark[ids[seen]] = 1;
    }
    for (int k = 0; k < seen; k++)
        if (ids[k] >= 0 && ids[k] < b->n) b->mark[ids[k]] = 0;
    return status;
}
