// The collision stage: candidates of the broad phase, which come in the order of contacts, through the
// narrow phase; the points of those that touch become contacts. Source: seed 001, "Collision detection".
#include <assert.h>
#include <sinew/collision.h>
#include <stddef.h>
#include "collision/broad/broadphase.h"
#include "collision/narrow_phase.h"
#include "collision/speculative.h"
#include "collision/contact/append.h"
#include "collision/contact/contact.h"
#include "collision/flex/flex.h"
#include "math/zero.h"
#include "model/arena.h"
#include "model/made.h"
#include "model/timer.h"
#include "sdf/sdf.h"

// A frame and what it was made of: points on the same plane share it.
typedef struct Frame {
    uint64_t made_of[6]; // bits of normal and tangent
    real frame[9];
} Frame;

static inline void makeFrame(Frame* f, const snContactPoint* point)
{
    uint64_t made_of[6], difference = 0;
    memcpy(made_of, &point->normal, sizeof point->normal);
    memcpy(made_of + 3, &point->tangent, sizeof point->tangent);
    for (int k = 0; k < 6; k++) difference |= made_of[k] ^ f->made_of[k];
    if (!difference) return;
    memcpy(f->made_of, made_of, sizeof made_of);
    sn_contactFrame(point->normal, point->tangent, f->frame);
}

// An impact that is to come: after which part of the step, and by how much the distance shrinks until then.
typedef struct Ahead {
    double when, way;
} Ahead;

// What is to come pushes, and does not pull yet.
static void setImpact(snContact* contact, const Ahead* ahead, int dim)
{
    contact->impact = ahead->when;
    contact->way = ahead->way;
    contact->exclude = 0;
    contact->dim = dim;
    contact->adhesion = 0;
}

static inline bool surfaceMoves(const snModel* m, int geom)
{
    return sn_anyNotZero(m->geom_surfacevel + 6 * geom, 6);
}

// The first `fitting` contacts of a candidate
static void append(const snModel* m, snData* d, const snCandidate* c, const snContactPoint* points,
                   int fitting, Frame* frame, const Ahead* ahead)
{
    snContact* first = d->contact + d->ncon;
    const size_t end = offsetof(snContact, efc_address);
    memset((char*)first + end, 0, sizeof *first - end); // padding too, so that equal contacts are equal bytes
    sn_contactParameters(m, c->geom[0], c->geom[1], c->pair, first);
    const int dim = first->dim;
    const bool slides = surfaceMoves(m, c->geom[0]) || surfaceMoves(m, c->geom[1]);
    assert(dim == 1 || dim == 3 || dim == 4 || dim == 6);
    for (int i = 0; i < fitting; i++) {
        snContact* contact = first + i;
        if (i) *contact = *first;
        makeFrame(frame, points + i);
        memcpy(contact->frame, frame->frame, sizeof frame->frame);
        sn_setPoint(contact, points + i, dim);
        if (ahead) setImpact(contact, ahead, dim);
        if (slides) sn_contactSurface(m, d, contact); // else it is 0 from above
    }
    d->ncon += fitting;
}

// Points of candidates, some of which may have dropped theirs for others.
static int countPoints(const snCandidate* list, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++) sum += list[i].count;
    return sum;
}

// Contacts of a block of candidates; false: no room.
static bool appendBlock(const snModel* m, snData* d, const snCandidate* list, int count,
                        const snPoints* points, const Ahead* ahead, Frame* frame)
{
    int room = sn_reserveContacts(d, ahead ? countPoints(list, count) : points->count);
    for (int i = 0; i < count; i++) {
        const snCandidate* c = list + i;
        const int fitting = c->count < room ? c->count : room;
        assert(c->count == 0 || (c->first >= 0 && c->first + c->count <= points->count));
        if (fitting)
            append(m, d, c, points->list + c->first, fitting, frame,
                   ahead && ahead[i].when > 0 ? ahead + i : NULL);
        if (fitting < c->count) return false;
        room -= fitting;
    }
    return true;
}

// Whether the user wants no contact between the geoms of a candidate; pair elements are always wanted.
static bool isFiltered(const snModel* m, snData* d, const snCandidate* c)
{
    return c->pair < 0 && d->callback.contactfilter(m, d, c->geom[0], c->geom[1], d->callback.user);
}

static void dropFiltered(const snModel* m, snData* d, snCandidates* candidates)
{
    int kept = 0;
    for (int i = 0; i < candidates->count; i++)
        if (!isFiltered(m, d, candidates->list + i)) candidates->list[kept++] = candidates->list[i];
    candidates->count = kept;
}

static bool pushes(const snModel* m, const snCandidate* c, const snPoints* points)
{
    const double within = sn_pairInclude(m, c->geom[0], c->geom[1], c->pair);
    for (int i = 0; i < c->count; i++)
        if (points->list[c->first + i].dist < within) return true;
    return false;
}

