// Groups of simulations through the engine, and through the scalar engine those that it leaves. Threads take
// groups; a group stays in its thread's workspace from its first step to its last.
#include <string.h>
#include <sinew/state.h>
#include "base/error.h"
#include "base/platform/clock.h"
#include "base/portions.h"
#include "batch/batch.h"

enum { MOST_CONTROLS = 7 };

typedef struct Run {
    snBatch* b;
    const snBatchRun* given;
    const int* ids; // NULL: all
    int nid, nstep, every, nsaved;
    bool forward;                        // instead of steps
    snBatchArray control[MOST_CONTROLS]; // rows of the first step
    int ncontrol, control_size;
    snBatchArray state[SN_NSTATE]; // rows of the first result
    int nstate, state_size;
    const snAlike* order; // [nid] in which they form groups; NULL: as they are
    double asked;         // (s) by the calling thread
    snPortions portions;  // groups
} Run;

// Simulations that are stepped together: their rows in the batch and in the arrays of the run.
typedef struct Group {
    int id[SN_MAXLANES], place[SN_MAXLANES];
    int count;
} Group;

// An engine at work, with a group in it.
typedef struct Worker {
    const snLaneEngine* engine;
    void* work;
    const Group* group;
} Worker;

static unsigned allOf(const Group* g)
{
    return (1u << g->count) - 1;
}

static void load(const Worker* w, const snBatchArrays* arrays, unsigned lanes)
{
    w->engine->load(w->work, arrays->list, arrays->count, w->group->id, w->group->count, lanes);
}

static void store(const Worker* w, const snBatchArrays* arrays, int count, unsigned lanes)
{
    w->engine->store(w->work, arrays->list, count, w->group->id, w->group->count, lanes);
}

static void take(const Worker* w, const snBatch* b)
{
    load(w, &b->state, allOf(w->group));
    load(w, &b->parameter, allOf(w->group));
    if (w->engine == &sn_scalarEngine) load(w, &b->kept, 1);
}

// What a step has changed: without controls of the run, inputs stay, unless the scalar engine resets them.
static void put(const Worker* w, const snBatch* b, bool inputs)
{
    const bool scalar = w->engine == &sn_scalarEngine;
    const int count = inputs || scalar ? b->state.count : SN_BATCH_MOVING;
    store(w, &b->state, count, allOf(w->group));
    if (scalar) store(w, &b->kept, b->kept.count, 1);
}

// ---- arrays of the run

// The array with its rows `items` further on.
static snBatchArray moved(const snBatchArray* a, size_t items)
{
    snBatchArray to = *a;
    to.rows = (double*)a->rows + items;
    return to;
}

static void setControls(const Run* r, const Worker* w, int step)
{
    snBatchArray at[MOST_CONTROLS];
    for (int i = 0; i < r->ncontrol; i++)
        at[i] = moved(r->control + i, (size_t)step * (size_t)r->control_size);
    w->engine->load(w->work, at, r->ncontrol, w->group->place, w->group->count, allOf(w->group));
}

static void saveRows(const Run* r, const Worker* w, const snBatchArray* a, double* rows, int saved,
                     unsigned lanes)
{
    snBatchArray to = *a;
    to.stride = (size_t)r->nsaved * (size_t)a->columns;
    to.rows = rows + (size_t)saved * (size_t)a->columns;
    w->engine->store(w->work, &to, 1, w->group->place, w->group->count, lanes);
}

// Result number `saved` of the run, of these lanes.
static void save(const Run* r, const Worker* w, int saved, unsigned lanes)
{
    const snBatchRun* given = r->given;
    const snBatchArray* outputs = r->b->output.list;
    for (int i = 0; i < r->nstate && given->state; i++) {
        const snBatchArray at = moved(r->state + i, (size_t)saved * (size_t)r->state_size);
        w->engine->store(w->work, &at, 1, w->group->place, w->group->count, lanes);
    }
    if (given->sensordata) saveRows(r, w, outputs, given->sensordata, saved, lanes);
    for (int i = 0; i < given->nfield; i++) {
        const snBatchArray* a = outputs;
        while (a->index != given->fields[i]) a++;
        saveRows(r, w, a, given->field_rows[i], saved, lanes);
    }
}

// ---- one step of a group

typedef struct Step {
    int number;
    bool last; // of the group: what it computes goes to the arrays of the batch
} Step;

static bool isSaved(const Run* r, Step s)
{
    return !r->forward && r->nsaved && (s.number + 1) % r->every == 0;
}

static void keepOutputs(const Run* r, const Worker* w, Step s, unsigned lanes)
{
    if (isSaved(r, s)) save(r, w, s.number / r->every, lanes);
    if (s.last) store(w, &r->b->output, r->b->output.count, lanes);
}

