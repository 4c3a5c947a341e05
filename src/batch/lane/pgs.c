// Projected Gauss-Seidel on the dual (seed 001, "PGS"; solver/dual.h): its twin is solver/pgs.c. Of its own,
// for the rows of each lane are other ones (below). Each row in turn, in the order of the efc arrays, goes to
// where the cost is least within its bounds, all others fixed:
//     minimise 1/2 f' (A + R) f + f' b,   A = Y'Y,   Y = D^-1/2 inv(L') J',   b = J qacc_smooth - aref.
//
// Lanes touch different things, so that the rows which any of them has are several times those of one. Each
// lane therefore has a list of its own rows, and A is that of the lists: row i is the i-th of each lane.
// Where a list is at its end rows are zero and stay so.
#include "batch/lane/pgs.h"
#include <sinew/constraint.h>
#include <sinew/support.h>
#include "batch/lane/lane.h"
#include "constraint/row.h"
#include "model/arena.h"
#include "smooth/inertia/factor.h"
#include "solver/scale.h"

enum { ROWS = 4, PAIR = 2, DOFS = 64 }; // rows that are moved, and multiplied, in registers; most dofs

typedef struct Dual {
    int n;                                  // rows of the longest list, padded to a multiple of ROWS
    unsigned lanes;                         // that have lists
    int* rows;                              // [n x SN_LANES] row of each lane in the efc arrays; -1
    real* Y;                                // [n x nv]
    real* A;                                // [n x n] A + R
    real *b, *R, *f, *lo, *hi, *step, *res; // [n]
} Dual;

static snLane* lanesOf(real* x)
{
    return (snLane*)x;
}

// ---- lists

// The rows of the longest list. Lanes with too many are ejected and have none.
static int longest(snData* d, unsigned* lanes)
{
    int count[SN_LANES] = {0}, most = 0;
    for (int r = 0; r < d->nefc; r++)
        for (unsigned bits = sn_bits(d->efc_live[r]); bits; bits &= bits - 1) count[__builtin_ctz(bits)]++;
    *lanes = 0;
    for (int l = 0; l < SN_LANES; l++) {
        if (count[l] > SN_LANE_PGS_ROWS) continue;
        *lanes |= 1u << l;
        most = count[l] > most ? count[l] : most;
    }
    sn_eject(d, sn_not(sn_maskOfBits(*lanes)));
    return (most + ROWS - 1) / ROWS * ROWS;
}

static bool allocate(const snModel* m, snData* d, Dual* q)
{
    q->n = longest(d, &q->lanes);
    q->rows = sn_scratchInt(d, q->n * SN_LANES);
    q->Y = sn_arenaAlloc(d, (size_t)q->n * (size_t)m->nv * sizeof(real));
    q->A = sn_arenaAlloc(d, (size_t)q->n * (size_t)q->n * sizeof(real));
    real** arrays[] = {&q->b, &q->R, &q->f, &q->lo, &q->hi, &q->step, &q->res};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        if (!(*arrays[i] = sn_arenaAlloc(d, (size_t)q->n * sizeof(real)))) return false;
        memset(*arrays[i], 0, (size_t)q->n * sizeof(real));
    }
    if (!q->rows || !q->Y || !q->A) return false;
    memset(q->Y, 0, (size_t)q->n * (size_t)m->nv * sizeof(real));
    for (int i = 0; i < q->n * SN_LANES; i++) q->rows[i] = -1;
    return true;
}

// The dofs of a row and their ancestors, ascending, into dofs [DOFS]; returns how many.
static int closure(const snModel* m, const snData* d, int row, int* dofs)
{
    uint64_t set = 0;
    const int* own = d->efc_J_colind + d->efc_J_coladr[row];
    for (int k = 0; k < d->efc_J_rownnz[row]; k++)
        for (int i = own[k]; i >= 0 && !(set >> i & 1); i = m->dof_parentid[i]) set |= (uint64_t)1 << i;
    int count = 0;
    for (; set; set &= set - 1) dofs[count++] = __builtin_ctzll(set);
    return count;
}

