#include "lcp/pivot.h"
#include <math.h>
#include <string.h>
#include "lcp/direct/direct.h"
#include "model/arena.h"

// The problem without padding: row i of it is row at[i] of the system.
typedef struct Dense {
    snDirect problem;
    int* at;
    double *x, *work;
} Dense;

int sn_lcpRows(const snLcpSystem* s)
{
    int count = 0;
    for (int k = 0; k < s->nblock; k++) count += s->block[k].rows;
    return count;
}

// Column i of A = J T into that of a dense matrix. dV is work.
static void column(snLcpSystem* s, const Dense* p, int i, double* w, double* A)
{
    const int n = p->problem.n;
    memset(s->x, 0, 4 * (size_t)s->nquad * sizeof(double));
    s->x[p->at[i]] = 1;
    sn_lcpSpread(s);
    sn_systemVelocity(s, w);
    for (int r = 0; r < n; r++) A[r * n + i] = w[p->at[r]] - s->b[p->at[r]];
}

static bool makeDense(snData* d, snLcpSystem* s, Dense* p)
{
    const int n = sn_lcpRows(s);
    double *A = sn_scratchReal(d, n * n + 5 * n), *b = A + n * n, *lo = b + n, *hi = lo + n, *mu = hi + n;
    double* w = sn_scratchReal(d, 4 * s->nquad);
    int* ints = sn_scratchInt(d, 3 * n);
    p->work = sn_scratchAlloc(d, sn_directWork(n) * sizeof(double));
    if (!A || !w || !ints || !p->work) return false;
    int *kind = ints + n, *normal = kind + n, row = 0;
    p->at = ints;
    p->x = mu + n;
    for (int k = 0; k < s->nblock; k++) {
        const snLcpBlock* block = s->block + k;
        const bool contact = block->kind == SN_BLOCK_BOX || block->kind == SN_BLOCK_CONE;
        for (int r = 0, first = row; r < block->rows; r++, row++) {
            const int at = 4 * block->quad + r;
            p->at[row] = at;
            kind[row] = !contact || r == 0             ? SN_LCPROW_BOX
                        : block->kind == SN_BLOCK_CONE ? SN_LCPROW_CONE
                                                       : SN_LCPROW_FRICTION;
            normal[row] = first;
            b[row] = s->b[at];
            lo[row] = s->lo[at];
            hi[row] = s->hi[at];
            mu[row] = s->mu[at];
            p->x[row] = s->x[at];
        }
    }
    p->problem = (snDirect){n, A, b, lo, hi, kind, normal, mu};
    for (int i = 0; i < n; i++) column(s, p, i, w, A);
    return true;
}

static void put(snLcpSystem* s, const Dense* p, const double* x)
{
    memset(s->x, 0, 4 * (size_t)s->nquad * sizeof(double));
    for (int i = 0; i < p->problem.n; i++) s->x[p->at[i]] = x[i];
    sn_lcpSpread(s);
}

static double squareOf(const double* x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sum;
}

bool sn_lcpPivot(snData* d, snLcpSystem* s, double* residual, int* pivots)
{
    const size_t mark = sn_scratchMark(d);
    Dense p;
    double* start = sn_scratchReal(d, 4 * s->nquad);
    if (start) memcpy(start, s->x, 4 * (size_t)s->nquad * sizeof(double));
    const bool room = start && makeDense(d, s, &p);
    const double FAR = 100, before = squareOf(s->dV, s->ncoord);
    bool better = false;
    if (room) {
        sn_lcpDirect(&p.problem, p.work, p.x, pivots);
        put(s, &p, p.x);
        const double found = sn_systemResidual(s);
        // not where it is NaN, nor where bodies that are jammed would burst for it
        better = found < 0.1 * *residual && squareOf(s->dV, s->ncoord) < FAR * FAR * before;
        if (better) *residual = found;
    }
    if (start && !better) {
        memcpy(s->x, start, 4 * (size_t)s->nquad * sizeof(double));
        sn_lcpSpread(s);
    }
    sn_scratchRelease(d, mark);
    return room;
}
