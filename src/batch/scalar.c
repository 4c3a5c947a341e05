// The scalar engine as one of width 1.
#include <string.h>
#include <sinew/pipeline.h>
#include <sinew/smooth.h>
#include "base/memory.h"
#include "batch/engine.h"

static bool runs(void)
{
    return true;
}

static void release(void* work)
{
    snScalarWork* w = work;
    if (!w) return;
    sn_deleteData(w->d);
    if (w->own) sn_deleteModel(w->own);
    sn_free(w);
}

static void* make(const snModel* m)
{
    snScalarWork* w = sn_calloc(sizeof *w);
    if (!w) return NULL;
    w->m = m;
    w->d = sn_makeData(m);
    if (w->d) return w;
    release(w);
    return NULL;
}

// ---- rows

static void* placeIn(snScalarWork* w, const snBatchArray* a)
{
    int count;
    switch (a->place) {
    case SN_PLACE_TIME: return &w->d->time;
    case SN_PLACE_DATA: return *(void**)((char*)w->d + sn_dataFields(&count, NULL)[a->index].offset);
    case SN_PLACE_MODEL: return *(void**)((char*)w->own + sn_modelFields(&count)[a->index].offset);
    case SN_PLACE_OPTION: return (char*)&w->own->opt + sn_optionFields(&count)[a->index].offset;
    case SN_PLACE_STATISTIC: return (double*)&w->own->stat + a->index;
    default: return w->d->warning;
    }
}

static void* rowOf(const snBatchArray* a, int id)
{
    return (char*)a->rows + (size_t)id * a->stride * sn_itemSize(a);
}

// What is the same already is not written: zeros may stand in pages that are no memory yet.
static void copyChanged(void* to, const void* from, size_t bytes)
{
    if (memcmp(to, from, bytes) != 0) memcpy(to, from, bytes);
}

static void loadTruths(uint8_t* to, const double* row, int columns)
{
    for (int k = 0; k < columns; k++) to[k] = row[k] != 0;
}

// A count that cannot be, as the caller may have written it, is held within bounds.
static void loadImpulses(snData* d, const snBatchArray* a, const double* row)
{
    const int most = (a->columns - 1) / (int)(sizeof(snImpulse) / sizeof(double));
    d->nimpulse = !(row[0] > 0) ? 0 : row[0] < most ? (int)row[0] : most;
    memcpy(d->impulse, row + 1, (size_t)d->nimpulse * sizeof(snImpulse));
}

static void storeImpulses(const snData* d, double* row)
{
    row[0] = d->nimpulse;
    memcpy(row + 1, d->impulse, (size_t)d->nimpulse * sizeof(snImpulse));
}

static bool isOfSleepers(const snBatchArray* a)
{
    return a->place == SN_PLACE_DATA && !strcmp(a->name, "tree_asleep");
}

static void load(void* work, const snBatchArray* arrays, int count, const int* ids, int nid, unsigned lanes)
{
    (void)nid, (void)lanes;
    snScalarWork* w = work;
    for (const snBatchArray* a = arrays; a < arrays + count; a++) {
        const void* row = rowOf(a, ids[0]);
        if (isOfSleepers(a)) w->d->nasleep = w->d->nstill = 0; // lists were those of another simulation
        if (a->place == SN_PLACE_IMPULSE)
            loadImpulses(w->d, a, row);
        else if (a->kind == SN_ROWS_TRUTHS)
            loadTruths(placeIn(w, a), row, a->columns);
        else if (a->columns)
            memcpy(placeIn(w, a), row, (size_t)a->columns * sn_itemSize(a));
    }
}

static void store(void* work, const snBatchArray* arrays, int count, const int* ids, int nid, unsigned lanes)
{
    (void)nid, (void)lanes;
    snScalarWork* w = work;
    for (const snBatchArray* a = arrays; a < arrays + count; a++) {
        void* row = rowOf(a, ids[0]);
        if (a->place == SN_PLACE_IMPULSE)
            storeImpulses(w->d, row);
        else if (a->columns)
            copyChanged(row, placeIn(w, a), (size_t)a->columns * sn_itemSize(a));
    }
}

// ---- stages

static unsigned forward(void* work)
{
    snScalarWork* w = work;
    sn_forward(w->m, w->d);
    return 0;
}

static unsigned step(void* work, bool sensors)
{
    (void)sensors;
    snScalarWork* w = work;
    sn_step(w->m, w->d);
    return 0;
}

static void ask(void* work, unsigned asked)
{
    snScalarWork* w = work;
    if (asked & SN_ASKED_FORCES) sn_rnePostConstraint(w->m, w->d);
    if (asked & SN_ASKED_MOMENTUM) sn_subtreeVel(w->m, w->d);
}

const snLaneEngine sn_scalarEngine = {
    .name = "1d",
    .width = 1,
    .runs = runs,
    .make = make,
    .free = release,
    .load = load,
    .store = store,
    .forward = forward,
    .step = step,
    .ask = ask,
};
