// For each target: src/target/prelude.h.
// Tensions of edges as second derivatives have them. Over the corners of an element they make a matrix L with
// -t_e between the ends of each edge and rows that sum to 0. In an orthonormal basis of what is left beside
// all corners moving alike it has as many numbers as there are edges, six or three, so that each is the
// other's, and its positive semidefinite part is that of some other tensions. Jacobi's method finds it, four
// elements at a time (Golub and Van Loan, 8.5).
#include "smooth/flex/four.h"
#include "smooth/flex/hessian.h"
#include <string.h>

static const double root = 0.8660254037844386; // sqrt(3)/2

// L: xx, yy, zz, xy, xz, yz; of a triangle nothing in z.
SN_INLINE void laplacian(const v4 t[6], int dim, v4 L[6])
{
    if (dim == 2) {
        const v4 sum = t[0] + t[1], none = v4_all(0);
        L[0] = 2 * t[2] + 0.5 * sum;
        L[1] = 1.5 * sum;
        L[3] = v4_all(root) * (t[1] - t[0]);
        L[2] = L[4] = L[5] = none;
        return;
    }
    const v4 a = t[0] + t[3], b = t[1] + t[4], c = t[2] + t[5];
    L[0] = b + c;
    L[1] = a + b;
    L[2] = a + c;
    L[3] = t[4] - t[1];
    L[4] = t[2] - t[5];
    L[5] = t[0] - t[3];
}

SN_INLINE void tensionsOf(const v4 L[6], int dim, v4 t[6])
{
    if (dim == 2) {
        const v4 sum = L[1] / 1.5, difference = L[3] / v4_all(root);
        t[0] = 0.5 * (sum - difference);
        t[1] = 0.5 * (sum + difference);
        t[2] = 0.5 * L[0] - 0.25 * sum;
        return;
    }
    const v4 a = 0.5 * (L[1] + L[2] - L[0]), b = 0.5 * (L[0] + L[1] - L[2]), c = 0.5 * (L[0] + L[2] - L[1]);
    t[0] = 0.5 * (a + L[5]);
    t[3] = 0.5 * (a - L[5]);
    t[4] = 0.5 * (b + L[3]);
    t[1] = 0.5 * (b - L[3]);
    t[2] = 0.5 * (c + L[4]);
    t[5] = 0.5 * (c - L[4]);
}

// By the leading minors, of a triangle the first two.
SN_INLINE v4i arePositive(const v4 L[6], int dim)
{
    const v4 minor = L[0] * L[1] - L[3] * L[3];
    const v4 x = L[3] * L[5] - L[1] * L[4], y = L[3] * L[4] - L[0] * L[5];
    const v4i plane = v4_less(v4_all(0), L[0]) & v4_less(v4_all(0), minor);
    return dim == 2 ? plane : plane & v4_less(v4_all(0), L[4] * x + L[5] * y + L[2] * minor);
}

// Turns axes p and q until A[p][q] is 0; V: axes by columns.
SN_INLINE void turn(v4 A[3][3], v4 V[3][3], int p, int q)
{
    const int r = 3 - p - q;
    const v4 d = A[q][q] - A[p][p], x = 2 * A[p][q], one = v4_all(1);
    const v4 down = v4_max(v4_abs(d) + v4_sqrt(d * d + x * x), v4_all(1e-300));
    const v4 t = x * v4_select(v4_less(d, v4_all(0)), -one, one) / down, c = one / v4_sqrt(one + t * t),
             s = t * c;
    A[p][p] -= t * A[p][q];
    A[q][q] += t * A[p][q];
    A[p][q] = A[q][p] = v4_all(0);
    const v4 rp = A[r][p], rq = A[r][q];
    A[r][p] = A[p][r] = c * rp - s * rq;
    A[r][q] = A[q][r] = s * rp + c * rq;
    for (int i = 0; i < 3; i++) {
        const v4 vp = V[i][p], vq = V[i][q];
        V[i][p] = c * vp - s * vq;
        V[i][q] = s * vp + c * vq;
    }
}

