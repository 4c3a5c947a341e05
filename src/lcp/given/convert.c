// A checked problem as a system of quads.
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "lcp/given/given.h"

void* sn_givenRoom(snGiven* p, size_t count, size_t size)
{
    if (p->nmemory == sizeof p->memory / sizeof *p->memory || count >= SIZE_MAX / size) return NULL;
    void* memory = sn_calloc((count + 1) * size);
    p->memory[p->nmemory++] = memory;
    return memory;
}

void sn_freeGiven(snGiven* p)
{
    for (int k = 0; k < p->nmemory; k++) sn_free(p->memory[k]);
    p->nmemory = 0;
}

static snStatus noMemory(const snGiven* p, snError* error)
{
    return sn_fail(error, SN_STATUS_NO_MEMORY, "LCP: out of memory for %d rows", p->n);
}

// ---- quads

// The block columns that the rows of a quad touch: each once, in `cols`; slot [ncoord / 4] is -1 on entry and
// what it was in `cols` on return. Returns how many.
static int columnsOf(const snSparseRows* rows, const int row[4], int* slot, int* cols)
{
    int count = 0;
    for (int r = 0; r < 4 && row[r] >= 0; r++)
        for (int k = rows->adr[row[r]]; k < rows->adr[row[r] + 1]; k++) {
            const int column = rows->col[k] / 4;
            if (slot[column] >= 0) continue;
            slot[column] = count;
            cols[count++] = column;
        }
    return count;
}

static int compareInts(const void* a, const void* b)
{
    const int p = *(const int*)a, q = *(const int*)b;
    return p < q ? -1 : p > q;
}

static void fillQuad(const snSparseRows* rows, const int row[4], int* slot, const snQuad* quad)
{
    for (int k = 0; k < quad->count; k++) slot[quad->col[k]] = k;
    for (int r = 0; r < 4 && row[r] >= 0; r++)
        for (int k = rows->adr[row[r]]; k < rows->adr[row[r] + 1]; k++) {
            const int column = rows->col[k];
            quad->value[16 * slot[column / 4] + 4 * r + column % 4] += rows->value[k];
        }
}

// Quads of `rows`; inverse [4 nquad]: the caller's row of each, -1: padding.
static const snQuad* makeQuads(snGiven* p, const snSparseRows* rows, const int* inverse, int* slot, int* cols)
{
    const int nquad = p->s.nquad;
    size_t total = 0;
    snQuad* quads = sn_givenRoom(p, (size_t)nquad, sizeof *quads);
    for (int q = 0; q < nquad && quads; q++) {
        quads[q].count = columnsOf(rows, inverse + 4 * q, slot, cols);
        for (int k = 0; k < quads[q].count; k++) slot[cols[k]] = -1;
        total += (size_t)quads[q].count;
    }
    int* col = sn_givenRoom(p, total, sizeof *col);
    double* value = sn_givenRoom(p, 16 * total, sizeof *value);
    if (!quads || !col || !value) return NULL;
    for (int q = 0; q < nquad; q++) {
        const int count = columnsOf(rows, inverse + 4 * q, slot, cols);
        qsort(cols, (size_t)count, sizeof *cols, compareInts);
        memcpy(col, cols, (size_t)count * sizeof *cols);
        quads[q] = (snQuad){count, col, value};
        fillQuad(rows, inverse + 4 * q, slot, quads + q);
        for (int k = 0; k < count; k++) slot[cols[k]] = -1;
        col += count;
        value += 16 * (size_t)count;
    }
    return quads;
}

static snStatus quads(snGiven* p, snError* error)
{
    snLcpSystem* s = &p->s;
    const size_t columns = (size_t)s->ncoord / 4;
    int* inverse = sn_givenRoom(p, 4 * (size_t)s->nquad, sizeof *inverse);
    int *slot = sn_givenRoom(p, columns, sizeof *slot), *cols = sn_givenRoom(p, columns, sizeof *cols);
    if (!inverse || !slot || !cols) return noMemory(p, error);
    for (int i = 0; i < 4 * s->nquad; i++) inverse[i] = -1;
    for (int i = 0; i < p->n; i++) inverse[p->place[i]] = i;
    for (size_t k = 0; k < columns; k++) slot[k] = -1;
    s->J = makeQuads(p, &p->J, inverse, slot, cols);
    s->T = s->J ? makeQuads(p, &p->T, inverse, slot, cols) : NULL;
    return s->T ? SN_STATUS_OK : noMemory(p, error);
}

// ---- arrays of rows

static void fillRows(snGiven* p)
{
    const snLcp* lcp = p->lcp;
    snLcpSystem* s = &p->s;
    for (int i = 0; i < p->n; i++) {
        const int row = p->place[i];
        s->b[row] = lcp->b[i];
        if (sn_givenKind(lcp, i) == SN_LCPROW_BOX) {
            s->lo[row] = sn_givenLower(lcp, i);
            s->hi[row] = sn_givenUpper(lcp, i);
        } else {
            s->mu[row] = lcp->mu[i];
        }
    }
}

static snStatus arrays(snGiven* p, snError* error)
{
    snLcpSystem* s = &p->s;
    const size_t rows = 4 * (size_t)s->nquad;
    const snLcpBlock* last = s->block + s->nblock - 1;
    const int size = s->nblock ? sn_padded(last->rows) : 0;
    const size_t D = s->nblock ? (size_t)last->D + (size_t)(size * size) : 0;
    double* room = sn_givenRoom(p, 6 * rows + 2 * D + (size_t)s->ncoord, sizeof *room);
    if (!room) return noMemory(p, error);
    double** const fields[] = {&s->b, &s->lo, &s->hi, &s->mu, &s->step, &s->x};
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) *fields[f] = room + f * rows;
    s->D = room + 6 * rows;
    s->inverse = s->D + D;
    s->dV = s->inverse + D;
    fillRows(p);
    return SN_STATUS_OK;
}

snStatus sn_makeGiven(snGiven* p, const snLcp* given, snError* error)
{
    *p = (snGiven){.lcp = given, .n = given->n};
    snStatus status = sn_checkLcp(given, error);
    if (!status) status = sn_givenRows(p, error);
    if (!status) status = sn_givenBlocks(p, error);
    if (!status) status = quads(p, error);
    if (!status) status = arrays(p, error);
    if (!status) sn_lcpDiagonal(&p->s);
    return status;
}
