#include "collision/contact/append.h"
#include "model/arena.h"

_Static_assert(sizeof(snContact) % 64 == 0, "contacts taken one by one from the arena must be contiguous");

int sn_reserveContacts(snData* d, int count)
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
