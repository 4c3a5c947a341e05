// For each target: src/target/prelude.h.
#include "control/qp/run.h"
#include "math/elementary/elementary.h"
#include "math/simd.h"

SN_INLINE double dot(const double* a, const double* b, int length)
{
    v4Sum s = {0}, t = {0};
    for (int i = 0; i < length; i += 8) {
        v4Sum_add(&s, v4_load(a + i) * v4_load(b + i));
        v4Sum_add(&t, v4_load(a + i + 4) * v4_load(b + i + 4));
    }
    return v4_sum(v4Sum_value(s) + v4Sum_value(t));
}

// Four rows at once.
SN_INLINE v4 dots(const double* M, int stride, const double* v, int length)
{
    v4Sum a = {0}, b = {0}, c = {0}, d = {0};
    const double *M1 = M + stride, *M2 = M1 + stride, *M3 = M2 + stride;
    for (int i = 0; i < length; i += 4) {
        const v4 x = v4_load(v + i);
        v4Sum_add(&a, v4_load(M + i) * x);
        v4Sum_add(&b, v4_load(M1 + i) * x);
        v4Sum_add(&c, v4_load(M2 + i) * x);
        v4Sum_add(&d, v4_load(M3 + i) * x);
    }
    return v4Sum_sums(a, b, c, d);
}

double sn_runDot(const double* a, const double* b, int length)
{
    return dot(a, b, length);
}

void sn_runAdd(double* y, double factor, const double* x, int length)
{
    const v4 f = v4_all(factor);
    for (int i = 0; i < length; i += 4) v4_store(y + i, v4_load(y + i) + f * v4_load(x + i));
}

void sn_runTurn(double* x, double* y, double c, double s, int length)
{
    for (int i = 0; i < length; i += 4) {
        const v4 a = v4_load(x + i), b = v4_load(y + i);
        v4_store(x + i, v4_all(c) * a + v4_all(s) * b);
        v4_store(y + i, v4_all(c) * b - v4_all(s) * a);
    }
}

void sn_rowsDot(const double* M, int rows, int stride, const double* v, int length, double* y)
{
    int i = 0;
    for (; i + 4 <= rows; i += 4) v4_storeAny(y + i, dots(M + (size_t)i * stride, stride, v, length));
    for (; i < rows; i++) y[i] = dot(M + (size_t)i * stride, v, length);
}

SN_INLINE void addFour(const double* M, int stride, const double* c, int length, double* y)
{
    const double *M1 = M + stride, *M2 = M1 + stride, *M3 = M2 + stride;
    const v4 c0 = v4_all(c[0]), c1 = v4_all(c[1]), c2 = v4_all(c[2]), c3 = v4_all(c[3]);
    for (int i = 0; i < length; i += 4)
        v4_store(y + i, v4_load(y + i) + (c0 * v4_load(M + i) + c1 * v4_load(M1 + i)) +
                            (c2 * v4_load(M2 + i) + c3 * v4_load(M3 + i)));
}

void sn_rowsAdd(const double* M, int rows, int stride, const double* c, int length, double* y)
{
    int i = 0;
    for (; i + 4 <= rows; i += 4) addFour(M + (size_t)i * stride, stride, c + i, length, y);
    for (; i < rows; i++) {
        const double* row = M + (size_t)i * stride;
        const v4 f = v4_all(c[i]);
        for (int k = 0; k < length; k += 4) v4_store(y + k, v4_load(y + k) + f * v4_load(row + k));
    }
}

void sn_rowsReflect(double* M, int rows, int stride, double beta, const double* v, int length)
{
    for (int i = 0; i < rows; i++) {
        double* row = M + (size_t)i * stride;
        const v4 f = v4_all(-beta * dot(row, v, length));
        for (int k = 0; k < length; k += 4) v4_store(row + k, v4_load(row + k) + f * v4_load(v + k));
    }
}

// Four rows of W, eight columns at a time; those of Z pass once.
SN_INLINE void combineFour(const double* V, int vstride, const double* Z, int rows, int stride, int length,
                           double* W)
{
    for (int k = 0; k < length; k += 8) {
        v4Sum s[8] = {0};
        for (int i = 0; i < rows; i++) {
            const v4 a = v4_load(Z + (size_t)i * stride + k), b = v4_load(Z + (size_t)i * stride + k + 4);
            SN_UNROLL
            for (int j = 0; j < 4; j++) {
                const v4 f = v4_all(V[(size_t)j * vstride + i]);
                v4Sum_add(s + j, f * a);
                v4Sum_add(s + 4 + j, f * b);
            }
        }
        SN_UNROLL
        for (int j = 0; j < 4; j++) {
            v4_store(W + (size_t)j * stride + k, v4Sum_value(s[j]));
            v4_store(W + (size_t)j * stride + k + 4, v4Sum_value(s[4 + j]));
        }
    }
}

SN_INLINE void combineOne(const double* V, const double* Z, int rows, int stride, int length, double* W)
{
    for (int k = 0; k < length; k += 8) {
        v4Sum s = {0}, t = {0};
        for (int i = 0; i < rows; i++) {
            v4Sum_add(&s, v4_all(V[i]) * v4_load(Z + (size_t)i * stride + k));
            v4Sum_add(&t, v4_all(V[i]) * v4_load(Z + (size_t)i * stride + k + 4));
        }
        v4_store(W + k, v4Sum_value(s));
        v4_store(W + k + 4, v4Sum_value(t));
    }
}

