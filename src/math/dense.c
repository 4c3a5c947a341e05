// For each target: src/target/prelude.h.
#include "math/dense.h"
#include <assert.h>
#include <limits.h>
#include <string.h>
#include <sinew/types.h>
#include "math/simd.h"

void sn_blockFill(unsigned char* map, int nb)
{
    assert(nb >= 0);
    // Eliminating block k joins all its columns; it is enough to pass them to the largest of them, which
    // passes them on when its turn comes (elimination tree).
    for (int k = nb - 1; k > 0; k--) {
        const unsigned char* row = map + k * nb;
        int parent = k - 1;
        while (parent >= 0 && !row[parent]) parent--;
        for (int j = 0; j < parent; j++) map[parent * nb + j] |= row[j];
    }
}

void sn_blockCompress(const unsigned char* map, snBlockPattern* pattern)
{
    assert(pattern->nb >= 0);
    const int nb = pattern->nb;
    int count = 0;
    for (int i = 0; i < nb; i++) {
        pattern->adr[i] = count;
        for (int j = 0; j < i; j++)
            if (map[i * nb + j]) pattern->col[count++] = j;
    }
    pattern->adr[nb] = count;
}

void sn_blockZero(double* A, int nb)
{
    assert(v4_isAligned(A));
    const size_t n = 4 * (size_t)nb;
    const v4 zero = {0};
    for (size_t i = 0; i < n; i += 4) {
        double *r0 = A + i * n, *r1 = r0 + n, *r2 = r1 + n, *r3 = r2 + n;
        for (size_t j = 0; j <= i; j += 4) {
            v4_store(r0 + j, zero);
            v4_store(r1 + j, zero);
            v4_store(r2 + j, zero);
            v4_store(r3 + j, zero);
        }
    }
}

// Whether it is that of six unknowns, all coupled, a free body's: kernels are written out for it, by `nb` 2
// and `whole`, constants.
SN_INLINE bool isSix(const snBlockPattern* p)
{
    return p->nb == 2 && p->pads == 2 && p->adr[2] == 1;
}

// The number of blocks left of the diagonal in block row i, and the first column of one of them.
SN_INLINE int leftOf(const snBlockPattern* p, int i, bool whole)
{
    return whole ? i : p->adr[i + 1] - p->adr[i];
}
SN_INLINE int columnOf(const int* col, int k, bool whole)
{
    return 4 * (whole ? k : col[k]);
}

SN_INLINE void mulVec(const snBlockPattern* p, int nb, bool whole, const double* A, const double* x,
                      double* y)
{
    const int n = 4 * nb;
    for (int i = 0; i < nb; i++) {
        const double* a = A + (size_t)(4 * i) * (size_t)n;
        const double* xi = x + 4 * i;
        const v4 xv = v4_load(xi);
        v4Sum s0 = v4Sum_of(v4_load(a + 4 * i) * xv), s1 = v4Sum_of(v4_load(a + n + 4 * i) * xv);
        v4Sum s2 = v4Sum_of(v4_load(a + 2 * n + 4 * i) * xv), s3 = v4Sum_of(v4_load(a + 3 * n + 4 * i) * xv);
        const int *col = p->col + p->adr[i], count = leftOf(p, i, whole);
        for (int k = 0; k < count; k++) {
            const int j = columnOf(col, k, whole);
            const v4 a0 = v4_load(a + j), a1 = v4_load(a + n + j), a2 = v4_load(a + 2 * n + j),
                     a3 = v4_load(a + 3 * n + j);
            const v4 xj = v4_load(x + j);
            v4Sum_add(&s0, a0 * xj);
            v4Sum_add(&s1, a1 * xj);
            v4Sum_add(&s2, a2 * xj);
            v4Sum_add(&s3, a3 * xj);
            v4_store(y + j, v4_load(y + j) + ((a0 * v4_all(xi[0]) + a1 * v4_all(xi[1])) +
                                              (a2 * v4_all(xi[2]) + a3 * v4_all(xi[3]))));
        }
        v4_store(y + 4 * i, v4Sum_sums(s0, s1, s2, s3));
    }
}

