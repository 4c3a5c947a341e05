// How simulations of a batch begin, and how they come out of it and back as a data.
#include <string.h>
#include <sinew/pipeline.h>
#include "base/error.h"
#include "batch/batch.h"

static void loadRows(void* scalar, const snBatchArrays* arrays, int id)
{
    sn_scalarEngine.load(scalar, arrays->list, arrays->count, &id, 1, 1);
}

static void storeRows(void* scalar, const snBatchArrays* arrays, int id)
{
    sn_scalarEngine.store(scalar, arrays->list, arrays->count, &id, 1, 1);
}

// The state and all else that a simulation has, out of a workspace of the scalar engine.
static void putSimulation(snBatch* b, void* scalar, int id)
{
    storeRows(scalar, &b->state, id);
    storeRows(scalar, &b->kept, id);
}

// ---- start

static snStatus checkKeys(const snBatch* b, const int* keys, int nid, snError* error)
{
    for (int k = 0; k < nid && keys; k++)
        if (keys[k] < -1 || keys[k] >= b->m->nkey)
            return sn_fail(error, SN_STATUS_ARGUMENT,
                           "sn_batchReset: keys[%d] is %d, must be in [0, %d), or -1: the model's start", k,
                           keys[k], b->m->nkey);
    return SN_STATUS_OK;
}

// Without parameters all that begin from one keyframe begin alike: the data of the last one serves again.
static void resetOne(snBatch* b, int id, int key, bool again)
{
    snScalarWork* w = b->scalar[0];
    loadRows(w, &b->parameter, id);
    if (!again) sn_resetDataKeyframe(w->m, w->d, key); // -1: as sn_resetData
    putSimulation(b, w, id);
    storeRows(w, &b->output, id);
}

snStatus sn_batchReset(snBatch* b, const int* ids, const int* keys, int nid, snError* error)
{
    snStatus status = sn_checkIds(b, "sn_batchReset", ids, nid, error);
    if (!ids) nid = b->n;
    if (!status) status = checkKeys(b, keys, nid, error);
    for (int k = 0, last = -1; k < nid && !status; k++) {
        const int key = keys ? keys[k] : -1;
        resetOne(b, ids ? ids[k] : k, key, k > 0 && key == last && !b->parameter.count);
        last = key;
    }
    return status;
}

// ---- one simulation

static snStatus checkOne(const snBatch* b, const char* function, int i, const snData* d, snError* error)
{
    const snScalarWork* w = b->scalar[0];
    if (i < 0 || i >= b->n)
        return sn_fail(error, SN_STATUS_ARGUMENT, "%s: simulation %d, must be in [0, %d)", function, i, b->n);
    if (d->nbuffer != w->d->nbuffer)
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "%s: the data has other sizes than the model of the batch; make it from sn_batchModel",
                       function);
    return SN_STATUS_OK;
}

static snStatus checkModel(const snBatch* b, const snModel* m, snError* error)
{
    int count;
    sn_modelSizes(&count);
    if (memcmp(m, b->m, (size_t)count * sizeof(int)) != 0)
        return sn_fail(
            error, SN_STATUS_ARGUMENT,
            "sn_batchGetData: the model has other sizes than that of the batch; make it by sn_copyModel "
            "from sn_batchModel");
    return SN_STATUS_OK;
}

snStatus sn_batchGetData(snBatch* b, int i, snModel* m, snData* d, snError* error)
{
    snStatus status = checkOne(b, "sn_batchGetData", i, d, error);
    if (!status && m) status = checkModel(b, m, error);
    if (status) return status;
    snScalarWork* w = b->scalar[0];
    snScalarWork to = {.m = m, .own = m, .d = d};
    if (m) loadRows(&to, &b->parameter, i);
    loadRows(w, &b->parameter, i);
    loadRows(&to, &b->state, i);
    loadRows(&to, &b->kept, i);
    sn_forward(m ? m : w->m, d);
    return SN_STATUS_OK;
}

static bool isOfSleepers(const char* name)
{
    return !strcmp(name, "tree_asleep") || !strncmp(name, "sleep_", 6) || !strcmp(name, "sensordata");
}

snStatus sn_batchSetData(snBatch* b, int i, const snData* d, snError* error)
{
    const snStatus status = checkOne(b, "sn_batchSetData", i, d, error);
    if (status) return status;
    snScalarWork from = {.d = (snData*)d}; // is read
    storeRows(&from, &b->state, i);
    for (int k = 0; k < b->kept.count; k++)
        if (b->kept.list[k].place == SN_PLACE_IMPULSE || isOfSleepers(b->kept.list[k].name))
            sn_scalarEngine.store(&from, b->kept.list + k, 1, &i, 1, 1);
    return SN_STATUS_OK;
}
