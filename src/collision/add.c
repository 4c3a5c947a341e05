// Contacts that the user adds or drops.
#include <sinew/collision.h>
#include "base/error.h"
#include "base/memory.h"
#include "model/arena.h"

// Rows stand behind the contacts, where the new one goes.
static void dropRows(snData* d)
{
    d->parena = d->contact ? sn_alignUp((size_t)((char*)(d->contact + d->ncon) - (char*)d->arena)) : 0;
    d->ne = d->nf = d->nl = d->nefc = d->nR0 = d->nJ = d->nJcol = d->nAblock = 0;
    sn_dropLoops(d);
#define X(type, name, ...)                                                                                   \
    if ((void*)d->name != (void*)d->contact) d->name = NULL;
    SN_ARENA_FIELDS(X)
#undef X
    for (int c = 0; c < d->ncon; c++) d->contact[c].efc_address = -1;
}

void sn_dropContacts(snData* d, int kept)
{
    if (kept < d->ncon) d->ncon = kept > 0 ? kept : 0;
    dropRows(d);
}

snStatus sn_addContact(const snModel* m, snData* d, const snContact* contact, snError* error)
{
    const int *geom = contact->geom, dim = contact->dim;
    for (int k = 0; k < 2; k++)
        if (geom[k] < 0 || geom[k] >= m->ngeom)
            return sn_fail(error, SN_STATUS_ARGUMENT, "geom %d of a contact, the model has %d", geom[k],
                           m->ngeom);
    if (dim != 1 && dim != 3 && dim != 4 && dim != 6)
        return sn_fail(error, SN_STATUS_ARGUMENT, "dim of a contact is %d, must be 1, 3, 4 or 6", dim);
    const snContact copy = *contact; // it may stand among the others
    dropRows(d);
    snContact* room = sn_arenaAlloc(d, sizeof *room);
    if (!room) return sn_fail(error, SN_STATUS_NO_MEMORY, "the arena of %zu bytes is full", d->narena);
    if (!d->contact) d->contact = room;
    *room = copy;
    room->efc_address = -1;
    d->ncon++;
    return SN_STATUS_OK;
}
