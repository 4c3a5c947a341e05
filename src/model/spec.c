// The description's pool, its name table and its defaults.
#include "model/spec.h"
#include "base/error.h"
#include "base/memory.h"
#include <string.h>

#define BLOCK_SIZE 65536

typedef struct Block {
    struct Block* next;
    size_t used, size;
    _Alignas(max_align_t) char data[];
} Block;

typedef struct Name {
    int kind;
    snSpecHead* element;
} Name;

struct snSpecPool {
    Block* blocks; // the first one has room
    Name* names;   // open addressing, a power of two slots
    int nnames, nslots;
};

void* sn_specAlloc(snSpec* spec, size_t size)
{
    snSpecPool* pool = spec->pool;
    const size_t align = _Alignof(max_align_t);
    if (size > (size_t)1 << 40) return NULL;
    size = (size + align - 1) / align * align;
    Block* block = pool->blocks;
    if (!block || block->size - block->used < size) {
        const size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        block = sn_malloc(sizeof *block + room);
        if (!block) return NULL;
        block->size = room;
        block->used = 0;
        // a block for one large item goes behind the current one, which may still have room
        if (size > BLOCK_SIZE / 2 && pool->blocks) {
            block->next = pool->blocks->next;
            pool->blocks->next = block;
        } else {
            block->next = pool->blocks;
            pool->blocks = block;
        }
    }
    void* item = block->data + block->used;
    block->used += size;
    memset(item, 0, size);
    return item;
}

const char* sn_specText(snSpec* spec, const char* text, size_t length)
{
    char* copy = sn_specAlloc(spec, length + 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

// FNV-1a
static unsigned hashName(int kind, const char* name)
{
    unsigned hash = 2166136261u ^ (unsigned)kind;
    for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash;
}

// The slot that holds the name, or the empty one where it would go.
static Name* findSlot(Name* names, int nslots, int kind, const char* name)
{
    const unsigned mask = (unsigned)nslots - 1;
    unsigned i = hashName(kind, name) & mask;
    while (names[i].element && (names[i].kind != kind || strcmp(names[i].element->name, name)))
        i = (i + 1) & mask;
    return &names[i];
}

static bool growNames(snSpecPool* pool)
{
    const int nslots = pool->nslots ? 2 * pool->nslots : 64;
    Name* names = sn_calloc((size_t)nslots * sizeof *names);
    if (!names) return false;
    for (int i = 0; i < pool->nslots; i++) {
        const Name* old = &pool->names[i];
        if (old->element) *findSlot(names, nslots, old->kind, old->element->name) = *old;
    }
    sn_free(pool->names);
    pool->names = names;
    pool->nslots = nslots;
    return true;
}

bool sn_nameSpec(snSpec* spec, snObjType kind, snSpecHead* element, snError* error)
{
    if (!element->name) return true;
    if (kind == SN_OBJ_XBODY) kind = SN_OBJ_BODY;
    snSpecPool* pool = spec->pool;
    if (2 * (pool->nnames + 1) > pool->nslots && !growNames(pool)) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
        return false;
    }
    Name* slot = findSlot(pool->names, pool->nslots, (int)kind, element->name);
    if (slot->element) {
        const snPlace first = slot->element->place;
        if (first.line > 0)
            sn_failAt(error, SN_STATUS_MODEL, element->place.file, element->place.line,
                      "<%s name=\"%s\">: line %d of %s has this name already, names must differ",
                      element->tag, element->name, first.line, first.file);
        else
            sn_failAt(error, SN_STATUS_MODEL, element->place.file, element->place.line,
                      "<%s name=\"%s\">: this name is taken", element->tag, element->name);
        return false;
    }
    *slot = (Name){(int)kind, element};
    pool->nnames++;
    return true;
}

snSpecHead* sn_findSpec(const snSpec* spec, snObjType kind, const char* name)
{
    if (!spec->pool->nslots || !name) return NULL;
    if (kind == SN_OBJ_XBODY) kind = SN_OBJ_BODY;
    return findSlot(spec->pool->names, spec->pool->nslots, (int)kind, name)->element;
}

#define SN_SPEC_INIT_REAL(member, ...) .member = __VA_ARGS__,
#define SN_SPEC_INIT_VEC(member, ...) .member = {__VA_ARGS__},
#define SN_SPEC_INIT_INT(member, ...) .member = __VA_ARGS__,
#define SN_SPEC_INIT_IVEC(member, ...) .member = {__VA_ARGS__},
#define SN_SPEC_INIT_BOOL(member, ...) .member = __VA_ARGS__,
#define SN_SPEC_INIT_WORD(member, ...) .member = __VA_ARGS__,
#define SN_SPEC_INIT_TEXT(member, ...) .member = __VA_ARGS__,
#define X(kind, attribute, member, min, max, words, where, meaning, ...)                                     \
    SN_SPEC_INIT_##kind(member, __VA_ARGS__)
static const snSpecCompiler default_compiler = {SN_SPEC_COMPILER(X)};
static const snLengthRange default_lengthrange = {SN_SPEC_LENGTHRANGE(X)};
static const snSpecSize default_size = {SN_SPEC_SIZE(X)};
static const snSpecStatistic default_statistic = {SN_SPEC_STATISTIC(X)};
#undef X

snSpec* sn_makeSpec(void)
{
    snSpec* spec = sn_calloc(sizeof *spec);
    if (!spec) return NULL;
    spec->pool = sn_calloc(sizeof *spec->pool);
    if (spec->pool) spec->world = sn_specAlloc(spec, sizeof *spec->world);
    if (!spec->world) {
        sn_deleteSpec(spec);
        return NULL;
    }
    spec->modelname = "";
    spec->file = "";
    spec->folder = "";
    spec->compiler = default_compiler;
    spec->lengthrange = default_lengthrange;
    sn_defaultOption(&spec->option);
    spec->size = default_size;
    spec->memory = -1;
    spec->statistic = default_statistic;
    sn_defaultVisual(&spec->visual);
    spec->world->head = (snSpecHead){"worldbody", "world", {"", 0}, -1};
    spec->world->orient.quat[0] = 1;
    if (!sn_nameSpec(spec, SN_OBJ_BODY, &spec->world->head, NULL)) {
        sn_deleteSpec(spec);
        return NULL;
    }
    return spec;
}

void sn_deleteSpec(snSpec* spec)
{
    if (!spec) return;
    if (spec->pool) {
        for (Block *block = spec->pool->blocks, *next; block; block = next) {
            next = block->next;
            sn_free(block);
        }
        sn_free(spec->pool->names);
        sn_free(spec->pool);
    }
    sn_free(spec);
}

snSpecLater sn_specLater(const snSpec* spec)
{
    const snOption* o = &spec->option;
    const snSpecCompiler* c = &spec->compiler;
    if (o->cone == SN_CONE_ELLIPTIC) return (snSpecLater){"option", "cone", "cone=\"elliptic\""};
    if (o->solver == SN_SOL_PGS) return (snSpecLater){"option", "solver", "solver=\"PGS\""};
    if (o->solver == SN_SOL_CG) return (snSpecLater){"option", "solver", "solver=\"CG\""};
    if (o->noslip_iterations > 0)
        return (snSpecLater){"option", "noslip_iterations", "noslip_iterations above 0"};
    if (c->fusestatic) return (snSpecLater){"compiler", "fusestatic", "fusestatic=\"true\""};
    if (c->discardvisual) return (snSpecLater){"compiler", "discardvisual", "discardvisual=\"true\""};
    return (snSpecLater){NULL, NULL, NULL};
}
