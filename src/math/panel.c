// For each target: src/target/prelude.h.
#include "math/panel.h"
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <sinew/types.h>
#include "math/simd.h"

// Rows that are factored before the rest of a panel hears of them.
#define BLOCK 32

// R x 4 V numbers of out -= or (with fresh) = - sum over the rows k of a_ki a_kj, from column i and column j.
SN_INLINE void tile(const double* a, int stride, int rows, int i, int j, const int R, const int V, bool fresh,
                    double* out)
{
    v4 sum[4][2];
#pragma GCC unroll 4
    for (int r = 0; r < R; r++)
#pragma GCC unroll 2
        for (int v = 0; v < V; v++) sum[r][v] = fresh ? (v4){0} : v4_load(out + r * stride + j + 4 * v);
    for (int k = 0; k < rows; k++, a += stride) {
        v4 right[2];
#pragma GCC unroll 2
        for (int v = 0; v < V; v++) right[v] = v4_load(a + j + 4 * v);
#pragma GCC unroll 4
        for (int r = 0; r < R; r++)
#pragma GCC unroll 2
            for (int v = 0; v < V; v++) sum[r][v] -= v4_all(a[i + r]) * right[v];
    }
#pragma GCC unroll 4
    for (int r = 0; r < R; r++)
#pragma GCC unroll 2
        for (int v = 0; v < V; v++) v4_store(out + r * stride + j + 4 * v, sum[r][v]);
}

// Of the columns [begin, end), multiples of four.
SN_INLINE void tileRow(const double* a, int stride, int rows, int i, const int R, bool fresh, int begin,
                       int end, double* out)
{
    int j = (i & ~3) > begin ? i & ~3 : begin;
    for (; j + 4 < end; j += 8) tile(a, stride, rows, i, j, R, 2, fresh, out);
    if (j < end) tile(a, stride, rows, i, j, R, 1, fresh, out);
}

// Rows of columns [first, first + count), that of column i at out + (i - first) stride.
SN_INLINE void tiles(const double* a, int stride, int rows, int first, int count, bool fresh, int begin,
                     int end, double* out)
{
    int i = 0;
    for (; i + 4 <= count; i += 4)
        tileRow(a, stride, rows, first + i, 4, fresh, begin, end, out + (size_t)i * (size_t)stride);
    for (; i + 2 <= count; i += 2)
        tileRow(a, stride, rows, first + i, 2, fresh, begin, end, out + (size_t)i * (size_t)stride);
    if (i < count)
        tileRow(a, stride, rows, first + i, 1, fresh, begin, end, out + (size_t)i * (size_t)stride);
}

void sn_panelProduct(const double* a, int rows, int stride, int first, int count, double* C)
{
    assert(stride % 4 == 0 && rows >= 0 && first >= 0 && count >= 0 && first + count <= stride);
    assert(v4_isAligned(a) && v4_isAligned(C));
    tiles(a, stride, rows, first, count, true, 0, stride, C);
}

void sn_panelProductPart(const double* a, int rows, int stride, int first, int count, int begin, int end,
                         double* C)
{
    assert(stride % 4 == 0 && begin % 4 == 0 && end % 4 == 0 && first >= 0 && first + count <= stride);
    assert(v4_isAligned(a) && v4_isAligned(C) && begin >= 0 && end <= stride);
    tiles(a, stride, rows, first, count, true, begin, end, C);
}

// The triangle u of G rows at their diagonal, and inv.
SN_INLINE int factorDiagonal(const double* a, int stride, int G, double u[4][4], double* inv)
{
    int bad = 0;
    for (int g = 0; g < G; g++)
        for (int h = g; h < G; h++) u[g][h] = a[g * stride + h];
    for (int g = 0; g < G; g++) {
        const bool good = u[g][g] > SN_MINVAL;
        inv[g] = good ? 1 / sqrt(u[g][g]) : 0;
        bad += !good;
        for (int h = g + 1; h < G; h++) u[g][h] *= inv[g];
        for (int h = g + 1; h < G; h++)
            for (int k = h; k < G; k++) u[h][k] -= u[g][h] * u[g][k];
    }
    return bad;
}

// Columns [begin, end) of G rows by their triangle u and inv, which are factored.
SN_INLINE void solveColumns(double* a, int stride, const int G, int begin, int end, double u[4][4],
                            const double* inv)
{
    for (int j = begin; j < end; j += 4) {
        v4 row[4];
#pragma GCC unroll 4
        for (int g = 0; g < G; g++) {
            row[g] = v4_load(a + g * stride + j);
#pragma GCC unroll 4
            for (int h = 0; h < g; h++) row[g] -= v4_all(u[h][g]) * row[h];
            row[g] *= v4_all(inv[g]);
            v4_store(a + g * stride + j, row[g]);
        }
    }
}

