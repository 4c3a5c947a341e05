// Which rows make a block, and the places of rows: contacts are a normal with its friction, rows of one
// number of the caller a joint, and what is alone stands by fours in the order given.
#include <stdlib.h>
#include "base/error.h"
#include "lcp/given/given.h"

#define WRONG(...) sn_fail(error, SN_STATUS_ARGUMENT, "LCP: " __VA_ARGS__)

// ---- contacts

static snStatus addFriction(snGiven* p, int* count, int* last, int i, snError* error)
{
    const int normal = p->lcp->normal[i], first = p->friction[normal];
    if (first >= 0 && sn_givenKind(p->lcp, i) != sn_givenKind(p->lcp, first))
        return WRONG("row %d: friction and cone at one normal, row %d: make both of one kind, as row %d", i,
                     normal, first);
    if (++count[normal] > SN_BLOCK_MOST - 1)
        return WRONG("row %d: its normal, row %d, has more than %d rows of friction", i, normal,
                     SN_BLOCK_MOST - 1);
    if (first < 0)
        p->friction[normal] = i;
    else
        p->friction[last[normal]] = i;
    last[normal] = i;
    return SN_STATUS_OK;
}

// Lists of the rows of friction of each normal.
static snStatus contacts(snGiven* p, int* count, int* last, snError* error)
{
    for (int i = 0; i < p->n; i++) p->friction[i] = -1;
    for (int i = 0; i < p->n; i++) {
        if (sn_givenKind(p->lcp, i) == SN_LCPROW_BOX) continue;
        const snStatus status = addFriction(p, count, last, i, error);
        if (status) return status;
    }
    return SN_STATUS_OK;
}

// ---- joints

typedef struct Member {
    int number, row;
} Member;

static int compareMembers(const void* a, const void* b)
{
    const Member *p = a, *q = b;
    if (p->number != q->number) return p->number < q->number ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

static int normalOf(const snGiven* p, int i)
{
    return sn_givenKind(p->lcp, i) == SN_LCPROW_BOX ? i : p->lcp->normal[i];
}

// Rows of one number are one contact, or rows without friction.
static snStatus checkBlock(const snGiven* p, const Member* members, int count, snError* error)
{
    const int first = members[0].row, normal = normalOf(p, first);
    const bool contact = p->friction[normal] >= 0;
    if (count > SN_BLOCK_MOST)
        return WRONG("row %d: block %d has %d rows, at most %d", first, members[0].number, count,
                     SN_BLOCK_MOST);
    for (int k = 1; k < count; k++) {
        const int row = members[k].row, other = normalOf(p, row);
        if (other == normal || (!contact && p->friction[other] < 0)) continue;
        return WRONG("row %d: block %d holds row %d, too: a block is one normal with its friction, or rows "
                     "without friction",
                     row, members[0].number, first);
    }
    int friction = contact ? p->friction[normal] : -1, own = contact;
    for (; friction >= 0; friction = p->friction[friction]) own++;
    if (contact && own != count)
        return WRONG("row %d: block %d must have all %d rows of its contact, and has %d", first,
                     members[0].number, own, count);
    return SN_STATUS_OK;
}

// next [n]: of a row in a joint's block the next row of it, in a ring; the row itself where it is alone.
static snStatus joints(snGiven* p, int* next, snError* error)
{
    for (int i = 0; i < p->n; i++) next[i] = i;
    if (!p->lcp->block) return SN_STATUS_OK;
    Member* members = sn_givenRoom(p, (size_t)p->n, sizeof *members);
    if (!members) return sn_fail(error, SN_STATUS_NO_MEMORY, "LCP: out of memory for %d rows", p->n);
    for (int i = 0; i < p->n; i++) members[i] = (Member){p->lcp->block[i], i};
    qsort(members, (size_t)p->n, sizeof *members, compareMembers);
    for (int start = 0, end = 0; start < p->n; start = end) {
        while (end < p->n && members[end].number == members[start].number) end++;
        const snStatus status = checkBlock(p, members + start, end - start, error);
        if (status) return status;
        if (p->friction[normalOf(p, members[start].row)] >= 0) continue;
        for (int k = start; k < end; k++) next[members[k].row] = members[k + 1 < end ? k + 1 : start].row;
    }
    return SN_STATUS_OK;
}

// ---- blocks

static snLcpBlock* newBlock(snGiven* p, int kind)
{
    snLcpSystem* s = &p->s;
    snLcpBlock* b = s->block + s->nblock++;
    *b = (snLcpBlock){.kind = kind, .quad = s->nquad++};
    return b;
}

static void place(snGiven* p, snLcpBlock* b, int row)
{
    if (b->rows == 4) p->s.nquad++;
    p->place[row] = 4 * b->quad + b->rows++;
}

static void placeContact(snGiven* p, int normal)
{
    const bool cone = sn_givenKind(p->lcp, p->friction[normal]) == SN_LCPROW_CONE;
    snLcpBlock* b = newBlock(p, cone ? SN_BLOCK_CONE : SN_BLOCK_BOX);
    place(p, b, normal);
    for (int row = p->friction[normal]; row >= 0; row = p->friction[row]) place(p, b, row);
}

static void placeJoint(snGiven* p, const int* next, int first)
{
    snLcpBlock* b = newBlock(p, SN_BLOCK_JOINT);
    int row = first;
    do {
        b->bounded |= !isinf(sn_givenLower(p->lcp, row)) || !isinf(sn_givenUpper(p->lcp, row));
        place(p, b, row);
        row = next[row];
    } while (row != first);
}

static void placeRows(snGiven* p, const int* next)
{
    snLcpSystem* s = &p->s;
    for (int i = 0; i < p->n; i++) {
        if (p->place[i] >= 0 || sn_givenKind(p->lcp, i) != SN_LCPROW_BOX) continue;
        snLcpBlock* last = s->nblock ? s->block + s->nblock - 1 : NULL;
        if (p->friction[i] >= 0)
            placeContact(p, i);
        else if (next[i] != i)
            placeJoint(p, next, i);
        else
            place(p,
                  last && last->kind == SN_BLOCK_ROWS && last->rows < 4 ? last : newBlock(p, SN_BLOCK_ROWS),
                  i);
    }
    for (int k = 0, D = 0; k < s->nblock; k++) {
        const int size = sn_padded(s->block[k].rows);
        s->block[k].D = D;
        D += size * size;
    }
}

snStatus sn_givenBlocks(snGiven* p, snError* error)
{
    const size_t n = (size_t)p->n;
    int *count = sn_givenRoom(p, n, sizeof *count), *link = sn_givenRoom(p, n, sizeof *link);
    p->friction = sn_givenRoom(p, n, sizeof *p->friction);
    p->place = sn_givenRoom(p, n, sizeof *p->place);
    p->s.block = sn_givenRoom(p, n, sizeof *p->s.block);
    if (!count || !link || !p->friction || !p->place || !p->s.block)
        return sn_fail(error, SN_STATUS_NO_MEMORY, "LCP: out of memory for %d rows", p->n);
    snStatus status = contacts(p, count, link, error);
    if (!status) status = joints(p, link, error);
    if (status) return status;
    for (int i = 0; i < p->n; i++) p->place[i] = -1;
    placeRows(p, link);
    return SN_STATUS_OK;
}
