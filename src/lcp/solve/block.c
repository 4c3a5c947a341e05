#include "lcp/solve/block.h"
#include <assert.h>
#include <math.h>
#include <string.h>
#include "lcp/solve/section.h"
#include "lcp/solve/slide.h"
#include "math/elementary/elementary.h"

enum { MOST = SN_BLOCK_MOST };

// ---- inverses

// Of three rows by cofactors, as nearly all blocks have; false: nearly singular.
static bool inverseOfThree(const double* D, double* inverse)
{
    const double *a = D, *b = D + 4, *c = D + 8;
    const double x = b[1] * c[2] - b[2] * c[1], y = b[2] * c[0] - b[0] * c[2], z = b[0] * c[1] - b[1] * c[0];
    const double det = a[0] * x + a[1] * y + a[2] * z;
    if (!(det > 1e-9 * fabs(a[0] * b[1] * c[2]))) return false;
    const double s = 1 / det;
    const double rows[16] = {s * x, s * (a[2] * c[1] - a[1] * c[2]), s * (a[1] * b[2] - a[2] * b[1]), 0,
                             s * y, s * (a[0] * c[2] - a[2] * c[0]), s * (a[2] * b[0] - a[0] * b[2]), 0,
                             s * z, s * (a[1] * c[0] - a[0] * c[1]), s * (a[0] * b[1] - a[1] * b[0]), 0};
    memcpy(inverse, rows, sizeof rows);
    return true;
}

// The largest entry of what is left.
static double findPivot(const double M[MOST][2 * MOST], int n, const int* column, const bool* used,
                        int pivot[2])
{
    double best = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n && column[i] < 0; j++)
            if (!used[j] && fabs(M[i][j]) > best) {
                best = fabs(M[i][j]);
                pivot[0] = i;
                pivot[1] = j;
            }
    return best;
}

void sn_blockInverse(int n, const double* D, double* inverse)
{
    assert(n > 0 && n <= SN_BLOCK_MOST);
    const int size = sn_padded(n);
    double M[MOST][2 * MOST] = {{0}}, largest = 0;
    int column[MOST];
    bool used[MOST] = {false};
    memset(inverse, 0, (size_t)(size * size) * sizeof(double));
    if (n == 3 && inverseOfThree(D, inverse)) return;
    for (int i = 0; i < n; i++) {
        column[i] = -1;
        memcpy(M[i], D + i * size, (size_t)n * sizeof(double));
        M[i][MOST + i] = 1;
    }
    for (int k = 0; k < n; k++) {
        int p[2] = {0, 0};
        const double pivot = findPivot(M, n, column, used, p);
        if (k == 0) largest = pivot;
        if (!(pivot > 1e-12 * largest) || pivot <= SN_MINVAL) break;
        column[p[0]] = p[1];
        used[p[1]] = true;
        const double scale = 1 / M[p[0]][p[1]];
        for (int c = 0; c < 2 * MOST; c++) M[p[0]][c] *= scale;
        for (int i = 0; i < n; i++) {
            const double factor = M[i][p[1]];
            for (int c = 0; c < 2 * MOST && i != p[0]; c++) M[i][c] -= factor * M[p[0]][c];
        }
    }
    for (int i = 0; i < n; i++)
        if (column[i] >= 0) memcpy(inverse + column[i] * size, M[i] + MOST, (size_t)n * sizeof(double));
}

// ---- bounds

// P of row r of a block that is no friction of a cone, by x of the block.
static double toBox(const snLcpSystem* s, const snLcpBlock* b, int r, const double* x, double value)
{
    const int row = 4 * b->quad + r;
    const bool friction = b->kind == SN_BLOCK_BOX && r > 0;
    const double bound = friction ? s->mu[row] * (x[0] > 0 ? x[0] : 0) : 0;
    const double lo = friction ? -bound : s->lo[row], hi = friction ? bound : s->hi[row];
    return value < lo ? lo : value > hi ? hi : value;
}

// The friction of a cone nearest to x - by step, in the metric 1 / step; x_0 is the normal.
static void toSection(const snLcpSystem* s, const snLcpBlock* b, const double* x, const double* by,
                      double share, double* out)
{
    const int row = 4 * b->quad;
    double y[MOST], metric[MOST];
    for (int r = 1; r < b->rows; r++) {
        y[r] = x[r] - share * s->step[row + r] * by[r];
        metric[r] = s->step[row + r] > 0 ? 1 / s->step[row + r] : 1;
    }
    sn_sectionProject(y + 1, s->mu + row + 1, metric + 1, sn_max(x[0], 0), b->rows - 1, out + 1);
}

double sn_blockResidual(const snLcpSystem* s, const snLcpBlock* b, const double* w)
{
    const double *x = s->x + 4 * b->quad, *step = s->step + 4 * b->quad;
    double to[MOST], most = 0;
    for (int r = 0; r < b->rows; r++) to[r] = toBox(s, b, r, x, x[r] - step[r] * w[r]);
    if (b->kind == SN_BLOCK_CONE) toSection(s, b, x, w, 1, to);
    for (int r = 0; r < b->rows; r++) {
        const double residual = step[r] > 0 ? fabs(x[r] - to[r]) / step[r] : 0;
        if (!(residual <= most)) most = residual;
    }
    return most;
}

// ---- row by row

