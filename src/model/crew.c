#include "model/crew.h"
#include <sinew/thread_pool.h>
#include <string.h>
#include "base/claim.h"
#include "base/memory.h"
#include "model/arena.h"

enum { LEAST_ROOM = 1 << 16 }; // bytes of scratch for a view

// Where the scratch of view k ends: of the first at that of the data, of the others at a part of the arena,
// so that it is the same memory from step to step.
static size_t endOfView(const snData* d, int count, int k)
{
    const size_t end = (d->narena - d->pstack) & ~(size_t)(SN_ALIGN - 1);
    const size_t part = d->narena / (size_t)count * (size_t)(count - k) & ~(size_t)(SN_ALIGN - 1);
    return k ? part : end;
}

// Bytes of the smallest view, if they are parts of the arena; 0: there is not so much room.
static size_t roomOfParts(const snData* d, int count)
{
    const size_t part = d->narena / (size_t)count, taken = d->parena > d->pstack ? d->parena : d->pstack;
    return part > taken + SN_ALIGN ? (part - taken - SN_ALIGN) & ~(size_t)(SN_ALIGN - 1) : 0;
}

static void makeView(snCrew* crew, int k, size_t begin, size_t end)
{
    snData* view = crew->view + k;
    memcpy(view, crew->d, sizeof *view);
    view->pool = view->own_pool = NULL;
    view->narena = end;
    view->parena = view->maxuse_arena = begin;
    view->pstack = 0;
    view->solver_niter = 0;
    view->solver_nnz = view->solver_nmul = view->solver_residual = 0;
    memset(view->warning, 0, sizeof view->warning);
    memset(view->solver, 0, sizeof view->solver);
}

bool sn_beginCrew(snData* d, int most, snCrew* crew)
{
    const int seats = sn_seatsOf(d->pool);
    *crew = (snCrew){.d = d, .count = seats < most ? seats : most, .mark = sn_scratchMark(d)};
    if (crew->count < 2) return false;
    crew->view = sn_scratchAlloc(d, (size_t)crew->count * sizeof *crew->view);
    const size_t end = endOfView(d, crew->count, 0), begin = sn_alignUp(d->parena);
    const size_t even = begin < end ? (end - begin) / (size_t)crew->count & ~(size_t)(SN_ALIGN - 1) : 0;
    const size_t room = roomOfParts(d, crew->count);
    const bool parts = room > even / 2; // else what is left is shared evenly
    crew->room = parts ? room : even;
    if (!crew->view || crew->room < LEAST_ROOM) {
        sn_scratchRelease(d, crew->mark);
        return false;
    }
    for (int k = 0; k < crew->count; k++) {
        const size_t top = parts ? endOfView(d, crew->count, k) : end - (size_t)k * even;
        makeView(crew, k, top - crew->room, top);
    }
    return true;
}

typedef struct Run {
    const snCrew* crew;
    snCrewWork work;
    void* arg;
    snClaims claims;
} Run;

// What one view does: the next piece, until there is none. A thread keeps its view where there is one for
// each.
static void takePieces(void* arg, int index, int thread)
{
    Run* run = arg;
    const snCrew* crew = run->crew;
    const int seat = sn_seatOf(crew->d->pool, crew->count, index, thread);
    for (int range = seat, piece; (piece = sn_claim(&run->claims, seat, &range)) >= 0;)
        run->work(run->arg, piece, crew->view + seat);
}

void sn_runCrew(const snCrew* crew, int count, snCrewWork work, void* arg)
{
    Run run = {.crew = crew, .work = work, .arg = arg};
    sn_beginClaims(&run.claims, count, crew->count);
    sn_runThreads(crew->d->pool, crew->count, takePieces, &run);
}

size_t sn_crewGap(const snCrew* crew)
{
    const snData* last = crew->view + crew->count - 1; // the lowest
    return last->narena - last->pstack - crew->d->parena;
}

// The most that the arena held counts as if each piece had stood alone.
void sn_endCrew(snCrew* crew)
{
    snData* d = crew->d;
    size_t most = 0;
    for (int k = 0; k < crew->count; k++) {
        const snData* view = crew->view + k;
        const size_t used = view->maxuse_arena - (view->narena - crew->room);
        if (used > most) most = used;
    }
    sn_scratchRelease(d, crew->mark);
    if (d->parena + d->pstack + most > d->maxuse_arena) d->maxuse_arena = d->parena + d->pstack + most;
}