// Whether what is left beside the diagonal is nothing to it.
SN_INLINE bool areDiagonal(v4 A[3][3])
{
    const v4 beside = A[0][1] * A[0][1] + A[0][2] * A[0][2] + A[1][2] * A[1][2];
    const v4 on = A[0][0] * A[0][0] + A[1][1] * A[1][1] + A[2][2] * A[2][2];
    return !v4i_bits(v4_less(1e-28 * on, beside));
}

SN_INLINE void positivePart(v4 L[6], int dim)
{
    v4 A[3][3] = {{L[0], L[3], L[4]}, {L[3], L[1], L[5]}, {L[4], L[5], L[2]}}, V[3][3];
    for (int i = 0; i < 9; i++) V[i / 3][i % 3] = v4_all(i % 4 == 0);
    for (int sweep = 0; sweep < 8 && !areDiagonal(A); sweep++) {
        turn(A, V, 0, 1);
        if (dim == 2) break; // which was all of it
        turn(A, V, 0, 2);
        turn(A, V, 1, 2);
    }
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++) {
        v4 sum = v4_all(0);
        for (int i = 0; i < 3; i++) sum += v4_max(A[i][i], v4_all(0)) * V[row[k]][i] * V[column[k]][i];
        L[k] = sum;
    }
}

SN_INLINE void makePositive(v4 t[6], int dim)
{
    v4 L[6], made[6];
    laplacian(t, dim, L);
    const v4i good = arePositive(L, dim);
    if (v4i_bits(good) == 15) return;
    positivePart(L, dim);
    tensionsOf(L, dim, made);
    for (int k = 0; k < sn_flexElementEdges(dim); k++) t[k] = v4_select(good, t[k], made[k]);
}

// Tensions of elements e, e + 1, ...
SN_INLINE void addFour(const snModel* m, int flex, int e, int dim, bool positive, const double* length,
                       const double* length0, double* tension)
{
    const int edges = sn_flexElementEdges(dim);
    snFlexFour four;
    v4 t[6], c[6];
    sn_loadFour(m, flex, dim, e, &four);
#pragma GCC unroll 6
    for (int i = 0; i < edges; i++) {
        const int at[4] = {four.edge[0][i], four.edge[1][i], four.edge[2][i], four.edge[3][i]};
        const v4 l = v4_of(length[at[0]], length[at[1]], length[at[2]], length[at[3]]);
        const v4 l0 = v4_of(length0[at[0]], length0[at[1]], length0[at[2]], length0[at[3]]);
        c[i] = l * l - l0 * l0;
        t[i] = v4_all(0);
    }
#pragma GCC unroll 6
    for (int i = 0; i < edges; i++)
#pragma GCC unroll 6
        for (int j = 0; j < edges; j++) t[i] += four.K[i][j] * c[j];
    if (positive) makePositive(t, dim);
    for (int lane = 0; lane < four.count; lane++)
        for (int i = 0; i < edges; i++) tension[four.edge[lane][i]] += t[i][lane];
}

void sn_flexTensions(const snModel* m, const snData* d, int flex, bool positive, double* tension)
{
    const int first = m->flex_edgeadr[flex], num = sn_flexStretches(m, flex) ? m->flex_elemnum[flex] : 0;
    const double *length = d->flexedge_length + first, *length0 = m->flexedge_length0 + first;
    memset(tension, 0, (size_t)m->flex_edgenum[flex] * sizeof *tension);
    if (m->flex_dim[flex] == 2)
        for (int e = 0; e < num; e += 4) addFour(m, flex, e, 2, positive, length, length0, tension);
    else
        for (int e = 0; e < num; e += 4) addFour(m, flex, e, 3, positive, length, length0, tension);
}
