// One sweep of projected Jacobi, Gauss-Seidel or SOR, row by row or block by block (seed 003, 2).
#include <math.h>
#include <string.h>
#include "lcp/solve/block.h"
#include "lcp/solve/iterate.h"
#include "lcp/solve/kernel.h"
#include "lcp/solve/slide.h"
#include "math/clones.h"

static void stepOf(const snLcpSystem* s, const snSweep* sweep, snLcpBlock* b, const double* w, double* change)
{
    if (sn_isByBlock(sweep->method) && b->kind != SN_BLOCK_ROWS)
        sn_blockStep(s, b, w, sweep->omega, sweep->backward, change);
    else
        sn_scalarStep(s, b, w, sweep->omega, !sn_isJacobi(sweep->method), sweep->backward, change);
}

// Where a contact of three rows goes that sticks: x - omega G w. G is symmetric here, A being that of a step.
SN_INLINE v4 stickTo(const snLcpSystem* s, const snLcpBlock* b, double omega, v4 w)
{
    const double* G = s->inverse + b->D;
    const v4 v = omega * w;
    return v4_load(s->x + 4 * b->quad) -
           (v[0] * v4_load(G) + (v[1] * v4_load(G + 4) + v[2] * v4_load(G + 8)));
}

SN_INLINE bool isWithin(const snLcpSystem* s, const snLcpBlock* b, v4 x)
{
    const double n = x[0], p = x[1], q = x[2], mu = s->mu[4 * b->quad + 1], nu = s->mu[4 * b->quad + 2];
    if (!(n > 0)) return false;
    return b->kind == SN_BLOCK_CONE ? p * p * (nu * nu) + q * q * (mu * mu) <= n * n * (mu * mu) * (nu * nu)
                                    : fabs(p) <= mu * n && fabs(q) <= nu * n;
}

// The change of a contact of three rows by a block method; the common cases at once. What it moves by stands
// for its residual where it does not stick: both are 0 together.
SN_INLINE v4 contactStep(snLcpSystem* s, const snSweep* sweep, snLcpBlock* b, v4 w, double* residual)
{
    const double* D = s->D + b->D;
    const v4 x = v4_load(s->x + 4 * b->quad), to = stickTo(s, b, sweep->omega, w), size = v4_abs(w);
    *residual = size[0] > size[1] ? size[0] : size[1];
    *residual = *residual > size[2] ? *residual : size[2];
    if (isWithin(s, b, to)) return to - x;
    const v4 r = sweep->omega * w - (x[0] * v4_load(D) + (x[1] * v4_load(D + 4) + x[2] * v4_load(D + 8)));
    v4 change = -x;
    if (r[0] < 0) {
        double stick[4] __attribute__((aligned(32))), slide[4] __attribute__((aligned(32))) = {0},
                                                               known[4] __attribute__((aligned(32)));
        v4_store(stick, to);
        v4_store(known, r);
        if (b->kind == SN_BLOCK_BOX && sn_slideInBox(D, known, s->mu + 4 * b->quad, stick, slide)) {
            change = v4_load(slide) - x;
        } else {
            v4_store(known, w);
            sn_blockStep(s, b, known, sweep->omega, sweep->backward, slide);
            change = v4_load(slide);
        }
    }
    const v4 moved = v4_abs(change);
    const double a = moved[0] * D[0], c = moved[1] * D[5], e = moved[2] * D[10];
    *residual = a > c ? a : c;
    *residual = e > *residual ? e : *residual;
    if (!(a + c + e < HUGE_VAL)) *residual = HUGE_VAL; // not a number, too
    return change;
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

SN_INLINE bool isContactOfThree(const snSweep* sweep, const snLcpSystem* s, const snLcpBlock* b)
{
    return sn_isByBlock(sweep->method) && s->J == s->T && b->rows == 3 && b->kind >= SN_BLOCK_BOX;
}

SN_INLINE double moveContact(snLcpSystem* s, const snSweep* sweep, snLcpBlock* b)
{
    double* x = s->x + 4 * b->quad;
    const v4 w = v4_load(s->b + 4 * b->quad) + sn_quadProduct(s->J + b->quad, s->dV);
    if (x[0] == 0 && w[0] >= 0) return 0; // apart, and stays so
    double residual;
    const v4 change = contactStep(s, sweep, b, w, &residual);
    v4_store(x, v4_load(x) + change);
    sn_quadSpread(s->T + b->quad, change, s->dV);
    return residual;
}

SN_CLONES
static double follow(snLcpSystem* s, const snSweep* sweep)
{
    double most = 0, change[SN_BLOCK_MOST] __attribute__((aligned(32)));
    for (int k = 0; k < s->nblock; k++) {
        snLcpBlock* b = s->block + (sweep->backward ? s->nblock - 1 - k : k);
        double residual;
        if (isContactOfThree(sweep, s, b)) {
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
        double residual, *change = sweep->change + 4 * b->quad;
        if (isContactOfThree(sweep, s, b)) {
            const v4 w = v4_load(s->b + 4 * b->quad) + sn_quadProduct(s->J + b->quad, s->dV);
            v4_store(change, contactStep(s, sweep, b, w, &residual));
        } else {
            residual = visit(s, sweep, b, change);
        }
        if (!(residual <= most)) most = residual;
    }
    for (int k = 0; k < s->nblock; k++) apply(s, s->block + k, sweep->change + 4 * s->block[k].quad);
    return most;
}

double sn_lcpSweep(snLcpSystem* s, const snSweep* sweep)
{
    return sn_isJacobi(sweep->method) ? jacobi(s, sweep) : follow(s, sweep);
}
