// The collision stage: its twin is collision/collision.c. Of its own, for one list of contacts serves all
// lanes: pairs come in the order of contacts, and so do the points of each; a contact stands in the list if
// any lane has it nearer than its margin.
#include "batch/lane/collision.h"
#include <sinew/collision.h>
#include "base/reserve.h"
#include "batch/lane/lane.h"
#include "batch/lane/share.h"
#include "collision/analytic/colliders.h"
#include "collision/contact/contact.h"
#include "model/arena.h"
#include "model/contact.h"
#include "shape/facts.h"

// clang-format off
// [type1][type2], type1 <= type2; the others lane by lane
static const snCollider colliders[SN_NGEOMTYPE][SN_NGEOMTYPE] = {
    [SN_GEOM_PLANE]   = {[SN_GEOM_SPHERE]    = sn_planeSphere,
                         [SN_GEOM_CAPSULE]   = sn_planeCapsule,
                         [SN_GEOM_ELLIPSOID] = sn_planeEllipsoid,
                         [SN_GEOM_CYLINDER]  = sn_planeCylinder,
                         [SN_GEOM_BOX]       = sn_planeBox},
    [SN_GEOM_SPHERE]  = {[SN_GEOM_SPHERE]    = sn_sphereSphere,
                         [SN_GEOM_CAPSULE]   = sn_sphereCapsule,
                         [SN_GEOM_CYLINDER]  = sn_sphereCylinder,
                         [SN_GEOM_BOX]       = sn_sphereBox},
    [SN_GEOM_CAPSULE] = {[SN_GEOM_CAPSULE]   = sn_capsuleCapsule,
                         [SN_GEOM_BOX]       = sn_capsuleBox},
    [SN_GEOM_BOX]     = {[SN_GEOM_BOX]       = sn_boxBox},
};
// clang-format on

// A frame and what it was made of: points on the same plane share it.
typedef struct Frame {
    snVec3 normal, tangent;
    real frame[9];
} Frame;

// Bits: the sign of a zero makes another frame.
static inline snMask differ(snVec3 a, snVec3 b)
{
    return ((snMask)a.x ^ (snMask)b.x) | ((snMask)a.y ^ (snMask)b.y) | ((snMask)a.z ^ (snMask)b.z);
}

static void makeFrame(Frame* f, const snContactPoint* point)
{
    if (!sn_any((differ(point->normal, f->normal) | differ(point->tangent, f->tangent)) != 0)) return;
    f->normal = point->normal;
    f->tangent = point->tangent;
    sn_contactFrame(point->normal, point->tangent, f->frame);
}

// Numbers of lanes that do not have the contact: finite.
static void fillOthers(snContact* c)
{
    const snMask live = sn_contactLive(c);
    if (sn_all(live)) return;
    c->dist = sn_select(live, c->dist, 0);
    for (int k = 0; k < 3; k++) c->pos[k] = sn_select(live, c->pos[k], 0);
    for (int k = 0; k < 9; k++) c->frame[k] = sn_select(live, c->frame[k], (snLane)(k % 4 == 0));
}

// Adds the contacts of a pair; false: no room.
static bool append(const snModel* m, snData* d, const snBatchPair* pair, snMask near, real margin,
                   const snContactPoint* points, int count, Frame* frame)
{
    const snContact* first = NULL;
    for (int i = 0; i < count; i++) {
        const size_t end = d->parena + ((size_t)d->ncon + 1) * sizeof *d->contact;
        snContact* c = d->contact + d->ncon;
        if (end > d->narena || !sn_commit(c, sizeof *c)) return false;
        if (first && first != c)
            *c = *first;
        else if (!first)
            sn_contactParameters(m, pair->geom[0], pair->geom[1], pair->pair, c);
        const snMask there = near & points[i].found, in = points[i].dist < c->includemargin;
        c->live = there & in;
        c->gap = there & sn_not(in) & (points[i].dist < margin);
        if (!sn_any(sn_contactLive(c))) continue;
        makeFrame(frame, points + i);
        c->dist = points[i].dist;
        sn_v3Store(c->pos, points[i].pos);
        memcpy(c->frame, frame->frame, sizeof frame->frame);
        sn_contactSurface(m, d, c);
        sn_eject(d, sn_contactLive(c) & (c->adhesion != 0));
        c->exclude = 0;
        c->pair = (int)(pair - m->pairs->list);
        first = c;
        if (m->pairs->share && sn_shareContact(m, d, c)) continue;
        fillOthers(c);
        d->ncon++;
    }
    return true;
}

