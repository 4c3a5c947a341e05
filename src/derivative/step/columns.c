// For each target: src/target/prelude.h.
#include "derivative/step/columns.h"
#include <stddef.h>
#include "math/simd.h"

SN_INLINE double* rowOf(const double* X, int i, int stride)
{
    return (double*)X + (ptrdiff_t)i * stride;
}

// y += s x
SN_INLINE void addRow(double* y, double s, const double* x, int stride)
{
    for (int c = 0; c < stride; c += 4) v4_store(y + c, v4_load(y + c) + v4_all(s) * v4_load(x + c));
}

SN_INLINE void scaleRow(double* y, double s, int stride)
{
    for (int c = 0; c < stride; c += 4) v4_store(y + c, v4_all(s) * v4_load(y + c));
}

// ---- tiles of R rows and 4 V columns

enum { ROWS = 4, VECTORS = 2 };
typedef v4 Tile[ROWS][VECTORS];

SN_INLINE void load(Tile t, const double* X, int stride, const int R, const int V)
{
    for (int r = 0; r < R; r++)
        for (int v = 0; v < V; v++) t[r][v] = v4_load(X + r * stride + 4 * v);
}

SN_INLINE void store(double* X, int stride, Tile t, const int R, const int V)
{
    for (int r = 0; r < R; r++)
        for (int v = 0; v < V; v++) v4_store(X + r * stride + 4 * v, t[r][v]);
}

// t += sign sum over k < count of a(r, k) x_k, a(r, k) at a[r down + k along]
SN_INLINE void addProduct(Tile t, double sign, const double* a, ptrdiff_t down, ptrdiff_t along, int count,
                          const double* x, int stride, const int R, const int V)
{
    for (int k = 0; k < count; k++, a += along, x += stride) {
        v4 right[VECTORS];
        for (int v = 0; v < V; v++) right[v] = v4_load(x + 4 * v);
        for (int r = 0; r < R; r++)
            for (int v = 0; v < V; v++) t[r][v] += v4_all(sign * a[r * down]) * right[v];
    }
}

SN_INLINE void productTile(const double* A, int step, int count, const double* X, int stride, double* Y,
                           const int R, const int V)
{
    Tile t;
    load(t, Y, stride, R, V);
    addProduct(t, 1, A, step, 1, count, X, stride, R, V);
    store(Y, stride, t, R, V);
}

SN_INLINE void productRows(const double* A, int step, int count, const double* X, int stride, double* Y,
                           const int R)
{
    int c = 0;
    for (; c + 8 <= stride; c += 8) productTile(A, step, count, X + c, stride, Y + c, R, 2);
    if (c < stride) productTile(A, step, count, X + c, stride, Y + c, R, 1);
}

void sn_columnsAddProduct(const double* A, int step, int rows, int count, const double* X, int stride,
                          double* Y)
{
    int i = 0;
    for (; i + ROWS <= rows; i += ROWS)
        productRows(A + (ptrdiff_t)i * step, step, count, X, stride, rowOf(Y, i, stride), ROWS);
    for (; i < rows; i++)
        productRows(A + (ptrdiff_t)i * step, step, count, X, stride, rowOf(Y, i, stride), 1);
}

// ---- H = R'R

// Rows [k, k + G) of inv(R') X, those above done.
SN_INLINE void forwardTile(const double* R, const double* inv, int k, int step, double* X, int stride,
                           const int G, const int V)
{
    Tile t;
    double* own = rowOf(X, k, stride);
    load(t, own, stride, G, V);
    addProduct(t, -1, R + k, 1, step, k, X, stride, G, V);
    for (int g = 0; g < G; g++)
        for (int v = 0; v < V; v++) {
            for (int h = 0; h < g; h++) t[g][v] -= v4_all(R[(ptrdiff_t)(k + h) * step + k + g]) * t[h][v];
            t[g][v] *= v4_all(inv[k + g]);
        }
    store(own, stride, t, G, V);
}

// Rows [k, k + G) of inv(R) X, those below done.
SN_INLINE void backwardTile(const double* R, const double* inv, int n, int k, int step, double* X, int stride,
                            const int G, const int V)
{
    Tile t;
    double* own = rowOf(X, k, stride);
    const double* row = R + (ptrdiff_t)k * step;
    load(t, own, stride, G, V);
    addProduct(t, -1, row + k + G, step, 1, n - k - G, own + G * stride, stride, G, V);
    for (int g = G - 1; g >= 0; g--)
        for (int v = 0; v < V; v++) {
            for (int h = g + 1; h < G; h++) t[g][v] -= v4_all(row[(ptrdiff_t)g * step + k + h]) * t[h][v];
            t[g][v] *= v4_all(inv[k + g]);
        }
    store(own, stride, t, G, V);
}

