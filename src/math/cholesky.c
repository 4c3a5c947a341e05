// For each target: src/target/prelude.h.
#include <sinew/cholesky.h>
#include <math.h>
#include <sinew/types.h>
#include <sinew/vector.h>
#include "math/eig3.h"
#include "math/finite.h"
#include "math/simd.h"

static double* rowOf(double* mat, int n, int i)
{
    return mat + (size_t)i * (size_t)n;
}

// Columns first <= j < end of the rows from `first` on, those before being done.
static int factorColumns(double* mat, int n, int first, int end, double mindiag, double inv[])
{
    int bad = 0;
    for (int j = first; j < end; j++) {
        double* row = rowOf(mat, n, j);
        for (int k = first; k < j; k++) row[k] = (row[k] - sn_dot(row, rowOf(mat, n, k), k)) * inv[k - first];
        double pivot = row[j] - sn_dot(row, row, j);
        if (pivot < mindiag) {
            pivot = mindiag;
            bad++;
        }
        row[j] = sqrt(pivot);
        inv[j - first] = 1 / row[j];
    }
    return bad;
}

// Four columns, whose diagonal block is done, of the rows below it.
static void factorBelow(double* mat, int n, int first, const double inv[4])
{
    const double *r0 = rowOf(mat, n, first), *r1 = r0 + n, *r2 = r1 + n, *r3 = r2 + n;
    for (int i = first + 4; i < n; i++) {
        double* row = rowOf(mat, n, i);
        v4Sum s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
        for (int k = 0; k < first; k += 4) {
            const v4 x = v4_loadAny(row + k);
            v4Sum_add(&s0, x * v4_loadAny(r0 + k));
            v4Sum_add(&s1, x * v4_loadAny(r1 + k));
            v4Sum_add(&s2, x * v4_loadAny(r2 + k));
            v4Sum_add(&s3, x * v4_loadAny(r3 + k));
        }
        double* x = row + first;
        const v4 rest = v4_loadAny(x) - v4Sum_sums(s0, s1, s2, s3);
        x[0] = rest[0] * inv[0];
        x[1] = (rest[1] - r1[first] * x[0]) * inv[1];
        x[2] = (rest[2] - r2[first] * x[0] - r2[first + 1] * x[1]) * inv[2];
        x[3] = (rest[3] - r3[first] * x[0] - r3[first + 1] * x[1] - r3[first + 2] * x[2]) * inv[3];
    }
}

int sn_cholFactor(double* mat, int n, double mindiag)
{
    int rank = n, first = 0;
    double inv[4];
    for (; first + 4 <= n; first += 4) {
        rank -= factorColumns(mat, n, first, first + 4, mindiag, inv);
        factorBelow(mat, n, first, inv);
    }
    return rank - factorColumns(mat, n, first, n, mindiag, inv);
}

void sn_cholSolve(double* res, const double* mat, const double* vec, int n)
{
    sn_copy(res, vec, n);
    for (int i = 0; i < n; i++) {
        const double* row = mat + (size_t)i * (size_t)n;
        res[i] = (res[i] - sn_dot(row, res, i)) / row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        const double* row = mat + (size_t)i * (size_t)n;
        res[i] /= row[i];
        sn_addToScl(res, row, -res[i], i);
    }
}

int sn_cholUpdate(double* mat, double* x, int n, int flg_plus)
{
    const double sign = flg_plus ? 1 : -1;
    int rank = n;
    for (int k = 0; k < n; k++) {
        if (x[k] == 0) continue;
        double* diagonal = mat + (size_t)k * (size_t)n + k;
        double square = *diagonal * *diagonal + sign * x[k] * x[k];
        if (square < SN_MINVAL) {
            square = SN_MINVAL;
            rank--;
        }
        const double length = sqrt(square), c = length / *diagonal, s = x[k] / *diagonal, inv = 1 / c;
        *diagonal = length;
        for (int i = k + 1; i < n; i++) {
            double* below = mat + (size_t)i * (size_t)n + k;
            *below = (*below + sign * s * x[i]) * inv;
            x[i] = c * x[i] - s * *below;
        }
    }
    return rank;
}

int sn_eigenAxes(double eigval[3], double eigvec[9], double quat[4], const double mat[9])
{
    if (!sn_areFinite(mat, 9)) {
        sn_fill(eigval, (double)NAN, 3);
        sn_fill(eigvec, (double)NAN, 9);
        sn_fill(quat, (double)NAN, 4);
        return 500;
    }
    int turns;
    const snQuat q = sn_eig3Turns(sn_m3Load(mat), eigval, &turns);
    sn_quatStore(quat, q);
    sn_m3Store(eigvec, sn_quatToMat(q));
    return turns;
}
