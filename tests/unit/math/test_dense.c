// Blocked kernels against plain loops on random matrices with tree and coupled patterns.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "math/dense.h"

enum { MAXN = 48, MAXB = MAXN / 4 };

static double uniform(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

// A positive definite matrix A = W'W + I whose W has, in row i, entries at the ancestors of i in a random
// tree, and the pattern of its blocks with the factor's fill. Only listed blocks of `blocked` are set, the
// rest is NaN.
typedef struct Matrix {
    int n;
    _Alignas(64) double full[MAXN * MAXN], blocked[MAXN * MAXN];
    unsigned char map[MAXB * MAXB];
    int adr[MAXB + 1], col[MAXB * MAXB];
    snBlockPattern pattern;
} Matrix;

static void setBlocked(Matrix* a)
{
    const int n = a->n, nb = n / 4;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a->blocked[i * n + j] =
                i / 4 == j / 4 || a->map[i / 4 * nb + j / 4] ? a->full[i * n + j] : (double)NAN;
}

static void randomMatrix(Matrix* a, int n, uint64_t* seed)
{
    static double W[MAXN * MAXN];
    memset(a, 0, sizeof *a);
    memset(W, 0, sizeof W);
    a->n = n;
    const int nb = n / 4;
    for (int i = 0; i < n; i++)
        for (int j = i; j >= 0; j = j ? (int)((uniform(seed) + 1) * 0.4999 * j) : -1)
            W[i * n + j] = uniform(seed);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = i == j ? 1 : 0;
            for (int k = 0; k < n; k++) s += W[k * n + i] * W[k * n + j];
            a->full[i * n + j] = s;
            if (j / 4 < i / 4 && s != 0) a->map[i / 4 * nb + j / 4] = 1;
        }
    sn_blockFill(a->map, nb);
    a->pattern = (snBlockPattern){nb, a->adr, a->col, 0};
    sn_blockCompress(a->map, &a->pattern);
    setBlocked(a);
}

static void assertNear(const double* a, const double* b, int n, double tolerance)
{
    for (int i = 0; i < n; i++) assert_true(fabs(a[i] - b[i]) <= tolerance * (1 + fabs(b[i])));
}

static void factorSolves(void** state)
{
    (void)state;
    uint64_t seed = 2;
    static Matrix a;
    for (int n = 4; n <= MAXN; n += 4) {
        randomMatrix(&a, n, &seed);
        _Alignas(64) double x[MAXN], y[MAXN], b[MAXN], inv[MAXN], work[4 * MAXN];
        for (int i = 0; i < n; i++) x[i] = uniform(&seed);
        sn_blockMulVec(&a.pattern, a.blocked, x, y);
        for (int i = 0; i < n; i++) {
            b[i] = 0;
            for (int j = 0; j < n; j++) b[i] += a.full[i * n + j] * x[j];
        }
        assertNear(y, b, n, 1e-13);
        assert_int_equal(sn_blockFactor(&a.pattern, a.blocked, inv, work), 0);
        sn_blockSolve(&a.pattern, a.blocked, inv, b);
        assertNear(b, x, n, 1e-11); // condition below 1e3
    }
}

static void badPivotsAreCounted(void** state)
{
    (void)state;
    uint64_t seed = 3;
    static Matrix a;
    _Alignas(64) double inv[MAXN], work[4 * MAXN], b[MAXN];
    randomMatrix(&a, 8, &seed);
    a.full[3 * 8 + 3] = -5;
    setBlocked(&a);
    assert_true(sn_blockFactor(&a.pattern, a.blocked, inv, work) >= 1);
    for (int i = 0; i < 8; i++) b[i] = 1;
    sn_blockSolve(&a.pattern, a.blocked, inv, b);
    for (int i = 0; i < 8; i++) assert_true(fabs(b[i]) < 1e6);
}

static void updateEqualsRefactor(void** state)
{
    (void)state;
    uint64_t seed = 4;
    static Matrix a, c;
    for (int n = 8; n <= MAXN; n += 8) {
        for (int sign = -1; sign <= 1; sign += 2) {
            randomMatrix(&a, n, &seed);
            _Alignas(64) double v[MAXN] = {0}, inv[MAXN], inv2[MAXN], work[4 * MAXN];
            // along a row of W the pattern admits v v': columns that block row nb-1 lists
            for (int k = a.adr[n / 4 - 1]; k < a.adr[n / 4]; k++)
                for (int i = 0; i < 4; i++) v[4 * a.col[k] + i] = 0.2 * uniform(&seed);
            for (int i = n - 4; i < n; i++) v[i] = 0.2 * uniform(&seed);
            c = a;
            c.pattern = (snBlockPattern){n / 4, c.adr, c.col, 0};
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) c.full[i * n + j] += sign * 0.3 * v[i] * v[j];
            setBlocked(&c);
            sn_blockFactor(&a.pattern, a.blocked, inv, work);
            sn_blockFactor(&c.pattern, c.blocked, inv2, work);
            assert_true(sn_blockUpdate(&a.pattern, a.blocked, inv, v, sign * 0.3));
            assertNear(inv, inv2, n, 1e-12);
            for (int i = 0; i < n; i++)
                for (int j = 0; j < i; j++)
                    if (i / 4 == j / 4 || a.map[i / 4 * (n / 4) + j / 4])
                        assert_true(fabs(a.blocked[i * n + j] - c.blocked[i * n + j]) < 1e-12);
        }
    }
}

