#include "loop/joint/closure.h"
#include <sinew/loop.h>
#include <string.h>
#include "model/kinds.h"
#include "model/sleep.h"
#include "smooth/inertia/equality_anchor.h"
#include "smooth/kinematics/jacobian.h"
#include "smooth/tendon/tendon.h"

static int equalityOf(const snModel* m, int id)
{
    return id < m->nloop ? -1 : id - m->nloop;
}

static bool isBetweenBodies(const snModel* m, int eq)
{
    return eq < 0 || sn_isBetweenBodies(m, eq);
}

bool sn_closureBodies(const snModel* m, int id, int body[2])
{
    const int eq = equalityOf(m, id);
    if (!isBetweenBodies(m, eq)) return false;
    for (int k = 0; k < 2; k++)
        body[k] = eq < 0 ? m->site_bodyid[m->loop_siteid[2 * id + k]] : sn_equalityBody(m, eq, k);
    return true;
}

const char* sn_loopName(const snModel* m, int id)
{
    if (id < 0 || id >= sn_closureCount(m)) return "";
    return m->names + (id < m->nloop ? m->loop_nameadr[id] : m->name_eqadr[id - m->nloop]);
}

// A tendon over geoms: its length has no second derivative that the tendon stage knows.
static bool wraps(const snModel* m, int tendon)
{
    for (int w = m->tendon_adr[tendon], end = w + m->tendon_num[tendon]; w < end; w++)
        if (m->wrap_type[w] == SN_WRAP_SPHERE || m->wrap_type[w] == SN_WRAP_CYLINDER) return true;
    return false;
}

bool sn_equalityIsExact(const snModel* m, const snData* d, int eq)
{
    if (m->opt.loops != SN_LOOPS_EXACT || !d->eq_active[eq] || m->eq_type[eq] == SN_EQ_FLEX) return false;
    if (m->eq_type[eq] != SN_EQ_TENDON) return true;
    return !wraps(m, m->eq_obj1id[eq]) && !(m->eq_obj2id[eq] >= 0 && wraps(m, m->eq_obj2id[eq]));
}

// Whether the mechanism sleeps that has this dof; -1: none.
static bool sleeps(const snModel* m, const snData* d, int dof)
{
    return dof >= 0 && sn_isAsleep(d, m->dof_treeid[dof]);
}

static bool tendonHolds(const snModel* m, const snData* d, int tendon)
{
    return tendon >= 0 && m->tendon_dofnum[tendon] &&
           !sleeps(m, d, m->tendon_dofid[m->tendon_dofadr[tendon]]);
}

bool sn_closureHolds(const snModel* m, const snData* d, int id)
{
    const int eq = equalityOf(m, id);
    if (eq >= 0 && !sn_equalityIsExact(m, d, eq)) return false;
    if (!isBetweenBodies(m, eq)) {
        if (m->eq_type[eq] == SN_EQ_JOINT) return !sleeps(m, d, m->jnt_dofadr[m->eq_obj1id[eq]]);
        return tendonHolds(m, d, m->eq_obj1id[eq]) || tendonHolds(m, d, m->eq_obj2id[eq]);
    }
    int body[2];
    sn_closureBodies(m, id, body);
    const int a = sn_lastDof(m, body[0]), b = sn_lastDof(m, body[1]);
    return a != b && !sleeps(m, d, a) && !sleeps(m, d, b);
}

int sn_closureSize(const snModel* m, int id)
{
    const int eq = equalityOf(m, id);
    if (eq < 0) return sn_loopRowCount((snLoopType)m->loop_type[id]);
    return sn_equalityKind(m->eq_type[eq]).rows;
}

int sn_closureAngles(const snModel* m, int id)
{
    const int eq = equalityOf(m, id);
    if (eq < 0) return sn_loopAngleCount((snLoopType)m->loop_type[id]);
    if (m->eq_type[eq] == SN_EQ_WELD) return 3;
    return m->eq_type[eq] == SN_EQ_JOINT && m->jnt_type[m->eq_obj1id[eq]] == SN_JNT_HINGE;
}