static unsigned compute(const Run* r, const Worker* w, Step s)
{
    const bool wanted = s.last || isSaved(r, s);
    if (r->b->tensions && w->engine != &sn_scalarEngine) return allOf(w->group);
    const unsigned left = r->forward ? w->engine->forward(w->work) : w->engine->step(w->work, wanted);
    if (r->b->asked && wanted) w->engine->ask(w->work, r->b->asked);
    return left & allOf(w->group);
}

// A lane's simulation through the scalar engine and back into the lane.
static void leaveToScalar(const Run* r, const Worker* w, int lane, int thread, Step s)
{
    snBatch* b = r->b;
    const Group one = {.id = {w->group->id[lane]}, .place = {w->group->place[lane]}, .count = 1};
    const Worker scalar = {&sn_scalarEngine, b->scalar[thread], &one};
    if (!r->forward) store(w, &b->state, b->state.count, 1u << lane);
    take(&scalar, b);
    compute(r, &scalar, s);
    keepOutputs(r, &scalar, s, 1);
    if (r->forward) {
        store(&scalar, &b->kept, b->kept.count, 1);
        return;
    }
    put(&scalar, b, true);
    load(w, &b->state, 1u << lane);
}

static void stepGroup(const Run* r, const Worker* w, int thread, Step s)
{
    if (r->ncontrol) setControls(r, w, s.number);
    const unsigned left = compute(r, w, s);
    keepOutputs(r, w, s, allOf(w->group) & ~left);
    for (int lane = 0; lane < w->group->count; lane++)
        if (left >> lane & 1) leaveToScalar(r, w, lane, thread, s);
}

// ---- whether to go on

static bool ask(void* run)
{
    Run* r = run;
    if (atomic_load(&r->portions.ended)) return false; // it is not asked again
    if (!r->given->proceed(r->given->user)) atomic_store(&r->portions.ended, true);
    return !atomic_load(&r->portions.ended);
}

// Whether the calling thread has not asked for a while.
static bool isTime(Run* r)
{
    const double now = sn_monotonicTime();
    if (now - r->asked < 1e-9 * (double)sn_asking) return false;
    r->asked = now;
    return true;
}

static bool goesOn(Run* r, int thread)
{
    if (r->given->proceed && thread == 0 && isTime(r)) return ask(r);
    return !atomic_load_explicit(&r->portions.ended, memory_order_relaxed);
}

// ---- groups

static Group groupAt(const Run* r, size_t index)
{
    const int width = r->b->engine->width, first = (int)index * width;
    Group g = {.count = r->nid - first < width ? r->nid - first : width};
    for (int l = 0; l < g.count; l++) {
        g.place[l] = r->order ? r->order[first + l].place : first + l;
        g.id[l] = r->ids ? r->ids[g.place[l]] : g.place[l];
    }
    return g;
}

static void keepKeys(const Worker* w, snBatch* b)
{
    unsigned long long keys[SN_MAXLANES];
    if (!w->engine->likeness) return;
    w->engine->likeness(w->work, keys, w->group->count);
    for (int l = 0; l < w->group->count; l++) b->key[w->group->id[l]] = keys[l];
}

static void runGroup(Run* r, const Group* g, int thread)
{
    snBatch* b = r->b;
    const Worker w = {b->engine, b->work[thread], g};
    if (!goesOn(r, thread)) return;
    take(&w, b);
    for (Step s = {0}; !s.last; s.number++) {
        s.last = s.number + 1 == r->nstep || !goesOn(r, thread);
        stepGroup(r, &w, thread, s);
    }
    if (!r->forward) {
        keepKeys(&w, b);
        put(&w, b, r->ncontrol > 0);
    } else if (w.engine == &sn_scalarEngine) {
        store(&w, &b->kept, b->kept.count, 1);
    }
}

static void work(void* arg, int index, int thread)
{
    (void)index;
    Run* r = arg;
    size_t first, taken;
    while ((taken = sn_takePortion(&r->portions, &first)) != 0) {
        for (size_t i = 0; i < taken; i++) {
            const Group g = groupAt(r, first + i);
            runGroup(r, &g, thread);
        }
        sn_portionDone(&r->portions, taken);
    }
    if (thread == 0 && r->given->proceed) sn_awaitPortions(&r->portions, ask, r);
}

// Simulations that touch alike things share groups: those of equal keys, the heavy ones first. A result does
// not depend on it. It begins anew with each run.
static void sortRun(Run* r)
{
    snBatch* b = r->b;
    for (int k = 0; k < r->nid; k++) b->order[k] = (snAlike){b->key[r->ids ? r->ids[k] : k], k};
    r->order = sn_sortAlike(b->order, b->order + b->n, r->nid);
}

