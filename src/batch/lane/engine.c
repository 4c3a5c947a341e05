// The engine of this width.
#include "batch/engine.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "batch/lane/lane.h"
#include "batch/lane/likeness.h"
#include "batch/lane/load.h"

extern const snLaneEngine sn_laneEngine;

static void release(void* work)
{
    snLaneWork* w = work;
    if (!w) return;
    sn_freeLaneModel(&w->model);
    sn_freeLaneData(&w->data);
    sn_free(w);
}

static void* make(const snScalarModel* m)
{
    snLaneWork* w = sn_calloc(sizeof *w);
    if (!w) return NULL;
    if (sn_makeLaneModel(&w->model, m) && sn_makeLaneData(&w->model, &w->data)) return w;
    release(w);
    return NULL;
}

static unsigned forward(void* work)
{
    snLaneWork* w = work;
    w->data.eject = w->odd;
    sn_laneForward(&w->model, &w->data, true);
    return sn_bits(w->data.eject);
}

static unsigned step(void* work, bool sensors)
{
    snLaneWork* w = work;
    w->data.eject = w->odd;
    w->data.iterations = sn_real(0);
    sn_laneStep(&w->model, &w->data, sensors);
    return sn_bits(w->data.eject);
}

static void ask(void* work, unsigned asked)
{
    snLaneWork* w = work;
    sn_laneAsk(&w->model, &w->data, asked);
}

static bool runs(void)
{
#if defined(__AVX512F__)
    return sn_cpuKind() >= SN_CPU_V4;
#elif defined(__AVX2__)
    return sn_cpuKind() >= SN_CPU_V3;
#elif defined(__SSE4_2__)
    return sn_cpuKind() >= SN_CPU_V2;
#else
    return true;
#endif
}

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#ifdef SN_SINGLE
#define KIND "f"
#else
#define KIND "d"
#endif

const snLaneEngine sn_laneEngine = {
    .name = TEXT(SN_LANES) KIND,
    .width = SN_LANES,
#ifdef SN_SINGLE
    .single = true,
#endif
    .runs = runs,
    .make = make,
    .free = release,
    .load = sn_loadLanes,
    .store = sn_storeLanes,
    .forward = forward,
    .step = step,
    .likeness = sn_laneLikeness,
    .ask = ask,
};
