// Contacts into the arena.
#ifndef SINEW_COLLISION_CONTACT_APPEND_H
#define SINEW_COLLISION_CONTACT_APPEND_H

#include "collision/contact/narrow.h"

/// Room for `count` more contacts behind those there are, as far as the arena goes; returns how many fit.
int sn_reserveContacts(snData* d, int count);

/// What a point says of a contact that has its parameters, `dim` among them; its frame is left to the caller.
/// In the gap it has no rows, or with adhesion pulls without friction.
static inline void sn_setPoint(snContact* contact, const snContactPoint* point, int dim)
{
    const bool gap = point->dist >= contact->includemargin, pulls = contact->adhesion != 0;
    contact->dist = point->dist;
    sn_v3Store(contact->pos, point->pos);
    contact->exclude = gap && !pulls;
    if (pulls) contact->dim = gap ? 1 : dim;
}

#endif