// Rows [0, G) at column `at`, of which nothing is left to take off, up to column `end`.
SN_INLINE int factorGroup(double* a, int stride, int at, const int G, int end, double* inv)
{
    double u[4][4] = {{0}};
    const int bad = factorDiagonal(a + at, stride, G, u, inv);
    solveColumns(a, stride, G, at, end, u, inv);
    for (int g = 0; g < G; g++)
        for (int h = 0; h <= g; h++) a[g * stride + at + h] = 0;
    return bad;
}

// Rows [begin, end), of which those in front of them have been taken off, up to column `columns`.
SN_INLINE int factorRows(double* a, int begin, int end, int columns, int stride, double* inv)
{
    int bad = 0;
    for (int k = begin; k < end; k += 4) {
        double *row = a + (size_t)k * (size_t)stride, *rest = row + 4 * (size_t)stride;
        if (end - k >= 4) {
            bad += factorGroup(row, stride, k, 4, columns, inv + k);
            tiles(row, stride, 4, k + 4, end - k - 4, false, 0, columns, rest);
        } else if (end - k == 3) {
            bad += factorGroup(row, stride, k, 3, columns, inv + k);
        } else if (end - k == 2) {
            bad += factorGroup(row, stride, k, 2, columns, inv + k);
        } else {
            bad += factorGroup(row, stride, k, 1, columns, inv + k);
        }
    }
    return bad;
}

int sn_panelFactorRows(double* a, int begin, int end, int stride, double* inv)
{
    assert(stride % 4 == 0 && begin % 4 == 0 && begin <= end && end <= stride && v4_isAligned(a));
    return factorRows(a, begin, end, stride, stride, inv);
}

void sn_panelTake(double* a, int stride, int from, int to, int begin, int end)
{
    assert(from % 4 == 0 && begin % 4 == 0 && from <= to && to <= begin && begin <= end);
    tiles(a + (size_t)from * (size_t)stride, stride, to - from, begin, end - begin, false, 0, stride,
          a + (size_t)begin * (size_t)stride);
}

int sn_panelFactorLeft(double* a, int rows, int columns, int stride, double* inv)
{
    assert(stride % 4 == 0 && columns % 4 == 0 && rows <= columns && columns <= stride && v4_isAligned(a));
    int bad = 0;
    for (int block = 0; block < rows; block += BLOCK) {
        const int end = block + BLOCK < rows ? block + BLOCK : rows;
        bad += factorRows(a, block, end, columns, stride, inv);
        tiles(a + (size_t)block * (size_t)stride, stride, end - block, end, rows - end, false, 0, columns,
              a + (size_t)end * (size_t)stride);
    }
    return bad;
}

// G rows at column `at` that are factored there, in the columns [begin, end) behind.
SN_INLINE void solveGroup(double* a, int stride, int at, const int G, int begin, int end, const double* inv)
{
    double u[4][4] = {{0}};
    for (int h = 0; h < G; h++)
        for (int g = h + 1; g < G; g++) u[h][g] = a[h * stride + at + g];
    solveColumns(a, stride, G, begin, end, u, inv);
}

void sn_panelFactorRight(double* a, int rows, int begin, int end, int stride, const double* inv)
{
    assert(stride % 4 == 0 && begin % 4 == 0 && end % 4 == 0 && rows <= begin && end <= stride &&
           v4_isAligned(a));
    for (int block = 0; block < rows; block += BLOCK) {
        const int last = block + BLOCK < rows ? block + BLOCK : rows;
        for (int k = block; k < last; k += 4) {
            double* row = a + (size_t)k * (size_t)stride;
            if (last - k >= 4) {
                solveGroup(row, stride, k, 4, begin, end, inv + k);
                tiles(row, stride, 4, k + 4, last - k - 4, false, begin, end, row + 4 * (size_t)stride);
            } else if (last - k == 3) {
                solveGroup(row, stride, k, 3, begin, end, inv + k);
            } else if (last - k == 2) {
                solveGroup(row, stride, k, 2, begin, end, inv + k);
            } else {
                solveGroup(row, stride, k, 1, begin, end, inv + k);
            }
        }
        tiles(a + (size_t)block * (size_t)stride, stride, last - block, last, rows - last, false, begin, end,
              a + (size_t)last * (size_t)stride);
    }
}

int sn_panelFactor(double* a, int rows, int stride, double* inv)
{
    return sn_panelFactorLeft(a, rows, stride, stride, inv);
}

SN_INLINE void forwardGroup(const double* a, int stride, int at, const int G, const double* inv, double* x)
{
    double y[4];
#pragma GCC unroll 4
    for (int g = 0; g < G; g++) {
        y[g] = x[at + g];
#pragma GCC unroll 4
        for (int h = 0; h < g; h++) y[g] -= a[h * stride + at + g] * y[h];
        y[g] *= inv[at + g];
        x[at + g] = y[g];
    }
    for (int j = at + 4; j < stride; j += 4) {
        v4 xj = v4_load(x + j);
#pragma GCC unroll 4
        for (int g = 0; g < G; g++) xj -= v4_all(y[g]) * v4_load(a + g * stride + j);
        v4_store(x + j, xj);
    }
}