// As sn_geomShape, but of round geoms and planes only what their colliders read: the axis and two sizes.
static inline snShape shapeOf(const snModel* m, const snData* d, int g)
{
    const int type = m->geom_type[g];
    const real *mat = d->geom_xmat + 9 * g, *size = m->geom_size + 3 * g;
    if (!sn_isEndless(type) && !sn_isRod(type)) return sn_geomShapeAs(m, d, g, type);
    snShape s;
    s.pos = sn_v3Load(d->geom_xpos + 3 * g);
    for (int k = 2; k < 9; k += 3) s.mat.m[k] = mat[k];
    s.size.x = size[0];
    s.size.y = size[1];
    s.type = type;
    s.geom = g;
    return s;
}

// NULL: lane by lane.
static snCollider colliderOf(const snModel* m, int type1, int type2)
{
    if (sn_areClippedBoxes(m->physics, type1, type2)) return NULL;
    if (sn_areCapsulesBeside(m->physics, type1, type2)) return sn_capsulesBeside;
    return colliders[type1][type2];
}

static bool collidePair(const snModel* m, snData* d, int at, snMask near, snContactPoint* points,
                        Frame* frame)
{
    const snBatchPair* pair = m->pairs->list + at;
    const int g1 = pair->geom[0], g2 = pair->geom[1];
    const real margin = sn_pairReach(m, g1, g2, pair->pair);
    const int type1 = m->geom_type[g1], type2 = m->geom_type[g2];
    const snCollider collide = colliderOf(m, type1, type2);
    int count;
    if (collide) {
        const snShape a = shapeOf(m, d, g1), b = shapeOf(m, d, g2);
        count = collide(&a, &b, margin, points);
    } else
        count = sn_collideLanes(m, d, pair, margin, near & sn_not(d->eject), points);
    return append(m, d, pair, near, margin, points, count, frame);
}

// The pairs that are near in any lane; false: no room.
static bool makeContacts(const snModel* m, snData* d, const snNear* near, snContactPoint* points)
{
    Frame frame = {.normal = sn_v3(0, 0, 0)}; // of no contact
    for (int i = 0; i < m->pairs->count; i += 4) {
        uint64_t four;
        memcpy(&four, near + i, sizeof four);
        if (!four) continue;
        for (int k = i; k < i + 4; k++)
            if (near[k] && !collidePair(m, d, k, sn_maskOfBits(near[k]), points, &frame)) return false;
    }
    return true;
}

// Contacts are written behind the end of the arena's arrays and taken when all are there.
static bool collide(const snModel* m, snData* d)
{
    snNear* near = sn_scratchAlloc(d, ((size_t)m->pairs->count + 4) * sizeof *near);
    snContactPoint* points = sn_scratchAlloc(d, SN_MAXCONPAIR * sizeof *points);
    d->contact = sn_arenaNext(d);
    return near && points && sn_findNear(m, d, near) && makeContacts(m, d, near, points) &&
           sn_arenaAlloc(d, (size_t)d->ncon * sizeof *d->contact);
}

// Height fields are read from the model that all lanes share.
static snMask hasOwnField(const snModel* m)
{
    snMask own = sn_mask(false);
    for (int k = 0; k < 4 * m->nhfield; k++)
        own |= m->hfield_size[k] != sn_lanesAll(m->scalar->hfield_size[k]);
    return own;
}

void sn_collision(const snModel* m, snData* d)
{
    sn_arenaClear(d);
    sn_eject(d, hasOwnField(m));
    if (m->opt.disableflags & (SN_DSBL_CONSTRAINT | SN_DSBL_CONTACT) || m->nbody < 2) return;
    const size_t mark = sn_scratchMark(d);
    if (m->pairs->many || !collide(m, d)) {
        sn_arenaClear(d);
        sn_eject(d, sn_mask(true));
    }
    sn_scratchRelease(d, mark);
}
