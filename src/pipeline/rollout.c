// Batches of simulations: trajectories are the portions of threads.
#include <sinew/rollout.h>
#include <string.h>
#include <sinew/pipeline.h>
#include <sinew/plugin.h>
#include <sinew/state.h>
#include "base/error.h"
#include "base/portions.h"

typedef struct Run {
    const snModel* const* m;
    snData* const* d;
    const snTrajectories* batch;
    size_t nstep, nstate, ncontrol, nsensor;
    snPortions portions;
} Run;

static bool proceeds(Run* r, int thread, int trajectory)
{
    const snTrajectories* b = r->batch;
    if (b->proceed && !b->proceed(b->user, thread, trajectory)) atomic_store(&r->portions.ended, true);
    return !atomic_load_explicit(&r->portions.ended, memory_order_relaxed);
}

// What drives the steps, unless `control` does or might.
static void clearInputs(const snModel* m, snData* d, unsigned int control_spec)
{
#define CLEAR(bit, field, count)                                                                             \
    if (!(control_spec & SN_STATE_##bit) && (count) > 0)                                                     \
    memset(d->field, 0, (size_t)(count) * sizeof *d->field)
    CLEAR(CTRL, ctrl, m->nu);
    CLEAR(QFRC_APPLIED, qfrc_applied, m->nv);
    CLEAR(XFRC_APPLIED, xfrc_applied, 6 * m->nbody);
#undef CLEAR
    for (int i = 0; i < m->neq && !(control_spec & SN_STATE_EQ_ACTIVE); i++)
        d->eq_active[i] = m->eq_active0[i];
    for (int body = 0; body < m->nbody; body++) {
        const int k = m->body_mocapid[body];
        if (k < 0 || k >= m->nmocap) continue; // may have been changed
        if (!(control_spec & SN_STATE_MOCAP_POS))
            memcpy(d->mocap_pos + 3 * k, m->body_pos + 3 * body, 3 * sizeof(double));
        if (!(control_spec & SN_STATE_MOCAP_QUAT))
            memcpy(d->mocap_quat + 4 * k, m->body_quat + 4 * body, 4 * sizeof(double));
    }
}

static void begin(const Run* r, const snModel* m, snData* d, size_t i)
{
    const snTrajectories* b = r->batch;
    clearInputs(m, d, b->control_spec);
    sn_setState(m, d, b->state0 + i * r->nstate, SN_STATE_FULLPHYSICS);
    const size_t nv = (size_t)m->nv;
    if (nv && b->warmstart0)
        memcpy(d->qacc_warmstart, b->warmstart0 + i * nv, nv * sizeof(double));
    else if (nv)
        memset(d->qacc_warmstart, 0, nv * sizeof(double));
    d->nimpulse = 0;
    memset(d->warning, 0, sizeof d->warning);
}

// Row `at` of the results.
static void keep(const Run* r, const snModel* m, const snData* d, size_t at)
{
    const snTrajectories* b = r->batch;
    if (b->state) sn_getState(m, d, b->state + at * r->nstate, SN_STATE_FULLPHYSICS);
    if (b->sensordata && r->nsensor)
        memcpy(b->sensordata + at * r->nsensor, d->sensordata, r->nsensor * sizeof(double));
}

static void fill(double* rows, size_t at, size_t count, size_t size)
{
    if (!rows || !size) return;
    for (size_t k = 1; k < count; k++)
        memcpy(rows + (at + k) * size, rows + at * size, size * sizeof(double));
}

static bool hasWarned(const snData* d)
{
    int number = 0;
    for (int i = 0; i <= SN_WARN_BADCTRL; i++) number |= d->warning[i].number;
    return number != 0;
}

static void simulate(Run* r, size_t i, int thread)
{
    const snTrajectories* b = r->batch;
    const snModel* m = r->m[i];
    snData* d = r->d[thread];
    begin(r, m, d, i);
    for (size_t t = 0; t < r->nstep; t++) {
        const size_t at = i * r->nstep + t;
        if (!proceeds(r, thread, (int)i)) return;
        if (b->control) sn_setState(m, d, b->control + at * r->ncontrol, b->control_spec);
        sn_step(m, d);
        keep(r, m, d, at);
        if (!hasWarned(d)) continue;
        fill(b->state, at, r->nstep - t, r->nstate);
        fill(b->sensordata, at, r->nstep - t, r->nsensor);
        return;
    }
}

static bool askWaiting(void* run)
{
    return proceeds(run, 0, -1);
}

static void work(void* arg, int index, int thread)
{
    (void)index;
    Run* r = arg;
    size_t first, taken;
    while ((taken = sn_takePortion(&r->portions, &first)) != 0) {
        for (size_t i = 0; i < taken; i++) simulate(r, first + i, thread);
        sn_portionDone(&r->portions, taken);
    }
    if (thread == 0 && r->batch->proceed) sn_awaitPortions(&r->portions, askWaiting, r);
}

static snStatus check(const snTrajectories* b, snError* error)
{
    if (b->count < 0 || b->nstep < 0 || b->chunk < 0)
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "a batch has count %d, nstep %d and chunk %d, none may be negative", b->count,
                       b->nstep, b->chunk);
    if (b->control_spec & ~(unsigned int)SN_STATE_USER)
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "control_spec is %u, may have bits of SN_STATE_USER (%d) alone", b->control_spec,
                       SN_STATE_USER);
    return SN_STATUS_OK;
}

snStatus sn_rollout(const snModel* const* m, snData* const* d, snThreadPool* pool,
                    const snTrajectories* batch, snError* error)
{
    const snStatus status = check(batch, error);
    if (status || batch->count == 0) return status;
    const int nthread = sn_threadCount(pool);
    for (int i = 0; i < batch->count && nthread > 1; i++)
        if (sn_isSerial(m[i]))
            return sn_fail(error, SN_STATUS_ARGUMENT,
                           "a rollout on %d threads: the plugin '%s' must be called from one thread", nthread,
                           sn_serialName(m[i]));
    const int chunk = batch->chunk ? batch->chunk : batch->count / (10 * nthread);
    Run r = {
        .m = m,
        .d = d,
        .batch = batch,
        .nstep = (size_t)batch->nstep,
        .nstate = (size_t)sn_stateSize(m[0], SN_STATE_FULLPHYSICS),
        .ncontrol = (size_t)sn_stateSize(m[0], batch->control_spec),
        .nsensor = (size_t)m[0]->nsensordata,
    };
    sn_beginPortions(&r.portions, (size_t)batch->count, chunk > 0 ? (size_t)chunk : 1);
    sn_runThreads(pool, nthread, work, &r);
    sn_endPortions(&r.portions);
    return SN_STATUS_OK;
}
