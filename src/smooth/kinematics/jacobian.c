// In lanes, too: src/batch/lane/prelude.h.
// Jacobians of points and frames fixed in bodies, from cdof: column k is the velocity that dof k gives.
// Source: seed 001, stage 2.
#include "smooth/kinematics/jacobian.h"
#include <sinew/support.h>
#include "model/kinds.h"
#include "model/made.h"

static void storeColumn(real* jac, int nv, int k, snVec3 v)
{
    jac[k] = v.x;
    jac[nv + k] = v.y;
    jac[2 * nv + k] = v.z;
}

static void clear(const snModel* m, real* jac)
{
    if (jac) memset(jac, 0, 3 * (size_t)m->nv * sizeof(real));
}

// Velocity of a point `arm` away from the common point.
static inline snVec3 velocityAt(snMotion v, snVec3 arm)
{
    return sn_v3Add(v.lin, sn_v3Cross(v.ang, arm));
}

void sn_jac(const snModel* m, const snData* d, real* jacp, real* jacr, const real point[3], int body)
{
    sn_assertMade(m, d, cdof, subtree_com);
    clear(m, jacp);
    clear(m, jacr);
    const snVec3 arm = sn_v3Sub(sn_v3Load(point), sn_treeCom(m, d, body));
    for (int k = sn_lastDof(m, body); k >= 0; k = m->dof_parentid[k]) {
        const snMotion s = sn_motionLoad(d->cdof + 6 * k);
        if (jacr) storeColumn(jacr, m->nv, k, s.ang);
        if (jacp) storeColumn(jacp, m->nv, k, velocityAt(s, arm));
    }
}

void sn_jacBody(const snModel* m, const snData* d, real* jacp, real* jacr, int body)
{
    sn_assertMade(m, d, xpos);
    sn_jac(m, d, jacp, jacr, d->xpos + 3 * body, body);
}

void sn_jacBodyCom(const snModel* m, const snData* d, real* jacp, real* jacr, int body)
{
    sn_assertMade(m, d, xipos);
    sn_jac(m, d, jacp, jacr, d->xipos + 3 * body, body);
}

void sn_jacGeom(const snModel* m, const snData* d, real* jacp, real* jacr, int geom)
{
    sn_assertMade(m, d, geom_xpos);
    sn_jac(m, d, jacp, jacr, d->geom_xpos + 3 * geom, m->geom_bodyid[geom]);
}

void sn_jacSite(const snModel* m, const snData* d, real* jacp, real* jacr, int site)
{
    sn_assertMade(m, d, site_xpos);
    sn_jac(m, d, jacp, jacr, d->site_xpos + 3 * site, m->site_bodyid[site]);
}

// Parents come before their children, so the walk up stops at or below `root`.
static int inSubtree(const snModel* m, int body, int root)
{
    while (body > root) body = m->body_parentid[body];
    return body == root;
}

void sn_jacSubtreeCom(const snModel* m, snData* d, real* jacp, int body)
{
    sn_assertMade(m, d, xipos, cdof);
    clear(m, jacp);
    const int nv = m->nv;
    const real total = m->body_subtreemass[body];
    const snMask massless = total < SN_MINVAL;
    if (sn_all(massless)) return;
    for (int b = body; b < m->nbody; b++) {
        if (!inSubtree(m, b, body)) continue;
        const snVec3 arm = sn_v3Sub(sn_v3Load(d->xipos + 3 * b), sn_treeCom(m, d, b));
        const real share = m->body_mass[b] / total;
        const real weight = sn_any(massless) ? sn_select(massless, 0, share) : share;
        for (int k = sn_lastDof(m, b); k >= 0; k = m->dof_parentid[k]) {
            const snVec3 v = velocityAt(sn_motionLoad(d->cdof + 6 * k), arm);
            jacp[k] += weight * v.x;
            jacp[nv + k] += weight * v.y;
            jacp[2 * nv + k] += weight * v.z;
        }
    }
}

