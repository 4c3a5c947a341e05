// The factor L'DL of H: its twin is solver/supernode.c. Of its own, for that makes a vector of four columns,
// and here a vector is one number of all lanes.
//
// Dofs are eliminated from the last to the first, as in M. Dofs that follow each other on a chain are taken
// together, up to ROWS, and get all that the dofs below them take away at once: a tile of H stays in
// registers.
#include "batch/lane/newton.h"

#define INLINE static inline __attribute__((always_inline))

enum { ROWS = SN_SUPER_ROWS, TILE = SN_SUPER_TILE };

// Minus the columns of L of dof k below that the dofs of a supernode have.
INLINE void weightsOf(const snLaneProblem* p, const snSuper* s, int rows, int k, real l[ROWS])
{
    const real* u = p->U + k * p->n + s->first;
    const real inv = p->D_inv[k];
#pragma GCC unroll 4
    for (int c = 0; c < rows; c++) l[c] = -inv * u[c];
}

// The block of the dofs of a supernode themselves: 1/D, and minus the rows of L in l. Returns the lanes where
// a pivot is not positive.
INLINE snMask eliminateOwn(const snLaneProblem* p, const snSuper* s, int rows, real l[][ROWS])
{
    const int n = p->n, own = s->first * (n + 1);
    real u[ROWS][ROWS], weight[ROWS];
    snMask good = sn_mask(true);
#pragma GCC unroll 4
    for (int c = 0; c < rows; c++)
#pragma GCC unroll 4
        for (int j = 0; j <= c; j++) u[c][j] = p->H[own + c * n + j];
    for (int k = 0; k < s->nbelow; k++) {
        const real* below = p->U + s->below[k] * n + s->first;
        weightsOf(p, s, rows, s->below[k], weight);
#pragma GCC unroll 4
        for (int c = 0; c < rows; c++)
#pragma GCC unroll 4
            for (int j = 0; j <= c; j++) u[c][j] += weight[c] * below[j];
    }
#pragma GCC unroll 4
    for (int c = rows - 1; c >= 0; c--) {
#pragma GCC unroll 4
        for (int e = rows - 1; e > c; e--)
#pragma GCC unroll 4
            for (int j = 0; j <= c; j++) u[c][j] += l[e][c] * u[e][j];
        const real inv = 1 / u[c][c];
        good &= u[c][c] > 0;
        p->D_inv[s->first + c] = inv;
#pragma GCC unroll 4
        for (int j = 0; j < c; j++) {
            p->U[own + c * n + j] = u[c][j];
            l[c][j] = -inv * u[c][j];
        }
    }
    return sn_not(good);
}

// Columns above a supernode, TILE of them.
INLINE void eliminateTile(const snLaneProblem* p, const snSuper* s, int rows, real l[][ROWS],
                          const int* columns)
{
    const int n = p->n;
    const real* H = p->H + s->first * n;
    real* U = p->U + s->first * n;
    real u[ROWS][TILE], weight[ROWS];
#pragma GCC unroll 4
    for (int c = 0; c < rows; c++)
#pragma GCC unroll 4
        for (int j = 0; j < TILE; j++) u[c][j] = H[c * n + columns[j]];
    for (int k = 0; k < s->nbelow; k++) {
        const real* below = p->U + s->below[k] * n;
        weightsOf(p, s, rows, s->below[k], weight);
#pragma GCC unroll 4
        for (int j = 0; j < TILE; j++) {
            const real b = below[columns[j]];
#pragma GCC unroll 4
            for (int c = 0; c < rows; c++) u[c][j] += weight[c] * b;
        }
    }
#pragma GCC unroll 4
    for (int c = rows - 1; c >= 0; c--) {
#pragma GCC unroll 4
        for (int j = 0; j < TILE; j++) {
#pragma GCC unroll 4
            for (int e = rows - 1; e > c; e--) u[c][j] += l[e][c] * u[e][j];
            U[c * n + columns[j]] = u[c][j];
        }
    }
}