SN_INLINE void solveStrip(const double* R, const double* inv, int n, int step, double* X, int stride,
                          const int V)
{
    int k = 0;
    for (; k + ROWS <= n; k += ROWS) forwardTile(R, inv, k, step, X, stride, ROWS, V);
    for (; k < n; k++) forwardTile(R, inv, k, step, X, stride, 1, V);
    for (k = n; k >= ROWS; k -= ROWS) backwardTile(R, inv, n, k - ROWS, step, X, stride, ROWS, V);
    for (; k > 0; k--) backwardTile(R, inv, n, k - 1, step, X, stride, 1, V);
}

void sn_columnsSolvePanel(const double* R, const double* inv, int n, int step, double* X, int stride)
{
    int c = 0;
    for (; c + 8 <= stride; c += 8) solveStrip(R, inv, n, step, X + c, stride, 2);
    if (c < stride) solveStrip(R, inv, n, step, X + c, stride, 1);
}

// ---- in the sparsity of the tree

void sn_columnsSolveTree(const snModel* m, const double* LD, const double* diagInv, double* X, int stride)
{
    const int *parent = m->dof_parentid, *diag = m->D_diag;
    for (int i = m->nv - 1; i >= 0; i--) { // L' y = x
        const double *row = LD + m->dof_LDadr[i], *x = rowOf(X, i, stride);
        if (m->dof_simplenum[i]) continue;
        for (int j = parent[i]; j >= 0; j = parent[j]) addRow(rowOf(X, j, stride), -row[diag[j]], x, stride);
    }
    for (int i = 0; i < m->nv; i++) { // D L x = y
        const double* row = LD + m->dof_LDadr[i];
        double* x = rowOf(X, i, stride);
        scaleRow(x, diagInv[i], stride);
        if (m->dof_simplenum[i]) continue;
        for (int j = parent[i]; j >= 0; j = parent[j]) addRow(x, -row[diag[j]], rowOf(X, j, stride), stride);
    }
}

void sn_columnsSolveLU(const snModel* m, const double* LU, double* X, int stride)
{
    for (int i = m->nv - 1; i >= 0; i--) { // (U + 1) y = x
        const double* row = LU + m->D_rowadr[i] + m->D_diag[i];
        const int below = m->D_rownnz[i] - m->D_diag[i];
        for (int k = 1; k < below; k++) addRow(rowOf(X, i, stride), -row[k], rowOf(X, i + k, stride), stride);
    }
    for (int i = 0; i < m->nv; i++) { // L x = y
        const double* row = LU + m->D_rowadr[i];
        double* x = rowOf(X, i, stride);
        for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j])
            addRow(x, -row[m->D_diag[j]], rowOf(X, j, stride), stride);
        scaleRow(x, 1 / row[m->D_diag[i]], stride);
    }
}

void sn_columnsSolveLUTransposed(const snModel* m, const double* LU, double* X, int stride)
{
    for (int i = m->nv - 1; i >= 0; i--) { // L' y = x
        const double* row = LU + m->D_rowadr[i];
        double* x = rowOf(X, i, stride);
        scaleRow(x, 1 / row[m->D_diag[i]], stride);
        for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j])
            addRow(rowOf(X, j, stride), -row[m->D_diag[j]], x, stride);
    }
    for (int i = 0; i < m->nv; i++) { // (U + 1)' x = y
        const double *row = LU + m->D_rowadr[i] + m->D_diag[i], *x = rowOf(X, i, stride);
        const int below = m->D_rownnz[i] - m->D_diag[i];
        for (int k = 1; k < below; k++) addRow(rowOf(X, i + k, stride), -row[k], x, stride);
    }
}

void sn_columnsAddM(const snModel* m, const double* M, const double* X, double* Y, int stride)
{
    for (int i = 0; i < m->nv; i++) {
        const double* row = M + m->dof_Madr[i];
        addRow(rowOf(Y, i, stride), *row, rowOf(X, i, stride), stride);
        if (m->dof_simplenum[i]) continue;
        for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j]) {
            row++;
            addRow(rowOf(Y, i, stride), *row, rowOf(X, j, stride), stride);
            addRow(rowOf(Y, j, stride), *row, rowOf(X, i, stride), stride);
        }
    }
}