static void downdateRefusesIndefinite(void** state)
{
    (void)state;
    uint64_t seed = 5;
    static Matrix a;
    _Alignas(64) double v[MAXN] = {0}, inv[MAXN], work[4 * MAXN];
    randomMatrix(&a, 8, &seed);
    sn_blockFactor(&a.pattern, a.blocked, inv, work);
    v[7] = 10;
    assert_false(sn_blockUpdate(&a.pattern, a.blocked, inv, v, -1e3));
}

static void quads(void** state)
{
    (void)state;
    uint64_t seed = 6;
    enum { N = 16, Q = 3 };
    const int lists[Q][3] = {{0, 1, 3}, {1, 2, 0}, {0, 2, 3}}, counts[Q] = {3, 2, 3};
    _Alignas(64) double value[Q][48], x[N], y[4 * Q], z[N] = {0}, w[4 * Q], H[N * N] = {0};
    double J[4 * Q][N] = {0};
    snQuad quad[Q];
    for (int q = 0; q < Q; q++) {
        quad[q] = (snQuad){counts[q], lists[q], value[q]};
        for (int b = 0; b < counts[q]; b++)
            for (int r = 0; r < 4; r++)
                for (int c = 0; c < 4; c++)
                    J[4 * q + r][4 * lists[q][b] + c] = value[q][16 * b + 4 * r + c] = uniform(&seed);
    }
    for (int i = 0; i < N; i++) x[i] = uniform(&seed);
    for (int r = 0; r < 4 * Q; r++) w[r] = r / 4 == 1 || r % 3 == 0 ? 0 : fabs(uniform(&seed));
    sn_quadMulVec(quad, Q, x, y);
    sn_quadMulTVec(quad, Q, w, z);
    sn_quadGram(quad, Q, w, H, N, N);
    for (int r = 0; r < 4 * Q; r++) {
        double s = 0;
        for (int i = 0; i < N; i++) s += J[r][i] * x[i];
        assert_true(fabs(s - y[r]) < 1e-14);
    }
    for (int i = 0; i < N; i++) {
        double s = 0;
        for (int r = 0; r < 4 * Q; r++) s += J[r][i] * w[r];
        assert_true(fabs(s - z[i]) < 1e-14);
        for (int j = 0; j < 4 * (i / 4) + 4; j++) {
            double h = 0;
            for (int r = 0; r < 4 * Q; r++) h += J[r][i] * w[r] * J[r][j];
            assert_true(fabs(h - H[i * N + j]) < 1e-14);
        }
    }
}

// Six unknowns and two pads: J'WJ + 1 by three quads.
typedef struct Six {
    _Alignas(64) double value[3][32], w[12], H[64], inv[8], work[32], x[8], y[8];
} Six;

static void setSix(Six* s, double last, uint64_t* seed)
{
    memset(s, 0, sizeof *s);
    for (int q = 0; q < 3; q++)
        for (int k = 0; k < 32; k++) s->value[q][k] = k >= 16 && k % 4 > 1 ? 0 : uniform(seed);
    for (int r = 0; r < 12; r++) s->w[r] = r % 5 ? exp(8 * uniform(seed)) : 0;
    for (int i = 0; i < 8; i++) {
        s->H[9 * i] = i == 5 ? last : 1;
        s->x[i] = i < 6 ? uniform(seed) : 0;
    }
}

// The same bits, whether the kernels know of the pads or not; a pivot that is not positive is counted.
static void sixAreAsAnyEight(void** state)
{
    (void)state;
    static const int list[] = {0, 1};
    int adr[] = {0, 0, 1}, col[] = {0};
    uint64_t seed = 7;
    for (int trial = 0; trial < 100; trial++) {
        const uint64_t before = seed;
        Six six, eight;
        setSix(&six, trial % 10 ? 1 : -1e9, &seed);
        seed = before;
        setSix(&eight, trial % 10 ? 1 : -1e9, &seed);
        int bad[2];
        for (int k = 0; k < 2; k++) {
            Six* s = k ? &six : &eight;
            const snBlockPattern pattern = {2, adr, col, k ? 2 : 0};
            snQuad quad[3];
            for (int q = 0; q < 3; q++) quad[q] = (snQuad){2, list, s->value[q]};
            sn_quadGram(quad, 3, s->w, s->H, 8, k ? 6 : 8);
            sn_blockMulVec(&pattern, s->H, s->x, s->y);
            bad[k] = sn_blockFactor(&pattern, s->H, s->inv, s->work);
            sn_blockSolve(&pattern, s->H, s->inv, s->x);
        }
        assert_int_equal(bad[0], trial % 10 ? 0 : 1);
        assert_int_equal(bad[1], bad[0]);
        assert_memory_equal(six.inv, eight.inv, sizeof six.inv);
        for (int i = 0; i < 8; i++) {
            assert_true(six.x[i] == eight.x[i] && six.y[i] == eight.y[i]);
            for (int j = 0; j < i; j++) assert_true(six.H[8 * i + j] == eight.H[8 * i + j]);
        }
    }
}

static void zerosWhereBlocksAreRead(void** state)
{
    (void)state;
    enum { NB = 3, N = 4 * NB };
    _Alignas(64) double A[N * N];
    for (int k = 0; k < N * N; k++) A[k] = 1;
    sn_blockZero(A, NB);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) assert_true(A[i * N + j] == (j / 4 > i / 4 ? 1 : 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factorSolves),
        cmocka_unit_test(badPivotsAreCounted),
        cmocka_unit_test(updateEqualsRefactor),
        cmocka_unit_test(downdateRefusesIndefinite),
        cmocka_unit_test(quads),
        cmocka_unit_test(sixAreAsAnyEight),
        cmocka_unit_test(zerosWhereBlocksAreRead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
