#include "collision/make_contacts.h"
#include <assert.h>
#include <sinew/thread_pool.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include "collision/contact/append.h"
#include "collision/contact/contact.h"
#include "collision/narrow_phase.h"
#include "base/memory.h"
#include "math/zero.h"
#include "model/arena.h"
#include "model/crew.h"

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

// The first `fitting` contacts of a candidate, to `first` and on.
static void write(const snModel* m, const snData* d, const snCandidate* c, const snContactPoint* points,
                  int fitting, Frame* frame, const Ahead* ahead, snContact* first)
{
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
            write(m, d, c, points->list + c->first, fitting, frame,
                  ahead && ahead[i].when > 0 ? ahead + i : NULL, d->contact + d->ncon);
        d->ncon += fitting;
        if (fitting < c->count) return false;
        room -= fitting;
    }
    return true;
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

// In blocks so that the points stay in the cache; false: no room.
static bool makeAlone(const snModel* m, snData* d, const snTravel* travel, snCandidate* all, int total)
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

// ---- on threads

enum { LEAST_PAIRS = 4 * SN_NARROW_BLOCK }; // below, waking threads takes longer than they save

// A block of candidates, between its points and its contacts.
typedef struct Block {
    snPoints points; // in the scratch of a view
    Ahead* ahead;    // NULL: none is looked for
    int contact;     // its first
} Block;

typedef struct Share {
    const snModel* m;
    const snTravel* travel;
    snCandidate* list;
    int total;
    Block* block;
    atomic_bool full; // some block had no room
} Share;

static int sizeOfBlock(const Share* s, int index)
{
    const int left = s->total - index * SN_NARROW_BLOCK;
    return left < SN_NARROW_BLOCK ? left : SN_NARROW_BLOCK;
}

static bool findPoints(const Share* s, int index, snData* view)
{
    Block* block = s->block + index;
    snCandidate* list = s->list + index * SN_NARROW_BLOCK;
    const int count = sizeOfBlock(s, index);
    *block = (Block){.contact = 0};
    if (!sn_narrowPhase(s->m, view, list, count, &block->points)) return false;
    if (!s->travel) return true;
    block->ahead = sn_scratchAlloc(view, (size_t)count * sizeof *block->ahead);
    return block->ahead && lookAhead(s->m, view, s->travel, list, count, &block->points, block->ahead);
}

static void takePoints(void* arg, int index, snData* view)
{
    Share* s = arg;
    if (!findPoints(s, index, view)) atomic_store_explicit(&s->full, true, memory_order_relaxed);
}

static void takeContacts(void* arg, int index, snData* view)
{
    const Share* s = arg;
    const Block* block = s->block + index;
    const snCandidate* list = s->list + index * SN_NARROW_BLOCK;
    Frame frame = {{0}, {0}};
    snContact* to = view->contact + block->contact;
    for (int i = 0; i < sizeOfBlock(s, index); i++) {
        const snCandidate* c = list + i;
        const bool ahead = block->ahead && block->ahead[i].when > 0;
        if (c->count)
            write(s->m, view, c, block->points.list + c->first, c->count, &frame,
                  ahead ? block->ahead + i : NULL, to);
        to += c->count;
    }
}

// Where the contacts of each block go; returns how many there are.
static int placeBlocks(const Share* s, int blocks)
{
    int count = 0;
    for (int i = 0; i < blocks; i++) {
        s->block[i].contact = count;
        count += countPoints(s->list + i * SN_NARROW_BLOCK, sizeOfBlock(s, i));
    }
    return count;
}

// Contacts of all points; false: there may be too little room for both.
static bool placeContacts(snData* d, const snCrew* crew, Share* s, int blocks)
{
    const int count = placeBlocks(s, blocks), before = d->ncon;
    if ((size_t)count * sizeof(snContact) + SN_ALIGN > sn_crewGap(crew)) return false;
    const int room = sn_reserveContacts(d, count);
    assert(room == count); // the gap is behind the arrays
    (void)room;
    for (int k = 0; k < crew->count; k++) crew->view[k].contact = d->contact ? d->contact + before : NULL;
    sn_runCrew(crew, blocks, takeContacts, s);
    d->ncon += count;
    return true;
}

// By all threads of the data; false: nothing has been made.
static bool makeShared(const snModel* m, snData* d, const snTravel* travel, snCandidate* list, int total)
{
    if (total < LEAST_PAIRS || m->nplugin || sn_threadCount(d->pool) < 2) return false;
    const int blocks = (total + SN_NARROW_BLOCK - 1) / SN_NARROW_BLOCK;
    const size_t mark = sn_scratchMark(d);
    Share s = {.m = m, .travel = travel, .list = list, .total = total};
    s.block = sn_scratchAlloc(d, (size_t)blocks * sizeof *s.block);
    atomic_init(&s.full, false);
    snCrew crew;
    bool made = s.block && sn_beginCrew(d, blocks, &crew);
    if (made) {
        sn_runCrew(&crew, blocks, takePoints, &s);
        made = !atomic_load(&s.full) && placeContacts(d, &crew, &s, blocks);
        sn_endCrew(&crew);
    }
    sn_scratchRelease(d, mark);
    return made;
}

bool sn_makeContacts(const snModel* m, snData* d, const snTravel* travel, snCandidate* list, int total)
{
    return makeShared(m, d, travel, list, total) || makeAlone(m, d, travel, list, total);
}
