// Sparse L'DL (seed 000; Featherstone 2008, 6.5): eliminating from the leaves fills nothing in, as the dofs
// that dof k is coupled to are its ancestors, each coupled to the next.
#include "smooth/inertia/factor.h"
#include <math.h>
#include <sinew/support.h>
#include <sinew/smooth.h>
#include <string.h>
#include "math/clones.h"
#include "model/arena.h"
#include "smooth/kinematics/chain.h"

static inline int rowLength(const snModel* m, int k)
{
    return (k + 1 < m->nv ? m->dof_Madr[k + 1] : m->nM) - m->dof_Madr[k];
}

// What may stand on the diagonal of D, and the first dof where it did not.
typedef struct Pivots {
    bool negative; // may be below zero
    int bad;       // -1: none
} Pivots;

// D(k), moved away from zero where it is too near.
static inline double pivot(Pivots* pivots, double D, int k)
{
    const double distance = pivots->negative ? fabs(D) : D;
    if (distance < SN_MINVAL) {
        if (pivots->bad < 0) pivots->bad = k;
        return pivots->negative ? copysign(SN_MINVAL, D) : SN_MINVAL;
    }
    return D;
}

// Eliminates dof k from the rows of its `steps` nearest ancestors k-1, ..., whole rows of them:
// A(i,j) -= A(k,i) A(k,j) / A(k,k). The factors stay unscaled in the row; see eliminateCommon.
static inline __attribute__((always_inline)) double eliminateWithin(double* LD, const int* address, int k,
                                                                    int length, int steps, Pivots* pivots)
{
    double* row = LD + address[k];
    row[0] = pivot(pivots, row[0], k);
    const double inverse = 1 / row[0];
    for (int c = 1; c <= steps; c++) {
        double* to = LD + address[k - c];
        const double* from = row + c;
        const double l = from[0] * inverse;
        for (int e = 0; e < length - c; e++) to[e] -= l * from[e];
    }
    return inverse;
}

// Eliminates the rows of a block from all ancestors common to them: suffixes u[b] of equal length.
static inline __attribute__((always_inline)) void eliminateCommon(double* LD, const int* address,
                                                                  const int* parent, int i, int length,
                                                                  double* const* u, const double* inverse,
                                                                  const int count)
{
    for (int c = 0; c < length; c++, i = parent[i]) {
        double* restrict to = LD + address[i];
        double l[SN_CHAIN];
        for (int b = 0; b < count; b++) l[b] = u[b][c] * inverse[b];
        for (int e = c; e < length; e++) {
            double sum = l[0] * u[0][e];
            for (int b = 1; b < count; b++) sum += l[b] * u[b][e];
            to[e - c] -= sum;
        }
        for (int b = 0; b < count; b++) u[b][c] = l[b];
    }
}

// One block of `count` rows that ends at k.
static inline __attribute__((always_inline)) void
eliminateBlock(const snModel* m, double* LD, double* diagInv, int k, int count, Pivots* pivots)
{
    const int* address = m->dof_Madr;
    double* u[SN_CHAIN] = {0};
    double inverse[SN_CHAIN];
    const int length = rowLength(m, k), common = length - count;
    for (int b = 0; b < count; b++) {
        inverse[b] = diagInv[k - b] = eliminateWithin(LD, address, k - b, length - b, count - 1 - b, pivots);
        u[b] = LD + address[k - b] + count - b;
    }
    for (int b = 0; b < count; b++)
        for (int c = 1; c < count - b; c++) LD[address[k - b] + c] *= inverse[b];
    const int i = m->dof_parentid[k - count + 1];
    switch (count) {
    case 1: eliminateCommon(LD, address, m->dof_parentid, i, common, u, inverse, 1); break;
    case 2: eliminateCommon(LD, address, m->dof_parentid, i, common, u, inverse, 2); break;
    case 3: eliminateCommon(LD, address, m->dof_parentid, i, common, u, inverse, 3); break;
    default: eliminateCommon(LD, address, m->dof_parentid, i, common, u, inverse, 4);
    }
}

// Dof k is coupled to nothing: D = A(k,k), and the rest of its row is zero.
static inline void factorSimple(double* LD, const int* address, double* diagInv, int k, Pivots* pivots)
{
    diagInv[k] = eliminateWithin(LD, address, k, 1, 0, pivots);
}

SN_CLONES int sn_factorTree(const snModel* m, const double* A, bool indefinite, double* LD, double* diagInv)
{
    Pivots pivots = {indefinite, -1};
    if (LD != A) memcpy(LD, A, (size_t)m->nM * sizeof(double));
    for (int k = m->nv - 1; k >= 0;) {
        if (m->dof_simplenum[k]) {
            factorSimple(LD, m->dof_Madr, diagInv, k--, &pivots);
            continue;
        }
        const int count = sn_chainLength(m, k);
        eliminateBlock(m, LD, diagInv, k, count, &pivots);
        k -= count;
    }
    return pivots.bad;
}

void sn_factorM(const snModel* m, snData* d)
{
    const int bad = sn_factorTree(m, d->qM, false, d->qLD, d->qLDiagInv);
    if (bad >= 0) sn_warn(d, SN_WARN_INERTIA, bad);
}

// Common suffixes of the rows of a block.
static inline void suffixes(const snModel* m, const double* LD, int k, int count, const double** l)
{
    for (int b = 0; b < SN_CHAIN; b++)
        l[b] = LD + m->dof_Madr[b < count ? k - b : k] + (b < count ? count - b : 0);
}

