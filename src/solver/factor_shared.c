#include "solver/factor_shared.h"
#include <assert.h>
#include <sinew/thread_pool.h>
#include <stdatomic.h>
#include <string.h>
#include "base/claim.h"
#include "base/spin.h"
#include "math/dense.h"
#include "math/panel.h"
#include "model/arena.h"

enum {
    ROWS = 32,     // of a block of rows
    WIDE = 96,     // most rows of a panel that is parted by columns; others are by rows
    COLUMNS = 48,  // of a strip, about
    STRIPS = 1,    // of a panel, for each thread, at most
    PARTS = 3,     // of the work for each thread, at least
    LEAST = 60000, // work, in the unit of sn_panelWork: below, waking threads takes longer than they save
};

// A panel that changes another one, by its places below[begin] .. below[end - 1].
typedef struct Source {
    int super, begin, end;
} Source;

// A piece of work: supernodes member[first] .. member[end - 1], one after the other; or, end < 0, part
// `first` of a panel.
typedef struct Piece {
    int super, first, end;
} Piece;

// What a thread works with.
typedef struct Seat {
    double* strip; // as in snFactor
    int* column;   // the same, of `target`
    double* local; // the same
    int target, bad;
} Seat;

typedef struct snFactorShare {
    snThreadPool* pool;
    int seats, pieces, subtrees; // of the pieces, the first ones
    int* adr;                    // [count + 1] sources of a supernode, in the order in which they change it
    Source* source;              // [adr[count]]
    Piece* piece;                // [pieces]
    int* member;                 // [count] supernodes of subtrees
    Seat* seat;                  // [seats]
    atomic_int* done;            // [count] parts of a panel that are factored
    atomic_int* left;            // [count] whether its first strip is
    snClaims claims;             // of subtrees
    atomic_int next;             // of the pieces behind them
    double* x;                   // of a solution
    const snElimination* e;
    snFactor* f;
} snFactorShare;

static bool isByRows(const snSupernode* s)
{
    return s->rows > WIDE;
}

// most: strips of a panel.
static int partsOf(const snSupernode* s, int most)
{
    if (isByRows(s)) return (s->rows + ROWS - 1) / ROWS;
    const int strips = s->stride / COLUMNS;
    return strips < 1 ? 1 : strips > most ? most : strips;
}

// Where a strip begins; the first has all columns of the panel's own rows.
static int beginOfStrip(const snSupernode* s, int count, int strip)
{
    const int own = sn_padded(s->rows);
    const int even = (int)((long long)s->stride * strip / count) & ~3;
    if (strip == 0) return 0;
    if (strip == count) return s->stride;
    return even > own ? even : own;
}

// ---- the plan

// What the panel of `super` changes next, from below[at] on; its end.
static int endOfTarget(const snElimination* e, const snSupernode* s, int at)
{
    const snSupernode* target = e->node + e->super[s->below[at]];
    int end = at;
    while (end < s->nbelow && s->below[end] < target->last) end++;
    return end;
}

// The sources of all supernodes: counted, or with `source` listed. The order is that of sn_factor: what has
// come to a panel last changes it first.
static int listSources(const snElimination* e, const snFactor* f, int* adr, Source* source)
{
    int total = 0;
    for (int i = 0; i < e->count; i++) f->head[i] = -1;
    for (int i = 0; i < e->count; i++) {
        adr[i] = total;
        f->at[i] = 0;
        for (int from = f->head[i], next; from >= 0; from = next) {
            const snSupernode* s = e->node + from;
            const int end = endOfTarget(e, s, f->at[from]);
            next = f->next[from];
            if (source) source[total] = (Source){from, f->at[from], end};
            total++;
            f->at[from] = end;
            if (end == s->nbelow) continue;
            const int target = e->super[s->below[end]];
            f->next[from] = f->head[target];
            f->head[target] = from;
        }
        if (!e->node[i].nbelow) continue;
        const int target = e->super[e->node[i].below[0]];
        f->next[i] = f->head[target];
        f->head[target] = i;
    }
    adr[e->count] = total;
    return total;
}

static int parentOf(const snElimination* e, int super)
{
    const snSupernode* s = e->node + super;
    return s->nbelow ? e->super[s->below[0]] : -1;
}

