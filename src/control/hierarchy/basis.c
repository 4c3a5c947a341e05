#include "control/hierarchy/basis.h"
#include <math.h>
#include <string.h>
#include "control/qp/run.h"

// ---- memory

static size_t lay(snBasis* b, int n, int rows, double* work)
{
    const size_t length = (size_t)sn_runLength(n), count = (size_t)sn_runLength(rows), N = (size_t)n;
    double** const to[] = {
        &b->Z, &b->E, &b->V, &b->W, &b->w, &b->beta, &b->own, &b->left, (double**)(void*)&b->order};
    const size_t size[] = {N * length, count * length, N * length, N * length, length,
                           length,     count,          count,      count};
    size_t all = 0;
    for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
        if (work) *to[i] = work + all;
        all += size[i];
    }
    return all;
}

size_t sn_basisWork(int n, int rows)
{
    snBasis b;
    return lay(&b, n, rows, NULL);
}

void sn_basisPlace(snBasis* b, int n, int rows, double* work)
{
    lay(b, n, rows, work);
}

void sn_basisBegin(snBasis* b, int n)
{
    b->n = n;
    b->length = sn_runLength(n);
    b->taken = b->count = b->rank = 0;
    memset(b->Z, 0, (size_t)n * (size_t)b->length * sizeof *b->Z);
    for (int i = 0; i < n; i++) b->Z[(size_t)i * (size_t)b->length + (size_t)i] = 1;
}

// ---- L

static double* rowOf(const snBasis* b, int i)
{
    return b->E + (size_t)i * (size_t)b->length;
}

// E = diag(scale) A Z, filled up with zeros.
static void fill(snBasis* b, const double* const* A, const double* scale, const double* norm)
{
    const int left = b->n - b->taken, width = sn_runLength(left);
    const double* Z = b->Z + (size_t)b->taken * (size_t)b->length;
    if (b->taken) sn_rowsProduct(A, b->count, Z, left, b->length, b->length, b->E, b->length);
    for (int i = 0; i < b->count; i++) {
        double* row = rowOf(b, i);
        const double* from = b->taken ? row : A[i];
        for (int j = 0; j < left; j++) row[j] = scale[i] * from[j];
        for (int j = left; j < width; j++) row[j] = 0;
        b->own[i] = scale[i] * norm[i] * scale[i] * norm[i];
        b->left[i] = sn_runDot(row, row, width);
        b->order[i] = i;
    }
}

static void exchange(snBasis* b, int i, int j)
{
    if (i == j) return;
    double *p = rowOf(b, i), *q = rowOf(b, j);
    for (int k = 0; k < b->length; k++) {
        const double kept = p[k];
        p[k] = q[k];
        q[k] = kept;
    }
    const double own = b->own[i], left = b->left[i];
    const int order = b->order[i];
    b->own[i] = b->own[j];
    b->left[i] = b->left[j];
    b->order[i] = b->order[j];
    b->own[j] = own;
    b->left[j] = left;
    b->order[j] = order;
}

// Of the rows from j on the one of which most is left beside its own norm; -1: none has more than `least`,
// squared.
static int pivot(const snBasis* b, int j, double least)
{
    int best = -1;
    double most = least;
    for (int i = j; i < b->count; i++)
        if (b->left[i] > most * b->own[i]) {
            most = b->left[i] / b->own[i];
            best = i;
        }
    return best;
}

// Of row i one number more, the j-th, is in L.
static void shorten(snBasis* b, int i, int j, int left)
{
    const double *row = rowOf(b, i), before = b->left[i];
    b->left[i] = before - row[j] * row[j];
    if (b->left[i] > 1e-4 * before) return;
    b->left[i] = 0; // digits are lost
    for (int k = j + 1; k < left; k++) b->left[i] += row[k] * row[k];
}

// The reflection that leaves of row j its first j + 1 numbers, applied to the rows below.
static void reflect(snBasis* b, int j, int left)
{
    const int start = j & ~7, run = sn_runLength(left) - start;
    double *row = rowOf(b, j), *v = b->V + (size_t)j * (size_t)b->length, *beta = b->beta + j;
    memset(v, 0, (size_t)j * sizeof *v);
    memcpy(v + j, row + j, (size_t)(b->length - j) * sizeof *v);
    const double norm = sqrt(sn_runDot(v + start, v + start, run)), first = row[j];
    v[j] += first < 0 ? -norm : norm;
    *beta = 1 / (norm * (norm + fabs(first)));
    row[j] = first < 0 ? norm : -norm;
    memset(row + j + 1, 0, (size_t)(b->length - j - 1) * sizeof *row);
    const int below = b->count - j - 1;
    double* first_below = rowOf(b, j + 1);
    sn_rowsReflect(first_below + start, below, b->length, *beta, v + start, run);
    for (int i = j + 1; i < b->count; i++) shorten(b, i, j, left);
}

