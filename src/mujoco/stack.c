// Scratch memory of a data for programs, from the end of its arena. Marks are frames in it, each of which
// knows the one before; the last stands in callback.user, which programs under these names have no use of.
#include "inside.h"
#include <stdint.h>

typedef struct Frame {
    struct Frame* before;
    size_t pstack; // what was taken before it
} Frame;

// The last mark; a reset has taken away what lies outside of the scratch that is taken.
static Frame* lastFrame(snData* d)
{
    const char* end = (const char*)d->arena + d->narena;
    const char* frame = d->callback.user;
    if (frame && (size_t)(end - frame) > d->pstack) d->callback.user = NULL;
    return d->callback.user;
}

// alignment: a power of two. NULL: no room.
static void* take(snData* d, size_t bytes, size_t alignment)
{
    const uintptr_t begin = (uintptr_t)d->arena + d->parena, end = (uintptr_t)d->arena + d->narena;
    lastFrame(d);
    if (bytes > end - d->pstack - begin) return NULL;
    const uintptr_t at = (end - d->pstack - bytes) & ~(uintptr_t)(alignment - 1);
    if (at < begin) return NULL;
    d->pstack = end - at;
    if (d->parena + d->pstack > d->maxuse_arena) d->maxuse_arena = d->parena + d->pstack;
    return (void*)at;
}

void mj_markStack(mjData* d)
{
    Frame* before = lastFrame(d);
    const size_t pstack = d->pstack;
    Frame* frame = take(d, sizeof *frame, 64);
    if (frame) {
        *frame = (Frame){.before = before, .pstack = pstack};
        d->callback.user = frame;
    } else {
        mju_error("mj_markStack: the arena of the data is full");
    }
}

void mj_freeStack(mjData* d)
{
    const Frame* frame = lastFrame(d);
    if (!frame) {
        mju_error("mj_freeStack: there is no mark");
        return;
    }
    d->pstack = frame->pstack;
    d->callback.user = frame->before;
}

void* mj_stackAllocByte(mjData* d, size_t bytes, size_t alignment)
{
    const size_t least = 64; // a line, as all of the arena
    void* memory = bytes ? take(d, bytes, alignment > least ? alignment : least) : NULL;
    if (bytes && !memory) mju_error("the arena of the data has no room for %zu bytes of scratch", bytes);
    return memory;
}

mjtNum* mj_stackAllocNum(mjData* d, size_t size)
{
    return mj_stackAllocByte(d, size > SIZE_MAX / sizeof(mjtNum) ? SIZE_MAX : size * sizeof(mjtNum),
                             sizeof(mjtNum));
}

int* mj_stackAllocInt(mjData* d, size_t size)
{
    return mj_stackAllocByte(d, size > SIZE_MAX / sizeof(int) ? SIZE_MAX : size * sizeof(int), sizeof(int));
}