void sn_jacPointAxis(const snModel* m, snData* d, real* jacPoint, real* jacAxis, const real point[3],
                     const real axis[3], int body)
{
    if (jacPoint) sn_jac(m, d, jacPoint, NULL, point, body);
    if (!jacAxis) return;
    clear(m, jacAxis);
    for (int k = sn_lastDof(m, body); k >= 0; k = m->dof_parentid[k])
        storeColumn(jacAxis, m->nv, k, sn_v3Cross(sn_v3Load(d->cdof + 6 * k), sn_v3Load(axis)));
}

// Rate of the axis of dof k. The axes of a ball joint, and the rotations of a free one, turn with the body
// itself, so they have the whole joint's velocity; cdof_dot has that before it, as v x S summed over the
// joint is the same.
static snMotion axisRate(const snModel* m, const snData* d, int k)
{
    const snMotion s = sn_motionLoad(d->cdof + 6 * k);
    snMotion rate = sn_motionLoad(d->cdof_dot + 6 * k);
    const int j = m->dof_jntid[k], type = m->jnt_type[j];
    const int first = m->jnt_dofadr[j] + (type == SN_JNT_FREE ? 3 : 0);
    if (!sn_hasQuaternion(type) || k < first) return rate;
    for (int i = first; i < first + 3; i++)
        rate = sn_motionAddScaled(rate, d->qvel[i], sn_crossMotion(sn_motionLoad(d->cdof + 6 * i), s));
    return rate;
}

// The column w x arm + v of a point p that moves with p' has the rate w' x arm + v' + w x p'.
void sn_jacDot(const snModel* m, const snData* d, real* jacp, real* jacr, const real point[3], int body)
{
    sn_assertMade(m, d, cvel, cdof, cdof_dot);
    clear(m, jacp);
    clear(m, jacr);
    const snVec3 arm = sn_v3Sub(sn_v3Load(point), sn_treeCom(m, d, body));
    const snVec3 moving = velocityAt(sn_motionLoad(d->cvel + 6 * body), arm);
    for (int k = sn_lastDof(m, body); k >= 0; k = m->dof_parentid[k]) {
        const snMotion rate = axisRate(m, d, k);
        if (jacr) storeColumn(jacr, m->nv, k, rate.ang);
        if (jacp)
            storeColumn(jacp, m->nv, k,
                        sn_v3Add(velocityAt(rate, arm), sn_v3Cross(sn_v3Load(d->cdof + 6 * k), moving)));
    }
}

// A unit velocity of dof k gives what it moves the momentum I S_k at the tree's centre of mass, I the
// composite inertia of its body's subtree, or of `body`'s if that is above dof k's.
void sn_angmomMat(const snModel* m, const snData* d, real* mat, int body)
{
    sn_assertMade(m, d, subtree_com, crb, cdof);
    clear(m, mat);
    const snVec3 centre = sn_v3Load(d->subtree_com + 3 * body);
    int above = sn_lastDof(m, body);
    for (int k = 0; k < m->nv; k++) {
        const int own = m->dof_bodyid[k];
        if (!inSubtree(m, own, body) || own == body) continue;
        const snForce h = sn_inertiaMul(sn_inertiaLoad(d->crb + 10 * own), sn_motionLoad(d->cdof + 6 * k));
        const snVec3 arm = sn_v3Sub(centre, sn_treeCom(m, d, own));
        storeColumn(mat, m->nv, k, sn_v3Sub(h.ang, sn_v3Cross(arm, h.lin)));
    }
    if (!body) return;
    const snInertia I = sn_inertiaLoad(d->crb + 10 * body);
    const snVec3 arm = sn_v3Sub(centre, sn_treeCom(m, d, body));
    for (; above >= 0; above = m->dof_parentid[above]) {
        const snForce h = sn_inertiaMul(I, sn_motionLoad(d->cdof + 6 * above));
        storeColumn(mat, m->nv, above, sn_v3Sub(h.ang, sn_v3Cross(arm, h.lin)));
    }
}

void sn_applyFT(const snModel* m, const snData* d, const real force[3], const real torque[3],
                const real point[3], int body, real* qfrc_target)
{
    const snVec3 f = force ? sn_v3Load(force) : sn_v3(0, 0, 0),
                 t = torque ? sn_v3Load(torque) : sn_v3(0, 0, 0);
    sn_addForce(m, d, body, sn_forceAtCom(m, d, body, f, t, sn_v3Load(point)), qfrc_target);
}
