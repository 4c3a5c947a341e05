// The broad phase: which geoms are near enough for the narrow phase.
#ifndef SINEW_COLLISION_BROAD_BROADPHASE_H
#define SINEW_COLLISION_BROAD_BROADPHASE_H

#include <sinew/data.h>

/// Two geoms to be looked at closely, and their place in the order of contacts: by the two bodies (the lower
/// id first), then pair elements in the model's order, then geoms. That order depends on nothing that earlier
/// steps left behind.
typedef struct snCandidate {
    uint64_t bodies;  ///< lower body id << 32 | higher
    uint64_t order;   ///< pair element id, or SN_CANDIDATE_GEOMS | first key geom << 32 | second
    int geom[2];      ///< ids, type of the first <= type of the second
    int first, count; ///< its points, set by the narrow phase
} snCandidate;

#define SN_CANDIDATE_GEOMS ((uint64_t)1 << 63)

static inline int sn_candidatePair(const snCandidate* c)
{
    return c->order & SN_CANDIDATE_GEOMS ? -1 : (int)c->order;
}

/// Candidates in the scratch memory of d; NULL when `count` is 0.
typedef struct snCandidates {
    snCandidate* list;
    int count, capacity;
    bool full; ///< scratch ran out: some are missing
} snCandidates;

/// All pairs of geoms that the filters allow and whose bounding spheres and boxes, margins included, overlap,
/// sorted. Reads geom_xpos, geom_xmat. Updates d->broadphase_order. The caller marks and releases the
/// scratch.
snCandidates sn_broadphase(const snModel* m, snData* d);

/// Sorts candidates into the order of contacts, in place.
void sn_sortCandidates(snCandidate* list, int count);

#endif