// The root of the subtree that a supernode is in, root [count]; -1: it is above them. Those are as large as
// may be while a thread has several.
static void findSubtrees(const snElimination* e, int seats, double* work, int* root)
{
    double total = 0;
    for (int i = 0; i < e->count; i++) work[i] = 0;
    for (int i = 0; i < e->count; i++) {
        const snSupernode* s = e->node + i;
        const int parent = parentOf(e, i);
        const double own = sn_panelWork(s->rows, s->column[s->nbelow] - s->column[0]);
        total += own;
        work[i] += own;
        if (parent >= 0) work[parent] += work[i];
    }
    for (int i = e->count - 1; i >= 0; i--) {
        const int parent = parentOf(e, i);
        if (parent >= 0 && root[parent] >= 0)
            root[i] = root[parent];
        else
            root[i] = work[i] <= total / (PARTS * seats) ? i : -1;
    }
}

// Whole subtrees, by their roots. at [count]: scratch.
static void listSubtrees(const snElimination* e, const int* root, int* at, snFactorShare* s)
{
    int members = 0;
    s->pieces = 0;
    for (int i = 0; i < e->count; i++) at[i] = 0;
    for (int i = 0; i < e->count; i++)
        if (root[i] >= 0) at[root[i]]++;
    for (int i = 0; i < e->count; i++) {
        if (root[i] != i) continue;
        s->piece[s->pieces++] = (Piece){i, members, members + at[i]};
        members += at[i];
        at[i] = members - at[i];
    }
    s->subtrees = s->pieces;
    for (int i = 0; i < e->count; i++)
        if (root[i] >= 0) s->member[at[root[i]]++] = i;
}

// Then the parts of the panels above them, by how high a panel stands: those that do not wait for each other
// come side by side. height [count]: scratch.
static void listParts(const snElimination* e, const int* root, int* height, snFactorShare* s)
{
    int highest = -1;
    for (int i = 0; i < e->count; i++) height[i] = 0;
    for (int i = 0; i < e->count; i++) {
        const int parent = parentOf(e, i);
        if (root[i] >= 0) continue;
        if (parent >= 0 && height[parent] <= height[i]) height[parent] = height[i] + 1;
        if (height[i] > highest) highest = height[i];
    }
    for (int level = 0; level <= highest; level++)
        for (int i = 0; i < e->count; i++)
            for (int k = 0; root[i] < 0 && height[i] == level && k < partsOf(e->node + i, STRIPS * s->seats);
                 k++)
                s->piece[s->pieces++] = (Piece){i, k, -1};
}

static bool takeSeats(snData* d, const snElimination* e, snFactorShare* s)
{
    int rows = 0;
    for (int i = 0; i < e->count; i++) rows = e->node[i].rows > rows ? e->node[i].rows : rows;
    for (int k = 0; k < s->seats; k++) {
        s->seat[k].strip = sn_scratchAlloc(d, (size_t)e->widest * (size_t)rows * sizeof(double));
        s->seat[k].column = sn_scratchInt(d, e->nnode);
        s->seat[k].local = sn_scratchReal(d, e->widest);
        if (!s->seat[k].strip || !s->seat[k].column || !s->seat[k].local) return false;
    }
    return true;
}

static bool plan(snData* d, const snElimination* e, snFactor* f, snFactorShare* s)
{
    int parts = 0;
    for (int i = 0; i < e->count; i++) parts += partsOf(e->node + i, STRIPS * s->seats);
    int *root = sn_scratchInt(d, 2 * e->count), *at = root + e->count;
    double* work = sn_scratchReal(d, e->count);
    s->adr = sn_scratchInt(d, e->count + 1);
    s->member = sn_scratchInt(d, e->count);
    s->piece = sn_scratchAlloc(d, (size_t)parts * sizeof *s->piece);
    s->seat = sn_scratchAlloc(d, (size_t)s->seats * sizeof *s->seat);
    s->done = sn_scratchAlloc(d, (size_t)e->count * sizeof *s->done);
    s->left = sn_scratchAlloc(d, (size_t)e->count * sizeof *s->left);
    if (!root || !work || !s->adr || !s->member || !s->piece || !s->seat || !s->done || !s->left)
        return false;
    s->source = sn_scratchAlloc(d, (size_t)listSources(e, f, s->adr, NULL) * sizeof *s->source);
    if (!s->source || !takeSeats(d, e, s)) return false;
    listSources(e, f, s->adr, s->source);
    findSubtrees(e, s->seats, work, root);
    listSubtrees(e, root, at, s);
    listParts(e, root, at, s);
    return true;
}

