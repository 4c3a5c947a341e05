// For each target: src/target/prelude.h.
// The inverse of M, and products with it, from M = L'DL. Rows of L are taken a block of a chain at a time, as
// in the factor itself: what is above the first of them is above all.
#include "derivative/smooth/inverse_inertia.h"
#include <sinew/dynamics_derivative.h>
#include <string.h>
#include "math/simd.h"
#include "smooth/inertia/factor.h"
#include "smooth/kinematics/chain.h"

// Rows of L of dofs first, ..., first + count - 1 of a chain, and the dofs of their columns from the root on:
// `above` that are above all, then themselves.
typedef struct Block {
    int first, count, above;
    const int* dof;
    const double* row[SN_CHAIN];
    double inverse[SN_CHAIN]; // 1/D
} Block;

SN_INLINE Block blockAt(const snModel* m, const snData* d, int first, int count)
{
    Block b = {.first = first, .count = count, .above = m->D_diag[first]};
    b.dof = m->D_colind + m->D_rowadr[first];
    for (int t = 0; t < count; t++) {
        b.row[t] = d->qLD + m->dof_LDadr[first + t];
        b.inverse[t] = d->qLDiagInv[first + t];
    }
    return b;
}

// One past the last dof below dof k.
static inline int endOf(const snModel* m, int k)
{
    return m->D_colind[m->D_rowadr[k] + m->D_rownnz[k] - 1] + 1;
}

// ---- X <- inv(M) X

typedef struct Strips {
    double* X;
    int stride, begin, end; // columns
} Strips;

// X <- inv(L') X: the block's rows off one another and off those above.
SN_INLINE void push(const Block* b, const int count, Strips s)
{
    for (int c = s.begin; c < s.end; c += SN_STRIP) {
        v4 x[SN_CHAIN], z[SN_CHAIN];
        double* own = s.X + (ptrdiff_t)b->first * s.stride + c;
        for (int t = 0; t < count; t++) {
            x[t] = v4_load(own + (ptrdiff_t)t * s.stride);
            z[t] = v4_load(own + (ptrdiff_t)t * s.stride + 4);
        }
        for (int t = count - 1; t > 0; t--)
            for (int u = 0; u < t; u++) {
                x[u] -= v4_all(b->row[t][b->above + u]) * x[t];
                z[u] -= v4_all(b->row[t][b->above + u]) * z[t];
            }
        for (int t = 0; t < count; t++) {
            v4_store(own + (ptrdiff_t)t * s.stride, x[t]);
            v4_store(own + (ptrdiff_t)t * s.stride + 4, z[t]);
        }
        for (int e = 0; e < b->above; e++) {
            double* to = s.X + (ptrdiff_t)b->dof[e] * s.stride + c;
            v4 p = v4_load(to), r = v4_load(to + 4);
            for (int t = 0; t < count; t++) {
                p -= v4_all(b->row[t][e]) * x[t];
                r -= v4_all(b->row[t][e]) * z[t];
            }
            v4_store(to, p);
            v4_store(to + 4, r);
        }
    }
}

// X <- inv(L) inv(D) X of the block's rows, from rows above that are done.
SN_INLINE void pull(const Block* b, const int count, Strips s)
{
    for (int c = s.begin; c < s.end; c += SN_STRIP) {
        v4 x[SN_CHAIN], z[SN_CHAIN];
        double* own = s.X + (ptrdiff_t)b->first * s.stride + c;
        for (int t = 0; t < count; t++) {
            x[t] = v4_all(b->inverse[t]) * v4_load(own + (ptrdiff_t)t * s.stride);
            z[t] = v4_all(b->inverse[t]) * v4_load(own + (ptrdiff_t)t * s.stride + 4);
        }
        for (int e = 0; e < b->above; e++) {
            const double* from = s.X + (ptrdiff_t)b->dof[e] * s.stride + c;
            const v4 p = v4_load(from), r = v4_load(from + 4);
            for (int t = 0; t < count; t++) {
                x[t] -= v4_all(b->row[t][e]) * p;
                z[t] -= v4_all(b->row[t][e]) * r;
            }
        }
        for (int t = 1; t < count; t++)
            for (int u = 0; u < t; u++) {
                x[t] -= v4_all(b->row[t][b->above + u]) * x[u];
                z[t] -= v4_all(b->row[t][b->above + u]) * z[u];
            }
        for (int t = 0; t < count; t++) {
            v4_store(own + (ptrdiff_t)t * s.stride, x[t]);
            v4_store(own + (ptrdiff_t)t * s.stride + 4, z[t]);
        }
    }
}

SN_INLINE Strips stripsOf(double* X, int stride, int begin, int end)
{
    return (Strips){X, stride, begin / SN_STRIP * SN_STRIP, (end + SN_STRIP - 1) / SN_STRIP * SN_STRIP};
}

SN_INLINE void pushBlock(const snModel* m, const snData* d, int first, int count, bool full, double* X)
{
    const Block b = blockAt(m, d, first, count);
    const int begin = full ? 0 : b.dof[0], end = full ? m->nv : endOf(m, first); // all other columns are zero
    const Strips s = stripsOf(X, sn_stripStride(m), begin, end);
    switch (count) {
    case 1: push(&b, 1, s); break;
    case 2: push(&b, 2, s); break;
    case 3: push(&b, 3, s); break;
    default: push(&b, 4, s);
    }
}

