// For each target: src/target/prelude.h.
// Noslip: sweeps over dry friction and contact friction alone, normal forces fixed, without regularisation,
// so that what may stick does not creep. Source: seed 001, (9), without R.
#include <math.h>
#include <string.h>
#include "solver/dual.h"
#include "solver/primal.h"

// Two opposite edges of a pyramid share the normal force 2 mid = f0 + f1: f = (mid + y, mid - y), |y| <= mid.
// Along (1, -1) the cost has curvature A00 + A11 - 2 A01 and slope res0 - res1.
SN_INLINE void edgesDelta(const double* f, const double* res, const double* block, double* delta)
{
    const double old = 0.5 * (f[0] - f[1]), curvature = block[0] + block[3] - block[1] - block[2];
    const double mid = 0.5 * (f[0] + f[1]);
    // friction that moves nothing, as across a planar robot, is rounding over rounding
    const double y = curvature <= 1e-12 * (block[0] + block[3])
                         ? 0
                         : sn_min(sn_max(old - (res[0] - res[1]) / curvature, -mid), mid);
    delta[0] = mid + y - f[0];
    delta[1] = mid - y - f[1];
}

// Both pairs of a quad; the first one's move counts in the second one's residual.
SN_INLINE double moveEdges(snDual* q, int quad)
{
    const double *A = q->A + 16 * (size_t)q->adr[quad], *f = q->f + 4 * quad;
    double delta[4], res[4], improvement = 0;
    for (int r = 0; r < 4; r++) res[r] = q->res[4 * quad + r];
    for (int k = 0; k < 4; k += 2) {
        const double block[4] = {A[5 * k], A[5 * k + 1], A[5 * k + 4], A[5 * k + 5]};
        edgesDelta(f + k, res + k, block, delta + k);
        const double gain = sn_dualGain(block, res + k, 2, delta + k);
        if (gain < -1e-10) { // rounding only
            delta[k] = delta[k + 1] = 0;
            continue;
        }
        improvement += gain;
        for (int r = 2; r < 4; r++) res[r] += A[4 * k + r] * delta[k] + A[4 * k + 4 + r] * delta[k + 1];
    }
    for (int r = 0; r < 4; r++) q->f[4 * quad + r] += delta[r];
    sn_dualSpread(q, quad, delta[0], delta[1], delta[2], delta[3]);
    return improvement;
}

SN_INLINE void frictionDelta(const snDual* q, int quad, const snContact* con, const double* block,
                             double* delta)
{
    const double *f = q->f + 4 * quad, *res = q->res + 4 * quad;
    for (int i = 0; i < con->dim; i++) delta[i] = 0;
    if (f[0] >= SN_MINVAL)
        sn_dualFriction(block, res, f, con->friction, con->dim, q->lambda + 4 * quad, delta + 1);
    for (int i = 1; i < con->dim; i++) delta[i] -= f[i];
}

SN_INLINE double moveFriction(snDual* q, int quad, const snContact* con)
{
    double block[36], delta[6];
    sn_dualBlock(q, quad, con->dim, block);
    frictionDelta(q, quad, con, block, delta);
    return sn_dualMoveCone(q, quad, con->dim, block, delta);
}

static double sweep(const snData* d, snDual* q)
{
    v4Sum sum = {0};
    double contacts = 0;
    for (int i = 0; i < q->nquad; i++) switch (q->kind[i]) {
        case SN_DUAL_EQUALITY:
            v4Sum_add(&sum, sn_dualMoveQuad(q, i, false, false));
            break; // none but couplings move
        case SN_DUAL_ROWS: v4Sum_add(&sum, sn_dualMoveQuad(q, i, true, true)); break;
        case SN_DUAL_PYRAMID: contacts += moveEdges(q, i); break;
        case SN_DUAL_CONE: contacts += moveFriction(q, i, d->contact + d->efc_id[q->efc[4 * i]]);
        }
    return contacts + v4Sum_sum(sum);
}

// What the next sweep would add to the forces, were each row and contact the first of it.
static void nextMoves(const snData* d, const snDual* q)
{
    double block[36], *delta = q->excess;
    memset(delta, 0, 4 * (size_t)q->nquad * sizeof(double));
    for (int i = 0; i < q->nquad; i++) {
        if (q->kind[i] == SN_DUAL_ROWS) {
            for (int r = 4 * i; r < 4 * i + 4; r++)
                delta[r] = sn_min(sn_max(q->f[r] - q->res[r] * q->step[r], q->lo[r]), q->hi[r]) - q->f[r];
        } else if (q->kind[i] == SN_DUAL_CONE) {
            const snContact* con = d->contact + d->efc_id[q->efc[4 * i]];
            sn_dualBlock(q, i, con->dim, block);
            frictionDelta(q, i, con, block, delta + 4 * i);
        } else if (q->kind[i] == SN_DUAL_PYRAMID) {
            const double* A = q->A + 16 * (size_t)q->adr[i];
            for (int k = 0; k < 4; k += 2) {
                const double pair[4] = {A[5 * k], A[5 * k + 1], A[5 * k + 4], A[5 * k + 5]};
                edgesDelta(q->f + 4 * i + k, q->res + 4 * i + k, pair, delta + 4 * i + k);
            }
        }
    }
}

// Takes R out of the problem, and all rows but dry friction out of what moves one by one; returns R's part of
// the cost. Rows that couple the inertia of a step (solver/metric.h) keep theirs and move.
static double dropRegularisation(const snData* d, snDual* q)
{
    double cost = 0;
    for (int r = 0; r < 4 * q->nquad; r++) {
        if (q->efc[r] >= 0 && d->efc_id[q->efc[r]] < 0) continue;
        cost += 0.5 * q->f[r] * q->f[r] * q->R[r];
        q->R[r] = 0;
        q->curvature[r] = q->diagA[r];
        q->A[16 * (size_t)q->adr[r >> 2] + 5 * (r & 3)] = q->diagA[r];
    }
    sn_dualSteps(q, true);
    sn_dualResidual(q);
    return cost;
}

void sn_noslip(const snModel* m, snData* d, const snIslands* islands, snDual* q, double scale)
{
    const double dropped = scale * dropRegularisation(d, q);
    sn_dualState(d, q, NULL);
    for (int iteration = 0; iteration < m->opt.noslip_iterations; iteration++) {
        snSolverStat stat = {.improvement = (iteration == 0 ? dropped : 0) + scale * sweep(d, q)};
        sn_dualState(d, q, &stat);
        sn_recordIteration(d, d->solver_niter++, &stat);
        if (stat.improvement < m->opt.noslip_tolerance) break;
    }
    nextMoves(d, q);
    d->noslip_residual = sn_worse(d->noslip_residual, scale * sn_dualExcess(m, d, islands, q));
}