void sn_shareFactor(snData* d, const snElimination* e, snFactor* f)
{
    if (sn_threadCount(d->pool) < 2 || e->work < LEAST) return;
    const size_t mark = sn_scratchMark(d);
    snFactorShare* s = sn_scratchAlloc(d, sizeof *s);
    if (s) *s = (snFactorShare){.pool = d->pool, .seats = sn_seatsOf(d->pool), .e = e, .f = f};
    if (s && plan(d, e, f, s))
        f->share = s;
    else
        sn_scratchRelease(d, mark);
}

// ---- the work

// Where the places of a panel's columns stand in it.
static void takeTarget(const snElimination* e, int super, Seat* seat)
{
    const snSupernode* s = e->node + super;
    if (seat->target == super) return;
    seat->target = super;
    for (int k = s->first; k < s->last; k++) seat->column[k] = e->row[k] - s->row;
    for (int k = 0; k < s->nbelow; k++) seat->column[s->below[k]] = s->column[k];
}

// A part of a panel: rows [top, bottom) in columns [begin, end).
typedef struct Area {
    int top, bottom, begin, end;
} Area;

// The column of a source, among its places [first, last), that stands in a column of the target, or the first
// behind that.
static int columnOfSource(const snSupernode* s, int first, int last, const int* column, int target)
{
    if (first < last && target <= column[s->below[first]]) return s->column[first];
    if (first < last && target >= column[s->below[last - 1]] + s->column[last] - s->column[last - 1])
        return s->column[last];
    int low = first, high = last; // the first place that reaches behind it
    while (low < high) {
        const int k = (low + high) / 2;
        if (target < column[s->below[k]] + s->column[k + 1] - s->column[k])
            high = k;
        else
            low = k + 1;
    }
    if (low == last) return s->column[low];
    const int begin = column[s->below[low]];
    return s->column[low] + (target > begin ? target - begin : 0);
}

// Takes off an area of the target what a panel has for it. As applyPanel in supernode.c.
static void applySource(const snFactorShare* share, const Source* from, const Seat* seat, const Area* area)
{
    const snElimination* e = share->e;
    const snSupernode *s = e->node + from->super, *target = e->node + seat->target;
    const int* at = seat->column;
    const int first = columnOfSource(s, from->begin, from->end, at, area->top),
              last = columnOfSource(s, from->begin, from->end, at, area->bottom),
              begin = columnOfSource(s, from->begin, s->nbelow, at, area->begin),
              end = columnOfSource(s, from->begin, s->nbelow, at, area->end);
    if (first >= last || begin >= end || end <= first) return;
    sn_panelProductPart(share->f->value + s->panel, s->rows, s->stride, first, last - first, begin & ~3,
                        sn_padded(end), seat->strip);
    double* const panel = share->f->value + target->panel;
    for (int k = from->begin; k < s->nbelow && s->column[k] < end;) {
        const int shift = at[s->below[k]] - s->column[k], left = s->column[k] > begin ? s->column[k] : begin;
        do {
            ++k;
        } while (k < s->nbelow && at[s->below[k]] - s->column[k] == shift);
        const int right = s->column[k] < end ? s->column[k] : end;
        for (int node = from->begin, i = first; i < last && left < right; i++) {
            while (i >= s->column[node + 1]) node++;
            const int row = at[s->below[node]] + i - s->column[node], start = left > i ? left : i;
            if (start >= right) continue;
            sn_addRun(panel + (size_t)row * (size_t)target->stride + shift + start,
                      seat->strip + (size_t)(i - first) * (size_t)s->stride + start, right - start);
        }
    }
}

static void applySources(const snFactorShare* share, int super, Seat* seat, const Area* area)
{
    takeTarget(share->e, super, seat);
    for (int k = share->adr[super]; k < share->adr[super + 1]; k++) {
        const Source* from = share->source + k;
        sn_spinUntil(share->done + from->super, partsOf(share->e->node + from->super, STRIPS * share->seats));
        applySource(share, from, seat, area);
    }
}

static void factorWhole(const snFactorShare* share, int super, Seat* seat)
{
    const snSupernode* s = share->e->node + super;
    applySources(share, super, seat, &(Area){0, s->rows, 0, s->stride});
    seat->bad += sn_panelFactor(share->f->value + s->panel, s->rows, s->stride, share->f->inv + s->row);
    atomic_store_explicit(share->done + super, partsOf(s, STRIPS * share->seats), memory_order_release);
}

