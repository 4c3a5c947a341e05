// For each target: src/target/prelude.h.
// What sweeps need of a system before and after them.
#include "lcp/solve/system.h"
#include <assert.h>
#include <math.h>
#include <string.h>
#include "lcp/solve/block.h"
#include "lcp/solve/kernel.h"
#include "math/elementary/elementary.h"

void sn_systemArrays(snLcpSystem* s, int rows, int square, double* all)
{
    assert(rows % 4 == 0 && square >= 0 && s->ncoord % 4 == 0);
    memset(all, 0, 6 * (size_t)rows * sizeof(double));
    double** arrays[] = {&s->b, &s->lo, &s->hi, &s->mu, &s->x, &s->step};
    for (int k = 0; k < 6; k++) *arrays[k] = all + k * rows;
    s->D = all + 6 * rows;
    s->inverse = s->D + square;
    s->dV = s->inverse + square;
}

// The 4x4 block J_i T_j of A.
SN_INLINE void productBlock(const snQuad* J, const snQuad* T, v4 out[4])
{
    for (int r = 0; r < 4; r++) out[r] = (v4){0};
    for (int k = 0, l = 0; k < J->count && l < T->count;) {
        if (J->col[k] != T->col[l]) {
            J->col[k] < T->col[l] ? k++ : l++;
            continue;
        }
        v4 t[4];
        for (int c = 0; c < 4; c++) t[c] = v4_load(T->value + 16 * l + 4 * c);
        v4_transpose(t);
        for (int r = 0; r < 4; r++) {
            const double* row = J->value + 16 * k + 4 * r;
            out[r] += (v4_all(row[0]) * t[0] + v4_all(row[1]) * t[1]) +
                      (v4_all(row[2]) * t[2] + v4_all(row[3]) * t[3]);
        }
        k++;
        l++;
    }
}

static void diagonalBlock(const snLcpSystem* s, const snLcpBlock* b, double* D)
{
    const int size = sn_padded(b->rows);
    for (int i = 0; i < size / 4; i++)
        for (int j = 0; j < size / 4; j++) {
            v4 block[4];
            productBlock(s->J + b->quad + i, s->T + b->quad + j, block);
            for (int r = 0; r < 4; r++) v4_store(D + (size_t)((4 * i + r) * size + 4 * j), block[r]);
        }
    for (int r = b->rows; r < size; r++)
        for (int c = 0; c < size; c++) D[r * size + c] = D[c * size + r] = r == c;
}

// How far the friction rows of a cone move each other: the largest sum of a row of |A_jk| / sqrt(A_jj A_kk).
static double couplingOf(const snLcpBlock* b, const double* D)
{
    const int size = sn_padded(b->rows);
    double most = 1;
    for (int j = 1; j < b->rows; j++) {
        double sum = 0;
        for (int k = 1; k < b->rows; k++) {
            const double scale = D[j * size + j] * D[k * size + k];
            if (scale > 0) sum += fabs(D[j * size + k]) / sqrt(scale);
        }
        most = sn_max(sum, most);
    }
    return most;
}

// Rows that nothing moves, but for rounding beside the others of their block: they are taken out of it.
static void stillRows(const snLcpBlock* b, double* D, double* step)
{
    const int size = sn_padded(b->rows);
    double largest = 0;
    for (int r = 0; r < b->rows; r++) largest = sn_max(D[r * size + r], largest);
    for (int r = 0; r < size; r++) {
        const bool moves = r < b->rows && D[r * size + r] > sn_max(1e-12 * largest, SN_MINVAL);
        step[r] = moves ? 1 / D[r * size + r] : 0;
        for (int c = 0; c < b->rows && r < b->rows && !moves; c++) D[r * size + c] = D[c * size + r] = 0;
    }
}

void sn_lcpDiagonal(snLcpSystem* s)
{
    assert(sn_isSystem(s));
    for (int k = 0; k < s->nblock; k++) {
        snLcpBlock* b = s->block + k;
        double *D = s->D + b->D, *step = s->step + 4 * b->quad;
        diagonalBlock(s, b, D);
        stillRows(b, D, step);
        sn_blockInverse(b->rows, D, s->inverse + b->D);
        b->coupling = b->kind == SN_BLOCK_CONE ? couplingOf(b, D) : 1;
        b->multiplier = 0;
    }
}

void sn_lcpSpread(snLcpSystem* s)
{
    memset(s->dV, 0, (size_t)s->ncoord * sizeof(double));
    for (int q = 0; q < s->nquad; q++) sn_quadSpread(s->T + q, v4_load(s->x + 4 * q), s->dV);
}

void sn_systemVelocity(const snLcpSystem* s, double* w)
{
    for (int q = 0; q < s->nquad; q++)
        v4_store(w + 4 * q, v4_load(s->b + 4 * q) + sn_quadProduct(s->J + q, s->dV));
}

double sn_systemResidual(const snLcpSystem* s)
{
    double most = 0;
    for (int k = 0; k < s->nblock; k++) {
        const snLcpBlock* b = s->block + k;
        double w[SN_BLOCK_MOST] __attribute__((aligned(32)));
        for (int q = b->quad; 4 * (q - b->quad) < b->rows; q++)
            v4_store(w + 4 * (q - b->quad), v4_load(s->b + 4 * q) + sn_quadProduct(s->J + q, s->dV));
        const double residual = sn_blockResidual(s, b, w);
        if (!(residual <= most)) most = residual; // NaN is kept
        if (isnan(most)) break;
    }
    return most;
}
