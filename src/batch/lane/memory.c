// Models and data in lanes: one block each, and scratch and arena of a data.
#include "base/memory.h"
#include "base/reserve.h"
#include "batch/lane/collision.h"
#include "batch/lane/lane.h"
#include "batch/lane/pgs.h"
#include "batch/pair.h"
#include "model/arena.h"
#include "model/kinds.h"

#define S(size) m->size

// ---- models

#define ROOM_double(count) sn_alignUp((size_t)(count) * sizeof(real))
#define ROOM_int(count) 0
#define ROOM_float(count) 0
#define ROOM_char(count) 0
#define ROOM_uint8_t(count) 0

// Whether stages in lanes read fields of a group: not boxes of triangles and normals of polygons, which
// detailed meshes have by the hundred thousand, nor keyframes.
static bool isRead(const char* group)
{
    return strcmp(group, "bvhstatic") != 0 && strcmp(group, "meshpoly") != 0 && strcmp(group, "key") != 0;
}

// NOLINTNEXTLINE(readability-function-size)
static size_t modelBytes(const snModel* m)
{
    size_t bytes = 0;
#define X(type, name, rows, columns, group, meaning)                                                         \
    if (isRead(#group)) bytes += ROOM_##type((size_t)m->rows * (size_t)(columns));
    SN_MODEL_FIELDS(X)
#undef X
    return bytes;
}

static real* spread(char** block, const snDouble* from, size_t count, bool read)
{
    if (!read) return NULL;
    real* to = (real*)*block;
    for (size_t k = 0; k < count; k++) to[k] = sn_lanesAll(from[k]);
    *block += ROOM_double(count);
    return to;
}

#define TAKE_double(from, count, read) spread(&block, from, count, read)
#define TAKE_int(from, count, read) from
#define TAKE_float(from, count, read) from
#define TAKE_char(from, count, read) from
#define TAKE_uint8_t(from, count, read) from

#define SPREAD_double(name) m->opt.name = sn_lanesAll(from->name)
#define SPREAD_int(name) m->opt.name = from->name

static void spreadOption(snModel* m)
{
    const snScalarOption* from = &m->scalar->opt;
    const snScalarStatistic* stat = &m->scalar->stat;
#define X(type, name, init, meaning) SPREAD_##type(name);
    SN_OPTION_SCALARS(X)
#undef X
#define X(name, count, meaning, ...)                                                                         \
    for (int k = 0; k < (count); k++) m->opt.name[k] = sn_lanesAll(from->name[k]);
    SN_OPTION_VECTORS(X)
#undef X
    m->stat = (snLaneStatistic){.meaninertia = sn_lanesAll(stat->meaninertia),
                                .meanmass = sn_lanesAll(stat->meanmass),
                                .meansize = sn_lanesAll(stat->meansize),
                                .extent = sn_lanesAll(stat->extent)};
    for (int k = 0; k < 3; k++) m->stat.center[k] = sn_lanesAll(stat->center[k]);
#ifdef SN_SINGLE
    for (int l = 0; l < SN_LANES; l++) m->timestep[l] = from->timestep;
#endif
}

bool sn_makeLaneModel(snModel* m, const snScalarModel* scalar)
{
    memset(m, 0, sizeof *m);
    m->scalar = scalar;
#define X(name, meaning) m->name = scalar->name;
    SN_MODEL_SIZES(X)
#undef X
    m->physics = scalar->physics;
    char* block = m->buffer = sn_malloc(modelBytes(m) + SN_ALIGN);
    if (!block) return false;
#define X(type, name, rows, columns, group, meaning)                                                         \
    m->name = TAKE_##type(scalar->name, (size_t)m->rows * (size_t)(columns), isRead(#group));
    SN_MODEL_FIELDS(X)
#undef X
    spreadOption(m);
    m->pairs = sn_makeBatchPairs(scalar);
    return m->pairs != NULL;
}

void sn_freeLaneModel(snModel* m)
{
    sn_freeBatchPairs(m->pairs);
    sn_free(m->buffer);
    m->pairs = NULL;
    m->buffer = NULL;
}

// ---- data

enum { LEAST = 1 << 24 }; // of arena and scratch, should the system refuse what the model can need

static size_t dataBytes(const snModel* m)
{
    size_t bytes = 0;
#define X(type, name, rows, columns, ...)                                                                    \
    bytes += sn_alignUp((size_t)m->rows * (size_t)(columns) * sizeof(SN_LANEDATA_##type));
    SN_DATA_FIELDS(X)
#undef X
    return bytes;
}

// Room for scratch, address space: some numbers a body, a joint and a dof, what collision and sensors take,
// and rows.
static size_t stackBytes(const snModel* m)
{
    const size_t nv = (size_t)m->nv, things = (size_t)m->nbody + (size_t)m->njnt + (size_t)m->ntendon + nv;
    return sn_laneCollisionScratch(m) + sn_laneLookScratch(m) + (size_t)m->nsensor * sizeof(int) +
           sn_laneRowBytes(m) + (64 * things + nv * nv + 1024) * sizeof(real);
}

// The rows, and the solver with a second form of them and matrices of dofs.
static size_t arenaBytes(const snModel* m)
{
    const size_t nv = (size_t)m->nv;
    const size_t sweeps =
        sn_solverKind(m->opt.solver).dual ? SN_LANE_PGS_ROWS * (SN_LANE_PGS_ROWS + nv + 16) : 0;
    return 2 * sn_laneRowBytes(m) + (sweeps + 16 * nv * nv + 64 * nv + 16384) * sizeof(real);
}

bool sn_makeLaneData(const snModel* m, snData* d)
{
    memset(d, 0, sizeof *d);
    d->nstack = stackBytes(m);
    d->narena = arenaBytes(m);
    char* block = d->buffer = sn_calloc(dataBytes(m) + SN_ALIGN);
    d->stack = sn_reserveSparse(&d->nstack, LEAST);
    d->arena = sn_reserveSparse(&d->narena, LEAST);
    if (!block || !d->stack || !d->arena) {
        sn_freeLaneData(d);
        return false;
    }
#define X(type, name, rows, columns, ...)                                                                    \
    d->name = (SN_LANEDATA_##type*)block;                                                                    \
    block += sn_alignUp((size_t)m->rows * (size_t)(columns) * sizeof(SN_LANEDATA_##type));
    SN_DATA_FIELDS(X)
#undef X
    return true;
}

void sn_freeLaneData(snData* d)
{
    sn_free(d->buffer);
    if (d->stack) sn_release(d->stack, d->nstack);
    if (d->arena) sn_release(d->arena, d->narena);
    *d = (snData){0};
}

static void* take(void* block, size_t size, size_t* used, size_t bytes)
{
    const size_t need = sn_alignUp(bytes);
    char* start = (char*)block + *used;
    if (need > size - *used || !sn_commit(start, need)) return NULL;
    *used += need;
    return start;
}

void* sn_scratchAlloc(snData* d, size_t bytes)
{
    return take(d->stack, d->nstack, &d->pstack, bytes);
}

void* sn_arenaAlloc(snData* d, size_t bytes)
{
    return take(d->arena, d->narena, &d->parena, bytes);
}

void* sn_arenaKeep(snData* d, size_t bytes)
{
    return sn_arenaAlloc(d, bytes);
}

void sn_arenaClear(snData* d)
{
    d->parena = 0;
    d->ncon = d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nJcol = 0;
    d->contact = NULL;
}

// The scalar engine warns: all lanes are its.
void sn_warn(snData* d, snWarning warning, int info)
{
    (void)warning, (void)info;
    d->eject = sn_mask(true);
}
