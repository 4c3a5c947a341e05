// In lanes, too: src/batch/lane/prelude.h.
// Inverse dynamics by recursive Newton-Euler (Featherstone 2008, 5.3; seed 001, "Bias force"): accelerations
// outwards, forces inwards. Gravity enters as an upward acceleration of the world.
#include <sinew/smooth.h>
#include <sinew/support.h>
#include "math/clones.h"
#include "math/spatial.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "model/made.h"
#include "smooth/inertia/equality_anchor.h"
#include "smooth/kinematics/jacobian.h"
#ifndef SN_LANES
#include "math/lanes.h"
#endif

static snMotion worldAcceleration(const snModel* m)
{
    const int off = m->opt.disableflags & SN_DSBL_GRAVITY;
    return (snMotion){sn_v3(0, 0, 0), off ? sn_v3(0, 0, 0) : sn_v3Neg(sn_v3Load(m->opt.gravity))};
}

static inline bool isFree(const snModel* m, int b)
{
    return m->body_dofnum[b] == 6 && m->jnt_type[m->body_jntadr[b]] == SN_JNT_FREE;
}

// a_b = a_parent + sum over the body's dofs of cdof_dot qvel (+ cdof qacc)
static inline snMotion bodyAcceleration(const snModel* m, const snData* d, int b, snMotion a, int flg_acc)
{
    const int begin = m->body_dofadr[b], end = begin + m->body_dofnum[b];
    const int moving =
        !flg_acc && isFree(m, b) ? begin + 3 : begin; // axes of a free joint's translations stay
    for (int k = moving; k < end; k++) {
        a = sn_motionAddScaled(a, d->qvel[k], sn_motionLoad(d->cdof_dot + 6 * k));
        if (flg_acc) a = sn_motionAddScaled(a, d->qacc[k], sn_motionLoad(d->cdof + 6 * k));
    }
    return a;
}

// f_b = I a + v x* (I v)
static inline snForce bodyForce(const snData* d, int b, snMotion a)
{
    const snInertia I = sn_inertiaLoad(d->cinert + 10 * b);
    const snMotion v = sn_motionLoad(d->cvel + 6 * b);
    return sn_forceAdd(sn_inertiaMul(I, a), sn_crossForce(v, sn_inertiaMul(I, v)));
}

#ifdef SN_LANES
static inline int forcesInFours(const snModel* m, const snData* d, const real* acc, real* force)
{
    (void)m, (void)d, (void)acc, (void)force;
    return 1;
}
#else
// The same for bodies b, ..., b + 3.
SN_INLINE void bodyForces(const snData* d, int b, const real* acc, real* force)
{
    snLanesInertia I;
    const real* p = d->cinert + 10 * b;
    v4 again_h, again_y;
    sn_lanesLoad(p, 10, &I.xx, &I.yy, &I.zz, &I.xy);
    sn_lanesLoad(p + 4, 10, &I.xz, &I.yz, &I.h.x, &I.h.y);
    sn_lanesLoad(p + 6, 10, &again_h, &again_y, &I.h.z, &I.mass);
    const snLanes6 v = sn_l6Load(d->cvel + 6 * b), Iv = sn_lanesInertiaMul(&I, v);
    const snLanes6 Ia = sn_lanesInertiaMul(&I, sn_l6Load(acc + 6 * b));
    const snLanes3 ang = sn_l3Add(sn_l3Cross(v.ang, Iv.ang), sn_l3Cross(v.lin, Iv.lin));
    const snLanes3 lin = sn_l3Cross(v.ang, Iv.lin);
    sn_l6Store(force + 6 * b, (snLanes6){sn_l3Add(Ia.ang, ang), sn_l3Add(Ia.lin, lin)});
}

// The bodies that there are four at a time; returns the first that is left.
SN_INLINE int forcesInFours(const snModel* m, const snData* d, const real* acc, real* force)
{
    int b = 1;
    for (; b + 4 <= m->nbody; b += 4) bodyForces(d, b, acc, force);
    return b;
}
#endif

// force [nbody x 6] of all bodies but the world, which has none, under acc [nbody x 6].
static inline __attribute__((always_inline)) void allForces(const snModel* m, const snData* d,
                                                            const real* acc, real* force)
{
    sn_forceStore(force, (snForce){0});
    for (int b = forcesInFours(m, d, acc, force); b < m->nbody; b++)
        sn_forceStore(force + 6 * b, bodyForce(d, b, sn_motionLoad(acc + 6 * b)));
}

static inline void addToParent(const snModel* m, real* force, int b)
{
    real* parent = force + 6 * m->body_parentid[b];
    for (int k = 0; k < 6; k++) parent[k] += force[6 * b + k];
}

// What the force on body b does along its own dofs.
static inline void jointForces(const snModel* m, const snData* d, int b, snForce f, real* result)
{
    int k = m->body_dofadr[b];
    const int end = k + m->body_dofnum[b];
    if (isFree(m, b)) { // its translations are along the axes of the world
        sn_v3Store(result + k, f.lin);
        k += 3;
    }
    for (; k < end; k++) result[k] = sn_motionDotForce(sn_motionLoad(d->cdof + 6 * k), f);
}

