#include "collision/analytic/batch.h"
#include "model/arena.h"

bool sn_growPoints(snData* d, snPoints* points, int more)
{
    const int capacity = 2 * points->capacity + (more < 64 ? 64 : more);
    snContactPoint* list = sn_scratchAlloc(d, (size_t)capacity * sizeof *list);
    if (!list) return false;
    if (points->count) memcpy(list, points->list, (size_t)points->count * sizeof *list);
    points->list = list;
    points->capacity = capacity;
    return true;
}
