#include "model/arena.h"
#include "base/memory.h"

static void* reserve(snData* d, size_t bytes, int from_end)
{
    const size_t size = sn_alignUp(bytes);
    if (size < bytes || size > d->narena - d->parena - d->pstack) return NULL;
    void* p;
    if (from_end) {
        d->pstack += size;
        p = (char*)d->arena + d->narena - d->pstack;
    } else {
        p = (char*)d->arena + d->parena;
        d->parena += size;
    }
    if (d->parena + d->pstack > d->maxuse_arena) d->maxuse_arena = d->parena + d->pstack;
    return p;
}

void* sn_arenaAlloc(snData* d, size_t bytes)
{
    return reserve(d, bytes, 0);
}

void* sn_scratchAlloc(snData* d, size_t bytes)
{
    return reserve(d, bytes, 1);
}

void sn_arenaClear(snData* d)
{
    d->parena = 0;
    d->ncon = d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nJcol = 0;
#define X(type, name, rows, columns, meaning) d->name = NULL;
    SN_ARENA_FIELDS(X)
#undef X
}

void sn_warn(snData* d, snWarning warning, int info)
{
    d->warning[warning].lastinfo = info;
    d->warning[warning].number++;
}
