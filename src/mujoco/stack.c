// Scratch memory of a data for programs, from the end of its arena. Each piece begins with a head, the lowest
// of them where the scratch that is taken ends: so the last mark is found without a place of its own in the
// data, and a stage whose callback takes scratch of its own is not disturbed.
#include "inside.h"
#include <stdint.h>
#include "base/platform/pages.h"

enum { LINE = 64 }; // bytes, as all of the arena is aligned

typedef struct Head {
    uintptr_t seal;    // that this is one
    struct Head* mark; // the last mark, which may be this; NULL: none
    size_t pstack;     // what was taken before it
} Head;

_Static_assert(sizeof(Head) <= LINE, "a head has a line");

static uintptr_t sealOf(const Head* head)
{
    return (uintptr_t)head ^ (uintptr_t)0x9e3779b97f4a7c15u;
}

static uintptr_t endOf(const snData* d)
{
    return (uintptr_t)d->arena + d->narena;
}

static Head* lastMark(const snData* d)
{
    Head* head = (Head*)(endOf(d) - d->pstack);
    return d->pstack && (uintptr_t)head % LINE == 0 && head->seal == sealOf(head) ? head->mark : NULL;
}

// The head of a new piece, with so many bytes behind its line. alignment: a power of two, LINE at least.
// NULL: no room.
static Head* take(snData* d, size_t bytes, size_t alignment)
{
    const uintptr_t begin = (uintptr_t)d->arena + d->parena, end = endOf(d) - d->pstack;
    Head* mark = lastMark(d);
    if (bytes > end - begin) return NULL;
    const uintptr_t at = ((end - bytes) & ~(uintptr_t)(alignment - 1)) - LINE;
    if (at < begin || at > end) return NULL;
#ifdef SN_EXPLICIT_COMMIT
    if (!sn_commitPages((void*)at, end - at)) return NULL;
#endif
    Head* head = (Head*)at;
    *head = (Head){.seal = sealOf(head), .mark = mark, .pstack = d->pstack};
    d->pstack = endOf(d) - at;
    if (d->parena + d->pstack > d->maxuse_arena) d->maxuse_arena = d->parena + d->pstack;
    return head;
}

void mj_markStack(mjData* d)
{
    Head* head = take(d, 0, LINE);
    if (head)
        head->mark = head;
    else
        mju_error("mj_markStack: the arena of the data is full");
}

void mj_freeStack(mjData* d)
{
    const Head* mark = lastMark(d);
    if (mark)
        d->pstack = mark->pstack;
    else
        mju_error("mj_freeStack: there is no mark");
}

void* mj_stackAllocByte(mjData* d, size_t bytes, size_t alignment)
{
    Head* head = bytes ? take(d, bytes, alignment > LINE ? alignment : LINE) : NULL;
    if (bytes && !head) mju_error("the arena of the data has no room for %zu bytes of scratch", bytes);
    return head ? (char*)head + LINE : NULL;
}

mjtNum* mj_stackAllocNum(mjData* d, size_t size)
{
    return mj_stackAllocByte(d, size > SIZE_MAX / sizeof(mjtNum) ? SIZE_MAX : size * sizeof(mjtNum), LINE);
}

int* mj_stackAllocInt(mjData* d, size_t size)
{
    return mj_stackAllocByte(d, size > SIZE_MAX / sizeof(int) ? SIZE_MAX : size * sizeof(int), LINE);
}
