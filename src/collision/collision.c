// The collision stage: candidates of the broad phase through the colliders; those that touch, in their fixed
// order, become contacts.
#include <sinew/collision.h>
#include "collision/broad/broadphase.h"
#include "collision/analytic/colliders.h"
#include "collision/convex/convex.h"
#include "collision/convex/hfield.h"
#include "collision/convex/manifold.h"
#include "collision/shape/contact.h"
#include "model/arena.h"
#include "model/timer.h"

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

// Whether the boxes around two geoms, margin included, are parted along an axis of one of them. Cheaper than
// a first support of a large hull; errs on the side of overlap.
static bool boxesApart(const snModel* m, const snShape* a, const snShape* b, real margin)
{
    const real *boxa = m->geom_aabb + 6 * a->geom, *boxb = m->geom_aabb + 6 * b->geom;
    const snVec3 ca = sn_v3Add(a->pos, sn_m3Mul(a->mat, sn_v3Load(boxa)));
    const snVec3 cb = sn_v3Add(b->pos, sn_m3Mul(b->mat, sn_v3Load(boxb)));
    const snMat3 C = sn_m3TMulM3(a->mat, b->mat);
    real da[3], db[3];
    sn_v3Store(da, sn_m3TMul(a->mat, sn_v3Sub(cb, ca)));
    sn_v3Store(db, sn_m3TMul(b->mat, sn_v3Sub(cb, ca)));
    for (int i = 0; i < 3; i++) {
        real reach_a = boxa[3 + i], reach_b = boxb[3 + i];
        for (int j = 0; j < 3; j++) {
            reach_a += fabs(C.m[3 * i + j]) * boxb[3 + j];
            reach_b += fabs(C.m[3 * j + i]) * boxa[3 + j];
        }
        const real slack = 1e-9 * (reach_a + reach_b);
        if (fabs(da[i]) > reach_a + margin + slack || fabs(db[i]) > reach_b + margin + slack) return true;
    }
    return false;
}

static int collide(const snModel* m, snData* d, const snCandidate* c, snContactPoint* points)
{
    const snShape a = sn_geomShape(m, d, c->geom[0]), b = sn_geomShape(m, d, c->geom[1]);
    const real margin = sn_pairMargin(m, c->geom[0], c->geom[1], sn_candidatePair(c));
    const snCollider collider = sn_analyticCollider(a.type, b.type);
    if (collider) return collider(&a, &b, margin, points);
    if (!sn_canCollide(a.type, b.type)) return 0;
    if (b.type == SN_GEOM_MESH && boxesApart(m, &a, &b, margin)) return 0;
    if (a.type == SN_GEOM_HFIELD) return sn_hfieldConvex(m, &a, &b, margin, points);
    const int count = sn_convexConvex(&a, &b, margin, points);
    if (!count || !(m->opt.enableflags & SN_ENBL_MULTICCD)) return count;
    const snContactPoint first = points[0];
    return sn_manifold(m, &a, &b, margin, &first, points);
}

// Points of all candidates, in scratch memory
typedef struct Points {
    snContactPoint* list;
    int count, capacity;
} Points;

// Room for `more` points; false: scratch is full
static bool growPoints(snData* d, Points* points, int more)
{
    if (points->count + more <= points->capacity) return true;
    const int capacity = 2 * (points->capacity + more) + 16;
    snContactPoint* list = sn_scratchAlloc(d, (size_t)capacity * sizeof *list);
    if (!list) return false;
    if (points->count) memcpy(list, points->list, (size_t)points->count * sizeof *list);
    points->list = list;
    points->capacity = capacity;
    return true;
}

// Whether the user wants no contact between the geoms of a candidate; pair elements are always wanted.
static bool isFiltered(const snModel* m, snData* d, const snCandidate* c)
{
    return d->callback.contactfilter && sn_candidatePair(c) < 0 &&
           d->callback.contactfilter(m, d, c->geom[0], c->geom[1], d->callback.user);
}

// The narrow phase: keeps the candidates that touch, with their points; false: scratch is full
static bool collideAll(const snModel* m, snData* d, snCandidates* candidates, Points* points)
{
    snContactPoint found[SN_MAXCONPAIR];
    int touching = 0;
    bool fits = true;
    for (int i = 0; i < candidates->count && fits; i++) {
        snCandidate* c = candidates->list + i;
        c->count = isFiltered(m, d, c) ? 0 : collide(m, d, c, found);
        if (!c->count) continue;
        fits = growPoints(d, points, c->count);
        if (!fits) break;
        c->first = points->count;
        memcpy(points->list + c->first, found, (size_t)c->count * sizeof *found);
        points->count += c->count;
        candidates->list[touching++] = *c;
    }
    candidates->count = touching;
    return fits;
}

// Appends the contacts of one candidate; false: no room.
static bool append(const snModel* m, snData* d, const snCandidate* c, const snContactPoint* points)
{
    const int fitting = reserveContacts(d, c->count);
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
    return fitting == c->count;
}

void sn_collision(const snModel* m, snData* d)
{
    sn_arenaClear(d);
    if (m->opt.disableflags & (SN_DSBL_CONSTRAINT | SN_DSBL_CONTACT) || m->nbody < 2 || !m->ngeom) return;
    const size_t mark = sn_scratchMark(d);
    const double start = sn_timerNow(d);
    snCandidates candidates = sn_broadphase(m, d);
    const double narrow = sn_timerCount(d, SN_TIMER_COL_BROAD, start);
    // the order of the sweep depends on the steps before; what the user sees should not
    if (d->callback.contactfilter) sn_sortCandidates(candidates.list, candidates.count);
    Points points = {NULL, 0, 0};
    bool fits = collideAll(m, d, &candidates, &points) && !candidates.full;
    sn_sortCandidates(candidates.list, candidates.count);
    for (int i = 0; i < candidates.count; i++)
        if (!append(m, d, candidates.list + i, points.list + candidates.list[i].first)) {
            fits = false;
            break;
        }
    if (!fits) sn_warn(d, SN_WARN_CONTACTFULL, d->ncon);
    sn_scratchRelease(d, mark);
    sn_timerCount(d, SN_TIMER_COL_NARROW, narrow);
}
