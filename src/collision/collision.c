// The collision stage: candidates of the broad phase, which come in the order of contacts, through the
// narrow phase; the points of those that touch become contacts. Source: seed 001, "Collision detection".
#include <assert.h>
#include <sinew/collision.h>
#include "collision/broad/broadphase.h"
#include "collision/speculative.h"
#include "collision/flex/flex.h"
#include "collision/make_contacts.h"
#include "model/arena.h"
#include "model/made.h"
#include "model/timer.h"
#include "sdf/sdf.h"

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

// What geoms go within the step; NULL: it does not matter, or there is no room.
static const snTravel* travels(const snModel* m, snData* d)
{
    if (!(m->opt.enableflags & SN_ENBL_SPECULATIVE)) return NULL;
    snTravel* travel = sn_scratchAlloc(d, (size_t)m->ngeom * sizeof *travel);
    if (travel && sn_findTravels(m, d, travel)) return travel;
    sn_warnFull(d);
    return NULL;
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
    if (!m->nflex) return sn_makeContacts(m, d, travel, candidates->list, candidates->count);
    snFlexes flexes;
    int start = 0;
    bool fits = sn_findFlexes(m, d, &flexes);
    for (int i = 0; i < flexes.near.count && fits; i++) {
        const int count = countUpTo(candidates, start, m->geom_bodyid[sn_nearGeom(&flexes, i)]);
        fits = sn_makeContacts(m, d, travel, candidates->list + start, count) &&
               sn_touchFlexPair(m, d, &flexes, i);
        start += count;
    }
    return fits && sn_makeContacts(m, d, travel, candidates->list + start, candidates->count - start) &&
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
