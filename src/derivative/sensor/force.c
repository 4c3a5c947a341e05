// For each target: src/target/prelude.h.
// Force and torque sensors: what the parent gives the body, cfrc_int = sum over the subtree of I a + v x* I v
// less what acts from outside. Inertias move with their bodies, forces from outside with their points.
// Source: seed 001, stage 22; the derivatives are worked out here.
#include "base/error.h"
#include "derivative/sensor/quantity.h"
#include "model/kinds.h"
#include "model/spatial_tendon.h"
#include "smooth/inertia/equality_anchor.h"
#include <sinew/support.h>

// A force and a torque at a point of a body
typedef struct Wrench {
    snVec3 force, torque, point;
} Wrench;

// cfrc_int of the body loses the change of a wrench at the tree's centre of mass.
static void subtract(const snColumns* c, int body, int j, const Wrench* value, const Wrench* change)
{
    if (!body || !c->felt[body]) return;
    const snVec3 arm = sn_v3Sub(value->point, sn_treeCom(c->m, c->d, body));
    const snVec3 moved = sn_v3Add(sn_v3Cross(change->point, value->force), sn_v3Cross(arm, change->force));
    const snVec3 torque = sn_v3Add(change->torque, moved), force = change->force;
    double* sum = c->force + sn_laneAt(c->body.lanes, body, j);
    sum[0] -= torque.x, sum[4] -= torque.y, sum[8] -= torque.z;
    sum[12] -= force.x, sum[16] -= force.y, sum[20] -= force.z;
}

static void negate(Wrench* w)
{
    w->force = sn_v3Neg(w->force);
    w->torque = sn_v3Neg(w->torque);
}

SN_INLINE snLanes6 lessCarried(snLanes6 change, snLanes6 x, snLanes6 value)
{
    const snLanes6 carried = sn_l6CrossMotion(x, value);
    return (snLanes6){sn_l3Sub(change.ang, carried.ang), sn_l3Sub(change.lin, carried.lin)};
}

static void bodyForce(const snColumns* c, int b)
{
    const snInertia own = sn_inertiaLoad(c->d->cinert + 10 * b);
    const snMotion velocity = sn_motionLoad(c->d->cvel + 6 * b), rate = sn_motionLoad(c->d->cacc + 6 * b);
    const snForce momentum = sn_inertiaMul(own, velocity), force = sn_inertiaMul(own, rate);
    const snLanesInertia I = {v4_all(own.xx),
                              v4_all(own.yy),
                              v4_all(own.zz),
                              v4_all(own.xy),
                              v4_all(own.xz),
                              v4_all(own.yz),
                              {v4_all(own.h.x), v4_all(own.h.y), v4_all(own.h.z)},
                              v4_all(own.mass)};
    const snLanes6 v = sn_lanesAll(velocity.ang, velocity.lin), a = sn_lanesAll(rate.ang, rate.lin);
    const snLanes6 p = sn_lanesAll(momentum.ang, momentum.lin), f = sn_lanesAll(force.ang, force.lin);
    for (int j = 0; j < c->n; j += 4) {
        const size_t at = sn_laneAt(c->body.lanes, b, j);
        const snLanes6 x = sn_lanesAt(c->body.x + at), dv = sn_lanesAt(c->body.v + at);
        const snLanes6 own_v = lessCarried(dv, x, v), own_a = lessCarried(sn_lanesAt(c->body.a + at), x, a);
        const snLanes6 dp = sn_l6Add(sn_l6CrossForce(x, p), sn_lanesInertiaMul(&I, own_v));
        const snLanes6 df = sn_l6Add(sn_l6CrossForce(x, f), sn_lanesInertiaMul(&I, own_a));
        const snLanes6 turned = sn_l6Add(sn_l6CrossForce(dv, p), sn_l6CrossForce(v, dp));
        sn_lanesPut(c->force + at, sn_l6Add(df, turned));
    }
}

