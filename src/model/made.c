#include "model/made.h"
#ifdef SN_POISON
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"

enum {
#define X(maker, pass) PASS_OF_##maker = SN_PASS_##pass,
    SN_MAKER_TABLE(X)
#undef X
};

// A field: where its pointer stands, and how many bytes there are.
typedef struct Field {
    const char *name, *by;
    size_t offset, size;
    int pass;
} Field;

// rows counts only where there is an array: those in the arena may have none.
static size_t bytes(const void* array, int rows, int columns, size_t itemsize)
{
    return array && rows > 0 ? (size_t)rows * (size_t)columns * itemsize : 0;
}

enum {
    NFIELDS = 0
#define X(type, name, ...) +1
    SN_DATA_FIELDS(X) SN_ARENA_FIELDS(X)
#undef X
};

static void listFields(const snModel* m, const snData* d, Field fields[NFIELDS])
{
    Field* f = fields;
#define X(type, name, rows, columns, stage, by, meaning)                                                     \
    *f++ = (Field){#name, #by, offsetof(snData, name), bytes(d->name, m->rows, columns, sizeof(type)),       \
                   PASS_OF_##by};
    SN_DATA_FIELDS(X)
#undef X
#define X(type, name, rows, columns, by, meaning)                                                            \
    *f++ = (Field){#name, #by, offsetof(snData, name), bytes(d->name, d->rows, columns, sizeof(type)),       \
                   PASS_OF_##by};
    SN_ARENA_FIELDS(X)
#undef X
}

static char* arrayAt(const snData* d, size_t offset)
{
    char* array;
    memcpy(&array, (const char*)d + offset, sizeof array);
    return array;
}

void sn_unmake(const snModel* m, snData* d, int passes)
{
    Field fields[NFIELDS];
    if (d->nstill) return; // what sleepers have stays
    listFields(m, d, fields);
    for (const Field* f = fields; f < fields + NFIELDS; f++)
        if (f->pass & passes && f->size) sn_poison(arrayAt(d, f->offset), f->size);
}

static bool isPoison(const char* p)
{
    const uint32_t word = SN_POISON_WORD;
    return memcmp(p, &word, sizeof word) == 0;
}

static bool isMade(const snData* d, const Field* f)
{
    if (f->size < sizeof(uint32_t)) return true;
    const char* array = arrayAt(d, f->offset);
    return !isPoison(array) && !isPoison(array + f->size - sizeof(uint32_t));
}

bool sn_areMade(const snModel* m, const snData* d, const size_t* offset, size_t count)
{
    Field fields[NFIELDS];
    bool made = true;
    listFields(m, d, fields);
    for (size_t k = 0; k < count; k++) {
        const Field* f = fields;
        while (f->offset != offset[k]) f++;
        if (isMade(d, f)) continue;
        fprintf(stderr, "sinew: %s is read before sn_%s has made it\n", f->name, f->by);
        made = false;
    }
    return made;
}
#endif
