#include <sinew/cholesky.h>
#include <math.h>
#include <sinew/types.h>
#include <sinew/vector.h>
#include "math/eig3.h"
#include "math/finite.h"

int sn_cholFactor(double* mat, int n, double mindiag)
{
    int rank = n;
    for (int j = 0; j < n; j++) {
        double* row = mat + (size_t)j * (size_t)n;
        double pivot = row[j] - sn_dot(row, row, j);
        if (pivot < mindiag) {
            pivot = mindiag;
            rank--;
        }
        row[j] = sqrt(pivot);
        const double inv = 1 / row[j];
        for (int i = j + 1; i < n; i++) {
            double* below = mat + (size_t)i * (size_t)n;
            below[j] = (below[j] - sn_dot(below, row, j)) * inv;
        }
    }
    return rank;
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
        sn_fill(eigval, NAN, 3);
        sn_fill(eigvec, NAN, 9);
        sn_fill(quat, NAN, 4);
        return 500;
    }
    int turns;
    const snQuat q = sn_eig3Turns(sn_m3Load(mat), eigval, &turns);
    sn_quatStore(quat, q);
    sn_m3Store(eigvec, sn_quatToMat(q));
    return turns;
}
