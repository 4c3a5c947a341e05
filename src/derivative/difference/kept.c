#include "derivative/difference/kept.h"
#include <string.h>
#include "model/arena.h"

// KEPT_stage(type, name, rows, columns): what is done with an array of that stage; only two are kept.
#define KEPT_pos(type, name, rows, columns)
#define KEPT_vel(type, name, rows, columns)
#define KEPT_acc(type, name, rows, columns)
#define KEPT_cache(type, name, rows, columns)
#define KEPT_state(type, name, rows, columns) ARRAY(name, sizeof(type) * (size_t)m->rows * (columns))
#define KEPT_input(type, name, rows, columns) KEPT_state(type, name, rows, columns)
#define X(type, name, rows, columns, stage, ...) KEPT_##stage(type, name, rows, columns)

static size_t bytesOfArrays(const snModel* m)
{
    size_t bytes = 0;
#define ARRAY(name, size) bytes += (size);
    SN_DATA_FIELDS(X)
#undef ARRAY
    return bytes;
}

bool sn_keepState(const snModel* m, snData* d, snKeptState* kept)
{
    const size_t impulses = (size_t)d->nimpulse * sizeof(snImpulse);
    char* to = kept->arrays = sn_scratchAlloc(d, bytesOfArrays(m));
    kept->impulse = sn_scratchAlloc(d, impulses);
    if (!kept->arrays || !kept->impulse) return false;
    kept->time = d->time;
    kept->nimpulse = d->nimpulse;
    memcpy(kept->impulse, d->impulse, impulses);
#define ARRAY(name, size) memcpy(to, d->name, (size)), to += (size);
    SN_DATA_FIELDS(X)
#undef ARRAY
    return true;
}

void sn_putState(const snModel* m, snData* d, const snKeptState* kept)
{
    const char* from = kept->arrays;
    d->time = kept->time;
    d->nimpulse = kept->nimpulse;
    memcpy(d->impulse, kept->impulse, (size_t)kept->nimpulse * sizeof(snImpulse));
#define ARRAY(name, size) memcpy(d->name, from, (size)), from += (size);
    SN_DATA_FIELDS(X)
#undef ARRAY
}

bool sn_keepRest(const snModel* m, snData* d, snKeptRest* kept)
{
    kept->loop_seen = sn_scratchInt(d, 2 * m->nv);
    if (!kept->loop_seen) return false;
    memcpy(kept->loop_seen, d->loop_seen, 2 * (size_t)m->nv * sizeof(int));
    memcpy(kept->warning, d->warning, sizeof d->warning);
    memcpy(kept->timer, d->timer, sizeof d->timer);
    kept->solver_residual_max = d->solver_residual_max;
    kept->noslip_residual_max = d->noslip_residual_max;
    kept->loop_error_max = d->loop_error_max;
    return true;
}

void sn_putRest(const snModel* m, snData* d, const snKeptRest* kept)
{
    memcpy(d->loop_seen, kept->loop_seen, 2 * (size_t)m->nv * sizeof(int));
    memcpy(d->warning, kept->warning, sizeof d->warning);
    memcpy(d->timer, kept->timer, sizeof d->timer);
    d->solver_residual_max = kept->solver_residual_max;
    d->noslip_residual_max = kept->noslip_residual_max;
    d->loop_error_max = kept->loop_error_max;
}
