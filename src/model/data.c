// snData: allocation, copy, reset, run-time tables.
#include <sinew/data.h>
#include <sinew/thread_pool.h>
#include <string.h>
#include "base/memory.h"
#include "base/platform/pages.h"
#include "base/reserve.h"
#include "model/arena.h"
#include "model/arena_size.h"
#include "model/blank.h"
#include "model/history.h"
#include "model/kinds.h"
#include "model/layout.h"
#include "model/plugin/plugin.h"
#include "model/sleep.h"

#define STR_(x) #x
#define STR(x) STR_(x)

#define S(size) size
static const snField data_fields[] = {
#define X(type, name, rows, columns, stage, by, meaning)                                                     \
    {#name, #type, #rows, STR(columns), #stage, meaning, offsetof(snData, name), sizeof(type)},
    SN_DATA_FIELDS(X)
#undef X
#define X(type, name, rows, columns, by, meaning)                                                            \
    {#name, #type, #rows, STR(columns), "arena", meaning, offsetof(snData, name), sizeof(type)},
        SN_ARENA_FIELDS(X)
#undef X
};
#undef S

enum {
    NFIELDS = sizeof(data_fields) / sizeof(data_fields[0]),
    NARENA = 0
#define X(type, name, ...) +1
    SN_ARENA_FIELDS(X)
#undef X
};

const snField* sn_dataFields(int* count, int* narena)
{
    *count = NFIELDS;
    if (narena) *narena = NARENA;
    return data_fields;
}

void sn_dataFieldShape(const snModel* m, const snData* d, int index, int* rows, int* columns)
{
    int i = 0;
#define S(size) m->size
#define X(type, name, rows_, columns_, ...)                                                                  \
    if (i++ == index) {                                                                                      \
        *rows = m->rows_;                                                                                    \
        *columns = columns_;                                                                                 \
        return;                                                                                              \
    }
    SN_DATA_FIELDS(X)
#undef X
#define X(type, name, rows_, columns_, ...)                                                                  \
    if (i++ == index) {                                                                                      \
        *rows = d->name ? d->rows_ : 0;                                                                      \
        *columns = columns_;                                                                                 \
        return;                                                                                              \
    }
    SN_ARENA_FIELDS(X)
#undef X
#undef S
    *rows = *columns = 0;
}

static int layOut(const snModel* m, snData* d, size_t* total)
{
    *total = 0;
#define S(size) (long long)m->size
#define X(type, name, rows, columns, ...)                                                                    \
    d->name = (type*)(d->buffer ? (char*)d->buffer + *total : NULL);                                         \
    if (!sn_layoutAdd(total, m->rows, columns, sizeof(type))) return 0;
    SN_DATA_FIELDS(X)
#undef X
#undef S
    return 1;
}

// What the file or the program asks for. An arena that nobody asked for is the largest that may ever be
// needed; where addresses are few it takes a small part of them, so that there are some for other data and
// for the rest of the program.
static size_t arenaSize(const snModel* m)
{
    enum { PART = 32 };
    size_t size = m->narena < (size_t)-SN_ALIGN ? sn_alignUp(m->narena) : (size_t)-SN_ALIGN;
    if (m->narena != SN_ARENA_LIMIT) return size;
    const size_t part = sn_spareSpace() / PART, least = sn_arenaLeast(m);
    if (size > part) size = sn_alignUp(part > least ? part : least);
    return size < SN_ARENA_LIMIT ? size : SN_ARENA_LIMIT;
}

// Large buffers are of pages that are no memory before they are written: what no stage makes stays 0.
enum { LARGE_BUFFER = 1 << 20 };

static void* makeBuffer(size_t size)
{
    return size < LARGE_BUFFER ? sn_calloc(size) : sn_reserve(&size, size);
}

static void freeBuffer(void* buffer, size_t size)
{
    if (size < LARGE_BUFFER)
        sn_free(buffer);
    else
        sn_release(buffer, size);
}

void sn_deleteData(snData* d)
{
    if (!d) return;
    sn_endPlugins(d);
    freeBuffer(d->buffer, d->nbuffer);
    sn_release(d->arena, d->narena);
    sn_release(d->impulse, d->nimpulsebytes);
    sn_deleteThreadPool(d->own_pool);
    sn_free(d);
}

// Points the arena fields to where they are in the arena of another data.
static void copyArena(snData* destination, const snData* source)
{
    memcpy(destination->arena, source->arena, source->parena);
#define X(type, name, ...)                                                                                   \
    if (source->name)                                                                                        \
        destination->name =                                                                                  \
            (type*)((char*)destination->arena + ((const char*)source->name - (const char*)source->arena));
    SN_ARENA_FIELDS(X)
#undef X
}

// As many as there is room for; in data of one model there is the same.
static void copyImpulses(snData* destination, const snData* source)
{
    const size_t room = destination->nimpulsebytes / sizeof(snImpulse);
    if ((size_t)destination->nimpulse > room) destination->nimpulse = (int)room;
    memcpy(destination->impulse, source->impulse, (size_t)destination->nimpulse * sizeof(snImpulse));
}

void sn_copyData(snData* destination, const snModel* m, const snData* source)
{
    if (destination == source) return;
    const snData own = *destination;
    *destination = *source;
#define KEEP(member) destination->member = own.member
    KEEP(pool);
    KEEP(own_pool);
    KEEP(buffer);
    KEEP(arena);
    KEEP(narena);
    KEEP(impulse);
    KEEP(nimpulsebytes);
    KEEP(nplugin);
    KEEP(plugin);
    KEEP(plugin_data);
#undef KEEP
    copyImpulses(destination, source);
    destination->pstack = 0;
    destination->loop_basis = NULL;
    size_t total;
    layOut(m, destination, &total);
    memcpy(own.buffer, source->buffer, source->nbuffer);
    if (source->parena <= own.narena && sn_commit(own.arena, source->parena))
        copyArena(destination, source);
    else
        sn_arenaClear(destination);
    if (destination->nplugin) sn_copyPlugins(destination, m, source);
}

static void resetMocap(const snModel* m, snData* d)
{
    for (int b = 0; b < m->nbody; b++) {
        const int id = m->body_mocapid[b];
        if (id < 0) continue;
        memcpy(d->mocap_pos + 3 * id, m->body_pos + 3 * b, 3 * sizeof(double));
        memcpy(d->mocap_quat + 4 * id, m->body_quat + 4 * b, 4 * sizeof(double));
    }
}

void sn_resetCtrl(const snModel* m, snData* d)
{
    memset(d->ctrl, 0, (size_t)m->nu * sizeof *d->ctrl);
    for (int i = 0; i < m->nactuator; i++)
        if (m->actuator_gaintype[i] == SN_GAIN_SO3 && m->actuator_ctrlspec[i] == SN_CHART_QUAT)
            d->ctrl[m->actuator_ctrladr[i]] = 1;
}

static void resetPlastic(const snModel* m, snData* d)
{
    for (int j = 0; j < m->njnt; j++)
        if (m->jnt_plasticadr[j] >= 0)
            memcpy(d->plastic + m->jnt_plasticadr[j], m->qpos_spring + m->jnt_qposadr[j],
                   (size_t)sn_jointCoordinates(m->jnt_type[j]) * sizeof(double));
    for (int i = 0; i < m->ntendon; i++)
        if (m->tendon_plasticadr[i] >= 0)
            memcpy(d->plastic + m->tendon_plasticadr[i], m->tendon_lengthspring + 2 * i, 2 * sizeof(double));
}

// Where the model begins, once the buffer is 0.
static void begin(const snModel* m, snData* d)
{
    sn_arenaClear(d);
#define X(type, name, meaning) d->name = 0;
    SN_DATA_SCALARS(X)
#undef X
    d->energy[0] = d->energy[1] = 0;
    d->solver_fwdinv[0] = d->solver_fwdinv[1] = 0;
    d->pstack = 0;
    memset(d->warning, 0, sizeof d->warning);
    memset(d->solver, 0, sizeof d->solver);
    memset(d->timer, 0, sizeof d->timer);
    memcpy(d->qpos, m->qpos0, (size_t)m->nq * sizeof(double));
    memcpy(d->eq_active, m->eq_active0, (size_t)m->neq);
    for (int t = 0; t < m->ntree; t++) d->tree_asleep[t] = SN_AWAKE;
    sn_resetCtrl(m, d);
    resetMocap(m, d);
    if (m->nplastic) resetPlastic(m, d);
    sn_resetHistory(m, d);
    sn_resetPlugins(m, d);
}

void sn_clearData(const snModel* m, snData* d)
{
    memset(d->buffer, 0, d->nbuffer);
    begin(m, d);
}

snData* sn_blankData(const snModel* m)
{
    snData* d = sn_calloc(sizeof *d);
    if (!d) return NULL;
    if (!layOut(m, d, &d->nbuffer)) goto fail;
    d->buffer = makeBuffer(d->nbuffer);
    d->narena = arenaSize(m);
    d->arena = sn_reserveSparse(&d->narena, sn_arenaLeast(m));
    d->nimpulsebytes = (size_t)sn_mostImpulses(m) * sizeof(snImpulse);
    d->impulse = sn_reserve(&d->nimpulsebytes, sizeof(snImpulse));
    if (!d->buffer || !d->arena || !d->impulse || !sn_roomForPlugins(m, d)) goto fail;
    size_t total;
    layOut(m, d, &total);
    begin(m, d);
    return d;
fail:
    sn_deleteData(d);
    return NULL;
}

void sn_takeKeyframe(const snModel* m, snData* d, int key)
{
    if (key < 0 || key >= m->nkey) return;
    d->time = m->key_time[key];
#define COPY(field, source, count)                                                                           \
    memcpy(d->field, m->source + (size_t)key * (size_t)(count), (size_t)(count) * sizeof(double))
    COPY(qpos, key_qpos, m->nq);
    COPY(qvel, key_qvel, m->nv);
    COPY(act, key_act, m->na);
    COPY(ctrl, key_ctrl, m->nu);
    COPY(mocap_pos, key_mpos, 3 * m->nmocap);
    COPY(mocap_quat, key_mquat, 4 * m->nmocap);
    COPY(plastic, key_plastic, m->nplastic);
#undef COPY
}
