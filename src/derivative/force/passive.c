// Passive forces: springs and dampers of joints and tendons, gravity compensation, fluids, flexes. Source:
// seed 001, "Passive forces"; the derivatives are worked out here.
#include <sinew/plugin.h>
#include "base/error.h"
#include "derivative/force/flex.h"
#include "derivative/force/fluid.h"
#include "derivative/force/force.h"
#include "derivative/force/gravity.h"
#include "derivative/force/pull.h"
#include "derivative/smooth/bias.h"
#include "model/arena.h"
#include "smooth/kinematics/spring.h"
#include "smooth/tendon/tendon.h"

static inline double* at(const snModel* m, double* H, int row, int column)
{
    return H + (size_t)row * (size_t)m->nv + (size_t)column;
}

// ---- joints

// How f(|x|) x/|x| changes with x: with k = f(|x|)/|x|, k 1 + k' x x'/|x|.
static snMat3 tangent(snCubic spring, snVec3 x)
{
    const double length = sn_v3Norm(x), k = sn_cubicSecant(spring, length);
    const double along = length > 0 ? sn_cubicSecantSlope(spring, length) / length : 0;
    const double e[3] = {x.x, x.y, x.z};
    snMat3 K;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) K.m[3 * r + c] = along * e[r] * e[c] + (r == c ? k : 0);
    return K;
}

static void subtract(const snModel* m, int dof, snMat3 K, double* H)
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) *at(m, H, dof + r, dof + c) -= K.m[3 * r + c];
}

// The force against r, the rotation vector from the rest orientation q0 to q.
static void turnSpring(const snModel* m, int dof, snCubic k, const double* q0, const double* q, double* H)
{
    const snVec3 r = sn_rotationFrom(q0, q);
    subtract(m, dof, sn_m3MulM3(tangent(k, r), sn_rotationVectorRate(r)), H);
}

static void springs(const snModel* m, const snData* d, double* H)
{
    for (int j = 0; j < m->njnt; j++) {
        const snCubic k = sn_springOfJoint(m, j);
        const int dof = m->jnt_dofadr[j];
        const double *q = d->qpos + m->jnt_qposadr[j], *q0 = sn_springRest(m, d, j);
        if (sn_cubicIsZero(k)) continue;
        switch ((snJointType)m->jnt_type[j]) {
        case SN_JNT_FREE:
            subtract(m, dof, tangent(k, sn_v3Sub(sn_v3Load(q), sn_v3Load(q0))), H);
            turnSpring(m, dof + 3, k, q0 + 3, q + 3, H);
            break;
        case SN_JNT_BALL: turnSpring(m, dof, k, q0, q, H); break;
        case SN_JNT_SLIDE:
        case SN_JNT_HINGE: *at(m, H, dof, dof) -= sn_stiffnessOfJoint(m, j, q[0] - q0[0]);
        }
    }
}

// ---- tendons

// The force -f(stretch) J': the stretch changes by J, but for in the dead band, at whose ends it is
// still 0.
static void tendonSpring(const snModel* m, const snData* d, int t, double* H)
{
    const double *rest = sn_tendonRest(m, d, t), stretch = sn_tendonStretch(m, d, t);
    const double k = sn_stiffnessOfTendon(m, t, stretch);
    if (stretch == 0 && rest[0] != rest[1]) return;
    const snTendonArms arms = sn_armsOfTendon(d, t);
    for (int r = 0; r < arms.num; r++)
        for (int c = 0; c < arms.num; c++) *at(m, H, arms.dofs[r], arms.dofs[c]) -= k * arms.J[r] * arms.J[c];
    sn_tendonLengthDerivative(m, d, t, sn_tendonSpringForce(m, d, t), H);
}

// The force -f(J v) J'. turn [nv x nv] is scratch.
static void tendonDamper(const snModel* m, const snData* d, int t, double* turn, double* q, double* v)
{
    const double b = sn_dampingOfTendon(m, t, d->ten_velocity[t]), force = sn_tendonDamperForce(m, d, t);
    const size_t nv = (size_t)m->nv;
    const snTendonArms arms = sn_armsOfTendon(d, t);
    for (int r = 0; r < arms.num && v; r++)
        for (int c = 0; c < arms.num; c++) *at(m, v, arms.dofs[r], arms.dofs[c]) -= b * arms.J[r] * arms.J[c];
    if (!q || m->wrap_type[m->tendon_adr[t]] == SN_WRAP_JOINT) return;
    memset(turn, 0, nv * nv * sizeof(double));
    sn_tendonLengthDerivative(m, d, t, 1, turn);
    for (size_t k = 0; k < nv; k++) {
        double rate = 0;
        for (size_t r = 0; r < nv; r++) rate += d->qvel[r] * turn[r * nv + k];
        for (int r = 0; r < arms.num; r++) *at(m, q, arms.dofs[r], (int)k) -= b * arms.J[r] * rate;
    }
    for (size_t e = 0; e < nv * nv; e++) q[e] += force * turn[e];
}

