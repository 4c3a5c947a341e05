// Dense linear algebra on flat arrays: products, and the L'DL factorisation of a symmetric matrix in 4x4
// blocks.
//
// A blocked symmetric matrix of n = 4 nb rows is stored row-major with stride n. Of block row I only the
// diagonal block (whole, symmetric) and the blocks listed in its pattern (columns left of it) count; nothing
// else is read. The factorisation H = L'DL, L unit lower triangular, eliminates from the last row to the
// first (seed 000), so that a matrix ordered parents first fills in nothing that the tree does not have.
#ifndef SINEW_MATH_DENSE_H
#define SINEW_MATH_DENSE_H

#include <stdbool.h>
#include "math/sorted.h"

/// A number of rows filled up to whole blocks of four.
static inline int sn_padded(int n)
{
    return (n + 3) & ~3;
}

/// Which blocks of a blocked matrix count: of block row I the columns col[adr[I]] .. col[adr[I+1] - 1],
/// ascending, all < I. adr [nb + 1].
typedef struct snBlockPattern {
    int nb;
    int* adr;
    int* col;
    int pads; ///< 2: the last two rows are those of the identity. 0: nothing is known of them
} snBlockPattern;

/// Whether it is one, for asserts.
static inline bool sn_isPattern(const snBlockPattern* p)
{
    bool good = p->nb >= 0 && p->adr[0] == 0;
    for (int i = 0; i < p->nb && good; i++)
        good = p->adr[i] <= p->adr[i + 1] && sn_isAscending(p->col + p->adr[i], p->adr[i + 1] - p->adr[i], i);
    return good;
}

/// Adds the fill of the factorisation to a map [nb x nb] of the non-zero blocks left of the diagonal.
void sn_blockFill(unsigned char* map, int nb);
/// The pattern of a map; adr [nb + 1] and col [nb (nb - 1) / 2] are the caller's.
void sn_blockCompress(const unsigned char* map, snBlockPattern* pattern);

/// Zeros in the diagonal blocks and all left of them of A [4 nb x 4 nb].
void sn_blockZero(double* A, int nb);
/// y = A x, A blocked symmetric.
void sn_blockMulVec(const snBlockPattern* p, const double* A, const double* x, double* y);
/// B = A in the diagonal and the pattern's blocks.
void sn_blockCopy(const snBlockPattern* p, const double* A, double* B);
/// In place: strictly lower entries become L; diaginv [n] gets 1/D. The pattern must hold its fill. work [4
/// n]. Where a pivot is not above SN_MINVAL 1/D is 0: nothing moves along it. Returns how many were.
int sn_blockFactor(const snBlockPattern* p, double* H, double* diaginv, double* work);
/// x <- inv(L'DL) x.
void sn_blockSolve(const snBlockPattern* p, const double* L, const double* diaginv, double* x);
/// L'DL <- L'DL + s v v' for the factor in place, v [n] (destroyed). v may be non-zero only where the pattern
/// admits v v'. false when a pivot would not stay positive: the factor is then spoilt. Method: Gill, Golub,
/// Murray and Saunders 1974, C1, run from the last row.
bool sn_blockUpdate(const snBlockPattern* p, double* L, double* diaginv, double* v, double s);

/// Four rows J of a matrix of n columns, of which only `count` blocks of four columns are not zero:
/// value[16 b + 4 row + column] in block column col[b], ascending.
typedef struct snQuad {
    int count;
    const int* col;
    double* value;
} snQuad;

/// y [4] = J x.
void sn_quadMulVec(const snQuad* quads, int count, const double* x, double* y);
/// y [n] += J' x over all quads; x [4 count].
void sn_quadMulTVec(const snQuad* quads, int count, const double* x, double* y);
/// H [n x n] += J' diag(w) J over all quads; w [4 count]. Quads whose weights are all zero are skipped. Of J
/// no more than `rows` columns are not zero; H beyond is left.
void sn_quadGram(const snQuad* quads, int count, const double* w, double* H, int n, int rows);

#endif