// The last tile may have some columns twice.
INLINE snMask eliminateRows(const snLaneProblem* p, const snSuper* s, int rows)
{
    real l[ROWS][ROWS];
    const snMask bad = eliminateOwn(p, s, rows, l);
    for (int j = 0; j < s->nabove; j += TILE) eliminateTile(p, s, rows, l, s->above + j);
    return bad;
}

static snMask eliminate(const snLaneProblem* p, const snSuper* s)
{
    switch (s->count) {
    case 1: return eliminateRows(p, s, 1);
    case 2: return eliminateRows(p, s, 2);
    case 3: return eliminateRows(p, s, 3);
    default: return eliminateRows(p, s, 4);
    }
}

snMask sn_laneFactor(snLaneProblem* p)
{
    snMask bad = sn_mask(false);
    for (int k = p->pattern.count - 1; k >= 0; k--) {
        const snSuper* s = p->pattern.super + k;
        if (!(p->stale & s->own)) continue;
        p->stale |= p->filled[s->first];
        bad |= eliminate(p, s);
    }
    p->stale = 0;
    return bad;
}

// ---- solving with it

// x above -= L' x of a supernode, and x/D of its own, which come first.
INLINE void solveUp(const snLaneProblem* p, const snSuper* s, int rows, real* x)
{
    const int n = p->n;
    const real *U = p->U + s->first * n, *D_inv = p->D_inv + s->first;
    real* own = x + s->first;
    real z[ROWS];
#pragma GCC unroll 4
    for (int c = rows - 1; c >= 0; c--) {
        z[c] = own[c];
#pragma GCC unroll 4
        for (int e = rows - 1; e > c; e--) z[c] -= U[e * n + s->first + c] * z[e];
        own[c] = z[c] *= D_inv[c];
    }
    for (int j = 0; j < s->nabove; j++) {
        const int above = s->above[j];
        real sum = x[above];
#pragma GCC unroll 4
        for (int c = rows - 1; c >= 0; c--) sum -= U[c * n + above] * z[c];
        x[above] = sum;
    }
}

// x of a supernode -= L x above, by D L.
INLINE void solveDown(const snLaneProblem* p, const snSuper* s, int rows, real* x)
{
    const int n = p->n;
    const real *U = p->U + s->first * n, *D_inv = p->D_inv + s->first;
    real* own = x + s->first;
    real z[ROWS];
#pragma GCC unroll 4
    for (int c = 0; c < rows; c++) z[c] = sn_real(0);
    for (int j = 0; j < s->nabove; j++) {
        const int above = s->above[j];
        const real xj = x[above];
#pragma GCC unroll 4
        for (int c = 0; c < rows; c++) z[c] += U[c * n + above] * xj;
    }
#pragma GCC unroll 4
    for (int c = 0; c < rows; c++) {
#pragma GCC unroll 4
        for (int e = 0; e < c; e++) z[c] += U[c * n + s->first + e] * own[e];
        own[c] -= D_inv[c] * z[c];
    }
}

void sn_laneSolve(const snLaneProblem* p, real* x)
{
    for (int k = p->pattern.count - 1; k >= 0; k--) {
        const snSuper* s = p->pattern.super + k;
        switch (s->count) {
        case 1: solveUp(p, s, 1, x); break;
        case 2: solveUp(p, s, 2, x); break;
        case 3: solveUp(p, s, 3, x); break;
        default: solveUp(p, s, 4, x); break;
        }
    }
    for (int k = 0; k < p->pattern.count; k++) {
        const snSuper* s = p->pattern.super + k;
        switch (s->count) {
        case 1: solveDown(p, s, 1, x); break;
        case 2: solveDown(p, s, 2, x); break;
        case 3: solveDown(p, s, 3, x); break;
        default: solveDown(p, s, 4, x); break;
        }
    }
}
