// In lanes, too: src/batch/lane/prelude.h.
// Which rows there are and where their numbers go, before any is filled.
#include "constraint/row.h"
#include <assert.h>
#include <limits.h>
#include "base/reserve.h"
#include "math/sorted.h"

#ifdef SN_LANES
enum { LIVE_BYTES = sizeof(snMask) };
#else
enum { LIVE_BYTES = 0 };
#endif
enum { ROW_BYTES = 6 * sizeof(int) + 14 * sizeof(real) + LIVE_BYTES }; // of arrays with an entry for each row

// Bytes of all arrays of the rows, but what aligns them.
static inline size_t bytesOf(size_t rows, size_t numbers, size_t cols)
{
    return rows * ROW_BYTES + numbers * sizeof(real) + cols * sizeof(int);
}

// Whether the arrays of the rows have room, and memory, where they become larger.
static inline bool grow(const snRowPlan* plan, size_t bytes)
{
    enum { ALIGNING = 4096 }; // more than what aligns them
    const size_t before = bytesOf((size_t)plan->rows, (size_t)plan->J, (size_t)plan->col);
    const size_t more =
        bytes - before + ALIGNING < plan->room - before ? bytes - before + ALIGNING : plan->room - before;
    return bytes <= plan->room && sn_commit((const char*)plan->colind + before, more);
}

bool sn_planRows(snRowPlan* plan, int id, int count, const int* dofs, int ndof)
{
    assert(count > 0 && ndof >= 0 && sn_isDescending(dofs, dofs ? ndof : 0, INT_MAX));
    assert(dofs || (plan->count > 0 && ndof == 0)); // those in front of them
    snRowSupport* s = plan->support + plan->count;
    *s = (snRowSupport){id, count, plan->col, ndof, 0};
    if (!dofs) {
        s->coladr = s[-1].coladr;
        s->ndof = s[-1].ndof;
    }
    const size_t rows = (size_t)plan->rows + (size_t)count;
    const size_t numbers = (size_t)plan->J + (size_t)count * (size_t)s->ndof;
    const size_t cols = (size_t)plan->col + (size_t)ndof;
    if (!grow(plan, bytesOf(rows, numbers, cols))) return false;
    for (int k = 0; k < ndof; k++) plan->colind[cols - 1 - (size_t)k] = dofs[k];
    plan->rows = (int)rows;
    plan->J = (int)numbers;
    plan->col = (int)cols;
    plan->count++;
    return true;
}

snRowBlock sn_beginRows(snData* d, snRowWriter* w)
{
    const snRowSupport* s = w->next++;
    assert(w->row + s->rows <= d->nefc && w->J + s->rows * s->ndof <= d->nJ);
    assert(s->coladr + s->ndof <= d->nJcol);
    assert(sn_isAscending(d->efc_J_colind + s->coladr, s->ndof, INT_MAX));
    const snRowBlock block = {.id = s->id,
                              .part = s->part,
                              .row = w->row,
                              .rows = s->rows,
                              .ndof = s->ndof,
                              .dofs = d->efc_J_colind + s->coladr,
                              .J = d->efc_J + w->J};
    const int first = w->row, end = first + s->rows, ndof = s->ndof, coladr = s->coladr;
    int *nnz = d->efc_J_rownnz, *rowadr = d->efc_J_rowadr, *col = d->efc_J_coladr, at = w->J;
    for (int r = first; r < end; r++, at += ndof) {
        nnz[r] = ndof;
        rowadr[r] = at;
        col[r] = coladr;
    }
    w->row = end;
    w->J = at;
    return block;
}
