// Second derivatives of centres of mass. Of the first moment of what dof k carries p_k = (I_k S_k)_lin is the
// derivative, and dof i above k turns it: d2/dq_i dq_k = w_i x p_k, w_i the angular part of S_i. Tangents of
// different joints commute, so the order does not matter but among the rotations of one ball or free joint,
// where it is the derivative by the second of the first's.
#include <sinew/dynamics_derivative.h>
#include <string.h>
#include "derivative/smooth/carried.h"
#include "math/spatial.h"

// p_k of the bodies of inertia I [10]
static inline snVec3 firstMoment(const snData* d, int k, const double* I)
{
    return sn_inertiaMul(sn_inertiaLoad(I), sn_motionLoad(d->cdof + 6 * k)).lin;
}

static inline snVec3 axis(const snData* d, int k)
{
    return sn_v3Load(d->cdof + 6 * k);
}

void sn_gravityDerivative(const snModel* m, const snData* d, double* Dq)
{
    const ptrdiff_t nv = m->nv;
    const snVec3 g = sn_v3Load(m->opt.gravity);
    memset(Dq, 0, (size_t)nv * (size_t)nv * sizeof(double));
    if (m->opt.disableflags & SN_DSBL_GRAVITY) return;
    for (int k = 0; k < nv; k++) {
        const double* I = d->crb + 10 * m->dof_bodyid[k];
        const snVec3 turn = sn_v3Cross(g, firstMoment(d, k, I)); // -g . (w x p) = w . (g x p)
        for (int i = k; i >= 0; i = m->dof_parentid[i]) {
            Dq[k * nv + i] = Dq[i * nv + k] = sn_v3Dot(axis(d, i), turn);
            if (sn_isSameBall(m, i, k))
                Dq[i * nv + k] = sn_v3Dot(axis(d, k), sn_v3Cross(g, firstMoment(d, i, I)));
        }
    }
}

void sn_subtreeComHessian(const snModel* m, const snData* d, int body, double* H)
{
    const ptrdiff_t nv = m->nv;
    const double mass = m->body_subtreemass[body];
    memset(H, 0, 3 * (size_t)nv * (size_t)nv * sizeof(double));
    for (int k = 0; k < nv && mass >= SN_MINVAL; k++) {
        const int carried = sn_carriedBody(m, k, body);
        if (carried < 0) continue;
        const double* I = d->crb + 10 * carried;
        const snVec3 p = sn_v3Scale(firstMoment(d, k, I), 1 / mass);
        for (int i = k; i >= 0; i = m->dof_parentid[i]) {
            const bool ball = sn_isSameBall(m, i, k);
            const snVec3 turn = sn_v3Cross(axis(d, i), p);
            const snVec3 other =
                ball ? sn_v3Cross(axis(d, k), sn_v3Scale(firstMoment(d, i, I), 1 / mass)) : turn;
            const double lower[3] = {turn.x, turn.y, turn.z}, upper[3] = {other.x, other.y, other.z};
            for (int r = 0; r < 3; r++) {
                H[(r * nv + i) * nv + k] = upper[r];
                H[(r * nv + k) * nv + i] = lower[r];
            }
        }
    }
}