// cfrc_int of the parent gains that of the body.
static void handDown(const snColumns* c, int b)
{
    const double* from = c->force + sn_laneAt(c->body.lanes, b, 0);
    double* to = c->force + sn_laneAt(c->body.lanes, c->m->body_parentid[b], 0);
    for (int i = 0; i < 24 * c->body.lanes; i += 4) v4_store(to + i, v4_load(to + i) + v4_load(from + i));
}

// xfrc_applied acts at the centre of mass, held in the world.
static void applied(const snColumns* c, int b)
{
    const double* f = c->d->xfrc_applied + 6 * b;
    if (sn_isZero6(f)) return;
    const Wrench value = {sn_v3Load(f), sn_v3Load(f + 3), sn_v3Load(c->d->xipos + 3 * b)};
    for (int j = 0; j < c->n; j++) {
        const Wrench change = {.point = sn_pointShift(c, b, value.point, j)};
        subtract(c, b, j, &value, &change);
    }
}

static void contact(const snColumns* c, int i)
{
    const snContact* con = c->d->contact + i;
    if (con->efc_address < 0) return;
    const int b1 = c->m->geom_bodyid[con->geom[0]], b2 = c->m->geom_bodyid[con->geom[1]];
    if (!c->felt[b1] && !c->felt[b2]) return;
    const snMat3 R = sn_m3Load(con->frame);
    double local[6], local_change[6];
    sn_contactForce(c->m, c->d, i, local);
    for (int j = 0; j < c->n; j++) {
        const snContactShift* shift = c->contact + sn_columnAt(c, i, j);
        const snVec3 turn = shift->turn;
        sn_contactForceChange(c, i, j, local_change);
        Wrench value = {sn_m3TMul(R, sn_v3Load(local)), sn_m3TMul(R, sn_v3Load(local + 3)),
                        sn_v3Load(con->pos)};
        Wrench change = {sn_v3Add(sn_v3Cross(turn, value.force), sn_m3TMul(R, sn_v3Load(local_change))),
                         sn_v3Add(sn_v3Cross(turn, value.torque), sn_m3TMul(R, sn_v3Load(local_change + 3))),
                         shift->pos};
        subtract(c, b2, j, &value, &change);
        negate(&value);
        negate(&change);
        subtract(c, b1, j, &value, &change);
    }
}

// ---- connects and welds

static snQuat pure(snVec3 v)
{
    return (snQuat){0, v.x, v.y, v.z};
}

// t = s/2 vec(q2 (0, f) q1*); q1 and q2 turn with their bodies.
static snVec3 weldTorqueChange(const snColumns* c, int eq, int j, snVec3 f, snVec3 df, snVec3* torque)
{
    const snQuat q1 = sn_weldFrame(c->m, c->d, eq, 0), q2 = sn_weldFrame(c->m, c->d, eq, 1);
    const snVec3 turn1 = sn_shiftOf(c, sn_equalityBody(c->m, eq, 0), j).ang;
    const snVec3 turn2 = sn_shiftOf(c, sn_equalityBody(c->m, eq, 1), j).ang;
    const snQuat whole = sn_quatMul(sn_quatMul(q2, pure(f)), sn_quatConj(q1));
    const snQuat faster = sn_quatMul(sn_quatMul(q2, pure(df)), sn_quatConj(q1));
    const snVec3 left = sn_quatVector(sn_quatMul(pure(turn2), whole));
    const snVec3 right = sn_quatVector(sn_quatMul(whole, pure(turn1)));
    const real half = 0.5 * sn_weldScale(c->m, eq);
    *torque = sn_v3Scale(sn_quatVector(whole), half);
    const snVec3 turned = sn_v3Scale(sn_v3Sub(left, right), 0.5);
    return sn_v3Scale(sn_v3Add(sn_quatVector(faster), turned), half);
}

static snVec3 rowChange(const snColumns* c, int row, int j)
{
    if (!c->along.f) return sn_v3(0, 0, 0);
    const double* f = c->along.f + (size_t)row * c->stride + j;
    return sn_v3(f[0], f[c->stride], f[2 * c->stride]);
}

