// What theory says of a problem (seed 003, 2): whether A is symmetric, positive definite, and B - C of the
// splitting A = B + C, too. With bounds that are fixed a splitting then converges.
#include <math.h>
#include "base/error.h"
#include "lcp/given/given.h"
#include "lcp/solve/iterate.h"

// Differences, relative to the diagonal, that the products of J and T may have by rounding.
static const double ROUNDING = 1e-10;

static snStatus noMemory(const snGiven* p, snError* error)
{
    return sn_fail(error, SN_STATUS_NO_MEMORY, "LCP: out of memory for the conditions of %d rows", p->n);
}

// ---- of few rows, by their factors

static int isSymmetric(const snGiven* p, const double* A)
{
    const size_t n = (size_t)p->n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            const double scale = sqrt(p->diagonal[i]) * sqrt(p->diagonal[j]);
            if (!(fabs(A[i * n + j] - A[j * n + i]) <= ROUNDING * scale)) return 0;
        }
    return 1;
}

// Whether S [n x n], of which the lower triangle is read and destroyed, is positive definite beyond rounding;
// its diagonal is near 1. Cholesky's factor, row by row.
static int isDefinite(double* S, int n)
{
    for (int i = 0; i < n; i++) {
        double* row = S + (size_t)i * (size_t)n;
        for (int j = 0; j <= i; j++) {
            const double* other = S + (size_t)j * (size_t)n;
            double sum = row[j];
            for (int k = 0; k < j; k++) sum -= row[k] * other[k];
            if (j < i)
                row[j] = sum / other[j];
            else if (sum > 1e-14 * n)
                row[j] = sqrt(sum);
            else
                return 0;
        }
    }
    return 1;
}

typedef struct Splitting {
    const snGiven* p;
    const int* block_of; ///< [nquad]
    int method;
    double omega;
} Splitting;

// What part of A_ij, i and j being rows of the system, is B_ij.
static double shareOf(const Splitting* f, int i, int j)
{
    const snLcpBlock* b = f->p->s.block + f->block_of[i / 4];
    const bool same = f->block_of[i / 4] == f->block_of[j / 4], jacobi = sn_isJacobi(f->method);
    if (same && sn_isByBlock(f->method) && b->kind != SN_BLOCK_ROWS) return 1 / f->omega;
    const bool sliding = b->kind == SN_BLOCK_CONE && i > 4 * b->quad;
    if (i == j) return (sliding ? b->coupling : 1) / f->omega;
    if (same && sliding && j > 4 * b->quad) return 0;
    return !jacobi && j < i;
}

// The symmetric part of A, or of B - C = 2 B - A, scaled by the diagonal; its lower triangle.
static void symmetricPart(const snGiven* p, const Splitting* split, const double* A, double* S)
{
    const size_t n = (size_t)p->n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            const int r = p->place[i], c = p->place[j];
            const double lower = split ? 2 * shareOf(split, r, c) - 1 : 1;
            const double upper = split ? 2 * shareOf(split, c, r) - 1 : 1;
            const double scale = sqrt(p->diagonal[i]) * sqrt(p->diagonal[j]);
            S[i * n + j] = (lower * A[i * n + j] + upper * A[j * n + i]) / (2 * scale);
        }
}

static snStatus examine(snGiven* p, snLcpResult* result, snError* error)
{
    const size_t n = (size_t)p->n;
    double *A = sn_givenRoom(p, 2 * n * n, sizeof *A), *S = A + n * n;
    int* block_of = sn_givenRoom(p, (size_t)p->s.nquad, sizeof *block_of);
    if (!A || !block_of) return noMemory(p, error);
    for (int k = 0; k < p->s.nblock; k++)
        for (int q = 0; 4 * q < p->s.block[k].rows; q++) block_of[p->s.block[k].quad + q] = k;
    const snStatus status = sn_givenDense(p, A, error);
    if (status) return status;
    result->symmetric = isSymmetric(p, A);
    symmetricPart(p, NULL, A, S);
    result->definite = isDefinite(S, p->n);
    if (result->method == SN_LCP_DIRECT) return SN_STATUS_OK;
    const Splitting split = {p, block_of, result->method, result->omega};
    symmetricPart(p, &split, A, S);
    result->split = isDefinite(S, p->n);
    return SN_STATUS_OK;
}

// ---- of many rows, by products

static void multiply(const snGiven* p, const double* x, double* column, double* Ax)
{
    for (int c = 0; c < p->s.ncoord; c++) column[c] = 0;
    for (int i = 0; i < p->n; i++)
        for (int k = p->T.adr[i]; k < p->T.adr[i + 1]; k++) column[p->T.col[k]] += p->T.value[k] * x[i];
    for (int i = 0; i < p->n; i++) {
        Ax[i] = 0;
        for (int k = p->J.adr[i]; k < p->J.adr[i + 1]; k++) Ax[i] += p->J.value[k] * column[p->J.col[k]];
    }
}

// u'Av = v'Au for two vectors without order.
static snStatus probe(snGiven* p, snLcpResult* result, snError* error)
{
    const size_t n = (size_t)p->n;
    double *u = sn_givenRoom(p, 4 * n + (size_t)p->s.ncoord, sizeof *u), *v = u + n, *Au = v + n;
    double *Av = Au + n, left = 0, right = 0, size = 0;
    if (!u) return noMemory(p, error);
    for (int i = 0; i < p->n; i++) {
        const double scale = 1 / sqrt(p->diagonal[i]);
        u[i] = scale * (fmod(0.618033988749895 * (i + 1), 1) - 0.5);
        v[i] = scale * (fmod(0.414213562373095 * (i + 1), 1) - 0.5);
    }
    multiply(p, u, Av + n, Au);
    multiply(p, v, Av + n, Av);
    for (int i = 0; i < p->n; i++) {
        left += u[i] * Av[i];
        right += v[i] * Au[i];
        size += fabs(u[i] * Av[i]) + fabs(v[i] * Au[i]);
    }
    result->symmetric = fabs(left - right) <= ROUNDING * size;
    return SN_STATUS_OK;
}

static snStatus estimate(snGiven* p, snLcpResult* result, snError* error)
{
    const snStatus status = probe(p, result, error);
    if (status || !result->symmetric || result->method == SN_LCP_DIRECT) return status;
    result->split = sn_isJacobi(result->method) ? result->radius * result->omega < 2 : result->omega < 2;
    return SN_STATUS_OK;
}

snStatus sn_givenConditions(snGiven* p, snLcpResult* result, snError* error)
{
    result->symmetric = result->definite = result->split = -1;
    return p->n <= SN_LCP_EXAMINED ? examine(p, result, error) : estimate(p, result, error);
}