static void runAll(Run* r)
{
    const int width = r->b->engine->width;
    const size_t groups = ((size_t)r->nid + (size_t)width - 1) / (size_t)width;
    if (r->b->engine->likeness && r->nid > width) sortRun(r);
    r->asked = sn_monotonicTime();
    sn_beginPortions(&r->portions, groups, 1);
    sn_runThreads(r->b->pool, groups < (size_t)r->b->nthread ? (int)groups : r->b->nthread, work, r);
    sn_endPortions(&r->portions);
}

// ---- what is given

// Parts of a state vector in the order of its bits, each an array of rows with this stride, from `rows` on.
static int partsOf(const snBatch* b, unsigned bits, double* rows, size_t stride, snBatchArray* parts)
{
    const snBatchArray* from = b->state.list;
    int count = 0, at = 0;
    for (int bit = 0; bit < SN_NSTATE; bit++) {
        const snBatchArray* one = from++;
        if (!(bits & 1u << bit)) continue;
        snBatchArray* a = parts + count++;
        *a = *one;
        if (a->kind == SN_ROWS_BYTES) a->kind = SN_ROWS_TRUTHS;
        a->stride = stride;
        a->rows = rows + at;
        at += a->columns;
    }
    return count;
}

static void takeControls(Run* r)
{
    const unsigned spec = r->given->control_spec ? r->given->control_spec : SN_STATE_CTRL;
    if (!r->given->control) return;
    r->control_size = sn_stateSize(r->b->m, spec);
    r->ncontrol = partsOf(r->b, spec, (double*)r->given->control, (size_t)r->nstep * (size_t)r->control_size,
                          r->control);
}

static void takeStates(Run* r)
{
    if (!r->given->state) return;
    r->state_size = sn_stateSize(r->b->m, SN_STATE_FULLPHYSICS);
    r->nstate = partsOf(r->b, SN_STATE_FULLPHYSICS, r->given->state,
                        (size_t)r->nsaved * (size_t)r->state_size, r->state);
}

static snStatus checkFields(const snBatch* b, const snBatchRun* run, snError* error)
{
    if (run->nfield < 0 || (run->nfield && (!run->fields || !run->field_rows)))
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "sn_batchStep: %d fields, need as many in `fields` and `field_rows`", run->nfield);
    for (int i = 0; i < run->nfield; i++) {
        int k = 0;
        while (k < b->output.count && b->output.list[k].index != run->fields[i]) k++;
        if (k == b->output.count)
            return sn_fail(error, SN_STATUS_ARGUMENT,
                           "sn_batchStep: fields[%d] is %d, which is not bound; call sn_batchBind before", i,
                           run->fields[i]);
        if (!run->field_rows[i])
            return sn_fail(error, SN_STATUS_ARGUMENT, "sn_batchStep: field_rows[%d] is NULL", i);
    }
    return SN_STATUS_OK;
}

static snStatus checkRun(const snBatch* b, const snBatchRun* run, snError* error)
{
    if (run->nstep < 0 || run->every < 0)
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "sn_batchStep: nstep is %d and every %d, none may be negative", run->nstep,
                       run->every);
    if (run->control_spec & ~(unsigned)SN_STATE_USER)
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "sn_batchStep: control_spec is %u, may have bits of SN_STATE_USER (%d) alone",
                       run->control_spec, SN_STATE_USER);
    const snStatus status = checkFields(b, run, error);
    return status ? status : sn_checkIds(b, "sn_batchStep", run->ids, run->nid, error);
}

static const snBatchRun one_step = {0};

snStatus sn_batchStep(snBatch* b, const snBatchRun* run, snError* error)
{
    if (!run) run = &one_step;
    const snStatus status = checkRun(b, run, error);
    if (status) return status;
    Run r = {.b = b, .given = run, .ids = run->ids, .nid = run->ids ? run->nid : b->n};
    r.nstep = run->nstep ? run->nstep : 1;
    r.every = run->every ? run->every : 1;
    r.nsaved = r.nstep / r.every;
    takeControls(&r);
    takeStates(&r);
    if (r.nid) runAll(&r);
    return SN_STATUS_OK;
}

snStatus sn_batchForward(snBatch* b, const int* ids, int nid, snError* error)
{
    const snStatus status = sn_checkIds(b, "sn_batchForward", ids, nid, error);
    if (status) return status;
    Run r = {.b = b, .given = &one_step, .ids = ids, .nid = ids ? nid : b->n, .nstep = 1, .every = 1};
    r.forward = true;
    if (r.nid) runAll(&r);
    return SN_STATUS_OK;
}