static void factorBlock(const snFactorShare* share, int super, int block, Seat* seat)
{
    const snSupernode* s = share->e->node + super;
    const int begin = block * ROWS, end = begin + ROWS < s->rows ? begin + ROWS : s->rows;
    double* panel = share->f->value + s->panel;
    applySources(share, super, seat, &(Area){begin, end, 0, s->stride});
    for (int b = 0; b < block; b++) {
        sn_spinUntil(share->done + super, b + 1);
        sn_panelTake(panel, s->stride, b * ROWS, (b + 1) * ROWS, begin, end);
    }
    seat->bad += sn_panelFactorRows(panel, begin, end, s->stride, share->f->inv + s->row);
    atomic_store_explicit(share->done + super, block + 1, memory_order_release);
}

static void factorStrip(const snFactorShare* share, int super, int strip, Seat* seat)
{
    const snSupernode* s = share->e->node + super;
    const int count = partsOf(s, STRIPS * share->seats);
    const int begin = beginOfStrip(s, count, strip), end = beginOfStrip(s, count, strip + 1);
    double *panel = share->f->value + s->panel, *inv = share->f->inv + s->row;
    if (begin < end) applySources(share, super, seat, &(Area){0, s->rows, begin, end});
    if (strip == 0) {
        seat->bad += sn_panelFactorLeft(panel, s->rows, end, s->stride, inv);
        atomic_store_explicit(share->left + super, 1, memory_order_release);
    } else if (begin < end) {
        sn_spinUntil(share->left + super, 1);
        sn_panelFactorRight(panel, s->rows, begin, end, s->stride, inv);
    }
    atomic_fetch_add_explicit(share->done + super, 1, memory_order_release);
}

static void factorPart(const snFactorShare* share, int super, int part, Seat* seat)
{
    if (isByRows(share->e->node + super))
        factorBlock(share, super, part, seat);
    else
        factorStrip(share, super, part, seat);
}

// What a seat does: the next subtree, until there is none, then the next part. All that a part waits for has
// been taken before it.
static void work(void* arg, int index, int thread)
{
    snFactorShare* share = arg;
    const int place = sn_seatOf(share->pool, share->seats, index, thread);
    Seat* seat = share->seat + place;
    for (int range = place, k; (k = sn_claim(&share->claims, place, &range)) >= 0;)
        for (int i = share->piece[k].first; i < share->piece[k].end; i++)
            factorWhole(share, share->member[i], seat);
    for (;;) {
        const int k = share->subtrees + atomic_fetch_add_explicit(&share->next, 1, memory_order_relaxed);
        if (k >= share->pieces) return;
        factorPart(share, share->piece[k].super, share->piece[k].first, seat);
    }
}

int sn_factorShared(const snElimination* e, snFactor* f)
{
    snFactorShare* s = f->share;
    int bad = 0;
    s->e = e; // both may have been moved since
    s->f = f;
    for (int i = 0; i < e->count; i++) {
        atomic_init(s->done + i, 0);
        atomic_init(s->left + i, 0);
    }
    for (int k = 0; k < s->seats; k++) s->seat[k].target = -1, s->seat[k].bad = 0;
    sn_beginClaims(&s->claims, s->subtrees, s->seats);
    atomic_init(&s->next, 0);
    sn_runThreads(s->pool, s->seats, work, s);
    for (int k = 0; k < s->seats; k++) bad += s->seat[k].bad;
    return bad;
}

// Whole subtrees, from their roots down.
static void solveSubtrees(void* arg, int index, int thread)
{
    snFactorShare* share = arg;
    const int seat = sn_seatOf(share->pool, share->seats, index, thread);
    for (int range = seat, k; (k = sn_claim(&share->claims, seat, &range)) >= 0;)
        for (int i = share->piece[k].end - 1; i >= share->piece[k].first; i--)
            sn_factorBackward(share->e, share->f, share->member[i], share->seat[seat].local, share->x);
}

void sn_factorBackwardShared(const snElimination* e, snFactor* f, double* x)
{
    snFactorShare* s = f->share;
    s->x = x;
    for (int k = s->pieces - 1; k >= s->subtrees; k--) // parts of a panel follow each other
        if (s->piece[k].first == 0) sn_factorBackward(e, f, s->piece[k].super, f->local, x);
    sn_beginClaims(&s->claims, s->subtrees, s->seats);
    sn_runThreads(s->pool, s->seats, solveSubtrees, s);
}
