// The collision stage: candidates of the broad phase, which come in the order of contacts, through the
// narrow phase; the points of those that touch become contacts. Source: seed 001, "Collision detection".
#include <assert.h>
#include <sinew/collision.h>
#include <stddef.h>
#include "collision/broad/broadphase.h"
#include "collision/narrow_phase.h"
#include "collision/contact/contact.h"
#include "model/arena.h"
#include "model/made.h"
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

// The first `fitting` contacts of a candidate
static void append(const snModel* m, snData* d, const snCandidate* c, const snContactPoint* points,
                   int fitting, Frame* frame)
{
    snContact* first = d->contact + d->ncon;
    const size_t end = offsetof(snContact, efc_address);
    memset((char*)first + end, 0, sizeof *first - end); // padding too, so that equal contacts are equal bytes
    sn_contactParameters(m, c->geom[0], c->geom[1], c->pair, first);
    const int dim = first->dim;
    assert(dim == 1 || dim == 3 || dim == 4 || dim == 6);
    for (int i = 0; i < fitting; i++) {
        snContact* contact = first + i;
        if (i) *contact = *first;
        makeFrame(frame, points + i);
        contact->dist = points[i].dist;
        sn_v3Store(contact->pos, points[i].pos);
        memcpy(contact->frame, frame->frame, sizeof frame->frame);
        const bool gap = contact->dist >= contact->includemargin, pulls = contact->adhesion != 0;
        contact->exclude = gap && !pulls;
        contact->dim = gap && pulls ? 1 : dim; // from the gap it pulls without friction
        sn_contactSurface(m, d, contact);
    }
    d->ncon += fitting;
}

// Contacts of a block of candidates; false: no room.
static bool appendBlock(const snModel* m, snData* d, const snCandidate* list, int count,
                        const snPoints* points, Frame* frame)
{
    int room = reserveContacts(d, points->count);
    for (int i = 0; i < count; i++) {
        const snCandidate* c = list + i;
        const int fitting = c->count < room ? c->count : room;
        assert(c->count == 0 || (c->first >= 0 && c->first + c->count <= points->count));
        if (fitting) append(m, d, c, points->list + c->first, fitting, frame);
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

// The narrow phase, in blocks so that the points stay in the cache; false: no room.
static bool makeContacts(const snModel* m, snData* d, const snCandidates* candidates)
{
    snPoints points = {NULL, 0, 0};
    Frame frame = {{0}, {0}}; // of no contact: normals are not zero
    for (int start = 0; start < candidates->count; start += SN_NARROW_BLOCK) {
        snCandidate* list = candidates->list + start;
        const int left = candidates->count - start, count = left < SN_NARROW_BLOCK ? left : SN_NARROW_BLOCK;
        const bool fits = sn_narrowPhase(m, d, list, count, &points);
        if (!appendBlock(m, d, list, count, &points, &frame) || !fits) return false;
    }
    return true;
}

void sn_collision(const snModel* m, snData* d)
{
    sn_assertMade(m, d, geom_xpos, geom_xmat);
    sn_arenaClear(d);
    d->nbroad = d->nnarrow = 0;
    if (m->opt.disableflags & (SN_DSBL_CONSTRAINT | SN_DSBL_CONTACT) || m->nbody < 2 || !m->ngeom) return;
    const size_t mark = sn_scratchMark(d);
    const double start = sn_timerNow(d);
    snCandidates candidates = sn_broadphase(m, d);
    const double narrow = sn_timerCount(d, SN_TIMER_COL_BROAD, start);
    if (d->callback.contactfilter) dropFiltered(m, d, &candidates);
    if (!makeContacts(m, d, &candidates) || candidates.full) sn_warn(d, SN_WARN_CONTACTFULL, d->ncon);
    if (d->ncon > d->maxuse_con) d->maxuse_con = d->ncon;
    sn_scratchRelease(d, mark);
    sn_timerCount(d, SN_TIMER_COL_NARROW, narrow);
}
