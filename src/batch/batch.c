// Making and freeing a batch.
#include "batch/batch.h"
#include <stdio.h>
#include <string.h>
#include <sinew/plugin.h>
#include <sinew/state.h>
#include "base/error.h"
#include "base/memory.h"
#include "loop/closing/assemble.h"
#include "model/arena_size.h"
#include "model/sleep.h"

// ---- arrays that are always there

static bool addField(snBatch* b, snBatchArrays* arrays, const char* name)
{
    return sn_addArray(b, arrays, sn_arrayOfField(b->m, sn_batchField(name)));
}

// In the order of the bits of snStateBit; SN_BATCH_MOVING is of this
// order.
static bool makeState(snBatch* b)
{
    static const char* const names[] = {"qpos",      "qvel",         "act",          "qacc_warmstart",
                                        "ctrl",      "qfrc_applied", "xfrc_applied", "eq_active",
                                        "mocap_pos", "mocap_quat",   "userdata",     "plugin_state",
                                        "history",   "plastic"};
    const snBatchArray time = {.name = "time", .place = SN_PLACE_TIME, .columns = 1};
    bool made = sn_addArray(b, &b->state, time);
    for (size_t i = 0; i < sizeof names / sizeof *names && made; i++) made = addField(b, &b->state, names[i]);
    return made;
}

// What sleepers keep.
static bool makeAsleep(snBatch* b)
{
    return addField(b, &b->kept, "tree_asleep") && addField(b, &b->kept, "sleep_qpos") &&
           addField(b, &b->kept, "sleep_mocap") && addField(b, &b->kept, "sensordata");
}

static bool makeKept(snBatch* b)
{
    const snBatchArray warning = {.name = "warning",
                                  .place = SN_PLACE_WARNING,
                                  .kind = SN_ROWS_INTS,
                                  .columns = SN_NWARNING * (int)(sizeof(snWarningStat) / sizeof(int))};
    const snBatchArray impulse = {.name = "impulse",
                                  .place = SN_PLACE_IMPULSE,
                                  .columns =
                                      1 + sn_mostImpulses(b->m) * (int)(sizeof(snImpulse) / sizeof(double))};
    return sn_addArray(b, &b->kept, warning) &&
           (b->m->opt.contact != SN_CONTACT_LCP || sn_addArray(b, &b->kept, impulse)) &&
           (!sn_mayHaveLoops(b->m) || addField(b, &b->kept, "loop_seen")) &&
           (!sn_maySleep(b->m) || makeAsleep(b));
}

const snWarningStat* sn_batchWarnings(const snBatch* b, int i)
{
    const snWarningStat* rows = b->kept.list[0].rows;
    return i < 0 || i >= b->n ? NULL : rows + (size_t)i * SN_NWARNING;
}

// ---- engines

// The engine that the options ask for; NULL: there is none here.
static const snLaneEngine* chooseEngine(const snBatchOption* option)
{
    int count;
    const snLaneEngine* const* engines = sn_laneEngines(&count);
    for (int i = 0; i < count; i++)
        if (engines[i]->runs() && engines[i]->single == (option->single != 0) &&
            (!option->width || option->width == engines[i]->width))
            return engines[i];
    return option->width || option->single ? NULL : &sn_scalarEngine;
}

static void nameWidths(char* text, size_t size)
{
    int count;
    const snLaneEngine* const* engines = sn_laneEngines(&count);
    size_t at = (size_t)snprintf(text, size, "1");
    for (int i = 0; i < count; i++)
        if (engines[i]->runs() && at < size)
            at += (size_t)snprintf(text + at, size - at, ", %d%s", engines[i]->width,
                                   engines[i]->single ? " (single)" : "");
}

// Sets b->engine.
static snStatus findEngine(snBatch* b, const snBatchOption* option, snError* error)
{
    char text[1024];
    const bool scalar = sn_batchScalarFeatures(b->m, text, sizeof text) > 0;
    b->engine = &sn_scalarEngine;
    if (option->width > 1 && scalar)
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "no batch in lanes of width %d: the model has %s; give no width, or 1", option->width,
                       text);
    if (option->width == 1 || scalar) return SN_STATUS_OK;
    const snLaneEngine* found = chooseEngine(option);
    if (found) {
        b->engine = found;
        return SN_STATUS_OK;
    }
    nameWidths(text, sizeof text);
    const char* single = option->single ? " of single precision" : "";
    if (!option->width)
        return sn_fail(error, SN_STATUS_ARGUMENT, "no lanes%s in this build on this processor; there are %s",
                       single, text);
    return sn_fail(error, SN_STATUS_ARGUMENT,
                   "no lanes of width %d%s in this build on this processor; there are %s", option->width,
                   single, text);
}

