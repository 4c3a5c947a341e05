#include "solver/supernode.h"
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include "math/dense.h"
#include "math/panel.h"
#include "math/sorted.h"
#include "model/arena.h"
#include "solver/factor_shared.h"

// Lists of the factor by place: the places after k that its rows reach, ascending; the first is k's parent in
// the tree of elimination.
typedef struct Lists {
    int** list;
    int* count;
    int *child, *sibling; // links from a place to what hangs on it
    uint64_t* mark;       // one bit a place
} Lists;

static void markList(uint64_t* mark, const int* list, int count, int after)
{
    for (int k = 0; k < count; k++)
        if (list[k] > after) mark[list[k] >> 6] |= (uint64_t)1 << (list[k] & 63);
}

// The marked places after `place`, as a list in scratch; takes the marks off.
static bool listMarked(snData* d, uint64_t* mark, int words, int place, Lists* l)
{
    int count = 0;
    for (int w = place >> 6; w < words; w++) count += __builtin_popcountll(mark[w]);
    int* to = l->list[place] = sn_scratchInt(d, count);
    if (!to) return false;
    l->count[place] = count;
    for (int w = place >> 6; w < words; w++) {
        for (uint64_t bits = mark[w]; bits; bits &= bits - 1) *to++ = 64 * w + __builtin_ctzll(bits);
        mark[w] = 0;
    }
    return true;
}

static bool allocateLists(snData* d, int n, Lists* l)
{
    l->list = sn_scratchAlloc(d, (size_t)n * sizeof(int*));
    l->count = sn_scratchInt(d, n);
    l->child = sn_scratchInt(d, n);
    l->sibling = sn_scratchInt(d, n);
    l->mark = sn_scratchAlloc(d, (size_t)(n / 64 + 1) * sizeof(uint64_t));
    if (!l->list || !l->count || !l->child || !l->sibling || !l->mark) return false;
    memset(l->mark, 0, (size_t)(n / 64 + 1) * sizeof(uint64_t));
    for (int k = 0; k < n; k++) l->child[k] = -1;
    return true;
}

// What a place reaches: its neighbours, and what those reach that hang on it.
static bool findLists(snData* d, const snGraph* graph, const int* order, const int* place, Lists* l)
{
    const int n = graph->n;
    if (!allocateLists(d, n, l)) return false;
    for (int k = 0; k < n; k++) {
        for (int a = graph->adr[order[k]]; a < graph->adr[order[k] + 1]; a++)
            markList(l->mark, place + graph->adj[a], 1, k);
        for (int c = l->child[k]; c >= 0; c = l->sibling[c]) markList(l->mark, l->list[c], l->count[c], k);
        if (!listMarked(d, l->mark, n / 64 + 1, k, l)) return false;
        if (!l->count[k]) continue;
        const int parent = l->list[k][0];
        l->sibling[k] = l->child[parent];
        l->child[parent] = k;
    }
    return true;
}

static int sizeOf(const snElimination* e, int place)
{
    return e->row[place + 1] - e->row[place];
}

static int reach(const snElimination* e, const Lists* l, int place)
{
    int rows = 0;
    for (int k = 0; k < l->count[place]; k++) rows += sizeOf(e, l->list[place][k]);
    return rows;
}

double sn_panelWork(double rows, double right)
{
    const double columns = rows + right;
    return rows * columns * columns / 16 + right * right / 4 + rows * columns / 2 + 150;
}

// A place joins the supernode before it when that is its child and one panel, zeros and all, is less work.
static void findSupernodes(const Lists* l, snElimination* e)
{
    int rows = 0, right = 0;
    e->count = 0;
    for (int k = 0; k < e->nnode; k++) {
        const int size = sizeOf(e, k), next = reach(e, l, k);
        const bool child = k && l->count[k - 1] && l->list[k - 1][0] == k;
        if (child && sn_panelWork(rows + size, next) < sn_panelWork(rows, right) + sn_panelWork(size, next)) {
            rows += size;
        } else {
            e->node[e->count++] = (snSupernode){.first = k, .row = e->row[k]};
            rows = size;
        }
        right = next;
        snSupernode* s = e->node + e->count - 1;
        s->last = k + 1;
        s->rows = rows;
        s->nbelow = l->count[k];
        s->below = l->list[k];
        e->super[k] = e->count - 1;
    }
}

