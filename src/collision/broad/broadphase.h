// The broad phase: which geoms are near enough for the narrow phase. Source: seed 001, "Collision detection".
#ifndef SINEW_COLLISION_BROAD_BROADPHASE_H
#define SINEW_COLLISION_BROAD_BROADPHASE_H

#include "collision/contact/candidate.h"
#include "collision/contact/travel.h"

/// Candidates in the scratch memory of d; NULL when `count` is 0.
typedef struct snCandidates {
    snCandidate* list;
    int count, capacity;
    bool full; ///< scratch ran out: some are missing
} snCandidates;

/// All pairs of geoms that the filters allow and whose bounding spheres and (unless a callback filters, which
/// is asked about spheres) boxes overlap, margins included, in the order of contacts: by body[0], then
/// body[1], then pair elements as the model has them, then geoms. Reads geom_xpos, geom_xmat. Sets
/// d->nbroad to the number of boxes compared, d->nnarrow to that of candidates. The caller marks and releases
/// the scratch. travel [ngeom]: what is fast is seen all along its way; NULL: as it stands.
snCandidates sn_broadphase(const snModel* m, snData* d, const snTravel* travel);

#endif
