// In lanes, too: src/batch/lane/prelude.h.
// The contact sensor: contacts between two sides, each a geom, body, subtree or anything, or inside a site.
// What it reports is as seen from the first side: a contact whose geoms stand the other way round is turned.
// Source: seed 001, stage 22.
#include <sinew/support.h>
#include "math/spatial.h"
#include "math/vec.h"
#include "model/arena.h"
#include "model/contact.h"
#include "sensor/value.h"

// One report: numbers in the order of the bits of intprm[0]
typedef struct Report {
    real found, dist;
    real force[3], torque[3], pos[3], normal[3], tangent[3], linvel[3], angvel[3];
} Report;

static bool inSubtree(const snModel* m, int body, int root)
{
    while (body > root) body = m->body_parentid[body];
    return body == root;
}

// Whether a side of a contact is what an object describes
static bool isOnSide(const snModel* m, int objtype, int id, const snContact* con, int side)
{
    switch (objtype) {
    case SN_OBJ_GEOM: return con->geom[side] == id;
    case SN_OBJ_BODY: return sn_sideBody(m, con, side) == id;
    case SN_OBJ_XBODY: return inSubtree(m, sn_sideBody(m, con, side), id);
    default: return true;
    }
}

static snMask matches(const snModel* m, const snData* d, int s, const snContact* con, bool* turned)
{
    const int t1 = m->sensor_objtype[s], t2 = m->sensor_reftype[s];
    const int id1 = m->sensor_objid[s], id2 = m->sensor_refid[s];
    const bool straight = isOnSide(m, t1, id1, con, 0) && isOnSide(m, t2, id2, con, 1);
    *turned = !straight;
    if (!straight && !(isOnSide(m, t1, id1, con, 1) && isOnSide(m, t2, id2, con, 0))) return sn_mask(false);
    const snMask live = sn_contactLive(con);
    return t1 == SN_OBJ_SITE ? (snMask)(live & sn_siteHolds(m, d, id1, con->pos)) : live;
}

// Force and torque in the frame of the contact, turned with it about its second tangent
static void forceOf(const snModel* m, const snData* d, const snContactMatch* match, real force[6])
{
    sn_contactForce(m, d, match->contact, force);
    if (!match->turned) return;
    force[2] = -force[2];
    force[5] = -force[5];
}

enum { MOVES = 128 | 256 }; // bits of linvel and angvel

// Velocity of the second body less that of the first at the contact, in its frame as the force is: turned,
// bodies and frame change sides.
static void motionOf(const snModel* m, const snData* d, const snContactMatch* match, Report* r)
{
    const snContact* con = d->contact + match->contact;
    const snMat3 frame = sn_m3Load(con->frame);
    snVec3 lin[2], ang[2];
    for (int side = 0; side < 2; side++) {
        const snContactSide s = sn_contactSide(m, d, con, side);
        lin[side] = ang[side] = sn_v3(0, 0, 0);
        for (int k = 0; k < s.count; k++) {
            const snMotion v = sn_motionLoad(d->cvel + 6 * s.body[k]);
            const snVec3 com = sn_v3Load(d->subtree_com + 3 * m->body_rootid[s.body[k]]);
            const snVec3 there = sn_v3Add(v.lin, sn_v3Cross(v.ang, sn_v3Sub(sn_v3Load(con->pos), com)));
            lin[side] = sn_v3AddScaled(lin[side], s.weight[k], there);
            ang[side] = sn_v3AddScaled(ang[side], s.weight[k], v.ang);
        }
    }
    sn_v3Store(r->linvel, sn_m3Mul(frame, sn_v3Sub(lin[1], lin[0])));
    sn_v3Store(r->angvel, sn_m3Mul(frame, sn_v3Sub(ang[1], ang[0])));
    if (!match->turned) return;
    r->linvel[2] = -r->linvel[2];
    r->angvel[2] = -r->angvel[2];
}