// Candidates that are fast and do not touch yet get the points in which they will within the step, `impact`
// part of it from now; 0: they have none. False: no room.
static bool lookAhead(const snModel* m, snData* d, const snTravel* travel, snCandidate* list, int count,
                      snPoints* points, Ahead* ahead)
{
    memset(ahead, 0, (size_t)count * sizeof *ahead);
    for (int i = 0; i < count; i++) {
        snCandidate* c = list + i;
        snImpact found;
        if (!sn_isFastPair(travel + c->geom[0], travel + c->geom[1]) || pushes(m, c, points)) continue;
        sn_findImpact(m, d, travel, c, &found);
        if (!found.count) continue;
        if (!sn_roomForPoints(d, points, found.count)) return false;
        memcpy(points->list + points->count, found.points, (size_t)found.count * sizeof *found.points);
        c->first = points->count;
        c->count = found.count;
        points->count += found.count;
        ahead[i] = (Ahead){found.when, found.way};
    }
    return true;
}

// What geoms go within the step; NULL: it does not matter, or there is no room.
static const snTravel* travels(const snModel* m, snData* d)
{
    if (!(m->opt.enableflags & SN_ENBL_SPECULATIVE)) return NULL;
    snTravel* travel = sn_scratchAlloc(d, (size_t)m->ngeom * sizeof *travel);
    if (travel && sn_findTravels(m, d, travel)) return travel;
    sn_warnFull(d);
    return NULL;
}

// The narrow phase of the first `total` of some candidates, in blocks so that the points stay in the cache;
// false: no room.
static bool makeContacts(const snModel* m, snData* d, const snTravel* travel, snCandidate* all, int total)
{
    const size_t mark = sn_scratchMark(d);
    snPoints points = {NULL, 0, 0};
    Frame frame = {{0}, {0}}; // of no contact: normals are not zero
    bool fits = true;
    for (int start = 0; start < total && fits; start += SN_NARROW_BLOCK) {
        snCandidate* list = all + start;
        const int left = total - start, count = left < SN_NARROW_BLOCK ? left : SN_NARROW_BLOCK;
        Ahead ahead[SN_NARROW_BLOCK];
        fits = sn_narrowPhase(m, d, list, count, &points);
        if (travel) fits = fits && lookAhead(m, d, travel, list, count, &points, ahead);
        fits = appendBlock(m, d, list, count, &points, travel ? ahead : NULL, &frame) && fits;
    }
    sn_scratchRelease(d, mark);
    return fits;
}

// How many candidates from `start` on come before the flexes near a body: all up to those that have it first.
static int countUpTo(const snCandidates* candidates, int start, int body)
{
    int end = start;
    while (end < candidates->count && candidates->list[end].body[0] <= body) end++;
    return end - start;
}

// The same of all candidates, with contacts of flexes among them: body by body those of its geoms with
// others, then with flexes.
static bool makeAll(const snModel* m, snData* d, const snTravel* travel, const snCandidates* candidates)
{
    if (!m->nflex) return makeContacts(m, d, travel, candidates->list, candidates->count);
    snFlexes flexes;
    int start = 0;
    bool fits = sn_findFlexes(m, d, &flexes);
    for (int i = 0; i < flexes.near.count && fits; i++) {
        const int count = countUpTo(candidates, start, m->geom_bodyid[sn_nearGeom(&flexes, i)]);
        fits =
            makeContacts(m, d, travel, candidates->list + start, count) && sn_touchFlexPair(m, d, &flexes, i);
        start += count;
    }
    return fits && makeContacts(m, d, travel, candidates->list + start, candidates->count - start) &&
           sn_touchFlexes(m, d, &flexes);
}

void sn_collision(const snModel* m, snData* d)
{
    sn_assertMade(m, d, geom_xpos, geom_xmat);
    sn_arenaClear(d);
    d->nbroad = d->nnarrow = 0;
    if (m->opt.disableflags & (SN_DSBL_CONSTRAINT | SN_DSBL_CONTACT) || m->nbody < 2 ||
        !(m->ngeom || m->nflex))
        return;
    const size_t mark = sn_scratchMark(d);
    const double start = sn_timerNow(d);
    if (m->nplugin) sn_takeSdfFault(); // one of before is none of this data
    const snTravel* travel = travels(m, d);
    snCandidates candidates = sn_broadphase(m, d, travel);
    const double narrow = sn_timerCount(d, SN_TIMER_COL_BROAD, start);
    if (d->callback.contactfilter) dropFiltered(m, d, &candidates);
    if (!makeAll(m, d, travel, &candidates) || candidates.full) sn_warn(d, SN_WARN_CONTACTFULL, d->ncon);
    if (m->nplugin) sn_warnSdfFault(d);
    if (d->ncon > d->maxuse_con) d->maxuse_con = d->ncon;
    sn_scratchRelease(d, mark);
    sn_timerCount(d, SN_TIMER_COL_NARROW, narrow);
}