// x of dof a of the list, less what the dofs below take away: those that come after it and before the first
// that is not below it. Rows on one way to the root begin with the same columns.
SN_LANE_INLINE void solveDof(const snModel* m, const snData* d, const int* dofs, int ndof, int a, int rows,
                             real* x)
{
    const int i = dofs[a], end = i + m->D_rownnz[i] - m->D_diag[i];
    const real* L = d->qLD + m->D_diag[i];
    real sum[ROWS];
#pragma GCC unroll 4
    for (int r = 0; r < rows; r++) sum[r] = x[i * rows + r];
    int b = ndof - 1;
    while (dofs[b] >= end) b--;
    for (; b > a; b--) {
        const int k = dofs[b];
        if (m->dof_simplenum[k]) continue;
        const real l = L[m->dof_LDadr[k]];
#pragma GCC unroll 4
        for (int r = 0; r < rows; r++) sum[r] -= l * x[k * rows + r];
    }
#pragma GCC unroll 4
    for (int r = 0; r < rows; r++) x[i * rows + r] = sum[r];
}

// x [nv x rows] = Y of consecutive rows in their dofs and these dofs' ancestors: the half solve, from the
// last to the first, of several rows at once, for one waits for each of its numbers. root [nv]: D^-1/2.
SN_LANE_INLINE void halfSolve(const snModel* m, const snData* d, int row, const int* dofs, int ndof, int rows,
                              const real* root, real* x)
{
    const int* own = d->efc_J_colind + d->efc_J_coladr[row];
    for (int k = 0; k < ndof; k++)
        for (int r = 0; r < rows; r++) x[dofs[k] * rows + r] = sn_real(0);
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < d->efc_J_rownnz[row]; k++)
            x[own[k] * rows + r] = d->efc_J[d->efc_J_rowadr[row + r] + k];
    for (int a = ndof - 1; a >= 0; a--) solveDof(m, d, dofs, ndof, a, rows, x);
    for (int k = 0; k < ndof; k++)
        for (int r = 0; r < rows; r++) x[dofs[k] * rows + r] *= root[dofs[k]];
}

static bool sharesDofs(const snData* d, int row)
{
    return row > 0 && d->efc_J_coladr[row] == d->efc_J_coladr[row - 1] &&
           d->efc_J_rownnz[row] == d->efc_J_rownnz[row - 1];
}

// b = J qacc_smooth - aref of a row, and the force that goes with qacc_warmstart: -D (J qacc - aref).
static void products(const snData* d, int row, real* b, real* warm)
{
    const real* J = d->efc_J + d->efc_J_rowadr[row];
    const int* dof = d->efc_J_colind + d->efc_J_coladr[row];
    real smooth = {0}, started = {0};
    for (int k = 0; k < d->efc_J_rownnz[row]; k++) {
        smooth += J[k] * d->qacc_smooth[dof[k]];
        started += J[k] * d->qacc_warmstart[dof[k]];
    }
    *b = smooth - d->efc_aref[row];
    *warm = -d->efc_D[row] * (started - d->efc_aref[row]);
}

// Row `row` as row i of the lists of these lanes.
static void append(const snModel* m, const snData* d, int row, unsigned lanes, int i, const int* dofs,
                   int ndof, const real* x, int stride, const real value[2], Dual* q)
{
    const int type = d->efc_type[row];
    const snMask here = sn_maskOfBits(lanes);
    const real loss = d->efc_frictionloss[row];
    const bool friction = sn_isFriction(type), equality = type == SN_CNSTR_EQUALITY;
    const real lo = friction ? -loss : sn_real(equality ? -HUGE_VAL : 0);
    real* Y = q->Y + (size_t)i * (size_t)m->nv;
    for (int k = 0; k < ndof; k++) Y[dofs[k]] = sn_select(here, x[dofs[k] * stride], Y[dofs[k]]);
    for (; lanes; lanes &= lanes - 1) q->rows[i * SN_LANES + __builtin_ctz(lanes)] = row;
    q->b[i] = sn_select(here, value[0], q->b[i]);
    q->f[i] = sn_select(here, value[1], q->f[i]);
    q->R[i] = sn_select(here, d->efc_R[row], q->R[i]);
    q->lo[i] = sn_select(here, lo, q->lo[i]);
    q->hi[i] = sn_select(here, friction ? loss : sn_real(HUGE_VAL), q->hi[i]);
    q->step[i] = sn_select(here, 1, q->step[i]); // it moves; see fillMatrix
}

