#include <sinew/stage_hash.h>
#include <stdbool.h>
#include <string.h>
#include "base/hash.h"
#include "base/memory.h"

// What is hashed of one array: `item` bytes in each row's column, or the members of a contact.
typedef struct Source {
    size_t offset, item;
    snMaker by;
    bool contacts;
} Source;

static const Source sources[] = {
#define X(type, name, rows, columns, stage, by, meaning)                                                     \
    {offsetof(snData, name), sizeof(type), SN_MAKER_##by, false},
    SN_DATA_FIELDS(X)
#undef X
#define X(type, name, rows, columns, by, meaning)                                                            \
    {offsetof(snData, name), sizeof(type), SN_MAKER_##by,                                                    \
     offsetof(snData, name) == offsetof(snData, contact)},
        SN_ARENA_FIELDS(X)
#undef X
};
enum { NSOURCES = sizeof sources / sizeof *sources };

const char* sn_makerName(int maker)
{
    static const char* const names[] = {
#define X(maker, pass) #maker,
        SN_MAKER_TABLE(X)
#undef X
    };
    return maker >= 0 && maker < SN_NMAKER ? names[maker] : "";
}

static bool isPoison(const void* at, size_t size)
{
#ifdef SN_POISON
    const uint32_t word = SN_POISON_WORD;
    for (size_t i = 0; i + sizeof word <= size; i += sizeof word)
        if (memcmp((const char*)at + i, &word, sizeof word) != 0) return false;
    return size >= sizeof word;
#else
    (void)at, (void)size;
    return false;
#endif
}

// Builds for tests take away what is not made yet: those bytes are zeros elsewhere.
static uint64_t hashItems(uint64_t hash, const char* at, size_t count, size_t item)
{
    static const double nothing = 0;
    size_t first = 0, i = 0;
    for (; i < count; i++)
        if (isPoison(at + i * item, item)) {
            hash = sn_hashWords(hash, at + first * item, (i - first) * item);
            hash = sn_hashWords(hash, &nothing, item);
            first = i + 1;
        }
    return sn_hashWords(hash, at + first * item, (i - first) * item);
}

#define MEMBER(hash, c, member) sn_hashWords(hash, &(c)->member, sizeof(c)->member)

static uint64_t hashContact(uint64_t hash, const snContact* c)
{
    const size_t geometry = offsetof(snContact, mu);
    hash = sn_hashWords(hash, c, geometry);
    hash = MEMBER(hash, c, dim);
    hash = MEMBER(hash, c, geom);
    hash = MEMBER(hash, c, exclude);
    hash = MEMBER(hash, c, adhesion);
    hash = MEMBER(hash, c, surfacevel);
    hash = MEMBER(hash, c, impact);
    hash = MEMBER(hash, c, way);
    hash = MEMBER(hash, c, flex);
    return MEMBER(hash, c, part);
}

static void hashContacts(const snData* d, uint64_t hash[SN_NMAKER])
{
    uint64_t *found = hash + SN_MAKER_collision, *rows = hash + SN_MAKER_makeConstraint;
    *found = sn_hashWords(*found, &d->ncon, sizeof d->ncon);
    for (const snContact* c = d->contact; c < d->contact + d->ncon; c++) {
        *found = hashContact(*found, c);
        *rows = MEMBER(*rows, c, mu);
        *rows = MEMBER(*rows, c, efc_address);
    }
}

// The end of the last of n parts that are in use, at most `rows`.
static int endOf(const int* address, const int* number, int n, int rows)
{
    long long end = 0;
    for (int i = 0; i < n; i++) {
        const long long last = (long long)address[i] + number[i];
        if (number[i] > 0 && last > end) end = last;
    }
    return end < rows ? (int)end : rows;
}

// Rows in use of an array that has room for more.
static int liveRows(const snModel* m, const snData* d, size_t offset, int rows)
{
    switch (offset) {
    case offsetof(snData, ten_J):
    case offsetof(snData, ten_J_colind): return endOf(d->ten_J_rowadr, d->ten_J_rownnz, m->ntendon, rows);
    case offsetof(snData, actuator_moment):
    case offsetof(snData, moment_colind): return endOf(d->moment_rowadr, d->moment_rownnz, m->nout, rows);
    default: return rows;
    }
}

static uint64_t hashField(const snModel* m, const snData* d, int field, uint64_t hash)
{
    const Source* s = sources + field;
    int rows, columns;
    char* at;
    sn_dataFieldShape(m, d, field, &rows, &columns);
    memcpy(&at, (const char*)d + s->offset, sizeof at);
    rows = at ? liveRows(m, d, s->offset, rows) : 0;
    hash = sn_hashWords(hash, &rows, sizeof rows);
    return hashItems(hash, at, (size_t)rows * (size_t)columns, s->item);
}

uint64_t sn_stageHashes(const snModel* m, const snData* d, uint64_t hash[SN_NMAKER])
{
    for (int k = 0; k < SN_NMAKER; k++) hash[k] = SN_HASH_START;
    for (int i = 0; i < NSOURCES; i++)
        if (sources[i].contacts)
            hashContacts(d, hash);
        else
            hash[sources[i].by] = hashField(m, d, i, hash[sources[i].by]);
    uint64_t* kept = hash + SN_MAKER_integration;
    *kept = sn_hashWords(*kept, &d->time, sizeof d->time);
    *kept = sn_hashWords(*kept, d->impulse, (size_t)d->nimpulse * sizeof *d->impulse);
    return sn_hashWords(SN_HASH_START, hash, SN_NMAKER * sizeof *hash);
}
