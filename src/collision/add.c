// Contacts that the user adds or drops.
#include <sinew/collision.h>
#include "base/error.h"
#include "base/memory.h"
#include "model/arena.h"
#include "model/contact.h"

// Rows stand behind the contacts, where the new one goes.
static void dropRows(snData* d)
{
    d->parena = d->contact ? sn_alignUp((size_t)((char*)(d->contact + d->ncon) - (char*)d->arena)) : 0;
    d->ne = d->nf = d->nl = d->nefc = d->nR0 = d->nJ = d->nJcol = d->nAblock = 0;
    d->nelasticrow = d->nelastic = 0;
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

static snStatus noSide(const snModel* m, const snContact* contact, int side, snError* error)
{
    if (contact->geom[side] != -1 || contact->flex[side] < 0)
        return sn_fail(error, SN_STATUS_ARGUMENT, "geom %d of a contact, the model has %d",
                       contact->geom[side], m->ngeom);
    return sn_fail(error, SN_STATUS_ARGUMENT, "part %d of flex %d of a contact, the model has %d flexes",
                   contact->part[side], contact->flex[side], m->nflex);
}

snStatus sn_addContact(const snModel* m, snData* d, const snContact* contact, snError* error)
{
    const int dim = contact->dim;
    for (int k = 0; k < 2; k++)
        if (!sn_isContactSide(m, contact, k)) return noSide(m, contact, k, error);
    if (dim != 1 && dim != 3 && dim != 4 && dim != 6)
        return sn_fail(error, SN_STATUS_ARGUMENT, "dim of a contact is %d, must be 1, 3, 4 or 6", dim);
    const snContact copy = *contact; // it may stand among the others
    dropRows(d);
    snContact* room = sn_arenaAlloc(d, sizeof *room);
    if (!room) return sn_fail(error, SN_STATUS_NO_MEMORY, "the arena of %zu bytes is full", d->narena);
    if (!d->contact) d->contact = room;
    *room = copy;
    room->efc_address = -1;
    for (int k = 0; k < 2; k++)
        if (room->geom[k] >= 0) {
            room->flex[k] = -1;
            room->part[k] = 0;
        }
    d->ncon++;
    return SN_STATUS_OK;
}