static bool makeWorkspaces(const snBatch* b, const snLaneEngine* engine, void** work)
{
    for (int t = 0; t < b->nthread; t++)
        if (!(work[t] = engine->make(b->m))) return false;
    return true;
}

static bool makeThreads(snBatch* b)
{
    const size_t size = (size_t)b->nthread * sizeof(void*);
    b->scalar = sn_calloc(size);
    if (!b->scalar || !makeWorkspaces(b, &sn_scalarEngine, b->scalar)) return false;
    if (b->engine == &sn_scalarEngine) {
        b->work = b->scalar;
        return true;
    }
    b->work = sn_calloc(size);
    return b->work && makeWorkspaces(b, b->engine, b->work);
}

static void freeWorkspaces(const snBatch* b, const snLaneEngine* engine, void** work)
{
    for (int t = 0; t < b->nthread && work; t++)
        if (work[t]) engine->free(work[t]);
    sn_free(work);
}

// ---- the batch

void sn_deleteBatch(snBatch* b)
{
    if (!b) return;
    if (b->work != b->scalar) freeWorkspaces(b, b->engine, b->work);
    freeWorkspaces(b, &sn_scalarEngine, b->scalar);
    sn_freeArrays(&b->state);
    sn_freeArrays(&b->output);
    sn_freeArrays(&b->parameter);
    sn_freeArrays(&b->kept);
    sn_free(b->mark);
    sn_free(b->key);
    sn_free(b->order);
    if (b->m) sn_deleteModel(b->m);
    sn_free(b);
}

// Whether the system has memory for all arrays together, asked before any is filled with zeros.
static bool mayHaveRoom(const snBatch* b)
{
    const size_t numbers = (size_t)sn_stateSize(b->m, SN_STATE_INTEGRATION) + (size_t)b->m->nsensordata;
    void* volatile all = sn_malloc((size_t)b->n * numbers * sizeof(double));
    sn_free(all);
    return all != NULL;
}

static bool makeParts(snBatch* b)
{
    if (!mayHaveRoom(b)) return false;
    b->mark = sn_calloc((size_t)b->n);
    b->key = sn_calloc((size_t)b->n * sizeof *b->key);
    b->order = sn_calloc(2 * (size_t)b->n * sizeof *b->order);
    return b->mark && b->key && b->order && makeThreads(b) && makeState(b) && makeKept(b) &&
           addField(b, &b->output, "sensordata");
}

// Says how much was asked for. What each simulation has by itself; threads have more.
static void failNoMemory(const snModel* m, int n, snError* error)
{
    const double numbers = (double)sn_stateSize(m, SN_STATE_INTEGRATION) + m->nsensordata;
    const double each = numbers * sizeof(double) + SN_NWARNING * sizeof(snWarningStat);
    sn_fail(error, SN_STATUS_NO_MEMORY,
            "no memory for a batch of %d simulation%s: each takes %.3g kB, %.3g GB in all, and each thread a "
            "data of the model and room for its lanes",
            n, n == 1 ? "" : "s", 1e-3 * each, 1e-9 * each * n);
}

snBatch* sn_makeBatch(const snModel* m, int n, const snBatchOption* option, snError* error)
{
    static const snBatchOption none = {0};
    if (!option) option = &none;
    if (n <= 0) {
        sn_fail(error, SN_STATUS_ARGUMENT, "a batch of %d simulations, must be at least 1", n);
        return NULL;
    }
    if (sn_isSerial(m)) {
        sn_fail(error, SN_STATUS_ARGUMENT,
                "no batch: the plugin '%s' must be called from one thread; use sn_step, or sn_rollout on one "
                "thread",
                sn_serialName(m));
        return NULL;
    }
    snBatch* b = sn_calloc(sizeof *b);
    snStatus status = SN_STATUS_NO_MEMORY;
    if (b) {
        b->n = n;
        b->pool = option->pool;
        b->nthread = sn_threadCount(option->pool);
        b->m = sn_copyModel(m);
        status = b->m ? findEngine(b, option, error) : SN_STATUS_NO_MEMORY;
    }
    if (!status && !makeParts(b)) status = SN_STATUS_NO_MEMORY;
    if (status) {
        sn_deleteBatch(b);
        if (status == SN_STATUS_NO_MEMORY) failNoMemory(m, n, error);
        return NULL;
    }
    sn_batchReset(b, NULL, NULL, 0, NULL);
    return b;
}

int sn_batchCount(const snBatch* b)
{
    return b->n;
}
int sn_batchWidth(const snBatch* b)
{
    return b->engine->width;
}
const snModel* sn_batchModel(const snBatch* b)
{
    return b->m;
}
