// Projected Gauss-Seidel on the dual (seed 001, "PGS"): each row, or elliptic contact, in turn goes to where
// the cost is least with all others fixed.
#include <math.h>
#include "math/clones.h"
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
    const double scale = fmax(0, 1 - slope / curvature);
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
SN_INLINE double moveCone(snDual* q, int first, const snContact* con, bool leave, int dim)
{
    double block[36], f[6], delta[6], res[6];
    const double *old = q->f + first, *start = q->res + first;
    for (int i = 0; i < dim; i++) f[i] = old[i];
    sn_dualBlock(q, first, dim, block);
    if (f[0] < SN_MINVAL) {
        const double normal = old[0] - start[0] * q->step[first];
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
        sn_dualFriction(block, res, f, con->friction, dim, q->lambda + first, f + 1);
    }
    for (int i = 0; i < dim; i++) delta[i] = f[i] - old[i];
    return sn_dualMoveBlock(q, first, dim, block, delta);
}

// Whether a contact rests at its apex though a way off it would gain. Sweeps that know the normal and the ray
// through the force alone never leave it.
static bool isStuck(const snData* d, const snDual* q)
{
    for (int r = 0; r < q->count; r++) {
        const int row = q->efc[r];
        if (d->efc_type[row] != SN_CNSTR_CONTACT_ELLIPTIC || !q->group[r] || q->f[r] >= SN_MINVAL) continue;
        const snContact* con = d->contact + d->efc_id[row];
        const double t = frictionSlope(q->res + r, con->friction, con->dim);
        if (q->res[r] < t * (1 - 1e-10)) return true;
    }
    return false;
}

SN_CLONES
static double sweep(const snData* d, snDual* q, bool leave)
{
    double improvement = 0;
    for (int r = 0; r < q->count;) {
        const int row = q->efc[r];
        if (d->efc_type[row] != SN_CNSTR_CONTACT_ELLIPTIC) {
            improvement += sn_dualMoveRow(q, r++);
            continue;
        }
        const snContact* con = d->contact + d->efc_id[row];
        improvement += con->dim == 3 ? moveCone(q, r, con, leave, 3) : moveCone(q, r, con, leave, con->dim);
        r += con->dim;
    }
    return improvement;
}

// f less the force -s' of the primal problem at qacc = qacc_smooth + inv(M) J' f, where J qacc - aref = res -
// R f: J' of it is the gradient there. Box rows: -s' = -D (res - R f) within the bounds.
static void primalExcess(const snData* d, const snDual* q)
{
    double x[6];
    snConeZone zone;
    for (int r = 0; r < q->count;) {
        const int row = q->efc[r];
        if (d->efc_type[row] != SN_CNSTR_CONTACT_ELLIPTIC) {
            const double f = q->f[r] - d->efc_D[row] * q->res[r];
            q->excess[r] = q->f[r] - fmin(fmax(f, q->lo[r]), q->hi[r]);
            r++;
            continue;
        }
        const snFrictionCone cone = sn_coneOfContact(d->contact + d->efc_id[row], d->efc_D + row, r);
        for (int j = 0; j < cone.dim; j++) x[j] = q->res[r + j] - q->R[r + j] * q->f[r + j];
        sn_coneUpdate(&cone, x, q->excess + r, &zone);
        for (int j = 0; j < cone.dim; j++) q->excess[r + j] += q->f[r + j];
        r += cone.dim;
    }
}

void sn_projectedGaussSeidel(const snModel* m, snData* d, snDual* q, int count, double scale)
{
    snSolverStat start = {0};
    bool leave = false;
    for (int k = 0; k < count; k++) sn_dualState(d, q + k, &start);
    while (d->solver_niter < m->opt.iterations) {
        snSolverStat stat = {0};
        for (int k = 0; k < count; k++) {
            stat.improvement += scale * sweep(d, q + k, leave);
            sn_dualState(d, q + k, &stat);
        }
        sn_recordIteration(d, d->solver_niter++, &stat);
        if (stat.improvement >= m->opt.tolerance) continue;
        if (leave) break;
        for (int k = 0; k < count; k++) leave |= isStuck(d, q + k);
        if (!leave) break;
    }
    for (int k = 0; k < count; k++) {
        primalExcess(d, q + k);
        d->solver_residual = sn_worse(d->solver_residual, scale * sn_dualExcess(d, q + k));
    }
}