static double factorProducts(const snSupernode* s)
{
    double sum = 0;
    const double columns = s->rows + s->column[s->nbelow] - s->column[0];
    for (int k = 0; k < s->rows; k++) sum += (columns - k) * (columns - k + 1) / 2;
    return sum;
}

static bool placePanels(snData* d, snElimination* e)
{
    e->nvalue = 0;
    e->widest = 0;
    e->products = e->work = 0;
    for (int i = 0; i < e->count; i++) {
        snSupernode* s = e->node + i;
        s->column = sn_scratchInt(d, s->nbelow + 1);
        assert(sn_isAscending(s->below, s->nbelow, e->nnode) && (!s->nbelow || s->below[0] >= s->last));
        if (!s->column) return false;
        int column = sn_padded(s->rows);
        for (int k = 0; k < s->nbelow; k++) {
            s->column[k] = column;
            column += sizeOf(e, s->below[k]);
        }
        s->column[s->nbelow] = column;
        s->stride = sn_padded(column);
        s->panel = e->nvalue;
        e->nvalue += ((size_t)s->rows * (size_t)s->stride + 7) & ~(size_t)7;
        e->widest = s->stride > e->widest ? s->stride : e->widest;
        e->products += factorProducts(s);
        e->work += sn_panelWork(s->rows, column - sn_padded(s->rows));
    }
    for (int i = e->count - 1; i >= 0; i--) {
        snSupernode* s = e->node + i;
        s->path = s->rows * (s->stride + 30.0) + (s->nbelow ? e->node[e->super[s->below[0]]].path : 0);
    }
    return true;
}

// In an order that one of order.h finds.
static bool analyse(snData* d, const snGraph* graph, const int* size,
                    bool (*find)(snData*, const snGraph*, int*), snElimination* e)
{
    Lists lists;
    const int n = e->nnode = graph->n;
    int* order = sn_scratchInt(d, n);
    e->place = sn_scratchInt(d, n);
    e->row = sn_scratchInt(d, n + 1);
    e->super = sn_scratchInt(d, n);
    e->node = sn_scratchAlloc(d, (size_t)n * sizeof(snSupernode));
    if (!order || !e->place || !e->row || !e->super || !e->node || !find(d, graph, order)) return false;
    e->n = 0;
    for (int k = 0; k < n; k++) {
        e->place[order[k]] = k;
        e->row[k] = e->n;
        e->n += size[order[k]];
    }
    e->row[n] = e->n;
    if (!findLists(d, graph, order, e->place, &lists)) return false;
    findSupernodes(&lists, e);
    return placePanels(d, e);
}

bool sn_analyse(snData* d, const snGraph* graph, const int* size, bool mesh, snElimination* e)
{
    snElimination other;
    if (mesh && !analyse(d, graph, size, sn_dissectNodes, &other)) return false;
    if (!analyse(d, graph, size, sn_orderNodes, e)) return false;
    if (mesh && other.work < e->work) *e = other;
    return true;
}

