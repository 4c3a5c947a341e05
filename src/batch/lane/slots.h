// Points of a pair side by side: slot k holds the k-th point of each lane, so that lanes that touch at unlike
// corners share slots, and rows.
#ifndef SINEW_BATCH_LANE_SLOTS_H
#define SINEW_BATCH_LANE_SLOTS_H

#include "collision/contact/narrow.h"

typedef struct snSlots {
    snContactPoint* out;
    int most;   ///< points of a lane that count
    int used;   ///< slots that any lane fills
    real count; ///< points of each lane
} snSlots;

/// Gives the lanes of `found` one more point, if they have fewer than `most`.
static inline void sn_fillSlot(snSlots* s, real dist, snVec3 pos, snVec3 normal, snMask found)
{
    if (!sn_any(found)) return;
    for (int k = 0; k < s->most && k <= s->used; k++) {
        const snMask here = found & (s->count == (snLane)k);
        if (!sn_any(here)) continue;
        snContactPoint* p = s->out + k;
        if (k == s->used) {
            *p = sn_contactPoint(dist, pos, normal, here);
            s->used++;
            break; // no lane has more
        }
        p->dist = sn_select(here, dist, p->dist);
        p->pos = sn_v3Select(here, pos, p->pos);
        p->normal = sn_v3Select(here, normal, p->normal);
        p->found |= here;
    }
    s->count += sn_select(found, 1, 0);
}

#endif