SN_INLINE void pullBlock(const snModel* m, const snData* d, int first, int count, bool full, double* X)
{
    const Block b = blockAt(m, d, first, count);
    const int begin = full ? 0 : b.dof[0], end = full ? m->nv : endOf(m, b.dof[0]);
    const Strips s = stripsOf(X, sn_stripStride(m), begin, end);
    switch (count) {
    case 1: pull(&b, 1, s); break;
    case 2: pull(&b, 2, s); break;
    case 3: pull(&b, 3, s); break;
    default: pull(&b, 4, s);
    }
}

// The row of a simple dof has nothing but its diagonal.
void sn_solveStrips(const snModel* m, const snData* d, bool full, double* X)
{
    for (int k = m->nv - 1, count; k >= 0; k -= count) {
        count = m->dof_simplenum[k] ? 1 : sn_chainLength(m, k, SN_CHAIN);
        if (!m->dof_simplenum[k]) pushBlock(m, d, k - count + 1, count, full, X);
    }
    for (int k = 0, count; k < m->nv; k += count) {
        const bool simple = m->dof_simplenum[k];
        count = simple ? 1 : sn_chainFrom(m, k, SN_CHAIN);
        if (!simple)
            pullBlock(m, d, k, count, full, X);
        else
            for (int j = 0, n = sn_stripStride(m); j < n; j++) X[(ptrdiff_t)k * n + j] *= d->qLDiagInv[k];
    }
}

// ---- inv(M): with Z the inverse, L Z = inv(D) inv(L'), whose entries left of the diagonal are zero and on
// it 1/D, so that row i up to its diagonal follows from rows above:
//     Z(i,j) = (i = j) / D(i) - sum over the dofs a above i of L(i,a) Z(a,j),   j <= i,
// of which Z(a,j) = Z(j,a) where a is below j.

// Z(first + t, c + l) for four columns c, ..., c + 3 before the block, and its mirror image.
SN_INLINE void fourColumns(const Block* b, const int count, int c, double* Z, ptrdiff_t nv)
{
    v4 z[SN_CHAIN] = {{0}};
    for (int e = 0; e < b->above; e++) {
        const v4 p = v4_loadAny(Z + b->dof[e] * nv + c);
        for (int t = 0; t < count; t++) z[t] -= v4_all(b->row[t][e]) * p;
    }
    for (int t = 1; t < count; t++)
        for (int u = 0; u < t; u++) z[t] -= v4_all(b->row[t][b->above + u]) * z[u];
    for (int t = 0; t < count; t++) v4_storeAny(Z + (b->first + t) * nv + c, z[t]);
    double* mirror = Z + c * nv + b->first;
    if (count == 4) {
        v4_transpose(z);
        for (int l = 0; l < 4; l++) v4_storeAny(mirror + l * nv, z[l]);
    } else {
        for (int t = 0; t < count; t++)
            for (int l = 0; l < 4; l++) mirror[l * nv + t] = z[t][l];
    }
}

SN_INLINE void oneColumn(const Block* b, const int count, int c, double* Z, ptrdiff_t nv)
{
    double z[SN_CHAIN] = {0};
    for (int t = 0; t < count; t++) {
        for (int e = 0; e < b->above; e++) z[t] -= b->row[t][e] * Z[b->dof[e] * nv + c];
        for (int u = 0; u < t; u++) z[t] -= b->row[t][b->above + u] * z[u];
        Z[(b->first + t) * nv + c] = Z[c * nv + b->first + t] = z[t];
    }
}

// The square on the diagonal. Columns of the rows above stand in lanes, from the mirror image.
SN_INLINE void square(const Block* b, const int count, double* Z, ptrdiff_t nv)
{
    double sum[SN_CHAIN][SN_CHAIN] = {{0}};
    for (int e = 0; e < b->above; e++) {
        const double* p = Z + b->dof[e] * nv + b->first;
        for (int t = 0; t < count; t++)
            for (int u = 0; u <= t; u++) sum[t][u] += b->row[t][e] * p[u];
    }
    double* own = Z + b->first * nv + b->first;
    for (int t = 0; t < count; t++)
        for (int u = 0; u <= t; u++) {
            double z = (t == u ? b->inverse[t] : 0) - sum[t][u];
            for (int a = 0; a < t; a++) z -= b->row[t][b->above + a] * own[a * nv + u];
            own[t * nv + u] = own[u * nv + t] = z;
        }
}

SN_INLINE void inverseRows(const Block* b, const int count, double* Z, ptrdiff_t nv)
{
    const int begin = b->dof[0], end = b->first;
    int c = begin;
    for (; c + 4 <= end; c += 4) fourColumns(b, count, c, Z, nv);
    if (c < end && end - 4 >= begin)
        fourColumns(b, count, end - 4, Z, nv);
    else
        for (; c < end; c++) oneColumn(b, count, c, Z, nv);
    square(b, count, Z, nv);
}

void sn_inverseInertia(const snModel* m, const snData* d, double* Minv)
{
    const ptrdiff_t nv = m->nv;
    memset(Minv, 0, (size_t)nv * (size_t)nv * sizeof(double));
    for (int k = 0, count = 1; k < nv; k += count) {
        count = 1;
        if (m->dof_simplenum[k]) {
            Minv[k * nv + k] = d->qLDiagInv[k];
            continue;
        }
        count = sn_chainFrom(m, k, SN_CHAIN);
        const Block b = blockAt(m, d, k, count);
        switch (count) {
        case 1: inverseRows(&b, 1, Minv, nv); break;
        case 2: inverseRows(&b, 2, Minv, nv); break;
        case 3: inverseRows(&b, 3, Minv, nv); break;
        default: inverseRows(&b, 4, Minv, nv);
        }
    }
}