// ---- gravity compensation

void sn_gravityCompensationDerivative(const snModel* m, const snData* d, double* H)
{
    const snVec3 none = {0, 0, 0}, up = sn_v3Neg(sn_v3Load(m->opt.gravity));
    for (int b = 1; b < m->nbody; b++) {
        if (m->body_gravcomp[b] == 0) continue;
        const snVec3 f = sn_v3Scale(up, m->body_mass[b] * m->body_gravcomp[b]);
        const snPull lift = {b, -1, sn_v3Load(d->xipos + 3 * b), f, none};
        for (int k = sn_lastDof(m, b); k >= 0; k = m->dof_parentid[k]) {
            const snVec3 rate = sn_pointRate(m, d, b, sn_motionLoad(d->cdof + 6 * k), lift.point);
            sn_addPullRate(m, d, &lift, k, &(snPull){.point = rate}, 1, H);
        }
    }
}

// Rows of joints that bear it passively.
static void lift(const snModel* m, const snData* d, double* H, double* q)
{
    const size_t nv = (size_t)m->nv;
    memset(H, 0, nv * nv * sizeof(double));
    sn_gravityCompensationDerivative(m, d, H);
    for (size_t r = 0; r < nv; r++)
        for (size_t c = 0; c < nv && !m->jnt_actgravcomp[m->dof_jntid[r]]; c++)
            q[r * nv + c] += H[r * nv + c];
}

// ---- all

static void dampers(const snModel* m, const snData* d, double* H, const snForceDerivative* sum)
{
    for (int k = 0; k < m->nv && sum->v; k++) *at(m, sum->v, k, k) -= sn_dampingOfDof(m, k, d->qvel[k]);
    for (int t = 0; t < m->ntendon; t++)
        if (!sn_cubicIsZero(sn_damperOfTendon(m, t))) tendonDamper(m, d, t, H, sum->q, sum->v);
}

static void tendonSprings(const snModel* m, const snData* d, double* H)
{
    for (int t = 0; t < m->ntendon; t++)
        if (!sn_cubicIsZero(sn_springOfTendon(m, t))) tendonSpring(m, d, t, H);
}

static bool forces(const snModel* m, snData* d, const snForceDerivative* sum)
{
    const int flags = m->opt.disableflags;
    double* H = sn_scratchAlloc(d, (size_t)m->nv * (size_t)m->nv * sizeof(double));
    if (!H || !sn_fluidDerivative(m, d, sum->q, sum->v) || !sn_flexDerivative(m, d, sum)) return false;
    if (sum->q && !(flags & SN_DSBL_SPRING)) {
        springs(m, d, sum->q);
        tendonSprings(m, d, sum->q);
    }
    if (!(flags & SN_DSBL_DAMPER)) dampers(m, d, H, sum);
    if (sum->q && sn_hasGravityCompensation(m)) lift(m, d, H, sum->q);
    return true;
}

snStatus sn_passiveDerivative(const snModel* m, snData* d, snForceDerivative* sum, snError* error)
{
    const int none = SN_DSBL_SPRING | SN_DSBL_DAMPER;
    if ((m->opt.disableflags & none) == none || m->nv == 0) return SN_STATUS_OK;
    if (d->callback.passive)
        return sn_fail(error, SN_STATUS_UNSUPPORTED,
                       "passive forces of a callback have no derivative; use sn_transitionFD");
    for (int i = 0; i < d->nplugin; i++)
        if (sn_pluginOf(m, i)->passive)
            return sn_fail(error, SN_STATUS_UNSUPPORTED,
                           "passive forces of the plugin '%s' have no derivative; use sn_transitionFD",
                           sn_pluginOf(m, i)->name);
    if (m->nplastic && !(m->opt.disableflags & SN_DSBL_SPRING))
        return sn_fail(error, SN_STATUS_UNSUPPORTED,
                       "springs that yield (springyield) have no derivative; use sn_transitionFD");
    const size_t mark = sn_scratchMark(d);
    const bool room = forces(m, d, sum);
    sn_scratchRelease(d, mark);
    return room ? SN_STATUS_OK : sn_failRoom(error);
}