void sn_blockMulVec(const snBlockPattern* p, const double* A, const double* x, double* y)
{
    assert(sn_isPattern(p) && v4_isAligned(A) && v4_isAligned(x) && v4_isAligned(y));
    assert(x != y);
    if (isSix(p))
        mulVec(p, 2, true, A, x, y);
    else
        mulVec(p, p->nb, false, A, x, y);
}

SN_INLINE void copy(const snBlockPattern* p, int nb, bool whole, const double* A, double* B)
{
    const int n = 4 * nb;
    for (int i = 0; i < nb; i++) {
        const double* a = A + (size_t)(4 * i) * (size_t)n;
        double* b = B + (size_t)(4 * i) * (size_t)n;
        const int *col = p->col + p->adr[i], count = leftOf(p, i, whole);
        for (int k = 0; k <= count; k++) {
            const int j = k < count ? columnOf(col, k, whole) : 4 * i;
            for (int r = 0; r < 4; r++) v4_store(b + r * n + j, v4_load(a + r * n + j));
        }
    }
}

void sn_blockCopy(const snBlockPattern* p, const double* A, double* B)
{
    assert(sn_isPattern(p) && v4_isAligned(A) && v4_isAligned(B));
    if (isSix(p))
        copy(p, 2, true, A, B);
    else
        copy(p, p->nb, false, A, B);
}

// L and 1/D of one 4x4 diagonal block: l[6] = L10 L20 L21 L30 L31 L32. rows 2: the other two are pads.
SN_INLINE int factorDiagonal(double* a, int n, int rows, double* diaginv, double* l)
{
    int bad = 0;
    double inv[4] = {0, 0, 1, 1};
    double h00 = a[0], h10 = a[n], h11 = a[n + 1];
    if (rows == 4) {
        double h20 = a[2 * n], h21 = a[2 * n + 1], h22 = a[2 * n + 2];
        const double h30 = a[3 * n], h31 = a[3 * n + 1], h32 = a[3 * n + 2], h33 = a[3 * n + 3];
        inv[3] = h33 > SN_MINVAL ? 1 / h33 : (bad++, 0);
        l[3] = h30 * inv[3];
        l[4] = h31 * inv[3];
        l[5] = h32 * inv[3];
        h22 -= l[5] * h32;
        h21 -= l[5] * h31;
        h20 -= l[5] * h30;
        h11 -= l[4] * h31;
        h10 -= l[4] * h30;
        h00 -= l[3] * h30;
        inv[2] = h22 > SN_MINVAL ? 1 / h22 : (bad++, 0);
        l[1] = h20 * inv[2];
        l[2] = h21 * inv[2];
        h11 -= l[2] * h21;
        h10 -= l[2] * h20;
        h00 -= l[1] * h20;
        a[2 * n] = l[1];
        a[2 * n + 1] = l[2];
        a[3 * n] = l[3];
        a[3 * n + 1] = l[4];
        a[3 * n + 2] = l[5];
    }
    inv[1] = h11 > SN_MINVAL ? 1 / h11 : (bad++, 0);
    a[n] = l[0] = h10 * inv[1];
    h00 -= l[0] * h10;
    inv[0] = h00 > SN_MINVAL ? 1 / h00 : (bad++, 0);
    v4_storeAny(diaginv, v4_of(inv[0], inv[1], inv[2], inv[3]));
    return bad;
}

// Four rows of the panel left of a diagonal block, at column j: w = D L, L in place.
SN_INLINE void factorPanel(double* h, int n, int rows, const double* l, const double* inv, double* w)
{
    v4 w0 = v4_load(h), w1 = v4_load(h + n);
    if (rows == 4) {
        const v4 w3 = v4_load(h + 3 * n), w2 = v4_load(h + 2 * n) - v4_all(l[5]) * w3;
        w1 = w1 - v4_all(l[4]) * w3 - v4_all(l[2]) * w2;
        w0 = w0 - v4_all(l[3]) * w3 - v4_all(l[1]) * w2;
        v4_store(w + 8, w2);
        v4_store(w + 12, w3);
        v4_store(h + 2 * n, w2 * v4_all(inv[2]));
        v4_store(h + 3 * n, w3 * v4_all(inv[3]));
    }
    w0 = w0 - v4_all(l[0]) * w1;
    v4_store(w, w0);
    v4_store(w + 4, w1);
    v4_store(h, w0 * v4_all(inv[0]));
    v4_store(h + n, w1 * v4_all(inv[1]));
}

