// A boxed LCP in the form that sweeps work on: rows in quads of four, T = M^-1 J' and dV = T lambda.
//
// Rows stand in blocks, and a block takes one or two whole quads. Coordinates of the columns are numbered so
// that four neighbours make a block column of snQuad. Where coordinates are scaled so that M = 1, T is J'.
// Source: seed 003, 1 and 2.
#ifndef SINEW_LCP_SOLVE_SYSTEM_H
#define SINEW_LCP_SOLVE_SYSTEM_H

#include <sinew/lcp.h>
#include "math/dense.h"

/// What the rows of a block are.
typedef enum snBlockKind {
    SN_BLOCK_ROWS,  ///< rows that move one by one, each in its own box
    SN_BLOCK_JOINT, ///< rows with boxes that block methods solve together
    SN_BLOCK_BOX,   ///< a contact: the normal, then friction, each row bounded by mu times the normal
    SN_BLOCK_CONE   ///< a contact: the normal, then friction, together in the cone's section
} snBlockKind;

enum { SN_BLOCK_MOST = 8 }; ///< rows of a block

typedef struct snLcpBlock {
    int kind;          ///< snBlockKind
    int rows;          ///< [1, SN_BLOCK_MOST]
    int quad;          ///< its first quad; row r of the block is row 4 quad + r of the arrays
    int D;             ///< where its diagonal block of A starts: [size x size], size = rows padded to four
    bool bounded;      ///< joints: some row has a bound
    double coupling;   ///< cones: B = coupling diag(A) is above A in the friction rows (scalar methods)
    double multiplier; ///< cones: of the section when last found, where the next search starts
} snLcpBlock;

typedef struct snLcpSystem {
    int ncoord;          ///< coordinates, a multiple of four
    int nquad, nblock;   ///< arrays of rows have 4 nquad entries
    const snQuad *J, *T; ///< [nquad]; T: the columns T_i as four rows each; may be J
    snLcpBlock* block;   ///< [nblock]
    double* b;
    double *lo, *hi; ///< boxes; normals: 0, infinity; not read for friction
    double* mu;      ///< of friction
    double* D;       ///< diagonal blocks of A; of padding 1 on the diagonal
    double* inverse; ///< of the diagonal blocks, as D; where they are singular, of a largest regular part
    double* step;    ///< [4 nquad] 1 / A_ii; 0: nothing moves the row, or it is padding
    double* x;       ///< lambda; padding 0
    double* dV;      ///< [ncoord] T lambda
} snLcpSystem;

/// Whether blocks and quads fit together, for asserts.
static inline bool sn_isSystem(const snLcpSystem* s)
{
    int quad = 0;
    bool good = s->ncoord % 4 == 0;
    for (int k = 0; k < s->nblock && good; k++) {
        const snLcpBlock* b = s->block + k;
        good = b->rows > 0 && b->rows <= SN_BLOCK_MOST && b->quad >= quad;
        quad = b->quad + (b->rows + 3) / 4;
    }
    return good && quad <= s->nquad;
}

/// D, inverse, step and coupling from J and T. Rows that nothing moves, A_ii <= SN_MINVAL or 1e-12 of
/// the largest of their block, keep their x; D is 0 there.
void sn_lcpDiagonal(snLcpSystem* s);

/// Numbers that the arrays of a system take, for `rows` rows, padding included, and diagonal blocks of
/// `square` numbers in all; ncoord is there.
static inline int sn_systemNumbers(const snLcpSystem* s, int rows, int square)
{
    return 6 * rows + 2 * square + s->ncoord;
}

/// Lays b, lo, hi, mu, x and step, all 0, D, inverse and dV into them.
void sn_systemArrays(snLcpSystem* s, int rows, int square, double* all);

/// dV = T x.
void sn_lcpSpread(snLcpSystem* s);

/// How a sweep goes.
typedef struct snSweep {
    int method; ///< snLcpMethod but direct
    double omega;
    bool backward;
    double* change; ///< [4 nquad] work of Jacobi's methods
} snSweep;

/// One sweep over all blocks. Returns the natural residual that it met: the largest over rows of |x - P(x - w
/// / A_ii)| A_ii at the x and w that it had as it came to them; Jacobi: of its start.
double sn_lcpSweep(snLcpSystem* s, const snSweep* sweep);

/// A quarter of a step of Jacobi's method for the contacts that carry nothing and have to, so that a new load
/// goes to all contacts of a pair alike: where normal forces are not determined Gauss-Seidel would give all
/// of it to the first, and friction then hold at one point alone. change [4 nquad] is work.
void sn_lcpShare(snLcpSystem* s, double tolerance, double* change);

/// The natural residual at x and dV.
double sn_systemResidual(const snLcpSystem* s);

/// w [4 nquad] = J dV + b.
void sn_systemVelocity(const snLcpSystem* s, double* w);

#endif