// Dofs of two lists that ascend, together, descending.
static int merge(const int* a, int na, const int* b, int nb, int* dofs)
{
    int count = 0;
    while (na > 0 || nb > 0) {
        const int x = na > 0 ? a[na - 1] : -1, y = nb > 0 ? b[nb - 1] : -1;
        dofs[count++] = x > y ? x : y;
        na -= x >= y;
        nb -= y >= x;
    }
    return count;
}

int sn_closureDofs(const snModel* m, int id, int* dofs)
{
    const int eq = equalityOf(m, id);
    int body[2];
    if (sn_closureBodies(m, id, body)) return sn_loopDofs(m, body, dofs);
    const int id1 = m->eq_obj1id[eq], id2 = m->eq_obj2id[eq];
    if (m->eq_type[eq] == SN_EQ_JOINT)
        return merge(m->jnt_dofadr + id1, 1, m->jnt_dofadr + (id2 < 0 ? 0 : id2), id2 >= 0, dofs);
    return merge(m->tendon_dofid + m->tendon_dofadr[id1], m->tendon_dofnum[id1],
                 m->tendon_dofid + (id2 < 0 ? 0 : m->tendon_dofadr[id2]), id2 < 0 ? 0 : m->tendon_dofnum[id2],
                 dofs);
}

static snLoopFrames framesOfSites(const snModel* m, const snData* d, const int site[2])
{
    snLoopFrames f;
    for (int k = 0; k < 2; k++) {
        f.body[k] = m->site_bodyid[site[k]];
        f.pos[k] = sn_v3Load(d->site_xpos + 3 * site[k]);
        f.mat[k] = sn_m3Load(d->site_xmat + 9 * site[k]);
    }
    return f;
}

// A connect is a spherical joint, a weld a fixed one.
static snLoopFrames framesOfEquality(const snModel* m, const snData* d, int eq)
{
    snLoopFrames f;
    for (int k = 0; k < 2; k++) {
        f.body[k] = sn_equalityBody(m, eq, k);
        f.pos[k] = sn_equalityAnchor(m, d, eq, k);
        f.mat[k] = m->eq_type[eq] == SN_EQ_WELD ? sn_quatToMat(sn_quatNormalize(sn_weldFrame(m, d, eq, k)))
                                                : sn_m3Load(d->xmat + 9 * f.body[k]);
    }
    return f;
}

snClosure sn_closure(const snModel* m, const snData* d, int id)
{
    snClosure c = {.id = id, .eq = equalityOf(m, id)};
    c.spatial = isBetweenBodies(m, c.eq);
    if (!c.spatial) return c;
    c.type = c.eq < 0                            ? (snLoopType)m->loop_type[id]
             : m->eq_type[c.eq] == SN_EQ_CONNECT ? SN_LOOP_SPHERICAL
                                                 : SN_LOOP_FIXED;
    c.parameter = c.eq < 0 ? m->loop_parameter[id] : 0;
    c.frames = c.eq < 0 ? framesOfSites(m, d, m->loop_siteid + 2 * id) : framesOfEquality(m, d, c.eq);
    return c;
}

// y - y0 = p(x - x0): how a joint or tendon follows another one.
typedef struct Following {
    double residual, slope, curve; // y - y0 - p, p', p''
} Following;

static Following follow(const double* coefficient, double y, double x)
{
    double p = 0, slope = 0, half = 0;
    for (int k = 4; k >= 0; k--) {
        half = slope + half * x;
        slope = p + slope * x;
        p = coefficient[k] + p * x;
    }
    return (Following){y - p, slope, 2 * half};
}

static Following followingOf(const snModel* m, const snData* d, int eq)
{
    const int id1 = m->eq_obj1id[eq], id2 = m->eq_obj2id[eq];
    const double* coefficient = m->eq_data + SN_NEQDATA * eq;
    if (m->eq_type[eq] == SN_EQ_TENDON)
        return follow(coefficient, d->ten_length[id1] - m->tendon_length0[id1],
                      id2 < 0 ? 0 : d->ten_length[id2] - m->tendon_length0[id2]);
    const int q1 = m->jnt_qposadr[id1], q2 = id2 < 0 ? 0 : m->jnt_qposadr[id2];
    return follow(coefficient, d->qpos[q1] - m->qpos0[q1], id2 < 0 ? 0 : d->qpos[q2] - m->qpos0[q2]);
}

