// For each target: src/target/prelude.h.
// Projected Gauss-Seidel on the dual (seed 001, "PGS"): each row, or elliptic contact, in turn goes to where
// the cost is least with all others fixed.
#include <math.h>
#include "solver/dual.h"
#include "solver/primal.h"

// The best point on the ray from the apex through f.
SN_INLINE void followRay(const double* block, const double* res, int dim, double* f)
{
    double curvature = 0, slope = 0;
    for (int i = 0; i < dim; i++) {
        slope += f[i] * res[i];
        for (int j = 0; j < dim; j++) curvature += f[i] * block[i * dim + j] * f[j];
    }
    if (curvature < SN_MINVAL) return;
    const double scale = sn_max(1 - slope / curvature, 0);
    for (int i = 0; i < dim; i++) f[i] *= scale;
}

// t = |mu res_1..|: a force of normal 1 on the cone, against res, changes the cost at the rate res_0 - t.
static double frictionSlope(const double* res, const double* mu, int dim)
{
    double sum = 0;
    for (int i = 1; i < dim; i++) sum += mu[i - 1] * mu[i - 1] * res[i] * res[i];
    return sqrt(sum);
}

// At the apex, where the normal alone has nothing to gain, the best ray of the cone's surface.
static void leaveApex(const double* block, const double* res, const double* mu, int dim, double* f)
{
    double ray[6] = {1}, curvature = 0;
    const double t = frictionSlope(res, mu, dim);
    if (!(res[0] < t)) return;
    for (int i = 1; i < dim; i++) ray[i] = -mu[i - 1] * mu[i - 1] * res[i] / t;
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) curvature += ray[i] * block[i * dim + j] * ray[j];
    if (curvature < SN_MINVAL) return;
    for (int i = 0; i < dim; i++) f[i] = ray[i] * (t - res[0]) / curvature;
}

// First the ray through the force, or the normal alone where there is none (with `leave` set, then a ray off
// the apex); then the friction for the new normal force. Returns the improvement.
SN_INLINE double moveCone(snDual* q, int quad, const snContact* con, bool leave, int dim)
{
    double block[36], f[6], delta[6], res[6];
    const double *old = q->f + 4 * quad, *start = q->res + 4 * quad;
    for (int i = 0; i < dim; i++) f[i] = old[i];
    sn_dualBlock(q, quad, dim, block);
    if (f[0] < SN_MINVAL) {
        const double normal = old[0] - start[0] * q->step[4 * quad];
        f[0] = normal > 0 ? normal : 0;
        for (int i = 1; i < dim; i++) f[i] = 0;
        if (leave && f[0] < SN_MINVAL) leaveApex(block, start, con->friction, dim, f);
    } else {
        followRay(block, start, dim, f);
    }
    if (f[0] < SN_MINVAL) {
        for (int i = 1; i < dim; i++) f[i] = 0;
    } else {
        for (int i = 0; i < dim; i++) {
            res[i] = start[i];
            for (int j = 0; j < dim; j++) res[i] += block[i * dim + j] * (f[j] - old[j]);
        }
        sn_dualFriction(block, res, f, con->friction, dim, q->lambda + 4 * quad, f + 1);
    }
    for (int i = 0; i < dim; i++) delta[i] = f[i] - old[i];
    return sn_dualMoveCone(q, quad, dim, block, delta);
}

// Whether a contact rests at its apex though a way off it would gain. Sweeps that know the normal and the ray
// through the force alone never leave it.
static bool isStuck(const snData* d, const snDual* q)
{
    for (int i = 0; i < q->nquad; i++) {
        if (q->kind[i] != SN_DUAL_CONE || q->f[4 * i] >= SN_MINVAL) continue;
        const snContact* con = d->contact + d->efc_id[q->efc[4 * i]];
        const double t = frictionSlope(q->res + 4 * i, con->friction, con->dim);
        if (q->res[4 * i] < t * (1 - 1e-10)) return true;
    }
    return false;
}

static double sweep(const snData* d, snDual* q, bool leave)
{
    v4Sum sum = {0};
    double cones = 0;
    for (int i = 0; i < q->nquad; i++) {
        const snContact* con;
        switch (q->kind[i]) {
        case SN_DUAL_EQUALITY: v4Sum_add(&sum, sn_dualMoveQuad(q, i, false, false)); break;
        case SN_DUAL_PYRAMID: v4Sum_add(&sum, sn_dualMoveQuad(q, i, true, false)); break;
        case SN_DUAL_ROWS: v4Sum_add(&sum, sn_dualMoveQuad(q, i, true, true)); break;
        case SN_DUAL_CONE:
            con = d->contact + d->efc_id[q->efc[4 * i]];
            cones += con->dim == 3 ? moveCone(q, i, con, leave, 3) : moveCone(q, i, con, leave, con->dim);
        }
    }
    return cones + v4Sum_sum(sum);
}

// f less the force -s' of the primal problem at qacc = qacc_smooth + inv(M) J' f, where J qacc - aref = res -
// R f: J' of it is the gradient there. Box rows: -s' = -D (res - R f) within the bounds.
static void primalExcess(const snData* d, const snDual* q)
{
    double x[6];
    snConeZone zone;
    for (int r = 0; r < 4 * q->nquad; r++) {
        const int row = q->efc[r], kind = q->kind[r >> 2];
        if (kind == SN_DUAL_CONE && r % 4 == 0) {
            const snFrictionCone cone = sn_coneOfContact(d->contact + d->efc_id[row], d->efc_D + row, r);
            for (int j = 0; j < cone.dim; j++) x[j] = q->res[r + j] - q->R[r + j] * q->f[r + j];
            sn_coneUpdate(&cone, x, q->excess + r, &zone);
            for (int j = 0; j < cone.dim; j++) q->excess[r + j] += q->f[r + j];
        } else if (kind < SN_DUAL_CONE && row >= 0) {
            const double f = q->f[r] - d->efc_D[row] * q->res[r];
            q->excess[r] = q->f[r] - sn_min(sn_max(f, q->lo[r]), q->hi[r]);
        }
    }
}

void sn_projectedGaussSeidel(const snModel* m, snData* d, const snIslands* islands, snDual* q, double scale)
{
    bool leave = false;
    sn_dualState(d, q, NULL);
    while (d->solver_niter < m->opt.iterations) {
        snSolverStat stat = {.improvement = scale * sweep(d, q, leave)};
        sn_dualState(d, q, &stat);
        sn_recordIteration(d, d->solver_niter++, &stat);
        const bool moves = stat.improvement != 0; // else sweeps alike will change nothing either
        if (moves && stat.improvement >= m->opt.tolerance) continue;
        if (leave || !isStuck(d, q)) break;
        leave = true;
    }
    primalExcess(d, q);
    d->solver_residual = sn_worse(d->solver_residual, scale * sn_dualExcess(m, d, islands, q));
}