// Those of the lanes whose lists are as long as that of the first of them.
static unsigned alike(unsigned lanes, const int* count)
{
    unsigned same = 0;
    for (unsigned bits = lanes; bits; bits &= bits - 1) {
        const int l = __builtin_ctz(bits);
        if (count[l] == count[__builtin_ctz(lanes)]) same |= 1u << l;
    }
    return same;
}

// Row `row` in the lists of the lanes that have it.
static void appendAll(const snModel* m, const snData* d, int row, const int* dofs, int ndof, const real* x,
                      int stride, int* count, Dual* q)
{
    real value[2];
    products(d, row, value, value + 1);
    for (unsigned left = sn_bits(d->efc_live[row]) & q->lanes; left;) {
        const unsigned lanes = alike(left, count);
        append(m, d, row, lanes, count[__builtin_ctz(lanes)], dofs, ndof, x, stride, value, q);
        for (unsigned bits = lanes; bits; bits &= bits - 1) count[__builtin_ctz(bits)]++;
        left &= ~lanes;
    }
}

static bool areFour(const snData* d, int row)
{
    return row + ROWS <= d->nefc && sharesDofs(d, row + 1) && sharesDofs(d, row + 2) &&
           sharesDofs(d, row + 3);
}

static void fillLists(const snModel* m, const snData* d, Dual* q)
{
    int dofs[DOFS], ndof = 0, count[SN_LANES] = {0};
    real x[ROWS * DOFS], root[DOFS];
    for (int i = 0; i < m->nv; i++) root[i] = sqrt(d->qLDiagInv[i]);
    for (int row = 0, rows; row < d->nefc; row += rows) {
        if (!sharesDofs(d, row)) ndof = closure(m, d, row, dofs);
        rows = areFour(d, row) ? ROWS : 1;
        if (rows == 1)
            halfSolve(m, d, row, dofs, ndof, 1, root, x);
        else
            halfSolve(m, d, row, dofs, ndof, ROWS, root, x);
        for (int r = 0; r < rows; r++) appendAll(m, d, row + r, dofs, ndof, x + r, rows, count, q);
    }
}

// Rows i and i + 1 of A in columns j to j + 3, and what mirrors them.
static inline void fillTile(Dual* q, int nv, int i, int j)
{
    const int n = q->n;
    const real *a = q->Y + (size_t)i * (size_t)nv, *c = q->Y + (size_t)j * (size_t)nv;
    real sum[PAIR][ROWS] = {{{0}}};
    for (int k = 0; k < nv; k++)
#pragma GCC unroll 4
        for (int t = 0; t < ROWS; t++)
#pragma GCC unroll 2
            for (int s = 0; s < PAIR; s++) sum[s][t] += a[s * nv + k] * c[t * nv + k];
    for (int s = 0; s < PAIR; s++)
        for (int t = 0; t < ROWS; t++) q->A[(i + s) * n + j + t] = q->A[(j + t) * n + i + s] = sum[s][t];
}

// A + R, and the step of each row: 1 / (A + R)_ii, 0 behind the end of a list.
static void fillMatrix(const snModel* m, Dual* q)
{
    const int n = q->n, nv = m->nv;
    for (int i = 0; i < n; i += PAIR)
        for (int j = 0; j <= i; j += ROWS) fillTile(q, nv, i, j);
    for (int i = 0; i < n; i++) {
        q->A[i * n + i] += q->R[i];
        q->step[i] *= 1 / sn_max(q->A[i * n + i], SN_MINVAL);
    }
}

// ---- where to start

static void residuals(Dual* q)
{
    memcpy(q->res, q->b, (size_t)q->n * sizeof(real));
    for (int i = 0; i < q->n; i++)
        for (int j = 0; j < q->n; j++) q->res[j] += q->A[i * q->n + j] * q->f[i];
}

