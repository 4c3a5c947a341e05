// In lanes, too: src/batch/lane/prelude.h.
// For each target: src/target/prelude.h.
// Accelerations of bodies, forces on them and between them, after the constraint solver.
#include <sinew/smooth.h>
#include <sinew/support.h>
#include "model/contact.h"
#include "model/made.h"
#include "smooth/inertia/body_force.h"
#include "smooth/inertia/equality_anchor.h"
#include "smooth/kinematics/jacobian.h"
#ifndef SN_LANES
#include "model/spatial_tendon.h"
#include "smooth/tension.h"
#endif

static inline void addExternal(snData* d, int b, snForce f)
{
    sn_forceStore(d->cfrc_ext + 6 * b, sn_forceAdd(sn_forceLoad(d->cfrc_ext + 6 * b), f));
}

// A force and torque on one side of a contact, on each body by its weight.
static void pushSide(const snModel* m, snData* d, const snContact* con, int side, snVec3 force, snVec3 torque)
{
    const snContactSide s = sn_contactSide(m, d, con, side);
    const snVec3 point = sn_v3Load(con->pos);
    for (int k = 0; k < s.count; k++) {
        const int b = s.body[k];
        const snVec3 f = sn_v3Scale(force, s.weight[k]), t = sn_v3Scale(torque, s.weight[k]);
        if (b) addExternal(d, b, sn_forceAtCom(m, d, b, f, t, point));
    }
}

// The force of contact c on the body of its second geom; the first gets the opposite.
static void addContact(const snModel* m, snData* d, int c)
{
    const snContact* con = d->contact + c;
    if (con->efc_address < 0) return;
    real local[6];
    sn_contactForce(m, d, c, local);
    const snMat3 R = sn_m3Load(con->frame); // rows are the axes: world to contact
    const snVec3 force = sn_m3TMul(R, sn_v3Load(local)), torque = sn_m3TMul(R, sn_v3Load(local + 3));
    pushSide(m, d, con, 0, sn_v3Neg(force), sn_v3Neg(torque));
    pushSide(m, d, con, 1, force, torque);
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
#ifndef SN_LANES // what asks for them is left to the scalar engine: snBatch.tensions, batch/features.c
    if (sn_bodiesFeelTendons(m)) sn_addTensions(m, d);
#endif
    for (int b = 1; b < m->nbody && d->nclosure; b++) addExternal(d, b, sn_forceLoad(d->cfrc_loop + 6 * b));
}

__attribute__((flatten)) void sn_rnePostConstraint(const snModel* m, snData* d)
{
    sn_assertMade(m, d, qacc, cvel, cdof, cdof_dot, cinert, xipos, contact, efc_force);
    externalForces(m, d);
    sn_motionStore(d->cacc, sn_worldAcceleration(m));
    for (int b = 1; b < m->nbody; b++) {
        const snMotion a = sn_motionLoad(d->cacc + 6 * m->body_parentid[b]);
        sn_motionStore(d->cacc + 6 * b, sn_bodyAcceleration(m, d, b, a, 1));
    }
    sn_allBodyForces(m, d, d->cacc, d->cfrc_int);
    for (int k = 6; k < 6 * m->nbody; k++) d->cfrc_int[k] -= d->cfrc_ext[k];
    for (int b = m->nbody - 1; b > 0; b--) sn_addToParent(m, d->cfrc_int, b);
}