// Column of L, each number in all lanes; n apart.
SN_INLINE void spread(const double* l, int n, int rows, v4 c[4])
{
    for (int k = 0; k < rows; k++) c[k] = v4_all(l[k * n]);
}

// r -= sum over the rows k of c_k w_k.
SN_INLINE void takeOff(double* r, const v4 c[4], int rows, const double* w)
{
    v4 x = v4_load(r) - c[0] * v4_load(w) - c[1] * v4_load(w + 4);
    if (rows == 4) x = x - c[2] * v4_load(w + 8) - c[3] * v4_load(w + 12);
    v4_store(r, x);
}

// Eliminates block b: of a whole pattern, and with rows 2, all are constants.
SN_INLINE int factorBlock(const snBlockPattern* p, int nb, bool whole, int b, int rows, double* H,
                          double* diaginv, double* work)
{
    const int n = 4 * nb, *col = p->col + p->adr[b], count = leftOf(p, b, whole);
    double *h = H + (size_t)(4 * b) * (size_t)n, *inv = diaginv + 4 * b, l[6];
    const int bad = factorDiagonal(h + 4 * b, n, rows, inv, l);
    for (int k = 0; k < count; k++) factorPanel(h + columnOf(col, k, whole), n, rows, l, inv, work + 16 * k);
    // H_ij -= sum over the rows k of L_ki w_kj; those first that the next block waits for
    for (int a = count - 1; a >= 0; a--)
        for (int i = columnOf(col, a, whole), end = i + 4; i < end; i += 2) {
            double* r = H + (size_t)i * (size_t)n;
            v4 c0[4], c1[4];
            spread(h + i, n, rows, c0);
            spread(h + i + 1, n, rows, c1);
            for (int k = 0; k <= a; k++) {
                const int j = columnOf(col, k, whole);
                takeOff(r + j, c0, rows, work + 16 * k);
                takeOff(r + n + j, c1, rows, work + 16 * k);
            }
        }
    return bad;
}

int sn_blockFactor(const snBlockPattern* p, double* H, double* diaginv, double* work)
{
    assert(sn_isPattern(p) && v4_isAligned(H) && v4_isAligned(work));
    int bad = 0;
    if (isSix(p))
        return factorBlock(p, 2, true, 1, 2, H, diaginv, work) +
               factorBlock(p, 2, true, 0, 4, H, diaginv, work);
    for (int b = p->nb - 1; b >= 0; b--) bad += factorBlock(p, p->nb, false, b, 4, H, diaginv, work);
    return bad;
}

// Block b of L' y = x, then D: its y over D stays in x, what it takes off those left of it is taken.
SN_INLINE void solveUp(const snBlockPattern* p, int nb, bool whole, int b, int rows, const double* L,
                       const double* diaginv, double* x)
{
    const int n = 4 * nb, *col = p->col + p->adr[b], count = leftOf(p, b, whole);
    const double *a = L + (size_t)(4 * b) * (size_t)n, *s = a + 4 * b;
    double* y = x + 4 * b;
    const double y3 = y[3], y2 = rows == 4 ? y[2] - s[3 * n + 2] * y3 : y[2];
    const double y1 = rows == 4 ? y[1] - s[3 * n + 1] * y3 - s[2 * n + 1] * y2 : y[1];
    const double y0 = (rows == 4 ? y[0] - s[3 * n] * y3 - s[2 * n] * y2 : y[0]) - s[n] * y1;
    for (int k = 0; k < count; k++) {
        const int j = columnOf(col, k, whole);
        v4 sum = v4_load(a + j) * v4_all(y0) + v4_load(a + n + j) * v4_all(y1);
        if (rows == 4)
            sum = sum + (v4_load(a + 2 * n + j) * v4_all(y2) + v4_load(a + 3 * n + j) * v4_all(y3));
        v4_store(x + j, v4_load(x + j) - sum);
    }
    v4_store(y, v4_of(y0, y1, y2, y3) * v4_loadAny(diaginv + 4 * b));
}

