// What the broad phase hands to the narrow phase.
#ifndef SINEW_COLLISION_CONTACT_CANDIDATE_H
#define SINEW_COLLISION_CONTACT_CANDIDATE_H

#include <sinew/data.h>

/// Two geoms to be looked at closely.
typedef struct snCandidate {
    int body[2];      ///< ids of their bodies, the lower first
    int geom[2];      ///< ids, type of the first <= type of the second
    int pair;         ///< pair element; -1: none
    bool swapped;     ///< geom[0] is of body[1]
    int first, count; ///< its points, set by the narrow phase
} snCandidate;

#endif