static Report reportOf(const snModel* m, const snData* d, const snContactMatch* match, int bits, real found)
{
    const snContact* con = d->contact + match->contact;
    const real sign = match->turned ? sn_real(-1) : sn_real(1);
    Report r = {.found = found, .dist = con->dist};
    real force[6];
    forceOf(m, d, match, force);
    for (int i = 0; i < 3; i++) {
        r.force[i] = force[i];
        r.torque[i] = force[3 + i];
        r.pos[i] = con->pos[i];
        r.normal[i] = sign * con->frame[i];
        r.tangent[i] = sign * con->frame[3 + i];
    }
    if (bits & MOVES) motionOf(m, d, match, &r);
    return r;
}

// The lanes that see it
static inline snMask isLive(const snContactMatch* match)
{
#ifdef SN_LANES
    return match->live;
#else
    (void)match;
    return sn_mask(true);
#endif
}

static real countOf(const snContactMatch* list, int num)
{
    real count = sn_real(0);
    for (int i = 0; i < num; i++) count += sn_select(isLive(list + i), 1, 0);
    return count;
}

// World force and torque of a contact on the second side
static void worldForce(const snModel* m, const snData* d, const snContactMatch* match, snVec3* force,
                       snVec3* torque)
{
    real f[6];
    sn_contactForce(m, d, match->contact, f);
    const snMat3 frame = sn_m3Load(d->contact[match->contact].frame);
    const real sign = match->turned ? sn_real(-1) : sn_real(1);
    *force = sn_v3Scale(sn_m3TMul(frame, sn_v3Load(f)), sign);
    *torque = sn_v3Scale(sn_m3TMul(frame, sn_v3Load(f + 3)), sign);
}

// One contact in place of all: their resultant at the mean of their places, weighted by force, in world axes
static Report netReport(const snModel* m, const snData* d, const snContactMatch* list, int count)
{
    const snVec3 none = sn_v3(0, 0, 0);
    Report r = {.found = countOf(list, count)};
    sn_v3Store(r.normal, sn_v3(1, 0, 0));
    sn_v3Store(r.tangent, sn_v3(0, 1, 0));
    snVec3 total = none, moment = none, centre = none;
    real weights = sn_real(0);
    for (int i = 0; i < count; i++) {
        snVec3 force, torque;
        worldForce(m, d, list + i, &force, &torque);
        force = sn_v3Select(isLive(list + i), force, none);
        torque = sn_v3Select(isLive(list + i), torque, none);
        const snVec3 pos = sn_v3Load(d->contact[list[i].contact].pos);
        const real weight = sn_v3Norm(force);
        total = sn_v3Add(total, force);
        moment = sn_v3Add(moment, sn_v3Add(torque, sn_v3Cross(pos, force)));
        centre = sn_v3AddScaled(centre, weight, pos);
        weights += weight;
    }
    const snMask weighs = weights > 0;
    if (sn_any(weighs)) centre = sn_v3Select(weighs, sn_v3Scale(centre, 1 / weights), centre);
    sn_v3Store(r.force, total);
    sn_v3Store(r.torque, sn_v3Sub(moment, sn_v3Cross(centre, total)));
    sn_v3Store(r.pos, centre);
    return r;
}

static real* put(real* out, const real* from, int n)
{
    memcpy(out, from, (size_t)n * sizeof *out);
    return out + n;
}

static real* write(real* out, int bits, const Report* r)
{
    if (bits & 1) out = put(out, &r->found, 1);
    if (bits & 2) out = put(out, r->force, 3);
    if (bits & 4) out = put(out, r->torque, 3);
    if (bits & 8) out = put(out, &r->dist, 1);
    if (bits & 16) out = put(out, r->pos, 3);
    if (bits & 32) out = put(out, r->normal, 3);
    if (bits & 64) out = put(out, r->tangent, 3);
    if (bits & 128) out = put(out, r->linvel, 3);
    if (bits & 256) out = put(out, r->angvel, 3);
    return out;
}

