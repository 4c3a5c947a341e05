// For each target: src/target/prelude.h.
// Sensors of contacts: touch, and the contact sensor. Which contacts they see is held. Source: seed 001,
// stage 22; the derivatives are worked out here.
#include "base/error.h"
#include "constraint/row.h"
#include "derivative/sensor/quantity.h"
#include "model/arena.h"
#include "sensor/value.h"
#include <sinew/support.h>

// A row of a gradient by the displacements of both bodies about the centres of mass of their trees
static void byDisplacements(const snColumns* c, const snContact* con, const double row[12], double by[12])
{
    for (int side = 0; side < 2; side++) {
        const int geom = con->geom[side], body = c->m->geom_bodyid[geom];
        const snVec3 arm = sn_v3Sub(sn_v3Load(c->d->geom_xpos + 3 * geom), sn_treeCom(c->m, c->d, body));
        const snVec3 turn = sn_v3Load(row + 6 * side), move = sn_v3Load(row + 6 * side + 3);
        sn_v3Store(by + 6 * side, sn_v3Add(turn, sn_v3Cross(arm, move)));
        sn_v3Store(by + 6 * side + 3, move);
    }
}

enum { NUMBERS = sizeof(snContactShift) / sizeof(double) };

// All columns of the shift of a contact, from its gradient by displacements
static void shifts(const snColumns* c, const snContact* con, double by[NUMBERS][12], snContactShift* to)
{
    const double* x[2];
    for (int side = 0; side < 2; side++)
        x[side] = c->body.x + sn_laneAt(c->body.lanes, c->m->geom_bodyid[con->geom[side]], 0);
    for (int j = 0; j < c->n; j += 4, x[0] += 24, x[1] += 24) {
        v4 number[NUMBERS];
        for (int i = 0; i < NUMBERS; i++) {
            number[i] = v4_all(0);
            for (int k = 0; k < 6; k++)
                number[i] +=
                    v4_all(by[i][k]) * v4_load(x[0] + 4 * k) + v4_all(by[i][6 + k]) * v4_load(x[1] + 4 * k);
        }
        for (int t = 0; t < 4 && j + t < c->n; t++)
            to[j + t] = (snContactShift){number[0][t],
                                         {number[1][t], number[2][t], number[3][t]},
                                         {number[4][t], number[5][t], number[6][t]}};
    }
}

// Angular velocity and velocity of the centre of both geoms along direction j
static void geomMotions(const snColumns* c, const snContact* con, int j, double motion[12])
{
    for (int side = 0; side < 2; side++) {
        const int geom = con->geom[side], body = c->m->geom_bodyid[geom];
        sn_v3Store(motion + 6 * side, sn_shiftOf(c, body, j).ang);
        sn_v3Store(motion + 6 * side + 3, sn_pointShift(c, body, sn_v3Load(c->d->geom_xpos + 3 * geom), j));
    }
}

static double dot12(const double* a, const double* b)
{
    double sum = 0;
    for (int i = 0; i < 12; i++) sum += a[i] * b[i];
    return sum;
}

static snVec3 rows12(const double rows[3][12], const double* x)
{
    return sn_v3(dot12(rows[0], x), dot12(rows[1], x), dot12(rows[2], x));
}

snContactShift sn_contactShift(const snColumns* c, const snContact* con, const snContactGradient* g, int j)
{
    double motion[12];
    geomMotions(c, con, j, motion);
    return (snContactShift){dot12(g->dist, motion), rows12(g->pos, motion), rows12(g->turn, motion)};
}

snStatus sn_contactShifts(const snColumns* c)
{
    for (int i = 0; i < c->d->ncon; i++) {
        snContactGradient g;
        const snContact* con = c->d->contact + i;
        if (con->efc_address < 0 && !c->all_contacts) continue;
        const snStatus status = sn_contactGeometry(c->m, c->d, con, &g, c->error);
        if (status) return status;
        double by[NUMBERS][12];
        byDisplacements(c, con, g.dist, by[0]);
        for (int k = 0; k < 3; k++) {
            byDisplacements(c, con, g.pos[k], by[1 + k]);
            byDisplacements(c, con, g.turn[k], by[4 + k]);
        }
        shifts(c, con, by, c->contact + sn_columnAt(c, i, 0));
    }
    return SN_STATUS_OK;
}