static void equality(const snColumns* c, int eq, int row)
{
    const snModel* m = c->m;
    const snData* d = c->d;
    for (int j = 0; j < c->n; j++) {
        Wrench value = {.force = sn_v3Load(d->efc_force + row)}, change = {.force = rowChange(c, row, j)};
        if (m->eq_type[eq] == SN_EQ_WELD)
            change.torque = weldTorqueChange(c, eq, j, sn_v3Load(d->efc_force + row + 3),
                                             rowChange(c, row + 3, j), &value.torque);
        for (int side = 0; side < 2; side++) {
            const int body = sn_equalityBody(m, eq, side);
            value.point = sn_equalityAnchor(m, d, eq, side);
            change.point = sn_pointShift(c, body, value.point, j);
            subtract(c, body, j, &value, &change);
            negate(&value);
            negate(&change);
        }
    }
}

static void equalities(const snColumns* c)
{
    const snData* d = c->d;
    for (int row = 0; row < d->ne;) {
        const int eq = d->efc_id[row], type = c->m->eq_type[eq];
        if (sn_isBetweenBodies(c->m, eq)) equality(c, eq, row);
        row += sn_equalityKind(type).rows;
    }
}

snStatus sn_bodyForces(const snColumns* c)
{
    const snModel* m = c->m;
    if (c->d->nclosure)
        return sn_fail(c->error, SN_STATUS_UNSUPPORTED,
                       "force and torque sensors have no derivative where loops are held exactly; use "
                       "sn_transitionFD");
    if (sn_bodiesFeelTendons(m))
        return sn_fail(
            c->error, SN_STATUS_UNSUPPORTED,
            "force and torque sensors have no derivative beside spatial tendons under physics 4.0 yet; "
            "use sn_transitionFD");
    for (int b = 0; b < m->nbody; b++) {
        if (!c->felt[b]) continue;
        bodyForce(c, b);
        applied(c, b);
    }
    for (int i = 0; i < c->d->ncon; i++) contact(c, i);
    equalities(c);
    for (int b = m->nbody - 1; b > 0; b--)
        if (c->felt[m->body_parentid[b]]) handDown(c, b);
    return SN_STATUS_OK;
}

snStatus sn_forceAlong(const snColumns* c, int s)
{
    const snData* d = c->d;
    const int site = c->m->sensor_objid[s], b = c->m->site_bodyid[site];
    const snForce f = sn_forceLoad(d->cfrc_int + 6 * b);
    const snMat3 R = sn_m3Load(d->site_xmat + 9 * site);
    for (int j = 0; j < c->n; j++) {
        const snMotion df = sn_laneMotion(c->force + sn_laneAt(c->body.lanes, b, j));
        sn_putVec3(c, s, j, sn_localChange(R, f.lin, df.lin, sn_shiftOf(c, b, j).ang));
    }
    return SN_STATUS_OK;
}

snStatus sn_torqueAlong(const snColumns* c, int s)
{
    const snData* d = c->d;
    const int site = c->m->sensor_objid[s], b = c->m->site_bodyid[site];
    const snForce f = sn_forceLoad(d->cfrc_int + 6 * b);
    const snVec3 at = sn_v3Load(d->site_xpos + 3 * site), arm = sn_v3Sub(at, sn_treeCom(c->m, d, b));
    const snVec3 torque = sn_v3Sub(f.ang, sn_v3Cross(arm, f.lin));
    const snMat3 R = sn_m3Load(d->site_xmat + 9 * site);
    for (int j = 0; j < c->n; j++) {
        const snMotion df = sn_laneMotion(c->force + sn_laneAt(c->body.lanes, b, j));
        const snVec3 turn = sn_shiftOf(c, b, j).ang, shift = sn_pointShift(c, b, at, j);
        const snVec3 lever = sn_v3Add(sn_v3Cross(shift, f.lin), sn_v3Cross(arm, df.lin));
        sn_putVec3(c, s, j, sn_localChange(R, torque, sn_v3Sub(df.ang, lever), turn));
    }
    return SN_STATUS_OK;
}
