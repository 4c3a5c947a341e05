// Force and torque sensors: what the parent gives the body, cfrc_int = sum over the subtree of I a + v x* I v
// less what acts from outside. Inertias move with their bodies, forces from outside with their points.
#include "base/error.h"
#include "derivative/sensor/quantity.h"
#include "smooth/inertia/equality_anchor.h"
#include <sinew/support.h>

static const snForce NONE = {{0, 0, 0}, {0, 0, 0}};

// A force and a torque at a point of a body
typedef struct Wrench {
    snVec3 force, torque, point;
} Wrench;

// cfrc_int of the body loses the change of a wrench at the tree's centre of mass.
static void subtract(const snColumns* c, int body, int j, const Wrench* value, const Wrench* change)
{
    if (!body) return;
    const snVec3 arm = sn_v3Sub(value->point, sn_treeCom(c->m, c->d, body));
    const snVec3 moved = sn_v3Add(sn_v3Cross(change->point, value->force), sn_v3Cross(arm, change->force));
    snForce* sum = c->force + sn_columnAt(c, body, j);
    *sum = sn_forceSub(*sum, (snForce){sn_v3Add(change->torque, moved), change->force});
}

static void negate(Wrench* w)
{
    w->force = sn_v3Neg(w->force);
    w->torque = sn_v3Neg(w->torque);
}

static void bodyForce(const snColumns* c, int b)
{
    const snData* d = c->d;
    const snInertia I = sn_inertiaLoad(d->cinert + 10 * b);
    const snMotion v = sn_motionLoad(d->cvel + 6 * b), a = sn_motionLoad(d->cacc + 6 * b);
    const snForce p = sn_inertiaMul(I, v), f = sn_inertiaMul(I, a);
    for (int j = 0; j < c->n; j++) {
        const snMotion x = sn_shiftOf(c, b, j), dv = sn_velocityChangeOf(c, b, j);
        const snMotion da = c->body.a[sn_columnAt(c, b, j)];
        const snMotion own_v = sn_motionAddScaled(dv, -1, sn_crossMotion(x, v));
        const snMotion own_a = sn_motionAddScaled(da, -1, sn_crossMotion(x, a));
        const snForce dp = sn_forceAdd(sn_crossForce(x, p), sn_inertiaMul(I, own_v));
        const snForce df = sn_forceAdd(sn_crossForce(x, f), sn_inertiaMul(I, own_a));
        c->force[sn_columnAt(c, b, j)] =
            sn_forceAdd(df, sn_forceAdd(sn_crossForce(dv, p), sn_crossForce(v, dp)));
    }
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
        row += type == SN_EQ_CONNECT ? 3 : type == SN_EQ_WELD ? 6 : 1;
    }
}

snStatus sn_bodyForces(const snColumns* c)
{
    const snModel* m = c->m;
    if (c->d->nclosure)
        return sn_fail(c->error, SN_STATUS_UNSUPPORTED,
                       "force and torque sensors have no derivative where loops are held exactly; use "
                       "sn_transitionFD");
    for (int j = 0; j < c->n; j++) c->force[j] = NONE;
    for (int b = 1; b < m->nbody; b++) {
        bodyForce(c, b);
        applied(c, b);
    }
    for (int i = 0; i < c->d->ncon; i++) contact(c, i);
    equalities(c);
    for (int b = m->nbody - 1; b > 0; b--)
        for (int j = 0; j < c->n; j++) {
            snForce* above = c->force + sn_columnAt(c, m->body_parentid[b], j);
            *above = sn_forceAdd(*above, c->force[sn_columnAt(c, b, j)]);
        }
    return SN_STATUS_OK;
}

void sn_forceSensor(const snColumns* c, int s)
{
    const snData* d = c->d;
    const int site = c->m->sensor_objid[s], b = c->m->site_bodyid[site];
    const snForce f = sn_forceLoad(d->cfrc_int + 6 * b);
    const snVec3 at = sn_v3Load(d->site_xpos + 3 * site), arm = sn_v3Sub(at, sn_treeCom(c->m, d, b));
    const snVec3 torque = sn_v3Sub(f.ang, sn_v3Cross(arm, f.lin));
    const snMat3 R = sn_m3Load(d->site_xmat + 9 * site);
    for (int j = 0; j < c->n; j++) {
        const snForce df = c->force[sn_columnAt(c, b, j)];
        const snVec3 turn = sn_shiftOf(c, b, j).ang, shift = sn_pointShift(c, b, at, j);
        if (c->m->sensor_type[s] == SN_SENS_FORCE) {
            sn_putVec3(c, s, j, sn_localChange(R, f.lin, df.lin, turn));
            continue;
        }
        const snVec3 lever = sn_v3Add(sn_v3Cross(shift, f.lin), sn_v3Cross(arm, df.lin));
        sn_putVec3(c, s, j, sn_localChange(R, torque, sn_v3Sub(df.ang, lever), turn));
    }
}