void sn_scalarStep(const snLcpSystem* s, const snLcpBlock* b, const double* w, double omega, bool follow,
                   bool backward, double* change)
{
    const int size = sn_padded(b->rows), contact = b->kind == SN_BLOCK_BOX || b->kind == SN_BLOCK_CONE;
    const double *D = s->D + b->D, *step = s->step + 4 * b->quad;
    double x[MOST], now[MOST], start[MOST];
    for (int r = 0; r < b->rows; r++) {
        x[r] = start[r] = s->x[4 * b->quad + r];
        now[r] = w[r];
    }
    for (int k = 0; k < (b->kind == SN_BLOCK_CONE ? 1 : b->rows); k++) {
        const int r = backward && !contact ? b->rows - 1 - k : k;
        const double to = step[r] > 0 ? toBox(s, b, r, x, x[r] - omega * step[r] * now[r]) : x[r];
        for (int j = 0; j < b->rows && follow; j++) now[j] += D[j * size + r] * (to - x[r]);
        x[r] = to;
    }
    if (b->kind == SN_BLOCK_CONE) toSection(s, b, x, now, omega / b->coupling, x);
    for (int r = 0; r < size; r++) change[r] = r < b->rows ? x[r] - start[r] : 0;
}

// ---- block by block

// Gauss-Seidel within a block, to the end. Where there is none, as in a wedge that jams, its first sweep.
static void settle(const snLcpSystem* s, const snLcpBlock* b, const double* r, double* x)
{
    enum { SWEEPS = 1000 };
    const double FAR = 1e4;
    const int size = sn_padded(b->rows);
    const double *D = s->D + b->D, *step = s->step + 4 * b->quad;
    double first[MOST] = {0}, scale = 0;
    for (int k = 0; k < SWEEPS; k++) {
        double moved = 0, largest = 0;
        for (int i = 0; i < b->rows; i++) {
            double w = r[i];
            for (int j = 0; j < b->rows; j++) w += D[i * size + j] * x[j];
            const double to = step[i] > 0 ? toBox(s, b, i, x, x[i] - step[i] * w) : x[i];
            moved = sn_max(fabs(to - x[i]), moved);
            largest = sn_max(fabs(to), largest);
            x[i] = to;
        }
        if (!(moved > 1e-15 * largest)) return;
        if (k == 0) memcpy(first, x, sizeof first);
        if (k == 0) scale = largest;
        if (largest > FAR * scale) break;
    }
    memcpy(x, first, (size_t)b->rows * sizeof(double));
}

static bool isWithin(const snLcpSystem* s, const snLcpBlock* b, const double* x)
{
    for (int r = 0; r < b->rows; r++) {
        if (b->kind == SN_BLOCK_CONE && r > 0) break;
        if (toBox(s, b, r, x, x[r]) != x[r]) return false;
    }
    return b->kind != SN_BLOCK_CONE || sn_sectionNorm(x + 1, s->mu + 4 * b->quad + 1, b->rows - 1) <= x[0];
}

// x that solves the block for w = D x + r, x being what it is if all of its rows stick.
static void solveBlock(const snLcpSystem* s, snLcpBlock* b, const double* r, double* x)
{
    const double* start = s->x + 4 * b->quad;
    const bool contact = b->kind == SN_BLOCK_BOX || b->kind == SN_BLOCK_CONE;
    if (contact && r[0] >= 0) {
        for (int i = 0; i < b->rows; i++) x[i] = 0;
    } else if (b->kind == SN_BLOCK_CONE) {
        if (!sn_slide(s->D + b->D, sn_padded(b->rows), b->rows, r, s->mu + 4 * b->quad, &b->multiplier, x))
            for (int i = 0; i < b->rows; i++) x[i] = 0;
    } else {
        const double stick[3] = {x[0], x[1], x[2]};
        if (b->kind == SN_BLOCK_BOX && b->rows == 3 &&
            sn_slideInBox(s->D + b->D, r, s->mu + 4 * b->quad, stick, x))
            return;
        for (int i = 0; i < b->rows; i++) x[i] = start[i];
        settle(s, b, r, x);
    }
}

void sn_blockStep(const snLcpSystem* s, snLcpBlock* b, const double* w, double omega, bool backward,
                  double* change)
{
    if (b->kind == SN_BLOCK_ROWS) {
        sn_scalarStep(s, b, w, omega, true, backward, change);
        return;
    }
    const int size = sn_padded(b->rows);
    const double *D = s->D + b->D, *G = s->inverse + b->D, *start = s->x + 4 * b->quad;
    double x[MOST], r[MOST];
    for (int i = 0; i < size; i++) change[i] = x[i] = 0;
    for (int i = 0; i < b->rows; i++) {
        x[i] = start[i];
        for (int j = 0; j < b->rows; j++) x[i] -= omega * G[i * size + j] * w[j];
    }
    if (!isWithin(s, b, x)) {
        // B x + w - B start, times omega, in which complementarity stays what it is
        for (int i = 0; i < b->rows; i++) {
            r[i] = omega * w[i];
            for (int j = 0; j < b->rows; j++) r[i] -= D[i * size + j] * start[j];
        }
        solveBlock(s, b, r, x);
    }
    for (int i = 0; i < b->rows; i++) change[i] = x[i] - start[i];
}