void sn_basisFactor(snBasis* b, const double* const* A, const double* scale, const double* norm, int count,
                    double tolerance)
{
    const int left = b->n - b->taken;
    b->count = count;
    b->rank = 0;
    fill(b, A, scale, norm);
    while (b->rank < count && b->rank < left) {
        const int row = pivot(b, b->rank, tolerance * tolerance);
        if (row < 0) break;
        exchange(b, b->rank, row);
        reflect(b, b->rank++, left);
    }
}

// ---- Z

// Q' = 1 - V W, W = K^-1 V'Z, K the lower triangle of V'V with 1 / beta on the diagonal (Schreiber and Van
// Loan 1989, solved instead of inverted).
static void combine(snBasis* b, const double* Z, int left)
{
    const int length = b->length, width = sn_runLength(left);
    if (b->taken)
        sn_rowsCombine(b->V, b->rank, length, Z, left, length, length, b->W);
    else
        memcpy(b->W, b->V, (size_t)b->rank * (size_t)length * sizeof *b->W);
    for (int k = 0; k < b->rank; k++) {
        double* W = b->W + (size_t)k * (size_t)length;
        sn_rowsDot(b->V, k, length, b->V + (size_t)k * (size_t)length, width, b->w);
        for (int i = 0; i < k; i++) b->w[i] = -b->w[i];
        sn_rowsAdd(b->W, k, length, b->w, length, W);
        for (int i = 0; i < length; i++) W[i] *= b->beta[k];
    }
}

void sn_basisTurn(snBasis* b, bool whole)
{
    double* Z = b->Z + (size_t)b->taken * (size_t)b->length;
    const int left = b->n - b->taken, length = b->length;
    if (!whole && b->rank == left) return;
    combine(b, Z, left);
    const int first = whole ? 0 : b->rank;
    sn_rowsDeduct(b->V + first, b->rank, length, b->W, Z + (size_t)first * (size_t)length, left - first,
                  length, length);
}

void sn_basisMove(snBasis* b, double* y, double* x)
{
    const int left = b->n - b->taken, width = sn_runLength(left);
    double* z = b->w;
    memcpy(z, y, (size_t)b->rank * sizeof *z);
    memset(z + b->rank, 0, (size_t)(width - b->rank) * sizeof *z);
    for (int j = b->rank - 1; j >= 0; j--) {
        const double* v = b->V + (size_t)j * (size_t)b->length;
        sn_runAdd(z, -b->beta[j] * sn_runDot(v, z, width), v, width);
    }
    sn_rowsAdd(b->Z + (size_t)b->taken * (size_t)b->length, left, b->length, z, b->length, x);
}

// ---- equations

// Reflects row j of L and the dependent rows so that of these nothing is left in column j.
static void foldColumn(snBasis* b, int j, double* e)
{
    double* L = rowOf(b, j);
    double norm2 = 0;
    for (int i = b->rank; i < b->count; i++) norm2 += rowOf(b, i)[j] * rowOf(b, i)[j];
    if (norm2 == 0) return;
    const double norm = sqrt(norm2 + L[j] * L[j]), first = L[j] + (L[j] < 0 ? -norm : norm);
    const double beta = 1 / (norm * fabs(first));
    double *w = b->w, along = first * e[j];
    for (int k = 0; k <= j; k++) w[k] = first * L[k];
    for (int i = b->rank; i < b->count; i++) {
        const double* row = rowOf(b, i);
        along += row[j] * e[i];
        for (int k = 0; k <= j; k++) w[k] += row[j] * row[k];
    }
    for (int k = 0; k < j; k++) L[k] -= beta * first * w[k];
    e[j] -= beta * first * along;
    for (int i = b->rank; i < b->count; i++) {
        double* row = rowOf(b, i);
        const double v = row[j];
        for (int k = 0; k < j; k++) row[k] -= beta * v * w[k];
        row[j] = 0;
        e[i] -= beta * v * along;
    }
    L[j] -= beta * first * w[j];
}

void sn_basisFold(snBasis* b, double* e)
{
    if (b->rank == b->count) return;
    for (int j = b->rank - 1; j >= 0; j--) foldColumn(b, j, e);
}

void sn_basisForward(const snBasis* b, double* y)
{
    for (int i = 0; i < b->rank; i++) {
        const double* L = rowOf(b, i);
        for (int j = 0; j < i; j++) y[i] -= L[j] * y[j];
        y[i] /= L[i];
    }
}