static void followingRow(const snModel* m, const snData* d, int eq, double slope, const int* place, double* K)
{
    const int id1 = m->eq_obj1id[eq], id2 = m->eq_obj2id[eq];
    if (m->eq_type[eq] == SN_EQ_JOINT) {
        K[place[m->jnt_dofadr[id1]]] += 1;
        if (id2 >= 0) K[place[m->jnt_dofadr[id2]]] -= slope;
        return;
    }
    const snTendonArms first = sn_armsOfTendon(d, id1);
    for (int k = 0; k < first.num; k++) K[place[first.dofs[k]]] += first.J[k];
    if (id2 < 0) return;
    const snTendonArms second = sn_armsOfTendon(d, id2);
    for (int k = 0; k < second.num; k++) K[place[second.dofs[k]]] -= slope * second.J[k];
}

// Rate of the first and of the second joint or tendon, and what of their second derivative the velocity
// gives.
static void followingRates(const snModel* m, const snData* d, int eq, double rate[2], double rate2[2])
{
    const int ids[2] = {m->eq_obj1id[eq], m->eq_obj2id[eq]};
    for (int k = 0; k < 2; k++) {
        rate[k] = rate2[k] = 0;
        if (ids[k] < 0) continue;
        if (m->eq_type[eq] == SN_EQ_JOINT) {
            rate[k] = d->qvel[m->jnt_dofadr[ids[k]]];
            continue;
        }
        const snTendonArms arms = sn_armsOfTendon(d, ids[k]);
        for (int i = 0; i < arms.num; i++) rate[k] += arms.J[i] * d->qvel[arms.dofs[i]];
        rate2[k] = sn_tendonRate2(m, d, ids[k]);
    }
}

static void followingPosition(const snModel* m, const snData* d, int eq, const int* place, double* K,
                              double* delta)
{
    const Following f = followingOf(m, d, eq);
    followingRow(m, d, eq, f.slope, place, K);
    delta[0] = f.residual;
}

static void followingVelocity(const snModel* m, const snData* d, int eq, double* k, double* speed)
{
    double rate[2], rate2[2];
    const Following f = followingOf(m, d, eq);
    followingRates(m, d, eq, rate, rate2);
    // y'' - p' x'' = p'' x'^2
    k[0] = f.curve * rate[1] * rate[1] + f.slope * rate2[1] - rate2[0];
    speed[0] = rate[0] - f.slope * rate[1];
}

void sn_closurePosition(const snModel* m, const snData* d, int id, const int* place, int stride, double* K,
                        double* delta)
{
    const snClosure c = sn_closure(m, d, id);
    if (!c.spatial) {
        followingPosition(m, d, c.eq, place, K, delta);
        return;
    }
    const snLoopPose pose = sn_loopPlace(&c.frames);
    const snLoopRows rows = sn_loopJoint(c.type, c.parameter, &pose);
    sn_loopJacobian(m, d, &c.frames, &rows, place, stride, K);
    memcpy(delta, rows.delta, (size_t)rows.count * sizeof(double));
}

void sn_closureVelocity(const snModel* m, const snData* d, int id, double* k, double* speed)
{
    const snClosure c = sn_closure(m, d, id);
    if (!c.spatial) {
        followingVelocity(m, d, c.eq, k, speed);
        return;
    }
    const snLoopPose pose = sn_loopPose(m, d, &c.frames);
    const snLoopRows rows = sn_loopJoint(c.type, c.parameter, &pose);
    sn_loopBias(m, d, &c.frames, &pose, &rows, k, speed);
}

void sn_closureMotion(const snModel* m, const snData* d, int id, const int* place, int stride, double* K,
                      double* delta, double* k, double* speed)
{
    const snClosure c = sn_closure(m, d, id);
    if (!c.spatial) {
        followingPosition(m, d, c.eq, place, K, delta);
        followingVelocity(m, d, c.eq, k, speed);
        return;
    }
    const snLoopPose pose = sn_loopPose(m, d, &c.frames);
    const snLoopRows rows = sn_loopJoint(c.type, c.parameter, &pose);
    sn_loopJacobian(m, d, &c.frames, &rows, place, stride, K);
    sn_loopBias(m, d, &c.frames, &pose, &rows, k, speed);
    memcpy(delta, rows.delta, (size_t)rows.count * sizeof(double));
}