// Dof i and its ancestors from a list, without waiting for one to name the next: the c-th is dof[-c].
typedef struct Ancestors {
    const int* dof;
    int count;
} Ancestors;

static inline Ancestors ancestors(const snModel* m, int i)
{
    if (i < 0) return (Ancestors){NULL, 0};
    return (Ancestors){m->D_colind + m->D_rowadr[i] + m->D_diag[i], m->D_diag[i] + 1};
}

static inline __attribute__((always_inline)) void pushCommon(Ancestors up, const double* const* l, double* x,
                                                             int k, const int count)
{
    double v[SN_CHAIN];
    for (int b = 0; b < count; b++) v[b] = x[k - b];
    for (int c = 0; c < up.count; c++) {
        double sum = l[0][c] * v[0];
        for (int b = 1; b < count; b++) sum += l[b][c] * v[b];
        x[up.dof[-c]] -= sum;
    }
}

// x <- inv(L') x
static void solveLT(const snModel* m, const double* LD, double* x)
{
    for (int k = m->nv - 1; k >= 0;) {
        if (m->dof_simplenum[k]) {
            k--;
            continue;
        }
        const int count = sn_chainLength(m, k);
        const double* l[SN_CHAIN];
        for (int b = 0; b < count; b++)
            for (int c = 1; c < count - b; c++) x[k - b - c] -= LD[m->dof_Madr[k - b] + c] * x[k - b];
        suffixes(m, LD, k, count, l);
        const Ancestors up = ancestors(m, m->dof_parentid[k - count + 1]);
        switch (count) {
        case 1: pushCommon(up, l, x, k, 1); break;
        case 2: pushCommon(up, l, x, k, 2); break;
        case 3: pushCommon(up, l, x, k, 3); break;
        default: pushCommon(up, l, x, k, 4);
        }
        k -= count;
    }
}

static inline __attribute__((always_inline)) void pullCommon(Ancestors up, const double* const* l, double* x,
                                                             int k, const int count)
{
    double v[SN_CHAIN] = {0}, w[SN_CHAIN] = {0}; // sums over even and over odd c: neither waits for the other
    int c = 0;
    for (; c + 1 < up.count; c += 2) {
        const double even = x[up.dof[-c]], odd = x[up.dof[-c - 1]];
        for (int b = 0; b < count; b++) v[b] += l[b][c] * even;
        for (int b = 0; b < count; b++) w[b] += l[b][c + 1] * odd;
    }
    if (c < up.count)
        for (int b = 0; b < count; b++) v[b] += l[b][c] * x[up.dof[-c]];
    for (int b = 0; b < count; b++) x[k - b] -= v[b] + w[b];
}

// x <- inv(L) x. Blocks are met from their first rows here, so they end where the chain does or is full.
static void solveL(const snModel* m, const double* LD, double* x)
{
    for (int first = 0; first < m->nv;) {
        if (m->dof_simplenum[first]) {
            first++;
            continue;
        }
        int count = 1;
        while (count < SN_CHAIN && first + count < m->nv &&
               m->dof_parentid[first + count] == first + count - 1)
            count++;
        const int k = first + count - 1;
        const Ancestors up = ancestors(m, m->dof_parentid[first]);
        const double* l[SN_CHAIN];
        suffixes(m, LD, k, count, l);
        switch (count) {
        case 1: pullCommon(up, l, x, k, 1); break;
        case 2: pullCommon(up, l, x, k, 2); break;
        case 3: pullCommon(up, l, x, k, 3); break;
        default: pullCommon(up, l, x, k, 4);
        }
        for (int b = count - 2; b >= 0; b--)
            for (int c = 1; c < count - b; c++) x[k - b] -= LD[m->dof_Madr[k - b] + c] * x[k - b - c];
        first += count;
    }
}

SN_CLONES __attribute__((flatten)) void sn_solveTree(const snModel* m, const double* LD,
                                                     const double* diagInv, double* x, int n)
{
    for (int r = 0; r < n; r++, x += m->nv) {
        solveLT(m, LD, x);
        for (int k = 0; k < m->nv; k++) x[k] *= diagInv[k];
        solveL(m, LD, x);
    }
}

void sn_solveM(const snModel* m, const snData* d, double* x, const double* y, int n)
{
    if (x != y) memcpy(x, y, (size_t)n * (size_t)m->nv * sizeof(double));
    sn_solveTree(m, d->qLD, d->qLDiagInv, x, n);
}

void sn_solveM2(const snModel* m, const snData* d, double* x, const double* y, int n)
{
    if (x != y) memcpy(x, y, (size_t)n * (size_t)m->nv * sizeof(double));
    for (int r = 0; r < n; r++, x += m->nv) {
        solveLT(m, d->qLD, x);
        for (int k = 0; k < m->nv; k++) x[k] *= sqrt(d->qLDiagInv[k]);
    }
}

void sn_mulM2(const snModel* m, const snData* d, double* result, const double* vec)
{
    for (int k = 0; k < m->nv; k++) {
        const double* row = d->qLD + m->dof_Madr[k];
        double sum = vec[k];
        for (int j = m->dof_parentid[k], c = 1; j >= 0; j = m->dof_parentid[j], c++) sum += row[c] * vec[j];
        result[k] = sum / sqrt(d->qLDiagInv[k]);
    }
}