static real keyOf(const snModel* m, const snData* d, int reduce, const snContactMatch* match)
{
    if (reduce == SN_REDUCE_MINDIST) return d->contact[match->contact].dist;
    if (reduce != SN_REDUCE_MAXFORCE) return sn_real(0);
    real force[6];
    forceOf(m, d, match, force);
    return -sn_v3Norm(sn_v3Load(force));
}

#ifndef SN_LANES
// Moves the least of the rest to the front of it, `most` times
static void selectLeast(snContactMatch* list, int count, int most)
{
    for (int k = 0; k < most && k < count; k++) {
        int least = k;
        for (int i = k + 1; i < count; i++)
            if (list[i].key < list[least].key) least = i;
        const snContactMatch found = list[least];
        for (int i = least; i > k; i--) list[i] = list[i - 1]; // equal keys keep their order
        list[k] = found;
    }
}
#endif

int sn_contactMatches(const snModel* m, const snData* d, int s, snContactMatch* list)
{
    const int* prm = m->sensor_intprm + SN_NSENS * s;
    const int reduce = prm[1];
    int count = 0;
    for (int i = 0; i < d->ncon; i++) {
        snContactMatch match = {.contact = i};
        const snMask seen = matches(m, d, s, d->contact + i, &match.turned);
        if (!sn_any(seen)) continue;
        match.key = keyOf(m, d, reduce, &match);
#ifdef SN_LANES
        match.live = seen;
#endif
        list[count++] = match;
    }
#ifndef SN_LANES
    if (reduce == SN_REDUCE_MINDIST || reduce == SN_REDUCE_MAXFORCE) selectLeast(list, count, prm[2]);
#endif
    return count;
}

#ifdef SN_LANES

static void reportWhere(snMask mask, const Report* from, Report* to)
{
    real* a = &to->found;
    for (size_t k = 0; k < sizeof *to / sizeof *a; k++) a[k] = sn_select(mask, (&from->found)[k], a[k]);
}

// The contacts of least keys, which are other ones in each lane: what has been reported is no longer live.
static void reportAll(const snModel* m, const snData* d, int s, snContactMatch* list, int count, real* out)
{
    const int *prm = m->sensor_intprm + SN_NSENS * s, bits = prm[0], most = prm[2];
    const real found = countOf(list, count);
    for (int k = 0; k < count && k < most; k++) {
        real best = sn_real(INFINITY), which = sn_real(-1);
        for (int i = 0; i < count; i++) {
            const snMask better = list[i].live & (list[i].key < best);
            best = sn_select(better, list[i].key, best);
            which = sn_select(better, (snLane)i, which);
        }
        Report chosen = {0};
        for (int i = 0; i < count; i++) {
            const snMask mask = which == (snLane)i;
            if (!sn_any(mask)) continue;
            const Report r = reportOf(m, d, list + i, bits, found);
            reportWhere(mask, &r, &chosen);
            list[i].live &= sn_not(mask);
        }
        out = write(out, bits, &chosen);
    }
}

#else

static void reportAll(const snModel* m, const snData* d, int s, snContactMatch* list, int count, real* out)
{
    const int *prm = m->sensor_intprm + SN_NSENS * s, bits = prm[0], most = prm[2];
    for (int k = 0; k < count && k < most; k++) {
        const Report r = reportOf(m, d, list + k, bits, count);
        out = write(out, bits, &r);
    }
}

#endif

void sn_contactSensor(const snModel* m, snData* d, int s, real* out)
{
    const int* prm = m->sensor_intprm + SN_NSENS * s;
    const int bits = prm[0], reduce = prm[1];
    memset(out, 0, (size_t)m->sensor_dim[s] * sizeof *out);
    const size_t mark = sn_scratchMark(d);
    snContactMatch* list = d->ncon ? sn_scratchAlloc(d, (size_t)d->ncon * sizeof *list) : NULL;
    const int count = list ? sn_contactMatches(m, d, s, list) : 0;
    if (reduce == SN_REDUCE_NETFORCE) {
        const Report r = netReport(m, d, list, count);
        write(out, bits, &r);
    } else {
        reportAll(m, d, s, list, count, out);
    }
    sn_scratchRelease(d, mark);
}