void sn_panelForward(const double* a, int rows, int stride, const double* inv, double* x)
{
    assert(stride % 4 == 0 && rows >= 0 && rows <= stride && v4_isAligned(a) && v4_isAligned(x));
    int k = 0;
    for (; k + 4 <= rows; k += 4, a += 4 * stride) forwardGroup(a, stride, k, 4, inv, x);
    if (rows - k == 3) forwardGroup(a, stride, k, 3, inv, x);
    if (rows - k == 2) forwardGroup(a, stride, k, 2, inv, x);
    if (rows - k == 1) forwardGroup(a, stride, k, 1, inv, x);
}

SN_INLINE void backwardGroup(const double* a, int stride, int at, const int G, const double* inv, double* x)
{
    v4Sum sum[4] = {0};
    for (int j = at + 4; j < stride; j += 4) {
        const v4 xj = v4_load(x + j);
#pragma GCC unroll 4
        for (int g = 0; g < G; g++) v4Sum_add(sum + g, v4_load(a + g * stride + j) * xj);
    }
    const v4 all = v4Sum_sums(sum[0], sum[1], sum[2], sum[3]);
    for (int g = G - 1; g >= 0; g--) {
        double y = x[at + g] - all[g];
        for (int h = g + 1; h < G; h++) y -= a[g * stride + at + h] * x[at + h];
        x[at + g] = y * inv[at + g];
    }
}

void sn_panelBackward(const double* a, int rows, int stride, const double* inv, double* x)
{
    assert(stride % 4 == 0 && rows >= 0 && rows <= stride && v4_isAligned(a) && v4_isAligned(x));
    const int whole = rows & ~3;
    const double* tail = a + (size_t)whole * (size_t)stride;
    if (rows - whole == 3) backwardGroup(tail, stride, whole, 3, inv, x);
    if (rows - whole == 2) backwardGroup(tail, stride, whole, 2, inv, x);
    if (rows - whole == 1) backwardGroup(tail, stride, whole, 1, inv, x);
    for (int k = whole - 4; k >= 0; k -= 4)
        backwardGroup(a + (size_t)k * (size_t)stride, stride, k, 4, inv, x);
}

// Row k under one update: w = v - off R, R <- keep R + add w.
typedef struct RowUpdate {
    double off, keep, add;
} RowUpdate;

// With d = R_kk^2, d* = d + s v_k^2 and the unit row u = R / R_kk: w = v - v_k u, u* = u + (s v_k / d*) w.
SN_INLINE bool prepareRow(double vk, double* scale, double* inv, RowUpdate* u)
{
    const double d = 1 / (*inv * *inv), dnew = d + *scale * vk * vk;
    if (!(dnew > SN_MINVAL)) return false;
    const double root = sqrt(dnew), invnew = 1 / root;
    *u = (RowUpdate){.off = vk * *inv, .keep = root * *inv, .add = *scale * vk * invnew};
    *scale *= d * invnew * invnew;
    *inv = invnew;
    return true;
}

SN_INLINE void updateRow(double* row, int stride, int k, double* v, const int count, const RowUpdate* u)
{
    for (int j = k & ~3; j < stride; j += 4) {
        v4 r = v4_load(row + j);
#pragma GCC unroll 4
        for (int t = 0; t < count; t++) {
            const v4 w = v4_load(v + t * stride + j) - v4_all(u[t].off) * r;
            r = v4_all(u[t].keep) * r + v4_all(u[t].add) * w;
            v4_store(v + t * stride + j, w);
        }
        v4_store(row + j, r);
    }
}

bool sn_panelUpdate(double* a, int begin, int end, int stride, double* inv, double* v, double* scale,
                    int count)
{
    assert(stride % 4 == 0 && begin >= 0 && begin <= end && end <= stride && v4_isAligned(a) &&
           v4_isAligned(v));
    assert(count > 0 && count <= SN_PANEL_UPDATES);
    RowUpdate u[SN_PANEL_UPDATES];
    for (int k = begin; k < end; k++) {
        bool any = false;
        for (int t = 0; t < count; t++) any |= v[t * stride + k] != 0;
        if (!any) continue;
        for (int t = 0; t < count; t++) {
            if (!prepareRow(v[t * stride + k], scale + t, inv + k, u + t)) return false;
            v[t * stride + k] = 0;
        }
        double* row = a + (size_t)k * (size_t)stride;
        if (count == 4)
            updateRow(row, stride, k, v, 4, u);
        else if (count == 3)
            updateRow(row, stride, k, v, 3, u);
        else if (count == 2)
            updateRow(row, stride, k, v, 2, u);
        else
            updateRow(row, stride, k, v, 1, u);
    }
    return true;
}

void sn_addRun(double* y, const double* x, int count)
{
    int i = 0;
    for (; i + 4 <= count; i += 4) *(v4u*)(y + i) = *(const v4u*)(y + i) + *(const v4u*)(x + i);
    for (; i < count; i++) y[i] += x[i];
}
