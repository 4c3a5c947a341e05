// Contacts in lanes: which pairs of the model's list are near in any lane, their points, their contacts.
#ifndef SINEW_BATCH_LANE_COLLISION_H
#define SINEW_BATCH_LANE_COLLISION_H

#include "batch/pair.h"
#include "collision/contact/narrow.h"

typedef uint16_t snNear; ///< lanes in which a pair is near, as bits

/// Bytes of scratch that sn_collision takes.
size_t sn_laneCollisionScratch(const snModel* m);

/// near [count rounded up to four] receives for each pair of the list the lanes in which its bounds, margins
/// included, meet, as sn_broadphase has it but for the boxes along the world's axes. False: no scratch.
bool sn_findNear(const snModel* m, snData* d, snNear* near);

/// Points of a pair in the lanes of `near`, lane by lane through the colliders of the scalar engine.
int sn_collideLanes(const snModel* m, const snData* d, const snBatchPair* pair, real margin, snMask near,
                    snContactPoint* out);

#endif
