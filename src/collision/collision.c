// The collision stage: candidates of the broad phase, in their fixed order, through the colliders.
#include <sinew/collision.h>
#include "collision/broadphase.h"
#include "collision/contact.h"
#include "collision/narrow.h"
#include "model/arena.h"

_Static_assert(sizeof(snContact) % 64 == 0, "contacts taken one by one from the arena must be contiguous");

// Room for `count` more contacts behind those there are, as far as the arena goes; returns how many fit.
static int reserveContacts(snData* d, int count)
{
    while (count > 0) {
        snContact* room = sn_arenaAlloc(d, (size_t)count * sizeof *room);
        if (room) {
            if (!d->contact) d->contact = room;
            return count;
        }
        count--;
    }
    return 0;
}

static int collide(const snModel* m, snData* d, const snCandidate* c, snContactPoint* points)
{
    const snShape a = sn_geomShape(m, d, c->geom[0]), b = sn_geomShape(m, d, c->geom[1]);
    const real margin = sn_pairMargin(m, c->geom[0], c->geom[1], sn_candidatePair(c));
    const snCollider collider = sn_analyticCollider(a.type, b.type);
    if (collider) return collider(&a, &b, margin, points);
    if (sn_canCollide(a.type, b.type)) return sn_convexConvex(m, d, &a, &b, margin, points);
    return 0;
}

// Appends the points of one candidate; false: no room.
static bool append(const snModel* m, snData* d, const snCandidate* c, const snContactPoint* points, int count)
{
    const int fitting = reserveContacts(d, count);
    if (!fitting) return false;
    snContact* first = d->contact + d->ncon;
    memset(first, 0, sizeof *first); // padding too, so that equal contacts are equal bytes
    sn_contactParameters(m, c->geom[0], c->geom[1], sn_candidatePair(c), first);
    for (int i = 0; i < fitting; i++) {
        snContact* contact = first + i;
        if (i) *contact = *first;
        contact->dist = points[i].dist;
        sn_v3Store(contact->pos, points[i].pos);
        sn_contactFrame(points[i].normal, points[i].tangent, contact->frame);
        contact->exclude = contact->dist >= contact->includemargin;
    }
    d->ncon += fitting;
    return fitting == count;
}

void sn_collision(const snModel* m, snData* d)
{
    sn_arenaClear(d);
    if (m->opt.disableflags & (SN_DSBL_CONSTRAINT | SN_DSBL_CONTACT) || m->nbody < 2 || !m->ngeom) return;
    const size_t mark = sn_scratchMark(d);
    const snCandidates candidates = sn_broadphase(m, d);
    bool full = candidates.full;
    snContactPoint points[SN_MAXCONPAIR];
    for (int i = 0; i < candidates.count && !full; i++) {
        const int count = collide(m, d, candidates.list + i, points);
        if (count) full = !append(m, d, candidates.list + i, points, count);
    }
    if (full) sn_warn(d, SN_WARN_CONTACTFULL, d->ncon);
    sn_scratchRelease(d, mark);
}
