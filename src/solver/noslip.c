// Noslip: sweeps over dry friction and contact friction alone, normal forces fixed, without regularisation,
// so that what may stick does not creep.
#include <math.h>
#include <string.h>
#include "math/clones.h"
#include "solver/dual.h"
#include "solver/primal.h"

// Two opposite edges of a pyramid share the normal force 2 mid = f0 + f1: f = (mid + y, mid - y), |y| <= mid.
// Along (1, -1) the cost has curvature A00 + A11 - 2 A01 and slope res0 - res1.
SN_INLINE void edgesDelta(const snDual* q, int first, const double* block, double* delta)
{
    const double *f = q->f + first, *res = q->res + first, mid = 0.5 * (f[0] + f[1]);
    const double old = 0.5 * (f[0] - f[1]), curvature = block[0] + block[3] - block[1] - block[2];
    // friction that moves nothing, as across a planar robot, is rounding over rounding
    const double y = curvature <= 1e-12 * (block[0] + block[3])
                         ? 0
                         : fmin(fmax(old - (res[0] - res[1]) / curvature, -mid), mid);
    delta[0] = mid + y - f[0];
    delta[1] = mid - y - f[1];
}

SN_INLINE double moveEdges(snDual* q, int first)
{
    double block[4], delta[2];
    sn_dualBlock(q, first, 2, block);
    edgesDelta(q, first, block, delta);
    return sn_dualMoveBlock(q, first, 2, block, delta);
}

SN_INLINE void frictionDelta(const snDual* q, int first, const snContact* con, const double* block,
                             double* delta)
{
    const double* f = q->f + first;
    for (int i = 0; i < con->dim; i++) delta[i] = 0;
    if (f[0] >= SN_MINVAL)
        sn_dualFriction(block, q->res + first, f, con->friction, con->dim, q->lambda + first, delta + 1);
    for (int i = 1; i < con->dim; i++) delta[i] -= f[i];
}

SN_INLINE double moveFriction(snDual* q, int first, const snContact* con)
{
    double block[36], delta[6];
    sn_dualBlock(q, first, con->dim, block);
    frictionDelta(q, first, con, block, delta);
    return sn_dualMoveBlock(q, first, con->dim, block, delta);
}

SN_CLONES
static double sweep(const snData* d, snDual* q)
{
    double improvement = 0;
    for (int r = 0; r < q->count; r += q->group[r]) {
        const int row = q->efc[r], type = d->efc_type[row];
        if (type == SN_CNSTR_FRICTION_DOF || type == SN_CNSTR_FRICTION_TENDON)
            improvement += sn_dualMoveRow(q, r);
        else if (type == SN_CNSTR_CONTACT_ELLIPTIC)
            improvement += moveFriction(q, r, d->contact + d->efc_id[row]);
        else if (type == SN_CNSTR_CONTACT_PYRAMIDAL)
            for (int k = 0; k < q->group[r]; k += 2) improvement += moveEdges(q, r + k);
    }
    return improvement;
}

// What the next sweep would add to the forces, were each row and contact the first of it.
static void nextMoves(const snData* d, const snDual* q)
{
    double block[36], *delta = q->excess;
    for (int r = 0; r < q->count; r++) delta[r] = 0;
    for (int r = 0; r < q->count; r += q->group[r]) {
        const int row = q->efc[r], type = d->efc_type[row];
        if (type == SN_CNSTR_FRICTION_DOF || type == SN_CNSTR_FRICTION_TENDON) {
            delta[r] = fmin(fmax(q->f[r] - q->res[r] * q->step[r], q->lo[r]), q->hi[r]) - q->f[r];
        } else if (type == SN_CNSTR_CONTACT_ELLIPTIC) {
            const snContact* con = d->contact + d->efc_id[row];
            sn_dualBlock(q, r, con->dim, block);
            frictionDelta(q, r, con, block, delta + r);
        } else if (type == SN_CNSTR_CONTACT_PYRAMIDAL) {
            for (int k = 0; k < q->group[r]; k += 2) {
                sn_dualBlock(q, r + k, 2, block);
                edgesDelta(q, r + k, block, delta + r + k);
            }
        }
    }
}

// Takes R out of the problem; returns its part of the cost.
static double dropRegularisation(snDual* q)
{
    double cost = 0;
    if (!q->count) return 0;
    for (int r = 0; r < q->count; r++) cost += 0.5 * q->f[r] * q->f[r] * q->R[r];
    memset(q->R, 0, (size_t)q->stride * sizeof(double));
    sn_dualResidual(q);
    return cost;
}

void sn_noslip(const snModel* m, snData* d, snDual* q, int count, double scale)
{
    snSolverStat start = {0};
    double dropped = 0;
    for (int k = 0; k < count; k++) {
        dropped += scale * dropRegularisation(q + k);
        sn_dualState(d, q + k, &start);
    }
    for (int iteration = 0; iteration < m->opt.noslip_iterations; iteration++) {
        snSolverStat stat = {.improvement = iteration == 0 ? dropped : 0};
        for (int k = 0; k < count; k++) {
            stat.improvement += scale * sweep(d, q + k);
            sn_dualState(d, q + k, &stat);
        }
        sn_recordIteration(d, d->solver_niter++, &stat);
        if (stat.improvement < m->opt.noslip_tolerance) break;
    }
    for (int k = 0; k < count; k++) {
        nextMoves(d, q + k);
        d->noslip_residual = sn_worse(d->noslip_residual, scale * sn_dualExcess(d, q + k));
    }
}