SN_CLONES void sn_rne(const snModel* m, snData* d, int flg_acc, real* result)
{
    sn_assertMade(m, d, cvel, cdof, cdof_dot, cinert);
    const size_t mark = sn_scratchMark(d);
    real* acc = sn_scratchReal(d, 6 * m->nbody);
    real* force = sn_scratchReal(d, 6 * m->nbody);
    if (!acc || !force) {
        sn_scratchRelease(d, mark);
        sn_warn(d, SN_WARN_CNSTRFULL, 0);
        memset(result, 0, (size_t)m->nv * sizeof(real));
        return;
    }
    sn_motionStore(acc, worldAcceleration(m));
    for (int b = 1; b < m->nbody; b++) {
        const snMotion a = sn_motionLoad(acc + 6 * m->body_parentid[b]);
        sn_motionStore(acc + 6 * b, bodyAcceleration(m, d, b, a, flg_acc));
    }
    allForces(m, d, acc, force);
    for (int b = m->nbody - 1; b > 0; b--)
        if (m->body_parentid[b]) addToParent(m, force, b);
    for (int b = 1; b < m->nbody; b++) jointForces(m, d, b, sn_forceLoad(force + 6 * b), result);
    sn_scratchRelease(d, mark);
}

// ---- after the constraint solver

static inline void addExternal(snData* d, int b, snForce f)
{
    sn_forceStore(d->cfrc_ext + 6 * b, sn_forceAdd(sn_forceLoad(d->cfrc_ext + 6 * b), f));
}

// The force of contact c on the body of its second geom; the first gets the opposite.
static void addContact(const snModel* m, snData* d, int c)
{
    const snContact* con = d->contact + c;
    if (con->efc_address < 0) return;
    const int b1 = m->geom_bodyid[con->geom[0]], b2 = m->geom_bodyid[con->geom[1]];
    real local[6];
    sn_contactForce(m, d, c, local);
    const snMat3 R = sn_m3Load(con->frame); // rows are the axes: world to contact
    const snVec3 force = sn_m3TMul(R, sn_v3Load(local)), torque = sn_m3TMul(R, sn_v3Load(local + 3));
    const snVec3 point = sn_v3Load(con->pos);
    if (b1) addExternal(d, b1, sn_forceAtCom(m, d, b1, sn_v3Neg(force), sn_v3Neg(torque), point));
    if (b2) addExternal(d, b2, sn_forceAtCom(m, d, b2, force, torque, point));
}

// The torque of a weld on its first body: its power w . t is that of the rows, f . s/2 vec(q2* (0, w) q1), so
// t = s/2 vec(q2 (0, f) q1*).
static snVec3 weldTorque(const snModel* m, const snData* d, int eq, snVec3 f)
{
    const snQuat q1 = sn_weldFrame(m, d, eq, 0), q2 = sn_weldFrame(m, d, eq, 1);
    const snQuat turned = sn_quatMul(sn_quatMul(q2, sn_quat(0, f.x, f.y, f.z)), sn_quatConj(q1));
    return sn_v3Scale(sn_quatVector(turned), 0.5 * sn_weldScale(m, eq));
}

// A connect or weld whose rows begin at `row` acts at the points that it holds, on the second body with the
// opposite of what it does to the first.
static void addEquality(const snModel* m, snData* d, int eq, int row)
{
    const bool weld = m->eq_type[eq] == SN_EQ_WELD;
    snVec3 force = sn_v3Load(d->efc_force + row);
    snVec3 torque = weld ? weldTorque(m, d, eq, sn_v3Load(d->efc_force + row + 3)) : sn_v3(0, 0, 0);
    for (int side = 0; side < 2; side++) {
        const int body = sn_equalityBody(m, eq, side);
        if (body)
            addExternal(d, body, sn_forceAtCom(m, d, body, force, torque, sn_equalityAnchor(m, d, eq, side)));
        force = sn_v3Neg(force);
        torque = sn_v3Neg(torque);
    }
}

static void addEqualities(const snModel* m, snData* d)
{
    for (int row = 0; row < d->ne;) {
        const int eq = d->efc_id[row], type = m->eq_type[eq];
        const bool between_bodies = sn_equalityKind(type).bodies;
        if (between_bodies) addEquality(m, d, eq, row);
        row += sn_equalityKind(type).rows;
    }
}

static void externalForces(const snModel* m, snData* d)
{
    memset(d->cfrc_ext, 0, (size_t)m->nbody * 6 * sizeof(real));
    for (int b = 1; b < m->nbody; b++) {
        if (sn_all(sn_isZero6(d->xfrc_applied + 6 * b))) continue;
        const snVec3 force = sn_v3Load(d->xfrc_applied + 6 * b),
                     torque = sn_v3Load(d->xfrc_applied + 6 * b + 3);
        addExternal(d, b, sn_forceAtCom(m, d, b, force, torque, sn_v3Load(d->xipos + 3 * b)));
    }
    for (int c = 0; c < d->ncon; c++) addContact(m, d, c);
    addEqualities(m, d);
    for (int b = 1; b < m->nbody && d->nclosure; b++) addExternal(d, b, sn_forceLoad(d->cfrc_loop + 6 * b));
}

SN_CLONES __attribute__((flatten)) void sn_rnePostConstraint(const snModel* m, snData* d)
{
    sn_assertMade(m, d, qacc, cvel, cdof, cdof_dot, cinert, xipos, contact, efc_force);
    externalForces(m, d);
    sn_motionStore(d->cacc, worldAcceleration(m));
    for (int b = 1; b < m->nbody; b++) {
        const snMotion a = sn_motionLoad(d->cacc + 6 * m->body_parentid[b]);
        sn_motionStore(d->cacc + 6 * b, bodyAcceleration(m, d, b, a, 1));
    }
    allForces(m, d, d->cacc, d->cfrc_int);
    for (int k = 6; k < 6 * m->nbody; k++) d->cfrc_int[k] -= d->cfrc_ext[k];
    for (int b = m->nbody - 1; b > 0; b--) addToParent(m, d->cfrc_int, b);
}