bool sn_factorAllocate(snData* d, const snElimination* e, snFactor* f)
{
    int rows = 0;
    for (int i = 0; i < e->count; i++) rows = e->node[i].rows > rows ? e->node[i].rows : rows;
    f->value = sn_scratchAlloc(d, e->nvalue * sizeof(double));
    f->inv = sn_scratchReal(d, e->n);
    f->strip = sn_scratchAlloc(d, (size_t)e->widest * (size_t)rows * sizeof(double));
    f->local = sn_scratchAlloc(d, SN_PANEL_UPDATES * (size_t)e->widest * sizeof(double));
    f->column = sn_scratchInt(d, e->nnode);
    f->head = sn_scratchInt(d, e->count);
    f->next = sn_scratchInt(d, e->count);
    f->at = sn_scratchInt(d, e->count);
    f->share = NULL;
    if (!f->value || !f->inv || !f->strip || !f->local || !f->column || !f->head || !f->next || !f->at)
        return false;
    sn_shareFactor(d, e, f);
    return true;
}

// First column of a place in a supernode's panel.
static int columnOf(const snElimination* e, const snSupernode* s, int place)
{
    if (place < s->last) return e->row[place] - s->row;
    int low = 0, high = s->nbelow - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (s->below[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    assert(s->nbelow > 0 && s->below[low] == place); // the two couple
    return s->column[low];
}

size_t sn_factorEntry(const snElimination* e, int i, int j, int* stride)
{
    assert(i >= 0 && i <= j && j < e->nnode);
    const snSupernode* s = e->node + e->super[i];
    *stride = s->stride;
    return s->panel + (size_t)(e->row[i] - s->row) * (size_t)s->stride + (size_t)columnOf(e, s, j);
}

// Puts a supernode into the list of the one that holds below[at].
static void enlist(const snElimination* e, snFactor* f, int super, int at)
{
    const snSupernode* s = e->node + super;
    f->at[super] = at;
    if (at == s->nbelow) return;
    const int target = e->super[s->below[at]];
    f->next[super] = f->head[target];
    f->head[target] = super;
}

// Columns that stand side by side in two panels.
typedef struct Run {
    int from, end, shift; // in the first; what to add for the second
} Run;

// The run from below[k] on; k moves behind it.
static Run nextRun(const snSupernode* s, const snFactor* f, int* k)
{
    const int from = s->column[*k], shift = f->column[s->below[*k]] - from;
    do {
        ++*k;
    } while (*k < s->nbelow && f->column[s->below[*k]] - s->column[*k] == shift);
    return (Run){from, s->column[*k], shift};
}

// Takes what the panel of `super` has for the rows of `target` off them.
static void applyPanel(const snElimination* e, snFactor* f, int super, const snSupernode* target)
{
    const snSupernode* s = e->node + super;
    const int begin = f->at[super];
    assert(begin < s->nbelow && s->below[begin] >= target->first && s->below[begin] < target->last);
    int end = begin;
    while (end < s->nbelow && s->below[end] < target->last) end++;
    const int first = s->column[begin], count = s->column[end] - first;
    sn_panelProduct(f->value + s->panel, s->rows, s->stride, first, count, f->strip);
    for (int k = begin; k < s->nbelow;) {
        const Run run = nextRun(s, f, &k);
        for (int node = begin; node < end; node++) {
            const int row = e->row[s->below[node]] - target->row;
            double* panel = f->value + target->panel + (size_t)row * (size_t)target->stride + run.shift;
            const int size = s->column[node + 1] - s->column[node];
            for (int r = 0; r < size; r++, panel += target->stride) {
                const int i = s->column[node] + r, from = run.from > i ? run.from : i;
                const double* strip = f->strip + (size_t)(i - first) * (size_t)s->stride;
                if (from < run.end) sn_addRun(panel + from, strip + from, run.end - from);
            }
        }
    }
    enlist(e, f, super, end);
}

int sn_factor(const snElimination* e, snFactor* f)
{
    if (f->share) return sn_factorShared(e, f);
    int bad = 0;
    for (int i = 0; i < e->count; i++) f->head[i] = -1;
    for (int i = 0; i < e->count; i++) {
        const snSupernode* s = e->node + i;
        assert(s->first < s->last && s->rows <= s->stride &&
               s->panel + (size_t)s->rows * s->stride <= e->nvalue);
        for (int k = s->first; k < s->last; k++) f->column[k] = e->row[k] - s->row;
        for (int k = 0; k < s->nbelow; k++) f->column[s->below[k]] = s->column[k];
        for (int from = f->head[i], next; from >= 0; from = next) {
            next = f->next[from];
            applyPanel(e, f, from, s);
        }
        bad += sn_panelFactor(f->value + s->panel, s->rows, s->stride, f->inv + s->row);
        enlist(e, f, i, 0);
    }
    return bad;
}

// A vector's numbers in the columns of a panel, pads zero; and those that are not its own rows back.
static void gather(const snElimination* e, const snSupernode* s, const double* x, double* local)
{
    memcpy(local, x + s->row, (size_t)s->rows * sizeof(double));
    for (int k = s->rows; k < s->column[0]; k++) local[k] = 0;
    for (int k = 0; k < s->nbelow; k++) {
        const double* from = x + e->row[s->below[k]];
        double* to = local + s->column[k];
        for (int i = 0; i < s->column[k + 1] - s->column[k]; i++) to[i] = from[i];
    }
    for (int k = s->column[s->nbelow]; k < s->stride; k++) local[k] = 0;
}

static void scatter(const snElimination* e, const snSupernode* s, const double* local, double* x)
{
    for (int k = 0; k < s->nbelow; k++) {
        double* to = x + e->row[s->below[k]];
        const double* from = local + s->column[k];
        for (int i = 0; i < s->column[k + 1] - s->column[k]; i++) to[i] = from[i];
    }
}

void sn_factorBackward(const snElimination* e, const snFactor* f, int super, double* local, double* x)
{
    const snSupernode* s = e->node + super;
    gather(e, s, x, local);
    sn_panelBackward(f->value + s->panel, s->rows, s->stride, f->inv + s->row, local);
    memcpy(x + s->row, local, (size_t)s->rows * sizeof(double));
}

void sn_factorSolve(const snElimination* e, snFactor* f, double* x)
{
    for (int i = 0; i < e->count; i++) {
        const snSupernode* s = e->node + i;
        gather(e, s, x, f->local);
        sn_panelForward(f->value + s->panel, s->rows, s->stride, f->inv + s->row, f->local);
        memcpy(x + s->row, f->local, (size_t)s->rows * sizeof(double));
        scatter(e, s, f->local, x);
    }
    if (f->share)
        sn_factorBackwardShared(e, f, x);
    else
        for (int i = e->count - 1; i >= 0; i--) sn_factorBackward(e, f, i, f->local, x);
}

bool sn_factorUpdate(const snElimination* e, const snFactor* f, int first, double* v, double* scale,
                     int count, double* local, const snUpdateGate* gate)
{
    assert(first >= 0 && first < e->nnode && count > 0 && count <= SN_PANEL_UPDATES);
    bool good = true;
    for (int i = e->super[first]; i >= 0;) {
        const snSupernode* s = e->node + i;
        const int step = gate ? SN_UPDATE_ROWS : s->rows;
        for (int t = 0; t < count; t++) {
            gather(e, s, v + (size_t)t * (size_t)e->n, local + t * s->stride);
            memset(v + (size_t)t * (size_t)e->n + s->row, 0, (size_t)s->rows * sizeof(double));
        }
        for (int row = 0; row < s->rows; row += step) {
            const int end = row + step < s->rows ? row + step : s->rows;
            if (gate) gate->enter(gate->arg, i, row / step);
            good = good && sn_panelUpdate(f->value + s->panel, row, end, s->stride, f->inv + s->row, local,
                                          scale, count);
            if (gate) gate->leave(gate->arg, i, row / step);
        }
        if (!good) memset(local, 0, (size_t)count * (size_t)s->stride * sizeof(double));
        for (int t = 0; t < count; t++) scatter(e, s, local + t * s->stride, v + (size_t)t * (size_t)e->n);
        i = s->nbelow ? e->super[s->below[0]] : -1;
    }
    return good;
}
