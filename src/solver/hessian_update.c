// Updates of a large Hessian's factor by rows whose weights have changed, on the threads of the data.
//
// Rows of one support go along the path from its first place to the root, up to four at once: a batch. On
// threads each has a batch and goes behind those before it: a part of a panel is updated by batches in their
// order, so that the bits are those of one batch after the other.
#include <sinew/thread_pool.h>
#include <stdatomic.h>
#include <string.h>
#include "base/claim.h"
#include "base/spin.h"
#include "math/panel.h"
#include "model/arena.h"
#include "solver/hessian.h"

// Rows of the problem that begin at one place. support NULL: one row, in one dof.
typedef struct Batch {
    const snHessianSupport* support;
    int first, count, row[SN_PANEL_UPDATES];
    double scale[SN_PANEL_UPDATES];
} Batch;

// What a thread works with.
typedef struct Seat {
    double *v, *local; // [SN_PANEL_UPDATES x n], zero between batches; as in snFactor
    int* ticket;       // [parts] how many batches pass a part of a panel before the one at hand
    const struct snUpdateShare* share;
} Seat;

typedef struct snUpdateShare {
    snThreadPool* pool;
    int seats, count;
    Batch* batch;          // [count], room for one of each quad
    int* part;             // [supernodes + 1] first part of a panel
    int* given;            // [parts] tickets that were given out
    atomic_int* past;      // [parts] batches that have passed
    atomic_int next, turn; // batch to take; batch that may take its tickets
    atomic_bool spoilt;    // a pivot would not stay positive
    Seat* seat;            // [seats]
    const snProblem* p;
    const snHessian* h;
} snUpdateShare;

enum {
    LEAST_BATCHES = 4,
    LEAST_WORK = 200000 // numbers of the factor: below, waking threads takes longer than they save
};

// First of the places where a support is.
static int firstPlace(const snProblem* p, const snHessianSupport* s)
{
    return p->coupling.elimination.place[s->piece[0].node];
}

// ---- batches

// Row r of a support, in rows of R.
static void expandSupportRow(const snProblem* p, const snHessianSupport* s, int r, double* v)
{
    const snCoupling* c = &p->coupling;
    const snQuad* quad = p->quad + (r - p->nsimple) / 4;
    for (int k = 0; k < s->npiece; k++) {
        const snPiece* piece = s->piece + k;
        double* to = v + c->elimination.row[c->elimination.place[piece->node]] + piece->offset;
        for (int i = 0; i < piece->count; i++) {
            const int column = piece->shift + i;
            to[i] = quad->value[16 * (piece->block + (column >> 2)) + 4 * (r & 3) + (column & 3)];
        }
    }
}

// Takes a batch along its path; false: the factor is spoilt.
static bool update(const snProblem* p, const snHessian* h, Batch* batch, double* v, double* local,
                   const snUpdateGate* gate)
{
    const snCoupling* c = &p->coupling;
    if (!batch->support) v[c->row[p->simple_dof[batch->row[0]]]] = 1;
    for (int t = 0; batch->support && t < batch->count; t++)
        expandSupportRow(p, batch->support, batch->row[t], v + (size_t)t * (size_t)p->ndof);
    return sn_factorUpdate(&c->elimination, &h->factor, batch->first, v, batch->scale, batch->count, local,
                           gate);
}

// Does a batch or, with a share, keeps it for later; it is then empty. false: the factor is spoilt.
static bool finish(const snProblem* p, const snHessian* h, snUpdateShare* share, Batch* batch)
{
    bool good = true;
    if (!batch->count) return true;
    if (share)
        share->batch[share->count++] = *batch;
    else
        good = update(p, h, batch, h->work, h->factor.local, NULL);
    batch->count = 0;
    return good;
}

static bool takeRow(const snProblem* p, const double* weight, snHessian* h, snUpdateShare* share, int r,
                    Batch* batch)
{
    if (weight[r] == h->held[r]) return true;
    batch->row[batch->count] = r;
    batch->scale[batch->count++] = weight[r] - h->held[r];
    h->held[r] = weight[r];
    return batch->count < SN_PANEL_UPDATES || finish(p, h, share, batch);
}

static bool takeRows(const snProblem* p, const double* weight, snHessian* h, snUpdateShare* share)
{
    const snCoupling* c = &p->coupling;
    for (int r = 0; r < p->nsimple; r++) {
        Batch batch = {.first = c->elimination.place[c->node[p->simple_dof[r]]]};
        if (!takeRow(p, weight, h, share, r, &batch) || !finish(p, h, share, &batch)) return false;
    }
    for (int k = 0; k < c->nsupport; k++) {
        const snHessianSupport* s = c->support + k;
        const int begin = p->nsimple + 4 * s->quad;
        Batch batch = {.support = s, .first = firstPlace(p, s)};
        for (int r = begin; r < begin + 4 * s->nquad; r++)
            if (!takeRow(p, weight, h, share, r, &batch)) return false;
        if (!finish(p, h, share, &batch)) return false;
    }
    return true;
}

// ---- on threads

