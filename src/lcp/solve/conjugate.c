#include "lcp/solve/conjugate.h"
#include <string.h>
#include "math/clones.h"
#include "math/simd.h"

size_t sn_conjugateWork(const snLcpSystem* s)
{
    return 2 * (4 * (size_t)s->nquad + (size_t)s->ncoord);
}

void sn_conjugateBegin(const snLcpSystem* s, double* work, snConjugate* c)
{
    const size_t rows = 4 * (size_t)s->nquad, n = (size_t)s->ncoord;
    *c = (snConjugate){.x = work, .p = work + rows, .dV = work + 2 * rows, .pV = work + 2 * rows + n};
    memset(c->p, 0, rows * sizeof(double));
    memset(c->pV, 0, n * sizeof(double));
}

void sn_conjugateBefore(const snLcpSystem* s, snConjugate* c)
{
    memcpy(c->x, s->x, 4 * (size_t)s->nquad * sizeof(double));
    memcpy(c->dV, s->dV, (size_t)s->ncoord * sizeof(double));
}

// x += beta p, p = beta p + (x - old)
SN_INLINE void move(int n, double beta, double* x, const double* old, double* p)
{
    for (int k = 0; k < n; k += 4) {
        const v4 change = v4_loadAny(x + k) - v4_loadAny(old + k), step = beta * v4_loadAny(p + k);
        v4_storeAny(x + k, v4_loadAny(x + k) + step);
        v4_storeAny(p + k, step + change);
    }
}

SN_CLONES
void sn_conjugateAfter(snLcpSystem* s, snConjugate* c)
{
    v4 sum = {0};
    for (int k = 0; k < 4 * s->nquad; k += 4) {
        const v4 step = v4_load(s->step + k), change = v4_load(s->x + k) - v4_loadAny(c->x + k);
        sum += v4_keep(step > 0, change * change / step);
    }
    const double square = v4_sum(sum), beta = c->square > 0 ? square / c->square : 0;
    c->square = square;
    const double weight = beta < 1 ? beta : 0; // else the direction is dropped
    move(4 * s->nquad, weight, s->x, c->x, c->p);
    move(s->ncoord, weight, s->dV, c->dV, c->pV);
}
