// Passive forces: springs and dampers of joints and tendons, gravity compensation, fluids. Source: seed 001,
// "Passive forces"; the derivatives are worked out here.
#include "base/error.h"
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

// The force -k r, r the rotation vector from the rest orientation q0 to q.
static void turnSpring(const snModel* m, int dof, double k, const double* q0, const double* q, double* H)
{
    const snMat3 K = sn_rotationVectorRate(sn_rotationFrom(q0, q));
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) *at(m, H, dof + r, dof + c) -= k * K.m[3 * r + c];
}

static void springs(const snModel* m, const snData* d, double* H)
{
    for (int j = 0; j < m->njnt; j++) {
        const double k = m->jnt_stiffness[j];
        const int dof = m->jnt_dofadr[j], a = m->jnt_qposadr[j], type = m->jnt_type[j];
        const double *q = d->qpos + a, *q0 = m->qpos_spring + a;
        if (k == 0) continue;
        if (type == SN_JNT_BALL) {
            turnSpring(m, dof, k, q0, q, H);
            continue;
        }
        for (int i = 0; i < (type == SN_JNT_FREE ? 3 : 1); i++) *at(m, H, dof + i, dof + i) -= k;
        if (type == SN_JNT_FREE) turnSpring(m, dof + 3, k, q0 + 3, q + 3, H);
    }
}

// ---- tendons

// The force -stiffness stretch J': the stretch changes by J, but for in the dead band, at whose ends it is
// still 0.
static void tendonSpring(const snModel* m, const snData* d, int t, double* H)
{
    const double stretch = sn_tendonStretch(m, d, t), k = m->tendon_stiffness[t];
    if (stretch == 0 && m->tendon_lengthspring[2 * t] != m->tendon_lengthspring[2 * t + 1]) return;
    const snTendonArms arms = sn_armsOfTendon(d, t);
    for (int r = 0; r < arms.num; r++)
        for (int c = 0; c < arms.num; c++) *at(m, H, arms.dofs[r], arms.dofs[c]) -= k * arms.J[r] * arms.J[c];
    sn_tendonLengthDerivative(m, d, t, -k * stretch, H);
}

// The force -damping (J v) J'. turn [nv x nv] is scratch.
static void tendonDamper(const snModel* m, const snData* d, int t, double* turn, double* q, double* v)
{
    const double b = m->tendon_damping[t];
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
    for (size_t e = 0; e < nv * nv; e++) q[e] -= b * d->ten_velocity[t] * turn[e];
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
    for (int k = 0; k < m->nv && sum->v; k++) *at(m, sum->v, k, k) -= m->dof_damping[k];
    for (int t = 0; t < m->ntendon; t++)
        if (m->tendon_damping[t] != 0) tendonDamper(m, d, t, H, sum->q, sum->v);
}

static void tendonSprings(const snModel* m, const snData* d, double* H)
{
    for (int t = 0; t < m->ntendon; t++)
        if (m->tendon_stiffness[t] != 0) tendonSpring(m, d, t, H);
}

static bool forces(const snModel* m, snData* d, const snForceDerivative* sum)
{
    const int flags = m->opt.disableflags;
    double* H = sn_scratchAlloc(d, (size_t)m->nv * (size_t)m->nv * sizeof(double));
    if (!H || !sn_fluidDerivative(m, d, sum->q, sum->v)) return false;
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
    const size_t mark = sn_scratchMark(d);
    const bool room = forces(m, d, sum);
    sn_scratchRelease(d, mark);
    return room ? SN_STATUS_OK : sn_failRoom(error);
}