// As sn_contactForce: components, or edges of a pyramid.
void sn_contactForceChange(const snColumns* c, int contact, int j, double change[6])
{
    const snContact* con = c->d->contact + contact;
    memset(change, 0, 6 * sizeof *change);
    if (con->efc_address < 0 || !c->along.f) return;
    const double* f = c->along.f + (size_t)con->efc_address * c->stride + j;
    const size_t stride = c->stride;
    if (con->dim == 1 || !sn_rowsAreEdges(c->m)) {
        for (int k = 0; k < con->dim; k++) change[k] = f[(size_t)k * stride];
        return;
    }
    for (int k = 0; k < con->dim - 1; k++) {
        const double up = f[2 * (size_t)k * stride], down = f[(2 * (size_t)k + 1) * stride];
        change[0] += up + down;
        change[k + 1] = con->friction[k] * (up - down);
    }
}

// Whether a touch sensor counts contact i.
static bool touches(const snColumns* c, int site, int i)
{
    const snModel* m = c->m;
    const snContact* con = c->d->contact + i;
    const int body = m->site_bodyid[site];
    const int first = m->geom_bodyid[con->geom[0]], second = m->geom_bodyid[con->geom[1]];
    double force[6];
    if (con->efc_address < 0 || (first != body && second != body)) return false;
    sn_contactForce(m, c->d, i, force);
    return force[0] > 0 && sn_pressesOn(m, c->d, con, second == body, site);
}

snStatus sn_touchAlong(const snColumns* c, int s)
{
    double* out = sn_sensorColumn(c, s, 0);
    for (int i = 0; i < c->d->ncon; i++) {
        if (!touches(c, c->m->sensor_objid[s], i)) continue;
        for (int j = 0; j < c->n; j++) {
            double change[6];
            sn_contactForceChange(c, i, j, change);
            out[j] += change[0];
        }
    }
    return SN_STATUS_OK;
}

// ---- the contact sensor

// A report's changes, as contact.c of the sensors has them: force, torque, dist, pos, normal, tangent
typedef struct Report {
    double dist;
    snVec3 force, torque, pos, normal, tangent;
} Report;

static Report reportOf(const snColumns* c, const snContactMatch* match, int j)
{
    const snContact* con = c->d->contact + match->contact;
    const snContactShift* shift = c->contact + sn_columnAt(c, match->contact, j);
    const real sign = match->turned ? -1 : 1;
    double force[6];
    sn_contactForceChange(c, match->contact, j, force);
    force[2] *= sign;
    force[5] *= sign;
    return (Report){shift->dist,
                    sn_v3Load(force),
                    sn_v3Load(force + 3),
                    shift->pos,
                    sn_v3Scale(sn_v3Cross(shift->turn, sn_v3Load(con->frame)), sign),
                    sn_v3Scale(sn_v3Cross(shift->turn, sn_v3Load(con->frame + 3)), sign)};
}

// A quantity of a contact in world axes, R' local, and its change
typedef struct Changing {
    snVec3 value, change;
} Changing;

static Changing inWorld(snMat3 R, snVec3 turn, const double* local, const double* change, real sign)
{
    const snVec3 value = sn_v3Scale(sn_m3TMul(R, sn_v3Load(local)), sign);
    const snVec3 moved = sn_v3Scale(sn_m3TMul(R, sn_v3Load(change)), sign);
    return (Changing){value, sn_v3Add(sn_v3Cross(turn, value), moved)};
}

static void add(Changing* sum, snVec3 value, snVec3 change)
{
    sum->value = sn_v3Add(sum->value, value);
    sum->change = sn_v3Add(sum->change, change);
}

// The change of a x b
static snVec3 crossChange(Changing a, Changing b)
{
    return sn_v3Add(sn_v3Cross(a.change, b.value), sn_v3Cross(a.value, b.change));
}

