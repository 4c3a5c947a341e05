// Numbered pieces of work that threads claim. Each has a range of its own, the same one in every run over as
// many pieces, so that it finds in its caches what it wrote there before; then what others have left of
// theirs.
#ifndef SINEW_BASE_CLAIM_H
#define SINEW_BASE_CLAIM_H

#include <sinew/thread_pool.h>
#include <stdatomic.h>

enum { SN_MOST_SEATS = 32 };

/// How many seats the threads of a pool take.
static inline int sn_seatsOf(const snThreadPool* pool)
{
    const int threads = sn_threadCount(pool);
    return threads < SN_MOST_SEATS ? threads : SN_MOST_SEATS;
}

/// The seat of piece `index` of a run of so many seats, which `thread` does: its own where there is one for
/// each thread, so that it finds there what it had before.
static inline int sn_seatOf(const snThreadPool* pool, int seats, int index, int thread)
{
    return seats == sn_threadCount(pool) ? thread : index;
}

typedef struct snClaims {
    int count, seats;
    struct {
        _Alignas(64) atomic_int taken;
    } range[SN_MOST_SEATS];
} snClaims;

static inline void sn_beginClaims(snClaims* c, int count, int seats)
{
    c->count = count;
    c->seats = seats;
    for (int k = 0; k < seats; k++) atomic_init(&c->range[k].taken, 0);
}

/// The next piece of a seat, below `seats`; -1: there is none left. *range: where it looks, the seat at
/// first.
static inline int sn_claim(snClaims* c, int seat, int* range)
{
    for (;;) {
        const int begin = (int)((long long)c->count * *range / c->seats),
                  end = (int)((long long)c->count * (*range + 1) / c->seats);
        const int piece = begin + atomic_fetch_add_explicit(&c->range[*range].taken, 1, memory_order_relaxed);
        if (piece < end) return piece;
        *range = (*range + 1) % c->seats;
        if (*range == seat) return -1;
    }
}

#endif
