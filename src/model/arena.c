#include "model/arena.h"
#include "base/memory.h"
#include "base/reserve.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

static void* reserve(snData* d, size_t bytes, int from_end)
{
    assert(d->parena <= d->narena && d->pstack <= d->narena - d->parena);
    const size_t size = sn_alignUp(bytes);
    if (size < bytes || size > d->narena - d->parena - d->pstack) return NULL;
    void* p = from_end ? (char*)d->arena + d->narena - d->pstack - size : sn_arenaNext(d);
    if (!sn_commit(p, size)) return NULL;
    if (from_end)
        d->pstack += size;
    else
        d->parena += size;
    if (d->parena + d->pstack > d->maxuse_arena) d->maxuse_arena = d->parena + d->pstack;
    return p;
}

static void* poison(void* p, size_t bytes)
{
    if (p) sn_poison(p, bytes);
    return p;
}

void* sn_arenaAlloc(snData* d, size_t bytes)
{
    return poison(reserve(d, bytes, 0), bytes);
}

void* sn_arenaKeep(snData* d, size_t bytes)
{
    return reserve(d, bytes, 0);
}

void* sn_scratchAlloc(snData* d, size_t bytes)
{
    return poison(reserve(d, bytes, 1), bytes);
}

void sn_arenaClear(snData* d)
{
    d->parena = 0;
    d->ncon = d->ne = d->nf = d->nl = d->nefc = d->nR0 = d->nJ = d->nJcol = d->nAblock = 0;
    d->nelasticrow = d->nelastic = 0;
    sn_dropLoops(d);
#define X(type, name, ...) d->name = NULL;
    SN_ARENA_FIELDS(X)
#undef X
}

void sn_dropLoops(snData* d)
{
    d->nclosure = d->ncluster = d->nmechanism = d->nlooprow = d->nloopdof = 0;
    d->nloopK = d->nloopG = d->nmechdof = d->nmechy = d->nmechH = d->nmechpad = d->loop_rank = 0;
    d->loop_error = 0;
}

void sn_warn(snData* d, snWarning warning, int info)
{
    d->warning[warning].lastinfo = info;
    d->warning[warning].number++;
}

// Twice the arena, as the file format writes it.
static void moreMemory(size_t narena, char text[32])
{
    const size_t mega = (size_t)1 << 20, twice = 2 * narena;
    const size_t unit = twice < mega ? 1024 : mega;
    snprintf(text, 32, "%zu%c", (twice + unit - 1) / unit, unit == mega ? 'M' : 'K');
}

void sn_warningMessage(int warning, uint64_t info, char* text, size_t size)
{
#define X(name, value, keyword, meaning) [value] = meaning,
    static const char* const meanings[SN_NWARNING] = {SN_WARNING_TABLE(X)};
#undef X
    static const char* const infos[SN_NWARNING] = {
        [SN_WARN_INERTIA] = "DOF",          [SN_WARN_CONTACTFULL] = "ncon", [SN_WARN_CNSTRFULL] = "bytes",
        [SN_WARN_VGEOMFULL] = "maxgeom",    [SN_WARN_BADQPOS] = "DOF",      [SN_WARN_BADQVEL] = "DOF",
        [SN_WARN_BADQACC] = "DOF",          [SN_WARN_BADCTRL] = "actuator", [SN_WARN_LOOPOPEN] = "loop",
        [SN_WARN_LOOPSINGULAR] = "loop",    [SN_WARN_LCP] = "island",       [SN_WARN_INITAWAKE] = "tree",
        [SN_WARN_FLEXINVERTED] = "element", [SN_WARN_PLUGIN] = "plugin"};
    if (warning < 0 || warning >= SN_NWARNING)
        snprintf(text, size, "unknown warning type %d", warning);
    else
        snprintf(text, size, "%s (%s %llu)", meanings[warning], infos[warning], (unsigned long long)info);
}

void sn_warningText(const snData* d, snWarning warning, char* text, size_t size)
{
#define X(name, value, keyword, meaning) [value] = meaning,
    static const char* const meanings[SN_NWARNING] = {SN_WARNING_TABLE(X)};
#undef X
    char more[32];
    const int number = d->warning[warning].number;
    if (size) *text = 0;
    if (number <= 0) return;
    const int used = snprintf(text, size, "%s: %d time%s", meanings[warning], number, number > 1 ? "s" : "");
    if (warning == SN_WARN_VGEOMFULL && used >= 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "; make it with a maxgeom above %d",
                 d->warning[warning].lastinfo);
    if ((warning != SN_WARN_CONTACTFULL && warning != SN_WARN_CNSTRFULL) || used < 0 || (size_t)used >= size)
        return;
    moreMemory(d->narena, more);
    snprintf(text + used, size - (size_t)used,
             "; its %zu bytes are too few: give the model more, <size memory=\"%s\"/>", d->narena, more);
}