// The resultant of all at the mean of their places, weighted by force
static Report netReport(const snColumns* c, const snContactMatch* list, int count, int j)
{
    Changing total = {{0, 0, 0}, {0, 0, 0}}, moment = total, centre = total;
    real weights = 0, weights_change = 0;
    for (int i = 0; i < count; i++) {
        const snContact* con = c->d->contact + list[i].contact;
        const snContactShift* shift = c->contact + sn_columnAt(c, list[i].contact, j);
        const snMat3 R = sn_m3Load(con->frame);
        const real sign = list[i].turned ? -1 : 1;
        const Changing pos = {sn_v3Load(con->pos), shift->pos};
        double local[6], change[6];
        sn_contactForce(c->m, c->d, list[i].contact, local);
        sn_contactForceChange(c, list[i].contact, j, change);
        const Changing force = inWorld(R, shift->turn, local, change, sign);
        const Changing torque = inWorld(R, shift->turn, local + 3, change + 3, sign);
        const real weight = sn_v3Norm(force.value);
        const real weight_change = weight > 0 ? sn_v3Dot(force.value, force.change) / weight : 0;
        add(&total, force.value, force.change);
        add(&moment, sn_v3Add(torque.value, sn_v3Cross(pos.value, force.value)),
            sn_v3Add(torque.change, crossChange(pos, force)));
        add(&centre, sn_v3Scale(pos.value, weight),
            sn_v3AddScaled(sn_v3Scale(pos.value, weight_change), weight, pos.change));
        weights += weight;
        weights_change += weight_change;
    }
    if (weights > 0) {
        centre.value = sn_v3Scale(centre.value, 1 / weights);
        centre.change = sn_v3Scale(sn_v3AddScaled(centre.change, -weights_change, centre.value), 1 / weights);
    }
    return (Report){.force = total.change,
                    .torque = sn_v3Sub(moment.change, crossChange(centre, total)),
                    .pos = centre.change};
}

static double* put(double* out, size_t stride, snVec3 v)
{
    out[0] = v.x;
    out[stride] = v.y;
    out[2 * stride] = v.z;
    return out + 3 * stride;
}

// The numbers of one report in the order of the bits; how many were found does not change.
static double* write(double* out, size_t stride, int bits, const Report* r)
{
    if (bits & 1) out += stride;
    if (bits & 2) out = put(out, stride, r->force);
    if (bits & 4) out = put(out, stride, r->torque);
    if (bits & 8) {
        *out = r->dist;
        out += stride;
    }
    if (bits & 16) out = put(out, stride, r->pos);
    if (bits & 32) out = put(out, stride, r->normal);
    if (bits & 64) out = put(out, stride, r->tangent);
    return out;
}

snStatus sn_contactAlong(const snColumns* c, int s)
{
    const int* prm = c->m->sensor_intprm + SN_NSENS * s;
    const int bits = prm[0], reduce = prm[1], most = prm[2];
    if (bits > 127) return sn_refuseSensor(c, s, "linvel and angvel of contacts have no derivative");
    if (c->d->ncon == 0) return SN_STATUS_OK;
    const size_t mark = sn_scratchMark(c->d);
    snContactMatch* list = sn_scratchAlloc(c->d, (size_t)c->d->ncon * sizeof *list);
    if (!list) return sn_fail(c->error, SN_STATUS_NO_MEMORY, "the arena is full: give the model more memory");
    const int count = sn_contactMatches(c->m, c->d, s, list);
    for (int j = 0; j < c->n; j++) {
        double* out = sn_sensorColumn(c, s, j);
        if (reduce == SN_REDUCE_NETFORCE) {
            const Report r = netReport(c, list, count, j);
            write(out, c->stride, bits, &r);
            continue;
        }
        for (int k = 0; k < count && k < most; k++) {
            const Report r = reportOf(c, list + k, j);
            out = write(out, c->stride, bits, &r);
        }
    }
    sn_scratchRelease(c->d, mark);
    return SN_STATUS_OK;
}
