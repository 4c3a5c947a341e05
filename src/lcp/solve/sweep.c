// For each target: src/target/prelude.h.
// One sweep of projected Jacobi, Gauss-Seidel or SOR, row by row or block by block (seed 003, 2).
#include <assert.h>
#include <math.h>
#include <string.h>
#include "lcp/solve/block.h"
#include "lcp/solve/iterate.h"
#include "lcp/solve/kernel.h"
#include "lcp/solve/section.h"
#include "lcp/solve/slide.h"

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
    const v4 v = v4_all(omega) * w;
    return v4_load(s->x + 4 * b->quad) -
           (v4_all(v[0]) * v4_load(G) + (v4_all(v[1]) * v4_load(G + 4) + v4_all(v[2]) * v4_load(G + 8)));
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
    const v4 r = v4_all(sweep->omega) * w - (v4_all(x[0]) * v4_load(D) +
                                             (v4_all(x[1]) * v4_load(D + 4) + v4_all(x[2]) * v4_load(D + 8)));
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

// The friction of a cone nearest to x - omega w / (A_ii coupling), in the metric of A_ii.
SN_INLINE void toSection(const snLcpSystem* s, const snLcpBlock* b, double omega, const double w[3],
                         double x[3])
{
    const double *step = s->step + 4 * b->quad, *mu = s->mu + 4 * b->quad, share = omega / b->coupling;
    double y[2] = {x[1] - share * step[1] * w[1], x[2] - share * step[2] * w[2]};
    const double across = y[0] * y[0] * (mu[2] * mu[2]) + y[1] * y[1] * (mu[1] * mu[1]),
                 bound = mu[1] * mu[2] * x[0];
    x[1] = y[0];
    x[2] = y[1];
    if (across <= bound * bound) return;
    const double metric[2] = {step[1] > 0 ? 1 / step[1] : 1, step[2] > 0 ? 1 / step[2] : 1};
    sn_sectionProject(y, mu + 1, metric, x[0], 2, x + 1);
}

// The change of a contact of three rows, row by row: the normal, then friction, which follows it.
SN_INLINE v4 rowsStep(const snLcpSystem* s, const snSweep* sweep, const snLcpBlock* b, v4 at,
                      double* residual)
{
    const double *D = s->D + b->D, *step = s->step + 4 * b->quad, *mu = s->mu + 4 * b->quad;
    const v4 start = v4_load(s->x + 4 * b->quad);
    double x[3] = {start[0], start[1], start[2]}, w[3] = {at[0], at[1], at[2]};
    const double n = x[0] - sweep->omega * step[0] * w[0], change = (n > 0 ? n : 0) - x[0];
    x[0] += change;
    w[1] += D[4] * change;
    w[2] += D[8] * change;
    if (b->kind == SN_BLOCK_CONE) {
        toSection(s, b, sweep->omega, w, x);
    } else {
        for (int r = 1; r < 3; r++) {
            const double bound = mu[r] * x[0], to = x[r] - sweep->omega * step[r] * w[r];
            x[r] = to < -bound ? -bound : to > bound ? bound : to;
            if (r == 1) w[2] += D[9] * (x[1] - start[1]);
        }
    }
    const v4 moved = v4_of(x[0] - start[0], x[1] - start[1], x[2] - start[2], 0);
    // of what the omega and the coupling have made of the step
    const double p = fabs(moved[0]) * D[0], q = fabs(moved[1]) * D[5], r = fabs(moved[2]) * D[10];
    const double most = p > b->coupling * (q + r) ? p : b->coupling * (q + r);
    *residual = most < HUGE_VAL ? most / sweep->omega : HUGE_VAL; // not a number, too
    return moved;
}

SN_INLINE void velocityOf(const snLcpSystem* s, const snLcpBlock* b, double* w)
{
    for (int q = 0; 4 * q < b->rows; q++)
        v4_store(w + 4 * q, v4_load(s->b + 4 * (b->quad + q)) + sn_quadProduct(s->J + b->quad + q, s->dV));
}

// Moves one block; returns the natural residual that it had.
SN_INLINE double visit(snLcpSystem* s, const snSweep* sweep, snLcpBlock* b, double* change)
{
    double w[SN_BLOCK_MOST] __attribute__((aligned(32)));
    velocityOf(s, b, w);
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

SN_INLINE bool isContactOfThree(const snLcpSystem* s, const snLcpBlock* b)
{
    return s->J == s->T && b->rows == 3 && b->kind >= SN_BLOCK_BOX;
}

SN_INLINE double moveContact(snLcpSystem* s, const snSweep* sweep, snLcpBlock* b)
{
    double* x = s->x + 4 * b->quad;
    const v4 w = v4_load(s->b + 4 * b->quad) + sn_quadProduct(s->J + b->quad, s->dV);
    if (x[0] == 0 && w[0] >= 0) return 0; // apart, and stays so
    double residual;
    const v4 change = sn_isByBlock(sweep->method) ? contactStep(s, sweep, b, w, &residual)
                                                  : rowsStep(s, sweep, b, w, &residual);
    v4_store(x, v4_load(x) + change);
    sn_quadSpread(s->T + b->quad, change, s->dV);
    return residual;
}

static double follow(snLcpSystem* s, const snSweep* sweep)
{
    double most = 0, change[SN_BLOCK_MOST] __attribute__((aligned(32)));
    for (int k = 0; k < s->nblock; k++) {
        snLcpBlock* b = s->block + (sweep->backward ? s->nblock - 1 - k : k);
        double residual;
        if (isContactOfThree(s, b)) {
            residual = moveContact(s, sweep, b);
        } else {
            residual = visit(s, sweep, b, change);
            apply(s, b, change);
        }
        if (!(residual <= most)) most = residual;
    }
    return most;
}

static double jacobi(snLcpSystem* s, const snSweep* sweep)
{
    double most = 0;
    for (int k = 0; k < s->nblock; k++) {
        snLcpBlock* b = s->block + k;
        double residual, *change = sweep->change + 4 * b->quad;
        if (sn_isByBlock(sweep->method) && isContactOfThree(s, b)) {
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

// Whether a contact carries nothing and has to; w [SN_BLOCK_MOST] of it.
SN_INLINE bool isNew(const snLcpSystem* s, const snLcpBlock* b, double tolerance, double* w)
{
    if (b->kind < SN_BLOCK_BOX || s->x[4 * b->quad] != 0) return false;
    velocityOf(s, b, w);
    return w[0] < -tolerance;
}

void sn_lcpShare(snLcpSystem* s, double tolerance, double* change)
{
    double w[SN_BLOCK_MOST] __attribute__((aligned(32)));
    for (int k = 0; k < s->nblock; k++) {
        snLcpBlock* b = s->block + k;
        if (isNew(s, b, tolerance, w))
            sn_blockStep(s, b, w, 0.25, false, change + 4 * b->quad);
        else
            memset(change + 4 * b->quad, 0, (size_t)sn_padded(b->rows) * sizeof(double));
    }
    for (int k = 0; k < s->nblock; k++)
        if (change[4 * s->block[k].quad] != 0) apply(s, s->block + k, change + 4 * s->block[k].quad);
}

double sn_lcpSweep(snLcpSystem* s, const snSweep* sweep)
{
    assert(sn_isSystem(s));
    return sn_isJacobi(sweep->method) ? jacobi(s, sweep) : follow(s, sweep);
}
