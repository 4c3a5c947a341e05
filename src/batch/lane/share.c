#include "batch/lane/share.h"
#include "model/contact.h"

static bool sameBodies(const snModel* m, const snContact* a, const snContact* b)
{
    return m->geom_bodyid[a->geom[0]] == m->geom_bodyid[b->geom[0]] &&
           m->geom_bodyid[a->geom[1]] == m->geom_bodyid[b->geom[1]];
}

// The first place of these bodies behind all that the lanes of c have; NULL: none. Those of two bodies stand
// together.
static snContact* placeFor(const snModel* m, const snData* d, const snContact* c)
{
    const snMask lanes = sn_contactLive(c);
    snContact* place = NULL;
    for (snContact* at = d->contact + d->ncon; at-- > d->contact && sameBodies(m, at, c);) {
        if (sn_any(sn_contactLive(at) & lanes)) break;
        if (at->dim == c->dim) place = at;
    }
    return place;
}

static void take(snMask lanes, real* to, const real* from, int count)
{
    for (int k = 0; k < count; k++) to[k] = sn_select(lanes, from[k], to[k]);
}

static void takeNumbers(snContact* place, const snContact* c)
{
    const snMask lanes = sn_contactLive(c);
    take(lanes, &place->dist, &c->dist, 1);
    take(lanes, place->pos, c->pos, 3);
    take(lanes, place->frame, c->frame, 9);
    take(lanes, place->surfacevel, c->surfacevel, 3);
    if (place->pair == c->pair) return;
    take(lanes, &place->includemargin, &c->includemargin, 1);
    take(lanes, place->friction, c->friction, 5);
    take(lanes, place->solref, c->solref, SN_NREF);
    take(lanes, place->solreffriction, c->solreffriction, SN_NREF);
    take(lanes, place->solimp, c->solimp, SN_NIMP);
}

bool sn_shareContact(const snModel* m, const snData* d, const snContact* c)
{
    snContact* place = placeFor(m, d, c);
    if (!place) return false;
    takeNumbers(place, c);
    place->live |= c->live;
    place->gap |= c->gap;
    return true;
}