void sn_rowsCombine(const double* V, int count, int vstride, const double* Z, int rows, int stride,
                    int length, double* W)
{
    int j = 0;
    for (; j + 4 <= count; j += 4)
        combineFour(V + (size_t)j * vstride, vstride, Z, rows, stride, length, W + (size_t)j * stride);
    for (; j < count; j++)
        combineOne(V + (size_t)j * vstride, Z, rows, stride, length, W + (size_t)j * stride);
}

// Four rows of Z, eight columns at a time.
SN_INLINE void deductFour(const double* V, int count, int vstride, const double* W, double* Z, int stride,
                          int length)
{
    for (int k = 0; k < length; k += 8) {
        v4Sum s[8] = {0};
        for (int i = 0; i < count; i++) {
            const v4 a = v4_load(W + (size_t)i * stride + k), b = v4_load(W + (size_t)i * stride + k + 4);
            SN_UNROLL
            for (int j = 0; j < 4; j++) {
                const v4 f = v4_all(V[(size_t)i * vstride + j]);
                v4Sum_add(s + j, f * a);
                v4Sum_add(s + 4 + j, f * b);
            }
        }
        SN_UNROLL
        for (int j = 0; j < 4; j++) {
            double* to = Z + (size_t)j * stride + k;
            v4_store(to, v4_load(to) - v4Sum_value(s[j]));
            v4_store(to + 4, v4_load(to + 4) - v4Sum_value(s[4 + j]));
        }
    }
}

void sn_rowsDeduct(const double* V, int count, int vstride, const double* W, double* Z, int rows, int stride,
                   int length)
{
    int j = 0;
    for (; j + 4 <= rows; j += 4)
        deductFour(V + j, count, vstride, W, Z + (size_t)j * stride, stride, length);
    for (; j < rows; j++)
        for (int i = 0; i < count; i++) {
            const v4 f = v4_all(-V[(size_t)i * vstride + j]);
            double* to = Z + (size_t)j * stride;
            for (int k = 0; k < length; k += 4)
                v4_store(to + k, v4_load(to + k) + f * v4_load(W + (size_t)i * stride + k));
        }
}

double sn_runTake(double* to, const double* from, int n, int length)
{
    v4Sum sum = {0};
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        const v4 x = v4_loadAny(from + i);
        v4_store(to + i, x);
        v4Sum_add(&sum, x * x);
    }
    double rest = v4Sum_sum(sum);
    for (; i < n; i++) {
        to[i] = from[i];
        rest += from[i] * from[i];
    }
    for (; i < length; i++) to[i] = 0;
    return rest;
}

// Two rows of A with four of Z.
SN_INLINE void product24(const double* a, const double* b, const double* Z, int zstride, int length,
                         double* E, double* F)
{
    v4Sum s[8] = {0};
    for (int i = 0; i < length; i += 4) {
        const v4 x = v4_load(a + i), y = v4_load(b + i);
        SN_UNROLL
        for (int j = 0; j < 4; j++) {
            const v4 z = v4_load(Z + (size_t)j * zstride + i);
            v4Sum_add(s + j, x * z);
            v4Sum_add(s + 4 + j, y * z);
        }
    }
    v4_storeAny(E, v4Sum_sums(s[0], s[1], s[2], s[3]));
    v4_storeAny(F, v4Sum_sums(s[4], s[5], s[6], s[7]));
}

void sn_rowsProduct(const double* const* A, int count, const double* Z, int columns, int zstride, int length,
                    double* E, int stride)
{
    int j = 0;
    for (; j + 4 <= columns; j += 4)
        for (int i = 0; i < count; i += 2) {
            const int second = i + 1 < count ? i + 1 : i;
            product24(A[i], A[second], Z + (size_t)j * zstride, zstride, length, E + (size_t)i * stride + j,
                      E + (size_t)second * stride + j);
        }
    for (; j < columns; j++)
        for (int i = 0; i < count; i++)
            E[(size_t)i * stride + j] = dot(A[i], Z + (size_t)j * zstride, length);
}

double sn_runWorst(const double* value, const double* deep, const double* high, const double* per, int length,
                   double* off)
{
    v4 most = v4_all(0);
    for (int i = 0; i < length; i += 4) {
        const v4 x = v4_load(value + i);
        const v4 here = v4_max(x - v4_load(high + i), v4_load(deep + i) - x) * v4_load(per + i);
        v4_store(off + i, here);
        most = v4_max(here, most); // in this order what is NaN does not count
    }
    return sn_max(sn_max(most[0], most[1]), sn_max(most[2], most[3]));
}

void sn_triangleBackward(const double* R, int stride, int n, double* r)
{
    for (int j = n - 1; j >= 0; j--) {
        const double* column = R + (size_t)j * stride;
        const double value = r[j] /= column[j];
        for (int i = 0; i < j; i++) r[i] -= value * column[i];
    }
}

void sn_triangleForward(const double* R, int stride, int n, double* r)
{
    for (int j = 0; j < n; j++) {
        const double* column = R + (size_t)j * stride;
        v4Sum sum = {0};
        int i = 0;
        for (; i + 4 <= j; i += 4) v4Sum_add(&sum, v4_load(column + i) * v4_load(r + i));
        double rest = r[j] - v4Sum_sum(sum);
        for (; i < j; i++) rest -= column[i] * r[i];
        r[j] = rest / column[j];
    }
}