void sn_shareUpdates(snData* d, const snProblem* p, snHessian* h)
{
    const snElimination* e = &p->coupling.elimination;
    const int seats = sn_seatsOf(d->pool);
    const size_t mark = sn_scratchMark(d);
    h->share = NULL;
    if (!h->factor.share) return;
    int parts = 0;
    for (int i = 0; i < e->count; i++) parts += (e->node[i].rows + SN_UPDATE_ROWS - 1) / SN_UPDATE_ROWS;
    snUpdateShare* s = sn_scratchAlloc(d, sizeof *s);
    bool room = s != NULL;
    if (room) {
        *s = (snUpdateShare){.pool = d->pool, .seats = seats, .part = sn_scratchInt(d, e->count + 1)};
        s->batch = sn_scratchAlloc(d, (size_t)(p->nsimple + p->nquad) * sizeof *s->batch);
        s->given = sn_scratchInt(d, parts);
        s->past = sn_scratchAlloc(d, (size_t)parts * sizeof *s->past);
        s->seat = sn_scratchAlloc(d, (size_t)seats * sizeof *s->seat);
        room = s->part && s->batch && s->given && s->past && s->seat;
    }
    for (int k = 0; k < seats && room; k++) {
        Seat* seat = s->seat + k;
        *seat = (Seat){.v = sn_scratchReal(d, SN_PANEL_UPDATES * e->n), .share = s};
        seat->local = sn_scratchReal(d, SN_PANEL_UPDATES * e->widest);
        seat->ticket = sn_scratchInt(d, parts);
        room = seat->v && seat->local && seat->ticket;
        if (room) memset(seat->v, 0, SN_PANEL_UPDATES * (size_t)e->n * sizeof(double));
    }
    if (!room) {
        sn_scratchRelease(d, mark);
        return;
    }
    s->part[0] = 0;
    for (int i = 0; i < e->count; i++)
        s->part[i + 1] = s->part[i] + (e->node[i].rows + SN_UPDATE_ROWS - 1) / SN_UPDATE_ROWS;
    h->share = s;
}

// Batches go through a part in the order of their tickets.
static void enter(void* arg, int super, int part)
{
    const Seat* seat = arg;
    const int k = seat->share->part[super] + part;
    sn_spinUntil(seat->share->past + k, seat->ticket[k]);
}

static void leave(void* arg, int super, int part)
{
    const Seat* seat = arg;
    const int k = seat->share->part[super] + part;
    atomic_store_explicit(seat->share->past + k, seat->ticket[k] + 1, memory_order_release);
}

// Tickets for all parts on the path of a batch, when those before it have theirs.
static void takeTickets(snUpdateShare* s, int index, Seat* seat)
{
    const snElimination* e = &s->p->coupling.elimination;
    sn_spinUntil(&s->turn, index);
    for (int i = e->super[s->batch[index].first]; i >= 0;) {
        for (int k = s->part[i]; k < s->part[i + 1]; k++) seat->ticket[k] = s->given[k]++;
        i = e->node[i].nbelow ? e->super[e->node[i].below[0]] : -1;
    }
    atomic_store_explicit(&s->turn, index + 1, memory_order_release);
}

// What a seat does: the next batch, until there is none.
static void work(void* arg, int index, int thread)
{
    snUpdateShare* s = arg;
    Seat* seat = s->seat + index;
    const snUpdateGate gate = {enter, leave, seat};
    (void)thread;
    for (;;) {
        const int k = atomic_fetch_add_explicit(&s->next, 1, memory_order_relaxed);
        if (k >= s->count) return;
        takeTickets(s, k, seat);
        if (!update(s->p, s->h, s->batch + k, seat->v, seat->local, &gate))
            atomic_store_explicit(&s->spoilt, true, memory_order_relaxed);
    }
}

static bool updateShared(const snProblem* p, const double* weight, snHessian* h)
{
    snUpdateShare* s = h->share;
    const int parts = s->part[p->coupling.elimination.count];
    s->p = p;
    s->h = h;
    s->count = 0;
    takeRows(p, weight, h, s);
    memset(s->given, 0, (size_t)parts * sizeof *s->given);
    for (int k = 0; k < parts; k++) atomic_init(s->past + k, 0);
    atomic_init(&s->next, 0);
    atomic_init(&s->turn, 0);
    atomic_init(&s->spoilt, false);
    sn_runThreads(s->pool, s->seats, work, s);
    return !atomic_load(&s->spoilt);
}

// ----

static int changedRows(const double* weight, const double* held, int count)
{
    int changed = 0;
    for (int r = 0; r < count; r++) changed += weight[r] != held[r];
    return changed;
}

// Work of the updates that bring the factor to new weights, and how many they are.
static double updateWork(const snProblem* p, const double* weight, const snHessian* h, int* count)
{
    const snElimination* e = &p->coupling.elimination;
    double work = 0;
    *count = 0;
    for (int r = 0; r < p->nsimple; r++) {
        if (weight[r] == h->held[r]) continue;
        work += e->node[e->super[e->place[p->coupling.node[p->simple_dof[r]]]]].path;
        ++*count;
    }
    for (int k = 0; k < p->coupling.nsupport; k++) {
        const snHessianSupport* s = p->coupling.support + k;
        const int first = p->nsimple + 4 * s->quad,
                  n = changedRows(weight + first, h->held + first, 4 * s->nquad);
        if (!n) continue;
        work += n * e->node[e->super[firstPlace(p, s)]].path;
        *count += n;
    }
    return work;
}

int sn_hessianUpdateLarge(const snProblem* p, const double* weight, snHessian* h)
{
    int count;
    const double work = updateWork(p, weight, h, &count);
    if (work > p->coupling.work) return -1;
    const bool shared = h->share && count >= SN_PANEL_UPDATES * LEAST_BATCHES && work >= LEAST_WORK;
    return (shared ? updateShared(p, weight, h) : takeRows(p, weight, h, NULL)) ? count : -1;
}
