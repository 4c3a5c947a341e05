// One sweep of projected Jacobi, Gauss-Seidel or SOR, row by row or block by block (seed 003, 2).
#include <math.h>
#include <string.h>
#include "lcp/solve/block.h"
#include "lcp/solve/iterate.h"
#include "lcp/solve/kernel.h"
#include "math/clones.h"

static void stepOf(const snLcpSystem* s, const snSweep* sweep, snLcpBlock* b, const double* w, double* change)
{
    if (sn_isByBlock(sweep->method) && b->kind != SN_BLOCK_ROWS)
        sn_blockStep(s, b, w, sweep->omega, sweep->backward, change);
    else
        sn_scalarStep(s, b, w, sweep->omega, !sn_isJacobi(sweep->method), sweep->backward, change);
}

// A contact of three rows that sticks, in vectors: by far the most common visit. x <- x - omega G w, if that
// is within the cone or box. The residual is |w| at most.
SN_INLINE bool stick(snLcpSystem* s, const snLcpBlock* b, double omega, v4 w, double* residual)
{
    const int row = 4 * b->quad;
    const double* G = s->inverse + b->D;
    const v4 x = v4_load(s->x + row), v = omega * w;
    // G is symmetric here: A is that of a step
    const v4 change = -(v[0] * v4_load(G) + (v[1] * v4_load(G + 4) + v[2] * v4_load(G + 8))), to = x + change;
    const double n = to[0], p = to[1], q = to[2], mu = s->mu[row + 1], nu = s->mu[row + 2];
    if (!(n > 0)) return false;
    const bool within = b->kind == SN_BLOCK_CONE
                            ? p * p * (nu * nu) + q * q * (mu * mu) <= n * n * (mu * mu) * (nu * nu)
                            : fabs(p) <= mu * n && fabs(q) <= nu * n;
    if (!within) return false;
    v4_store(s->x + row, to);
    sn_quadSpread(s->T + b->quad, change, s->dV);
    const v4 size = v4_abs(w);
    *residual = fmax(size[0], fmax(size[1], size[2]));
    return true;
}

// Moves one block; returns the natural residual that it had.
SN_INLINE double visit(snLcpSystem* s, const snSweep* sweep, snLcpBlock* b, double* change)
{
    const int quads = (b->rows + 3) / 4;
    double w[SN_BLOCK_MOST] __attribute__((aligned(32)));
    for (int q = 0; q < quads; q++)
        v4_store(w + 4 * q, v4_load(s->b + 4 * (b->quad + q)) + sn_quadProduct(s->J + b->quad + q, s->dV));
    const double residual = sn_blockResidual(s, b, w);
    stepOf(s, sweep, b, w, change);
    return residual;
}

SN_INLINE void apply(snLcpSystem* s, const snLcpBlock* b, const double* change)
{
    for (int q = 0; 4 * q < b->rows; q++) {
        const v4 dx = v4_load(change + 4 * q);
        double* x = s->x + 4 * (b->quad + q);
        v4_store(x, v4_load(x) + dx);
        sn_quadSpread(s->T + b->quad + q, dx, s->dV);
    }
}

// A contact of three rows by a block method. What a block that does not stick moves by stands for its
// residual: both are 0 together.
SN_INLINE double moveContact(snLcpSystem* s, const snSweep* sweep, snLcpBlock* b)
{
    double residual = 0, w[4] __attribute__((aligned(32))), change[4] __attribute__((aligned(32)));
    const v4 velocity = v4_load(s->b + 4 * b->quad) + sn_quadProduct(s->J + b->quad, s->dV);
    if (s->x[4 * b->quad] == 0 && velocity[0] >= 0) return 0; // apart, and stays so
    if (stick(s, b, sweep->omega, velocity, &residual)) return residual;
    v4_store(w, velocity);
    sn_blockStep(s, b, w, sweep->omega, sweep->backward, change);
    apply(s, b, change);
    for (int r = 0; r < 3; r++) {
        const double moved = fabs(change[r]) * s->D[b->D + 5 * r];
        if (!(moved <= residual)) residual = moved;
    }
    return residual;
}

SN_CLONES
static double follow(snLcpSystem* s, const snSweep* sweep)
{
    double most = 0, change[SN_BLOCK_MOST] __attribute__((aligned(32)));
    const bool fast = sn_isByBlock(sweep->method) && s->J == s->T;
    for (int k = 0; k < s->nblock; k++) {
        snLcpBlock* b = s->block + (sweep->backward ? s->nblock - 1 - k : k);
        double residual;
        if (fast && b->rows == 3 && (b->kind == SN_BLOCK_CONE || b->kind == SN_BLOCK_BOX)) {
            residual = moveContact(s, sweep, b);
        } else {
            residual = visit(s, sweep, b, change);
            apply(s, b, change);
        }
        if (!(residual <= most)) most = residual;
    }
    return most;
}

SN_CLONES
static double jacobi(snLcpSystem* s, const snSweep* sweep)
{
    double most = 0;
    for (int k = 0; k < s->nblock; k++) {
        snLcpBlock* b = s->block + k;
        const double residual = visit(s, sweep, b, sweep->change + 4 * b->quad);
        if (!(residual <= most)) most = residual;
    }
    for (int k = 0; k < s->nblock; k++) apply(s, s->block + k, sweep->change + 4 * s->block[k].quad);
    return most;
}

double sn_lcpSweep(snLcpSystem* s, const snSweep* sweep)
{
    return sn_isJacobi(sweep->method) ? jacobi(s, sweep) : follow(s, sweep);
}