// Block b of L x = y.
SN_INLINE void solveDown(const snBlockPattern* p, int nb, bool whole, int b, int rows, const double* L,
                         double* x)
{
    const int n = 4 * nb, *col = p->col + p->adr[b], count = leftOf(p, b, whole);
    const double *a = L + (size_t)(4 * b) * (size_t)n, *s = a + 4 * b;
    double* y = x + 4 * b;
    v4Sum s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    for (int k = 0; k < count; k++) {
        const int j = columnOf(col, k, whole);
        const v4 xj = v4_load(x + j);
        v4Sum_add(&s0, v4_load(a + j) * xj);
        v4Sum_add(&s1, v4_load(a + n + j) * xj);
        if (rows < 4) continue;
        v4Sum_add(&s2, v4_load(a + 2 * n + j) * xj);
        v4Sum_add(&s3, v4_load(a + 3 * n + j) * xj);
    }
    const v4 t = v4_load(y) - v4Sum_sums(s0, s1, s2, s3);
    const double y0 = t[0], y1 = t[1] - s[n] * y0;
    double y2 = t[2], y3 = t[3];
    if (rows == 4) {
        y2 = y2 - s[2 * n] * y0 - s[2 * n + 1] * y1;
        y3 = y3 - s[3 * n] * y0 - s[3 * n + 1] * y1 - s[3 * n + 2] * y2;
    }
    v4_store(y, v4_of(y0, y1, y2, y3));
}

void sn_blockSolve(const snBlockPattern* p, const double* L, const double* diaginv, double* x)
{
    assert(sn_isPattern(p) && v4_isAligned(L) && v4_isAligned(x));
    if (isSix(p)) {
        solveUp(p, 2, true, 1, 2, L, diaginv, x);
        solveUp(p, 2, true, 0, 4, L, diaginv, x);
        solveDown(p, 2, true, 0, 4, L, x);
        solveDown(p, 2, true, 1, 2, L, x);
        return;
    }
    for (int b = p->nb - 1; b >= 0; b--) solveUp(p, p->nb, false, b, 4, L, diaginv, x);
    for (int b = 0; b < p->nb; b++) solveDown(p, p->nb, false, b, 4, L, x);
}

bool sn_blockUpdate(const snBlockPattern* p, double* L, double* diaginv, double* v, double s)
{
    assert(sn_isPattern(p) && v4_isAligned(L) && v4_isAligned(v));
    const int n = 4 * p->nb;
    for (int k = n - 1; k >= 0; k--) {
        const double vk = v[k];
        if (vk == 0) continue;
        double* row = L + (size_t)k * (size_t)n;
        const double d = 1 / diaginv[k], dnew = d + s * vk * vk;
        if (!(dnew > SN_MINVAL)) return false;
        const double inv = 1 / dnew, beta = s * vk * inv;
        s *= d * inv;
        diaginv[k] = inv;
        const int b = k / 4, *col = p->col, end = p->adr[b + 1];
        if (k & 3) { // those of the diagonal block in front of k
            const v4i front = v4_first(k & 3);
            const v4 before = v4_load(v + 4 * b), l = v4_load(row + 4 * b), w = before - v4_all(vk) * l;
            v4_store(v + 4 * b, v4_select(front, w, before));
            v4_store(row + 4 * b, v4_select(front, l + v4_all(beta) * w, l));
        }
        for (int c = p->adr[b]; c < end; c++) {
            const int j = 4 * col[c];
            const v4 w = v4_load(v + j) - v4_all(vk) * v4_load(row + j);
            v4_store(v + j, w);
            v4_store(row + j, v4_load(row + j) + v4_all(beta) * w);
        }
    }
    return true;
}

