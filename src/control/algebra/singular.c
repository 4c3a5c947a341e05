// For each target: src/target/prelude.h.
#include "control/algebra/singular.h"
#include "math/elementary/elementary.h"
#include "math/simd.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_SWEEPS = 60 };

// Lengths below it, the largest number being about 1, have no direction: their products are lost to
// underflow.
#define SHORTEST 1e-130

SN_INLINE double dot(const double* a, const double* b, int n)
{
    v4 sums = v4_all(0);
    int i = 0;
    for (; i + 4 <= n; i += 4) sums += v4_loadAny(a + i) * v4_loadAny(b + i);
    double sum = v4_sum(sums);
    for (; i < n; i++) sum += a[i] * b[i];
    return sum;
}

SN_INLINE void swapRows(double* a, double* b, int n)
{
    for (int i = 0; i < n; i++) {
        const double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

// ---- the triangle

// What the factorisation works on. B [k x l] is A or A', whichever lies flat, times 2^-exponent; its rows are
// the columns that Householder's method takes in turn.
typedef struct Flat {
    int k, l, exponent;
    double *B, *scale;
    double* order; // [k] which row of B stands where
    double* X;     // [k x k] the triangle R, whose rows become s_i u_i' in the order of B's rows
    double* V;     // [k x k] rows v_i of R
} Flat;

// A copied and scaled, for its squares neither to overflow nor to vanish. false: not finite.
static bool load(Flat* f, const double* A, int m, int n)
{
    double largest = 0;
    for (size_t i = 0; i < (size_t)m * (size_t)n; i++) {
        if (!isfinite(A[i])) return false;
        largest = sn_max(fabs(A[i]), largest);
    }
    f->exponent = 0;
    if (largest > 0) frexp(largest, &f->exponent);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            f->B[m <= n ? (size_t)i * (size_t)n + (size_t)j : (size_t)j * (size_t)m + (size_t)i] =
                ldexp(A[(size_t)i * (size_t)n + (size_t)j], -f->exponent);
    for (int i = 0; i < f->k; i++) f->order[i] = i;
    return true;
}

// The reflection 1 - scale v v' that takes x [n] to (result, 0, ...), v in the place of x; what is too short
// counts as zero.
SN_INLINE double reflector(double* x, int n, double* scale)
{
    const double norm = sqrt(dot(x, x, n)), result = x[0] > 0 ? -norm : norm;
    *scale = 0;
    if (norm < SHORTEST) return 0;
    x[0] -= result;
    *scale = 2 / dot(x, x, n);
    return result;
}

SN_INLINE void reflect(const double* v, double scale, double* x, int n)
{
    const double along = scale * dot(v, x, n);
    for (int i = 0; i < n; i++) x[i] -= along * v[i];
}

// The largest of rows `from` to k in what they have from column `from` on.
SN_INLINE int pivotRow(const Flat* f, int from)
{
    double largest = 0;
    int best = from;
    for (int i = from; i < f->k; i++) {
        const double* row = f->B + (size_t)i * (size_t)f->l + from;
        const double square = dot(row, row, f->l - from);
        if (square > largest) {
            largest = square;
            best = i;
        }
    }
    return best;
}

// B' P = Q R: reflections in B and scale, R in X.
static void triangulate(Flat* f)
{
    const size_t k = (size_t)f->k, l = (size_t)f->l;
    memset(f->X, 0, k * k * sizeof(double));
    for (int c = 0; c < f->k; c++) {
        const int pivot = pivotRow(f, c);
        double* row = f->B + (size_t)c * l;
        if (pivot != c) swapRows(row, f->B + (size_t)pivot * l, f->l);
        if (pivot != c) swapRows(f->order + c, f->order + pivot, 1);
        for (size_t j = 0; j < (size_t)c; j++) f->X[j * k + (size_t)c] = row[j];
        f->X[(size_t)c * k + (size_t)c] = reflector(row + c, f->l - c, f->scale + c);
        for (int i = c + 1; i < f->k; i++) reflect(row + c, f->scale[c], f->B + (size_t)i * l + c, f->l - c);
    }
}

// ---- Jacobi

// Turns x and y, and v and w with them, so that x and y are at right angles and x is the longer one. Returns
// whether they were not yet.
SN_INLINE bool rotate(double* x, double* y, double* v, double* w, int k)
{
    const double a = dot(x, x, k), b = dot(y, y, k), c = dot(x, y, k);
    if (fabs(c) <= sn_max((4 + sqrt(k)) * DBL_EPSILON * sqrt(a) * sqrt(b),
                          SHORTEST * SHORTEST * DBL_EPSILON)) { // what its own rounding may be
        if (a >= b) return false;
        swapRows(x, y, k);
        swapRows(v, w, k);
        return false;
    }
    // of the two rotations that do it the one that leaves the longer row in front
    const double zeta = (a - b) / (2 * c);
    const double small = 1 / (fabs(zeta) + sn_hypot(1, zeta));
    const double cosine = 1 / sqrt(1 + small * small), sine = copysign(small * cosine, c);
    const double p = a >= b ? cosine : fabs(sine), q = a >= b ? sine : copysign(cosine, c);
    for (int i = 0; i < k; i++) {
        const double xi = x[i], yi = y[i], vi = v[i], wi = w[i];
        x[i] = p * xi + q * yi;
        y[i] = p * yi - q * xi;
        v[i] = p * vi + q * wi;
        w[i] = p * wi - q * vi;
    }
    return true;
}

// X <- V X with orthogonal rows, V orthogonal.
static void orthogonalise(Flat* f)
{
    const size_t k = (size_t)f->k;
    memset(f->V, 0, k * k * sizeof(double));
    for (size_t i = 0; i < k; i++) f->V[i * k + i] = 1;
    bool turned = true;
    for (int sweep = 0; turned && sweep < MAX_SWEEPS; sweep++) {
        turned = false;
        for (size_t i = 0; i + 1 < k; i++)
            for (size_t j = i + 1; j < k; j++)
                turned |= rotate(f->X + i * k, f->X + j * k, f->V + i * k, f->V + j * k, f->k);
    }
}

// Rows by length, the longest first.
static void sortRows(Flat* f, double* s)
{
    const size_t k = (size_t)f->k;
    for (size_t i = 0; i < k; i++) s[i] = sqrt(dot(f->X + i * k, f->X + i * k, f->k));
    for (size_t i = 1; i < k; i++)
        for (size_t j = i; j > 0 && s[j] > s[j - 1]; j--) {
            swapRows(s + j, s + j - 1, 1);
            swapRows(f->X + j * k, f->X + (j - 1) * k, f->k);
            swapRows(f->V + j * k, f->V + (j - 1) * k, f->k);
        }
}

// ---- vectors

// x [k] less its parts along the rows before it, twice, which is enough (Kahan). Returns its length.
static double straighten(const double* rows, int count, double* x, int k)
{
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < count; i++) {
            const double* u = rows + (size_t)i * (size_t)k;
            const double along = dot(u, x, k);
            for (int c = 0; c < k; c++) x[c] -= along * u[c];
        }
    return sqrt(dot(x, x, k));
}

// A row of unit length at right angles to those before it, there being fewer than k: of all unit vectors one
// keeps at least 1 / k of its square.
static void complete(const double* rows, int count, double* x, int k)
{
    for (int c = 0; c < k; c++) {
        memset(x, 0, (size_t)k * sizeof(double));
        x[c] = 1;
        const double length = straighten(rows, count, x, k);
        if (length * length * 2 * k < 1) continue;
        for (int i = 0; i < k; i++) x[i] /= length;
        return;
    }
}

// Rows of X to unit length, s [k] theirs.
static void normalise(Flat* f, const double* s)
{
    const size_t k = (size_t)f->k;
    for (size_t i = 0; i < k; i++) {
        double* x = f->X + i * k;
        if (s[i] > SHORTEST)
            for (size_t c = 0; c < k; c++) x[c] /= s[i];
        else
            complete(f->X, (int)i, x, f->k);
    }
}

// The vectors of the long side: Q (v_i, 0).
static void longVectors(const Flat* f, double* out)
{
    const size_t k = (size_t)f->k, l = (size_t)f->l;
    for (size_t i = 0; i < k; i++) {
        double* x = out + i * l;
        memcpy(x, f->V + i * k, k * sizeof(double));
        memset(x + k, 0, (l - k) * sizeof(double));
        for (int c = f->k - 1; c >= 0; c--) reflect(f->B + (size_t)c * l + c, f->scale[c], x + c, f->l - c);
    }
}

// Those of the short side: the rows of X in the order that B's rows had.
static void shortVectors(const Flat* f, double* out)
{
    const size_t k = (size_t)f->k;
    for (size_t i = 0; i < k; i++)
        for (size_t c = 0; c < k; c++) out[i * k + (size_t)f->order[c]] = f->X[i * k + c];
}

// ---- the whole

size_t sn_singularWork(int m, int n)
{
    const size_t k = (size_t)(m < n ? m : n), l = (size_t)(m < n ? n : m);
    return 2 * k * l + 3 * k * k + 3 * k;
}

bool sn_singular(const double* A, int m, int n, double* work, snSingular* out)
{
    const int count = m < n ? m : n, longest = m < n ? n : m;
    const size_t k = (size_t)count, l = (size_t)longest;
    double *longSide = work + k * l, *shortSide = longSide + k * l, *X = shortSide + k * k,
           *s = X + 2 * k * k;
    Flat f = {count, longest, 0, work, s + k, s + 2 * k, X, X + k * k};
    *out = (snSingular){m,   n,      count, s, m <= n ? shortSide : longSide, m <= n ? longSide : shortSide,
                        f.B, f.scale};
    if (!load(&f, A, m, n)) return false;
    triangulate(&f);
    orthogonalise(&f);
    sortRows(&f, s);
    normalise(&f, s);
    longVectors(&f, longSide);
    shortVectors(&f, shortSide);
    for (size_t i = 0; i < k; i++) s[i] = ldexp(s[i], f.exponent);
    return true;
}

int sn_singularRank(const snSingular* f, double tolerance)
{
    const int longest = f->m > f->n ? f->m : f->n;
    int rank = 0;
    if (f->count && !(tolerance >= 0)) tolerance = longest * DBL_EPSILON * f->s[0];
    while (rank < f->count && f->s[rank] > tolerance) rank++;
    return rank;
}

void sn_singularNull(const snSingular* f, int rank, int j, double* z)
{
    const size_t n = (size_t)f->n;
    if (rank + j < f->count) {
        memcpy(z, f->right + (size_t)(rank + j) * n, n * sizeof(double));
        return;
    }
    memset(z, 0, n * sizeof(double));
    z[rank + j] = 1;
    for (int c = f->count - 1; c >= 0; c--)
        reflect(f->reflector + (size_t)c * n + c, f->scale[c], z + c, f->n - c);
}