// From the forces of qacc_warmstart within the bounds or, in lanes where these cost more than none, from
// none.
static void start(const snModel* m, Dual* q)
{
    const bool warm = !(m->opt.disableflags & SN_DSBL_WARMSTART);
    real cost = {0};
    for (int i = 0; i < q->n; i++) q->f[i] = warm ? sn_min(sn_max(q->f[i], q->lo[i]), q->hi[i]) : sn_real(0);
    residuals(q);
    for (int i = 0; i < q->n; i++) cost += q->f[i] * (q->res[i] + q->b[i]);
    const snMask dear = sn_not(cost <= 0);
    if (!sn_any(dear)) return;
    for (int i = 0; i < q->n; i++) {
        q->f[i] = sn_select(dear, 0, q->f[i]);
        q->res[i] = sn_select(dear, q->b[i], q->res[i]);
    }
}

// ---- sweeps

static inline real keep(snMask mask, real x)
{
    return (real)(mask & (snMask)x);
}

// Moves rows first, ..., first + ROWS - 1 in turn; returns the improvement.
static inline real moveRows(Dual* q, int first, snMask go)
{
    const int n = q->n;
    const real* A = q->A + first * n;
    real change[ROWS], slope[ROWS], gain = {0};
    snMask moved = sn_mask(false);
    for (int r = 0; r < ROWS; r++) {
        const int row = first + r;
        const real f = q->f[row], lo = q->lo[row], hi = q->hi[row];
        real res = q->res[row];
        for (int i = 0; i < r; i++) res += A[i * n + row] * change[i];
        const real s = res * q->step[row], delta = sn_min(sn_max(-s, lo - f), hi - f);
        const snMask moves = go & (delta != 0);
        slope[r] = s;
        change[r] = keep(go, delta);                                    // for which the next row waits
        q->f[row] = sn_select(moves, sn_min(sn_max(f - s, lo), hi), f); // a bound is met to the bit
        moved |= moves;
    }
    if (!sn_any(moved)) return gain;
    for (int i = 0; i < n; i++) {
        real res = q->res[i];
        for (int r = 0; r < ROWS; r++) res += A[r * n + i] * change[r];
        q->res[i] = res;
    }
    for (int r = 0; r < ROWS; r++) gain -= change[r] * (slope[r] + 0.5 * change[r]) * A[r * n + first + r];
    return gain;
}

// Each lane ends when a sweep of its own gains less than the tolerance.
static void sweeps(const snModel* m, snData* d, Dual* q)
{
    const real scale = sn_solverScale(m, d);
    snMask go = sn_mask(true);
    for (int k = 0; k < m->opt.iterations && sn_any(go); k++) {
        real gain = {0};
        d->iterations += sn_select(go, 1, 0);
        for (int i = 0; i < q->n; i += ROWS) gain += moveRows(q, i, go);
        const real improvement = scale * gain;
        go &= (improvement != 0) & (improvement >= m->opt.tolerance);
    }
}

// ----

static void finish(const snModel* m, snData* d, Dual* q)
{
    for (int r = 0; r < d->nefc; r++) d->efc_force[r] = sn_real(0);
    for (int i = 0; i < q->n; i++)
        for (int l = 0; l < SN_LANES; l++) {
            const int row = q->rows[i * SN_LANES + l];
            if (row >= 0) lanesOf(d->efc_force + row)[l] = q->f[i][l];
        }
    for (int i = 0; i < m->nv; i++) d->qfrc_constraint[i] = sn_real(0);
    for (int r = 0; r < d->nefc; r++) {
        const real *J = d->efc_J + d->efc_J_rowadr[r], f = d->efc_force[r];
        const int* dof = d->efc_J_colind + d->efc_J_coladr[r];
        const snMask live = d->efc_live[r];
        for (int k = 0; k < d->efc_J_rownnz[r]; k++)
            d->qfrc_constraint[dof[k]] += sn_select(live, J[k] * f, 0);
    }
    sn_solveM(m, d, d->qacc, d->qfrc_constraint, 1);
    for (int i = 0; i < m->nv; i++) d->qacc[i] = d->qacc[i] + d->qacc_smooth[i] + 0; // no zero is negative
}

void sn_laneGaussSeidel(const snModel* m, snData* d)
{
    Dual q = {0};
    const size_t mark = sn_scratchMark(d), arena = d->parena;
    if (allocate(m, d, &q)) {
        fillLists(m, d, &q);
        fillMatrix(m, &q);
        start(m, &q);
        sweeps(m, d, &q);
        finish(m, d, &q);
    } else {
        sn_eject(d, sn_mask(true));
    }
    d->parena = arena;
    sn_scratchRelease(d, mark);
}