void sn_quadMulVec(const snQuad* quads, int count, const double* x, double* y)
{
    for (int q = 0; q < count; q++) {
        assert(sn_isAscending(quads[q].col, quads[q].count, INT_MAX) && v4_isAligned(quads[q].value));
        v4Sum s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
        const snQuad quad = quads[q];
        for (int b = 0; b < quad.count; b++) {
            const double* J = quad.value + 16 * b;
            const v4 xj = v4_load(x + 4 * quad.col[b]);
            v4Sum_add(&s0, v4_load(J) * xj);
            v4Sum_add(&s1, v4_load(J + 4) * xj);
            v4Sum_add(&s2, v4_load(J + 8) * xj);
            v4Sum_add(&s3, v4_load(J + 12) * xj);
        }
        v4_store(y + 4 * q, v4Sum_sums(s0, s1, s2, s3));
    }
}

void sn_quadMulTVec(const snQuad* quads, int count, const double* x, double* y)
{
    for (int q = 0; q < count; q++) {
        const double* f = x + 4 * q;
        assert(sn_isAscending(quads[q].col, quads[q].count, INT_MAX) && v4_isAligned(quads[q].value));
        const snQuad quad = quads[q];
        for (int b = 0; b < quad.count; b++) {
            const double* J = quad.value + 16 * b;
            double* yj = y + 4 * quad.col[b];
            v4_store(yj, v4_load(yj) + ((v4_load(J) * v4_all(f[0]) + v4_load(J + 4) * v4_all(f[1])) +
                                        (v4_load(J + 8) * v4_all(f[2]) + v4_load(J + 12) * v4_all(f[3]))));
        }
    }
}

// One quad of sn_quadGram.
SN_INLINE void addGram(const double* value, const int* col, int blocks, const double* w, double* H, int n,
                       int rows)
{
    for (int a = 0; a < blocks; a++) {
        for (int half = 0; half < 4 && 4 * col[a] + half < rows; half += 2) {
            const double* J = value + 16 * a + half;
            double *r0 = H + (size_t)(4 * col[a] + half) * (size_t)n, *r1 = r0 + n;
            const v4 c00 = v4_all(w[0] * J[0]), c01 = v4_all(w[1] * J[4]), c02 = v4_all(w[2] * J[8]),
                     c03 = v4_all(w[3] * J[12]);
            const v4 c10 = v4_all(w[0] * J[1]), c11 = v4_all(w[1] * J[5]), c12 = v4_all(w[2] * J[9]),
                     c13 = v4_all(w[3] * J[13]);
            for (int k = 0; k <= a; k++) {
                const double* Jk = value + 16 * k;
                const int j = 4 * col[k];
                const v4 j0 = v4_load(Jk), j1 = v4_load(Jk + 4), j2 = v4_load(Jk + 8), j3 = v4_load(Jk + 12);
                v4_store(r0 + j, v4_load(r0 + j) + ((c00 * j0 + c01 * j1) + (c02 * j2 + c03 * j3)));
                v4_store(r1 + j, v4_load(r1 + j) + ((c10 * j0 + c11 * j1) + (c12 * j2 + c13 * j3)));
            }
        }
    }
}

void sn_quadGram(const snQuad* quads, int count, const double* w, double* H, int n, int rows)
{
    static const int both[] = {0, 1};
    for (int q = 0; q < count; q++) {
        const double *wq = w + 4 * q, *value = quads[q].value;
        const int *col = quads[q].col, blocks = quads[q].count;
        assert(sn_isAscending(col, quads[q].count, n / 4) && v4_isAligned(value));
        if (wq[0] == 0 && wq[1] == 0 && wq[2] == 0 && wq[3] == 0) continue;
        if (blocks == 2 && rows == 6)
            addGram(value, both, 2, wq, H, 8, 6);
        else
            addGram(value, col, blocks, wq, H, n, rows);
    }
}
